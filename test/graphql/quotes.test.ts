import { describe, expect, test } from 'vitest';
import {
  cents,
  demoMerchant,
  type Fields,
  flat,
  MILANO,
  merchantsOf,
  PALERMO,
  PARCEL,
  quote,
  SICILY,
} from '../rest/tariffs.ts';
import { ask } from '../support/platform-side.ts';
import { useSharedWorld } from '../support/world.ts';
import { onlyItem, QUOTE, quoteGraph, type Result } from './quote-calls.ts';

const world = useSharedWorld();
const newMerchant = merchantsOf(world);

describe('The worked example', () => {
  test('is explained line by line', async () => {
    const { caller, body } = await newMerchant(SICILY);
    const { explanation, ...item } = await onlyItem(caller, body({ codAmount: 100, insuranceAmount: 200 }));
    expect(item).toMatchObject({
      chargeableWeight: '10.8',
      realWeight: '4',
      basePrice: '12.2',
      totalPrice: '21.59',
      vatRate: '22',
      vatAmount: '4.75',
      totalPriceWithVat: '26.34',
      currency: 'EUR',
    });
    expect(explanation).toEqual({
      tariffId: expect.any(Number),
      tariffName: 'Esempio',
      version: 'Esempio 2026',
      validFrom: '2026-01-01',
      weight: 'the greater of real 4 kg and volumetric 10.8 kg, of the shipment, rounded up to 0.1 kg: 10.8 kg',
      vatNote: null,
      zone: {
        code: 'sicilia',
        name: 'Sicilia',
        ruleKind: 'region',
        place: 'Sicilia',
        rule: '/versions/0/zones/0/to/regions/0',
      },
      band: { overKg: '10', upToKg: '20', price: '12.2', steps: 0, stepKg: null, stepPrice: null },
      lines: [
        ['base', 'base', '12.2', 'up to 20 kg: 12.20', '/versions/0/zones/0/bands/3'],
        ['istat', 'surcharges', '0.35', '2.9 % of 12.20 (base)', '/versions/0/surcharges/0'],
        ['fuel', 'fuel', '1.04', '8.5 % of 12.20 (base), the rate from 2026-01-01', '/versions/0/fuel/0'],
        ['cod', 'cod', '4.5', '3.00 + 1.2 % of 100.00, at least 4.50', '/versions/0/cod/0'],
        ['insurance', 'insurance', '3.5', '0.9 % of 200.00, at least 3.50', '/versions/0/insurance/0'],
      ].map(([code, component, amount, calculation, rule]) => ({
        code,
        component,
        amount,
        calculation,
        rule,
        description: expect.stringMatching(/\w/),
      })),
    });
  });
});

test('A very long list of carriers is not answered by a body many times as long', async () => {
  const { caller, body } = await newMerchant(flat(5));
  const carrierConnectionIds = Array.from({ length: 300_000 }, (_, i) => 1_000_000 + i);
  const sent = JSON.stringify(carrierConnectionIds).length;
  const { data, errors } = await caller.graphql(QUOTE, { input: body({ carrierConnectionIds }) });
  expect(JSON.stringify(errors ?? data).length).toBeLessThan(2 * sent);
});

describe('The input of a quote', () => {
  test('can have decimals as texts or numbers', async () => {
    const { caller, body } = await newMerchant(SICILY);
    const numbers = await quoteGraph(caller, body({ codAmount: 100.5, insuranceAmount: 200 }));
    const texts = await quoteGraph(
      caller,
      body({
        parcels: [{ weight: '4.000', length: '40', width: '30.00', height: ' 30 ' }],
        codAmount: '100.50',
        insuranceAmount: '200.',
      }),
    );
    expect(texts).toEqual(numbers);
    expect(await quoteGraph(caller, body({ parcels: undefined, totalWeight: '4', totalVolume: '36000.00' }))).toEqual(
      await quoteGraph(caller, body({ parcels: undefined, totalWeight: 4, totalVolume: 36_000 })),
    );
  });

  test.each<[Fields, pointer: string, code: string]>([
    [{ parcels: [{ ...PARCEL, weight: 'heavy' }] }, '/shipment/parcels/parcels/0/weight', 'invalid_decimal'],
    [{ parcels: [{ ...PARCEL, weight: '-1' }] }, '/shipment/parcels/parcels/0/weight', 'out_of_range'],
    [{ codAmount: '10.123' }, '/codAmount', 'out_of_range'],
    [
      { destination: { ...PALERMO, province: 'MI' } },
      '/shipment/parcels/destination/postalCode',
      'postal_code_not_in_province',
    ],
    [{ destination: { ...PALERMO, zip: '1' } }, '/shipment/parcels/destination/zip', 'unknown_field'],
    [{ parcels: [{ ...PARCEL, weight: true }] }, '/shipment/parcels/parcels/0/weight', 'wrong_type'],
    [{ orderId: 1 }, '/shipment', 'not_allowed'],
  ])('with %j is rejected at %s', async (fields, pointer, code) => {
    const { caller, body } = await newMerchant();
    const { errors = [] } = await caller.graphql(QUOTE, { input: body(fields) });
    expect(errors[0]?.extensions).toMatchObject({ code: 'validation_failed', status: 422 });
    expect(errors[0]?.extensions.errors).toContainEqual(expect.objectContaining({ code, pointer }));
  });

  test.each<[Fields, code: string]>([
    [{ warehouseId: 2_147_483_647 }, 'warehouse_not_found'],
    [{ warehouseId: undefined, destination: undefined, parcels: undefined, orderId: 2_147_483_647 }, 'order_not_found'],
  ])('with %j has an unknown record: %s', async (fields, code) => {
    const { caller, body } = await newMerchant();
    const { errors = [] } = await caller.graphql(QUOTE, { input: body(fields) });
    expect(errors.map(({ extensions }) => [extensions.code, extensions.status])).toEqual([[code, 404]]);
  });
});

