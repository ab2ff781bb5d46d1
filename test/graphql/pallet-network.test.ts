import { expect, test } from 'vitest';
import { ask, feedOrders, RECIPIENT, shipment, upsertOrders, upsertShipments } from '../support/platform-side.ts';
import { useSharedWorld } from '../support/world.ts';
import { BY_HAND, importPriceList, inputOf, PALLET_NETWORK } from './price-list-calls.ts';
import { FIRENZE, LIVIGNO } from './price-list-shipments.ts';
import { simulate } from './simulation-calls.ts';

/** Charges of the price list of a pallet network beside the prices of the guide. */

const world = useSharedWorld();

async function network() {
  const caller = await world.company();
  const imported = await importPriceList(caller, PALLET_NETWORK);
  return { caller, imported, warehouseId: imported.shop.warehouseId, carrierId: imported.id };
}

test('A quote of the pallet network to Livigno has no VAT', async () => {
  const { caller, imported } = await network();
  const { items } = await ask<{ items: { vatAmount: string }[] }>(
    caller,
    `query ($input: QuoteInput!, $terms: QuoteTermsInput) { quoteShipment(input: $input, terms: $terms) {
      ... on QuoteList { items { vatAmount } } } }`,
    { input: inputOf(imported, LIVIGNO), terms: LIVIGNO.terms },
  );
  expect(items).toEqual([{ vatAmount: '0.00' }]);
});

test('The pallet network charges storage by quintale and day, as the guide calculates by hand', async () => {
  const { caller, imported } = await network();
  const { items } = await ask<{ items: { charges: { amount: string; calculation: string }[] }[] }>(
    caller,
    `query ($input: QuoteInput!, $terms: QuoteTermsInput) { quoteAfterShipment(input: $input, terms: $terms,
      events: [{ kind: STORAGE, storageDays: 9 }]) { items { charges { amount calculation(language: EN) } } } }`,
    { input: inputOf(imported, FIRENZE), terms: FIRENZE.terms },
  );
  expect(items[0]?.charges).toEqual([
    {
      amount: BY_HAND.get('P13'),
      calculation:
        '0.80 × 12 for each 100 kg begun of 1200 kg × 4 for each 1 day begun above 5 days of 9 days, at least 15.00',
    },
  ]);
});

test('An order states which of its parcels are pallets, in quotes of GraphQL and REST and in simulations', async () => {
  const { caller, warehouseId, carrierId } = await network();
  const firenze = { ...RECIPIENT, postalCode: '50122', city: 'Firenze', province: 'FI' };
  const sides = { weight: '550', length: '120', width: '80', height: '100', quantity: 2 };
  const orders = [
    { orderNumber: 'A', warehouseId, recipient: firenze, parcels: [{ ...sides, pallet: {} }] },
    {
      orderNumber: 'B',
      warehouseId,
      recipient: firenze,
      parcels: [{ ...sides, pallet: { type: 'quarto', isStackable: true } }],
    },
  ];
  const ids = await feedOrders(caller, ...orders);
  expect(await upsertOrders(caller, orders)).toMatchObject({ unchanged: 2 });
  const shown =
    'query ($number: String!) { order(by: { orderNumber: $number }) { parcels { pallet { type isStackable } } } }';
  expect(await ask(caller, shown, { number: 'A' })).toEqual({
    parcels: [{ pallet: { type: null, isStackable: false } }],
  });
  const totals: unknown[] = [];
  for (const orderId of ids) {
    const { body } = await caller.rest('POST', '/shipments/quote', { orderId, shipmentDate: '2026-11-23' });
    totals.push((body as { totalPrice: number }[])[0]?.totalPrice);
  }
  // The third shipment of the guide; and 70.00 for two of the class that is stated, with 5.04 of fuel.
  expect(totals).toEqual([126.5, 75.04]);
  await upsertShipments(
    caller,
    orders.map(({ orderNumber }) =>
      shipment(carrierId, `N-${orderNumber}`, { orderNumber, recipient: null, shippedAt: '2026-11-23T09:00:00Z' }),
    ),
  );
  const { tariffs } = await simulate(caller, { period: { from: '2026-11-01', to: '2026-11-30' } });
  expect(tariffs[0]).toMatchObject({ shipments: 2, total: '201.54' });
});
