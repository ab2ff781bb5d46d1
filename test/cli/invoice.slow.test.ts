import { expect, test } from 'vitest';
import { inProcess } from './in-process.ts';
import { ITALY, useTariffCommands } from './tariff-files.ts';

const given = useTariffCommands();

test('An invoice is read no further than its first row beyond the limit', async () => {
  const mapping = { name: 'Mia', columns: { trackingNumber: 'ldv' }, charges: [{ column: 'Nolo', kinds: ['base'] }] };
  const csv = `LDV;Nolo\n${'X;1\n'.repeat(600_000)}"never read`;
  const file = await given.fileOf('invoice.csv', csv);
  const args = [
    '--connection',
    `${await given.connection(ITALY)}`,
    '--number',
    'E/1',
    '--date',
    '2026-11-30',
    '--dry-run',
    '--company',
    given.caller.companyId,
  ];
  args.push('--mapping-file', await given.fileOf('mapping.json', JSON.stringify(mapping)));
  const { stderr } = await inProcess(['--json', 'invoice', 'import', file, ...args], given.settings);
  expect(stderr).toContain('has more than 500000 rows');
});
