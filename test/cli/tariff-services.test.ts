import { expect, test } from 'vitest';
import { currentTariff } from '../rest/tariffs.ts';
import { feedShipments } from '../support/platform-side.ts';
import type { Json } from './processes.ts';
import { useTariffCommands } from './tariff-files.ts';

const given = useTariffCommands();
const { json, connection, fileOf, run } = given;

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

test('`tariff after-shipment` charges by the requested service, or by the cheapest one', async () => {
  const id = await connection(TARIFF);
  const shipment = {
    carrierConnectionIds: [id],
    shipment: {
      parcels: {
        warehouseId: given.warehouseId,
        destination: { country: 'IT', postalCode: '90139', city: 'Palermo', province: 'PA' },
        parcels: [{ weight: 4, length: 10, width: 10, height: 10 }],
      },
    },
  };
  const file = await fileOf('shipment.json', JSON.stringify(shipment));
  const returned = async (...args: string[]) =>
    (await json('after-shipment', file, '--event', 'return', ...args)).items;
  expect(await returned()).toMatchObject([{ charges: [{ code: 'reso', amount: '6.00' }] }]);
  expect(await returned('--terms', '{"service":"express"}')).toMatchObject([{ charges: [{ amount: '9.00' }] }]);
});

test('`tariff simulate` prices the shipments of a period on other tariffs, which its JSON names', async () => {
  const id = await connection(TARIFF);
  const shipped = { warehouseId: given.warehouseId, weight: '4', volume: '1000', shippedAt: '2026-10-15T09:00:00Z' };
  await feedShipments(given.caller, id, { trackingNumber: 'S1', ...shipped });
  const tariff = { document: { carrierConnectionId: id, tariff: TARIFF } };
  const file = await fileOf('tariffs.json', JSON.stringify([{ tariff }, { tariff, service: 'express' }]));
  const period = ['--from', '2026-10-01', '--to', '2026-10-31'];
  const made = await json('simulate', ...period, '--tariffs', file);
  expect(made.tariffs.map(({ total }: Json) => total)).toEqual(['6.00', '9.00']);
  expect(await json('simulation', `${made.databaseId}`)).toEqual(made);
  const wrong = await run('simulate', ...period, '--filter', '{"x":1}');
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(/^--filter: \/x is not a known field/) });
});