test('The connection of an item requires the scope carriers:read', async () => {
  const { caller, ids, body } = await newMerchant(flat(5));
  const query = `query ($input: QuoteInput!) { quoteShipment(input: $input) {
    ... on QuoteList { items { carrierConnection { databaseId carrierCode label } } } } }`;
  const both = await world.key(caller.companyId, ['shipments:quote', 'carriers:read']);
  expect(await ask<Result>(both, query, { input: body() })).toEqual({
    items: [{ carrierConnection: { databaseId: ids[0], carrierCode: 'BRT', label: 'Conto' } }],
  });
  const quoter = await world.key(caller.companyId, ['shipments:quote']);
  const { errors = [] } = await quoter.graphql(query, { input: body() });
  expect(errors.map(({ extensions }) => [extensions.code, extensions.requiredScope])).toEqual([
    ['insufficient_scope', 'carriers:read'],
  ]);
});

test('Prices equal the prices of REST, and lines add up to their components', async () => {
  const shop = await demoMerchant(await world.company());
  const requests: Fields[] = [
    {},
    { codAmount: 100, insuranceAmount: 200 },
    { destination: MILANO, options: ['phone_notice', 'saturday'] },
    { destination: { postalCode: '57030', city: 'Marciana', province: 'LI' }, parcels: [{ ...PARCEL, quantity: 3 }] },
    { destination: { country: 'FR', postalCode: '75001', city: 'Paris' } },
    { parcels: undefined, totalWeight: 61.7, totalVolume: 123_456, parcelNumber: 4 },
    { parcels: [{ weight: 2000, length: 1, width: 1, height: 1 }] },
  ];
  let items = 0;
  for (const request of requests) {
    const input = shop.body({ shipmentDate: '2026-06-15', ...request });
    const graph = await quoteGraph(shop.caller, input);
    const { body } = await quote(shop.caller, input);
    if (graph.__typename === 'QuoteWarning') {
      const { __typename: _, notices: __, details, ...warning } = graph;
      const shown = details.map(({ version: ___, rule: ____, carrierConnectionId: carrierCompanyId, ...detail }) => ({
        carrierCompanyId,
        ...detail,
      }));
      expect(body).toEqual({ ...warning, details: shown });
      continue;
    }
    const asNumbers = graph.items.map(({ explanation: _, carrierConnectionId: carrierCompanyId, ...item }) =>
      Object.fromEntries(
        Object.entries({ carrierCompanyId, ...item }).map(([name, value]) => {
          if (name === 'carrierOptionsDetail') {
            return [name, (value as unknown as Fields[]).map(option => ({ ...option, price: Number(option.price) }))];
          }
          return [name, /Price|Weight|^vat/.test(name) ? Number(value) : value];
        }),
      ),
    );
    expect(asNumbers).toEqual(body);
    for (const { explanation, ...item } of graph.items) {
      items++;
      const sums = { base: 0, surcharges: 0, fuel: 0, options: 0, cod: 0, insurance: 0 };
      for (const { component, amount } of explanation.lines) sums[component as keyof typeof sums] += cents(amount);
      for (const [component, sum] of Object.entries(sums)) {
        expect([component, sum]).toEqual([component, cents(item[`${component}Price`])]);
      }
    }
  }
  expect(items).toBeGreaterThan(10);
});
