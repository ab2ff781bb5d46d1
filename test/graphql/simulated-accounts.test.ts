import { expect, test } from 'vitest';
import { connectWith, currentTariff } from '../rest/tariffs.ts';
import { ask, createWarehouse, type Item, shipment, upsertShipments } from '../support/platform-side.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

const ACCOUNT = {
  fees: [
    { code: 'canone', description: 'Canone', per: 'month', price: 25 },
    { code: 'ritiro', description: 'Ritiro', per: 'pickup', price: 3.5 },
  ],
  minimum: { code: 'minimo', description: 'Minimo mensile', price: 50 },
  bonus: {
    code: 'premio',
    description: 'Premio annuo',
    by: 'spend',
    steps: [{ from: 100, percent: 10 }],
  },
};
/** One price for all of Italy. */
const flat = (price: number, fields: object = {}) =>
  currentTariff({
    zones: [{ code: 'it', name: 'Italia', to: { countries: ['IT'] }, bands: [{ upToKg: 50, price }] }],
    ...fields,
  });
const A =
  'account { charges { code description months amount } total bonus { code amount calculation(language: EN) } }';
const SIMULATE = `mutation ($input: SimulateTariffsInput!) { simulateTariffs(input: $input) {
  simulation { asShipped { total totalWithAccount byConnection { total ${A} } } tariffs { total totalWithAccount ${A} } }
  userErrors { code pointer message } } }`;

interface Simulated {
  readonly asShipped: Item & { readonly byConnection: readonly Item[] };
  readonly tariffs: readonly Item[];
}

test('A simulation adds the account charges of tariffs to the costs of shipments, and shows a bonus separately', async () => {
  const caller = await world.company();
  const warehouseId = await createWarehouse(caller);
  const brt = await connectWith(caller, flat(10, { account: ACCOUNT }), 'BRT');
  const gls = await connectWith(caller, flat(12), 'GLS');
  const on = (number: string, day: string) =>
    shipment(brt, number, { warehouseId, weight: '2', volume: '1000', shippedAt: `${day}T09:00:00Z` });
  await upsertShipments(caller, [on('A', '2026-09-02'), on('B', '2026-09-02'), on('C', '2026-10-05')]);
  const input = {
    period: { from: '2026-09-01', to: '2026-10-31' },
    tariffs: [{ tariff: { carrierConnectionId: brt } }, { tariff: { carrierConnectionId: gls } }],
  };
  const { asShipped, tariffs } = await ask<Simulated>(caller, SIMULATE, { input });
  // September: two shipments for 20.00 and one pickup. October: one of each for 10.00.
  const account = {
    charges: [
      { code: 'canone', description: 'Canone', months: 2, amount: '50.00' },
      { code: 'ritiro', description: 'Ritiro', months: 2, amount: '7.00' },
      { code: 'minimo', description: 'Minimo mensile', months: 2, amount: '70.00' },
    ],
    total: '127.00',
    bonus: {
      code: 'premio',
      amount: '-3.00',
      calculation: '179.50 in a year of 365 days like these 61: 10 % of 30.00',
    },
  };
  expect(tariffs).toEqual([
    { total: '30.00', totalWithAccount: '157.00', account },
    { total: '36.00', totalWithAccount: '36.00', account: { charges: [], total: '0.00', bonus: null } },
  ]);
  expect(asShipped).toEqual({
    total: '30.00',
    totalWithAccount: '157.00',
    byConnection: [{ total: '30.00', account }],
  });
});
