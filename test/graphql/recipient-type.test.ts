import { expect, test } from 'vitest';
import { flat, merchantsOf } from '../rest/tariffs.ts';
import { ask, feedOrders, RECIPIENT, shipment, upsertOrders, upsertShipments } from '../support/platform-side.ts';
import { useSharedWorld } from '../support/world.ts';
import { simulate } from './simulation-calls.ts';

const world = useSharedWorld();
const newMerchant = merchantsOf(world);

/** 10.00 everywhere in Italy, and 2.50 more for a person at home. */
const TARIFF = {
  ...flat(10),
  format: 2,
  versions: [
    {
      ...flat(10).versions[0],
      weight: { per: 'shipment', roundUp: [{ toKg: 1 }] },
      surcharges: [
        {
          code: 'privato',
          description: 'Consegna a privato',
          when: { recipientType: 'private' },
          price: { fixed: 2.5 },
        },
      ],
    },
  ],
};

const QUOTE = `query ($input: QuoteInput!, $terms: QuoteTermsInput) {
  quoteShipment(input: $input, terms: $terms) { ... on QuoteList { items { totalPrice } } } }`;
const PARCELS = [{ weight: '4', length: '40', width: '30', height: '30', quantity: 1 }];

interface Quoted {
  readonly items: readonly { readonly totalPrice: string }[];
}

test('A price depends on the recipient type of the quote: business or private', async () => {
  const { caller, body } = await newMerchant(TARIFF);
  const totals: (string | undefined)[] = [];
  for (const terms of [{ recipientType: 'PRIVATE' }, { recipientType: 'BUSINESS' }, {}, null]) {
    const { items } = await ask<Quoted>(caller, QUOTE, { input: body(), terms });
    totals.push(items[0]?.totalPrice);
  }
  expect(totals).toEqual(['12.50', '10.00', '10.00', '10.00']);
});

test('The recipient of an order has a type, in GraphQL and in REST, and the quote can override it', async () => {
  const { caller, warehouseId, quote } = await newMerchant(TARIFF);
  const recipient = { ...RECIPIENT, type: 'PRIVATE' };
  const [orderId] = await feedOrders(caller, { orderNumber: 'A', warehouseId, parcels: PARCELS, recipient });
  const totalOf = async (terms: object) =>
    (await ask<Quoted>(caller, QUOTE, { input: { orderId }, terms })).items[0]?.totalPrice;
  expect(await totalOf({})).toBe('12.50');
  expect(await totalOf({ recipientType: 'BUSINESS' })).toBe('10.00');
  const ofRest = await caller.rest('POST', '/shipments/quote', { orderId });
  expect(ofRest.body).toMatchObject([{ totalPrice: 12.5 }]);
  expect((await quote()).body).toMatchObject([{ totalPrice: 10 }]);
});

test('An order shows its recipient type, and is unchanged when it is sent again', async () => {
  const { caller } = await newMerchant();
  const [plain, home] = [RECIPIENT, { ...RECIPIENT, type: 'PRIVATE' }];
  const orders = [
    { orderNumber: 'A', recipient: plain },
    { orderNumber: 'B', recipient: home },
  ];
  await feedOrders(caller, ...orders);
  expect(await upsertOrders(caller, orders)).toMatchObject({ unchanged: 2 });
  const typeOf = async (orderNumber: string) =>
    (
      await ask<{ recipient: { type: string | null } }>(
        caller,
        'query ($number: String!) { order(by: { orderNumber: $number }) { recipient { type } } }',
        { number: orderNumber },
      )
    ).recipient.type;
  expect([await typeOf('A'), await typeOf('B')]).toEqual([null, 'private']);
});

test('A simulation uses the recipient types, and a default for recipients without one', async () => {
  const { caller, warehouseId, ids } = await newMerchant(TARIFF);
  const [brt = 0] = ids;
  const of = (number: string, fields: object) =>
    shipment(brt, number, {
      warehouseId,
      shippedAt: '2026-10-15T09:00:00Z',
      weight: '2',
      volume: '8000',
      ...fields,
    });
  await feedOrders(caller, { orderNumber: 'A', recipient: { ...RECIPIENT, type: 'PRIVATE' } });
  await upsertShipments(caller, [
    of('HOME', { recipient: { ...RECIPIENT, type: 'PRIVATE' } }),
    of('SHOP', { recipient: { ...RECIPIENT, type: 'BUSINESS' } }),
    of('ORDER', { orderNumber: 'A' }),
    of('UNKNOWN', {}),
  ]);
  const period = { from: '2026-10-01', to: '2026-10-31' };
  const privateLines = async (terms: object) =>
    (await simulate(caller, { period, ...terms })).tariffs[0]?.lines.find(({ code }) => code === 'privato');
  expect(await privateLines({})).toMatchObject({ shipments: 2, amount: '5.00' });
  expect(await privateLines({ recipientType: 'PRIVATE' })).toMatchObject({ shipments: 3, amount: '7.50' });
});
