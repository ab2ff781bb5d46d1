import { beforeAll, expect, test } from 'vitest';
import { feedShipments } from '../support/platform-side.ts';
import { inProcess } from './in-process.ts';
import { ITALY, useTariffCommands } from './tariff-files.ts';

const given = useTariffCommands();
const { connection, fileOf } = given;
const invoice = (...args: string[]) => inProcess(['--json', 'invoice', ...args], given.settings);
const MAPPING = {
  name: 'Mia',
  columns: { trackingNumber: 'ldv', date: 'DATA SPEDIZIONE', chargeableKg: 'Peso', zone: 'Località' },
  charges: [{ column: 'Nolo', kinds: ['base'] }],
  zones: { nazionale: 'italia' },
  skip: [{ column: 'LDV', values: ['totale'] }],
};

let ids: string[];
let mapping: string;
beforeAll(async () => {
  const id = await connection(ITALY);
  ids = ['--connection', `${id}`];
  mapping = await fileOf('mapping.json', JSON.stringify(MAPPING));
  const shipped = { warehouseId: given.warehouseId, weight: '4', volume: '1000', shippedAt: '2026-11-03T09:00:00Z' };
  await feedShipments(given.caller, id, { trackingNumber: 'G1', ...shipped }, { trackingNumber: 'G2', ...shipped });
});

const importing = async (csv: string | Uint8Array, number: string, ...args: string[]) =>
  invoice('import', await fileOf('invoice.csv', csv), ...ids, '--number', number, '--date', '2026-11-30', ...args);

test('a file is read no further than its first row beyond the limit', async () => {
  const csv = `LDV;Nolo\n${'X;1\n'.repeat(600_000)}"never read`;
  const tooLong = await importing(csv, 'E/1', '--mapping-file', mapping, '--dry-run');
  expect(tooLong.stderr).toContain('has more than 500000 rows');
});
