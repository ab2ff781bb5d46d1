import { expect, test } from 'vitest';
import { connectWith, currentTariff, flat } from '../rest/tariffs.ts';
import {
  ask,
  createWarehouse,
  order,
  RECIPIENT,
  shipment,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import { useSharedWorld } from '../support/world.ts';
import { csvOf, rowsOf, type Simulation, simulate } from './simulation-calls.ts';

const world = useSharedWorld();

const zone = (service: string, price: number, more: object = {}) => ({
  code: service,
  name: service,
  services: [service],
  to: { countries: ['IT'] },
  bands: [{ upToKg: 10, price }],
  ...more,
});
const TARIFF = currentTariff(
  {
    services: [
      { code: 'standard', name: 'Standard' },
      { code: 'express', name: 'Express' },
    ],
    zones: [zone('standard', 6), zone('express', 9, { bandsPer: 'parcel' })],
  },
  'Contratto',
);
const SERVICES = `query ($id: ID!) { tariffSimulation(id: $id) { tariffs { name total services { code name shipments total } comparison {
  largestIncreases { trackingNumber before after explanation { service { code } lines { calculation(language: EN) } } } } } } }`;

interface Services {
  readonly tariffs: readonly {
    readonly service?: string | null;
    readonly services: readonly object[];
    readonly comparison: { readonly largestIncreases: readonly object[] };
  }[];
}

test('A simulation prices each shipment by the service that its order requests, or else by the cheapest that fits', async () => {
  const caller = await world.company();
  const warehouseId = await createWarehouse(caller);
  const brt = await connectWith(caller, flat(5, { validFrom: '2026-01-01' }), 'BRT');
  const contract = await connectWith(caller, TARIFF, 'DHL');
  const parcels = [{ weight: 2, length: 20, width: 20, height: 20, quantity: 2 }];
  const common = { warehouseId, recipient: RECIPIENT, parcels };
  await upsertOrders(caller, [
    order('FAST', { ...common, service: 'express' }),
    order('ANY', common),
    order('OTHER', { ...common, service: 'overnight' }),
  ]);
  await upsertShipments(
    caller,
    ['FAST', 'ANY', 'OTHER'].map(number =>
      shipment(brt, number, { orderNumber: number, shippedAt: '2026-10-15T09:00:00Z' }),
    ),
  );
  const found: Simulation = await simulate(caller, {
    period: { from: '2026-10-01', to: '2026-10-31' },
    tariffs: [{ tariff: { carrierConnectionId: contract } }],
  });
  expect(found).toMatchObject({
    asShipped: { shipments: 3, total: '15.00' },
    tariffs: [{ shipments: 3, total: '30.00' }],
  });
  const { tariffs } = await ask<Services>(caller, SERVICES, { id: found.databaseId });
  expect(tariffs[0]?.services).toEqual([
    { code: 'express', name: 'Express', shipments: 1, total: '18.00' },
    { code: 'standard', name: 'Standard', shipments: 2, total: '12.00' },
  ]);
  expect(tariffs[0]?.comparison.largestIncreases).toEqual([
    {
      trackingNumber: 'FAST',
      before: '5.00',
      after: '18.00',
      explanation: { service: { code: 'express' }, lines: [{ calculation: '2 parcels up to 10 kg: 9.00 each' }] },
    },
    ...['ANY', 'OTHER'].map(trackingNumber => ({
      trackingNumber,
      before: '5.00',
      after: '6.00',
      explanation: { service: { code: 'standard' }, lines: [{ calculation: 'up to 10 kg: 6.00' }] },
    })),
  ]);
  const rows = rowsOf(await csvOf(caller, found));
  expect(
    rows.map(row => [row.tracking_number, row['1 DHL Contratto: price'], row['1 DHL Contratto: service']]),
  ).toEqual([
    ['FAST', '18,00', 'express'],
    ['ANY', '6,00', 'standard'],
    ['OTHER', '6,00', 'standard'],
  ]);
});

test('A simulation prices all shipments by a requested service, beside the service of each', async () => {
  const caller = await world.company();
  const warehouseId = await createWarehouse(caller);
  const contract = await connectWith(caller, TARIFF, 'DHL');
  const parcels = [{ weight: 2, length: 20, width: 20, height: 20, quantity: 2 }];
  const common = { warehouseId, recipient: RECIPIENT, parcels };
  await upsertOrders(caller, [order('FAST', { ...common, service: 'express' }), order('ANY', common)]);
  await upsertShipments(
    caller,
    ['FAST', 'ANY'].map(number =>
      shipment(contract, number, { orderNumber: number, shippedAt: '2026-10-15T09:00:00Z' }),
    ),
  );
  const by = (service?: string) => ({ tariff: { carrierConnectionId: contract }, ...(service && { service }) });
  const found = await simulate(caller, {
    period: { from: '2026-10-01', to: '2026-10-31' },
    tariffs: [by(), by('standard'), by('express'), by('overnight')],
  });
  expect(found).toMatchObject({
    asShipped: { total: '24.00' },
    tariffs: [
      { shipments: 2, total: '24.00' },
      { shipments: 2, total: '12.00' },
      { shipments: 2, total: '36.00' },
      { shipments: 0, notPriced: [{ reason: 'OPTION_NOT_SUPPORTED', shipments: 2 }] },
    ],
  });
  const SHOWN = `query ($id: ID!) { tariffSimulation(id: $id) { tariffs { service comparison {
    largestIncreases { trackingNumber after explanation { service { code } } } } } } }`;
  const { tariffs } = await ask<Services>(caller, SHOWN, { id: found.databaseId });
  expect(tariffs.map(({ service }) => service)).toEqual([null, 'standard', 'express', 'overnight']);
  expect(tariffs[2]?.comparison.largestIncreases).toEqual([
    { trackingNumber: 'ANY', after: '18.00', explanation: { service: { code: 'express' } } },
  ]);
  const rows = rowsOf(await csvOf(caller, found));
  expect(rows.map(row => [row['2 DHL Contratto standard: price'], row['3 DHL Contratto express: price']])).toEqual([
    ['6,00', '18,00'],
    ['6,00', '18,00'],
  ]);
});
