import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { currentTariff } from '../rest/tariffs.ts';
import { feedShipments } from '../support/platform-side.ts';
import { Program } from './processes.ts';
import { PALERMO, useTariffCommands } from './tariff-files.ts';

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

const given = useTariffCommands();
const { json, connection, fileOf } = given;

const zone = (service: string, price: number) => ({
  code: service,
  name: service,
  services: [service],
  to: { countries: ['IT'] },
  bands: [{ upToKg: 10, price }],
});
const TARIFF = currentTariff(
  {
    label: '2020',
    validFrom: '2020-01-01',
    services: [
      { code: 'standard', name: 'Standard' },
      { code: 'express', name: 'Express' },
    ],
    zones: [zone('standard', 6), zone('express', 9)],
    afterShipment: [{ code: 'reso', on: 'return', description: 'Reso', price: { percent: 100, of: ['base'] } }],
  },
  'Contratto',
);

test('tariff after-shipment charges by the service that is asked for, or by the cheapest', async () => {
  const id = await connection(TARIFF);
  const parcels = [{ weight: 4, length: 10, width: 10, height: 10 }];
  const shipment = { warehouseId: given.warehouseId, destination: PALERMO, parcels };
  const file = await fileOf('shipment.json', JSON.stringify({ ...shipment, terms: { codPayment: 'card' } }));
  const returned = (...args: string[]) =>
    json('after-shipment', file, '--connection', `${id}`, '--event', 'return', ...args);
  expect(await returned()).toMatchObject({ code: 'reso', price: '6.00' });
  expect(await returned('--service', 'express')).toMatchObject({ code: 'reso', price: '9.00' });
});

test('tariff simulate prices all shipments by the service that is asked for', async () => {
  const id = await connection(TARIFF);
  const shipped = { warehouseId: given.warehouseId, weight: '4', volume: '1000', shippedAt: '2026-10-15T09:00:00Z' };
  await feedShipments(given.caller, id, { trackingNumber: 'S1', ...shipped });
  const file = await fileOf('contract.json', JSON.stringify(TARIFF));
  const period = ['--company', given.caller.companyId, '--from', '2026-10-01', '--to', '2026-10-31'];
  const totals = async (...args: string[]) => {
    const { tariffs } = await json('simulate', ...period, '--tariff', `${id}=${file}`, ...args);
    return (tariffs as readonly { total: string }[]).map(({ total }) => total);
  };
  expect(await totals()).toEqual(['6.00']);
  expect(await totals('--service', 'express')).toEqual(['9.00']);
});

test('tariff simulate fails if only a part of a page of its CSV finds room', async () => {
  const id = await connection(TARIFF);
  const shipped = { warehouseId: given.warehouseId, weight: '4', volume: '1000', shippedAt: '2026-09-15T09:00:00Z' };
  const numbers = Array.from({ length: 20 }, (_, i) => `PARTE${i}`);
  await feedShipments(given.caller, id, ...numbers.map(trackingNumber => ({ trackingNumber, ...shipped })));
  const csv = await fileOf('prices.csv', '');
  const simulate = `tariff simulate --company ${given.caller.companyId} --from 2026-09-01 --to 2026-09-30 --csv ${csv}`;
  // Files have 1,024 bytes at most, so that the system stores the first ones of a page and reports no error.
  const program = new Program(
    ['-c', `ulimit -f 1; "$NODE" "$CLI" ${simulate}`],
    { NODE: process.execPath, CLI, DATABASE_URL: given.world.databaseUrl },
    { file: 'bash' },
  );
  expect(await program.ended()).toMatchObject({ code: 1, stderr: expect.stringContaining('EFBIG') });
  expect((await stat(csv)).size).toBe(1024);
});
