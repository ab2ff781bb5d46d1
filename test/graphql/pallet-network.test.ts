import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { connectWith } from '../rest/tariffs.ts';
import {
  ask,
  createWarehouse,
  feedOrders,
  RECIPIENT,
  shipment,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';
import { simulate } from './simulation-calls.ts';

const world = useSharedWorld({ ROLE: 'api' });

const fileOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const TARIFF = JSON.parse(fileOf('schema/examples/tariffs/pallet-network.json')) as object;
const GUIDE = fileOf('src/docs/pallet-network.md');

/** Totals that the guide calculates by hand, by the number of the shipment. */
const TOTALS = [...GUIDE.matchAll(/^\| (\d+) \|.*\*\*([\d.]+)\*\* \|$/gm)].map(([, , total]) => total);

interface Pallets {
  readonly count?: number;
  readonly kg: number;
  readonly sides: readonly [length: number, width: number, height: number];
  readonly isStackable: boolean;
}
interface Shipment {
  readonly to: readonly [postalCode: string, city: string, province: string];
  readonly pallets: readonly Pallets[];
  readonly input?: object;
  readonly terms?: object;
}

const stackable = (kg: number, height: number, count = 1): Pallets => ({
  count,
  kg,
  sides: [120, 80, height],
  isStackable: true,
});
const single = (kg: number, height: number, count = 1) => ({ ...stackable(kg, height, count), isStackable: false });
const long = (kg: number, isStackable: boolean): Pallets => ({ kg, sides: [240, 100, 150], isStackable });

/** The shipments of the guide, in its order. */
const SHIPMENTS: readonly Shipment[] = [
  { to: ['10121', 'Torino', 'TO'], pallets: [stackable(250, 55)] },
  { to: ['40121', 'Bologna', 'BO'], pallets: [stackable(90, 180)] },
  { to: ['50122', 'Firenze', 'FI'], pallets: [single(550, 100, 2)] },
  { to: ['00184', 'Roma', 'RM'], pallets: [stackable(280, 60), stackable(900, 200, 2)] },
  { to: ['80133', 'Napoli', 'NA'], pallets: [stackable(1000, 150, 5)], input: { options: ['sponda'] } },
  {
    to: ['70121', 'Bari', 'BA'],
    pallets: [stackable(400, 90)],
    input: { options: ['sponda', 'appuntamento'] },
    terms: { recipientType: 'PRIVATE' },
  },
  { to: ['90139', 'Palermo', 'PA'], pallets: [single(700, 140, 2)] },
  { to: ['98055', 'Lipari', 'ME'], pallets: [stackable(120, 50)] },
  { to: ['09124', 'Cagliari', 'CA'], pallets: [stackable(500, 110, 4)] },
  { to: ['37121', 'Verona', 'VR'], pallets: [long(700, false)] },
  { to: ['10121', 'Torino', 'TO'], pallets: [stackable(1100, 210), long(1200, true)] },
  {
    to: ['23041', 'Livigno', 'SO'],
    pallets: [stackable(450, 115)],
    input: { codAmount: 1000, insuranceAmount: 5000 },
  },
];

const QUOTES = `query ($inputs: [QuoteInput!]!, $terms: [QuoteTermsInput]) { quoteShipments(inputs: $inputs, terms: $terms) {
  errors { code pointer message } quote { ... on QuoteList { items { totalPrice vatAmount } } } } }`;

interface Outcome {
  readonly errors: readonly unknown[];
  readonly quote: { readonly items: readonly { readonly totalPrice: string; readonly vatAmount: string }[] };
}

const asked = (warehouseId: number, { to, pallets, input = {}, terms = {} }: Shipment) => {
  const [postalCode, city, province] = to;
  return {
    input: {
      warehouseId,
      destination: { postalCode, city, province },
      parcels: pallets.map(({ count = 1, kg, sides: [length, width, height] }) => ({
        weight: kg,
        length,
        width,
        height,
        quantity: count,
      })),
      shipmentDate: '2026-11-23',
      ...input,
    },
    terms: { pallets: pallets.map(({ isStackable }, parcel) => ({ parcel, isStackable })), ...terms },
  };
};

async function network(): Promise<{ caller: Caller; warehouseId: number; carrierId: number }> {
  const caller = await world.company();
  const warehouseId = await createWarehouse(caller);
  const carrierId = await connectWith(caller, TARIFF, 'GLS');
  return { caller, warehouseId, carrierId };
}

test('the price list of a pallet network prices a dozen shipments as the guide calculates them by hand', async () => {
  const { caller, warehouseId } = await network();
  const sent = SHIPMENTS.map(one => asked(warehouseId, one));
  const outcomes = await ask<readonly Outcome[]>(caller, QUOTES, {
    inputs: sent.map(({ input }) => input),
    terms: sent.map(({ terms }) => terms),
  });
  expect(outcomes.map(({ errors }) => errors)).toEqual(SHIPMENTS.map(() => []));
  expect(TOTALS).toHaveLength(12);
  expect(outcomes.map(({ quote }) => quote.items[0]?.totalPrice)).toEqual(TOTALS);
  // Livigno has no VAT.
  expect(outcomes.at(-1)?.quote.items[0]?.vatAmount).toBe('0.00');
});

test('its storage is charged by quintale and day', async () => {
  const { caller, warehouseId } = await network();
  const { input, terms } = asked(warehouseId, SHIPMENTS[2] as Shipment);
  const { items } = await ask<{ items: { charges: { amount: string; calculation: string }[] }[] }>(
    caller,
    `query ($input: QuoteInput!, $terms: QuoteTermsInput) { quoteAfterShipment(input: $input, terms: $terms,
      events: [{ kind: STORAGE, storageDays: 9 }]) { items { charges { amount calculation } } } }`,
    { input, terms },
  );
  expect(items[0]?.charges).toEqual([
    {
      amount: '38.40',
      calculation:
        '0.80 × 12 for each 100 kg begun of 1200 kg × 4 for each 1 day begun above 5 days of 9 days, at least 15.00',
    },
  ]);
});

test('an order says which of its parcels are pallets, to quotes of GraphQL and REST and to simulations', async () => {
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
  const shown = 'query ($number: String) { order(orderNumber: $number) { parcels { pallet { type isStackable } } } }';
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
      shipment(carrierId, `N-${orderNumber}`, { orderNumber, recipient: null, shipmentDate: '2026-11-23T09:00:00Z' }),
    ),
  );
  const { tariffs } = await simulate(caller, { period: { from: '2026-11-01', to: '2026-11-30' } });
  expect(tariffs[0]).toMatchObject({ shipments: 2, total: '201.54' });
});
