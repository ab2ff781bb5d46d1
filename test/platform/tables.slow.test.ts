import { afterAll, expect, test } from 'vitest';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { readTable } from '../../src/platform/tables/read-table.ts';
import { TABLE_LIMITS } from '../../src/platform/tables/sent-table.ts';
import { closeThreads } from '../../src/platform/threads/threads.ts';
import { sheetXml, workbook } from '../support/workbook.ts';

const owner = { companyId: 'a' as CompanyId };
afterAll(closeThreads);

test('A workbook of a million rows is rejected within seconds', async () => {
  const rows = Array.from({ length: 1_000_000 }, (_, i) => `<row r="${i + 1}"><c><v>1</v></c></row>`).join('');
  const bytes = workbook({ A: `<worksheet><sheetData>${rows}</sheetData></worksheet>` });
  const startedAt = performance.now();
  await expect(readTable(owner, bytes)).rejects.toThrow('more than 500000 rows');
  // Two seconds alone, and more beside other tests.
  expect(performance.now() - startedAt).toBeLessThan(6_000);
});

test('A workbook of more than two million shared texts is rejected while they are read', async () => {
  const texts = Array.from({ length: 2_100_000 }, (_, i) => `<si a="${i % 9_973}"/>`).join('');
  const bytes = workbook({ A: [['a']] }, { parts: { 'xl/sharedStrings.xml': `<sst>${texts}</sst>` } });
  await expect(readTable({ ...owner, taskMs: 60_000 }, bytes)).rejects.toThrow('more than 2000000 texts');
});

test('The sheets of a workbook may be smaller together in a request than in a command', async () => {
  const sheet = sheetXml(Array.from({ length: 100 }, () => Array(10).fill('x'.repeat(1_000))));
  const names = Array.from({ length: 20 }, (_, i) => `S${i}`);
  const bytes = () => workbook(Object.fromEntries(names.map(name => [name, sheet])));
  expect((await readTable(owner, bytes())).sheets).toHaveLength(20);
  await expect(readTable(owner, bytes(), TABLE_LIMITS.keptBytesOfRequest)).rejects.toThrow('has too much in its cells');
});
