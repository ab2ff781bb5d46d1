import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { inProcess } from './in-process.ts';
import { answerOf, type Env, type Json, useProcesses } from './processes.ts';

const COMPANY = 'de300000-0000-4000-8000-000000000001';
/** The demo's connection to BRT. */
const CONNECTION = '1';

const processes = useProcesses();
let env: Env;
let file: string;
beforeAll(async () => {
  const folder = await processes.dataDir();
  env = { DATA_DIR: folder, DATABASE_URL: await processes.database('migrated') };
  file = join(folder, 'october.csv');
});

const json = async (...args: string[]): Promise<Json> => answerOf(await inProcess(['--json', ...args], env));

test("the month of the demo has shipments, a second tariff and the carrier's invoice, each time the same", async () => {
  expect(await json('demo', '--month', file)).toMatchObject({ companyId: COMPANY, added: 0, invoice: file });
  const invoice = await readFile(file, 'utf8');
  await json('demo', '--month', file);
  expect(await readFile(file, 'utf8')).toBe(invoice);
  const history = await json('tariff', 'history', CONNECTION);
  expect(history.map(({ number, state }: Json) => [number, state])).toEqual([
    [2, 'in_force'],
    [1, 'replaced'],
  ]);
});

test('the invoice has five mistakes, and each is found with its code', async () => {
  const about = ['--connection', CONNECTION, '--number', '2026/1044', '--date', '2026-10-31', '--mapping', 'PLAIN'];
  expect(await json('invoice', 'import', file, ...about)).toMatchObject({ lines: 42, checked: 42, findings: 5 });
  const { totals } = await json('invoice', 'show', '1', '--company', COMPANY);
  expect(totals.map(({ code, amount }: Json) => `${code} ${amount}`).toSorted()).toEqual([
    'DUPLICATE 11.25',
    'FUEL 0.21',
    'SURCHARGE_AMOUNT 5.50',
    'UNKNOWN_SHIPMENT 25.51',
    'WEIGHT_BAND 2.68',
  ]);
});

test('the shipments of the month cost more on the tariff of the next year', async () => {
  const history = await json('tariff', 'history', CONNECTION);
  const next = String(history[0].id);
  const period = ['--from', '2026-10-01', '--to', '2026-10-31'];
  const simulated = await json(
    ...['tariff', 'simulate', '--company', COMPANY, ...period, '--tariff', next, '--priced-on', '2027-01-15'],
  );
  expect(JSON.stringify(simulated)).toContain('"shipments":40');
  const [tariff] = simulated.tariffs;
  expect(Number(tariff.after ?? tariff.total)).toBeGreaterThan(Number(tariff.before));
});
