import { beforeAll, describe, expect, test } from 'vitest';
import { connectWith, flat } from '../rest/tariffs.ts';
import {
  ask,
  createWarehouse,
  type Item,
  NOTHING,
  order,
  RECIPIENT,
  refusal,
  shipment,
  times,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';
import { csvOf, rowsOf, SIMULATE, simulate, simulationOf } from './simulation-calls.ts';

const world = useSharedWorld();
const OCTOBER = { from: '2026-10-01', to: '2026-10-31' };
const SHIPPED = { shippedAt: '2026-10-15T09:00:00Z', volume: '8000' };
const PALERMO = { ...RECIPIENT, postalCode: '90139', city: 'Palermo', province: 'PA' };
const VERSION = { validFrom: '2026-01-01', validUntil: null };

/** Light parcels at one price and heavy ones at another, and Sicily dearer by a surcharge. */
const banded = (light: number, heavy: number, fields: Item = {}) =>
  flat(light, {
    validFrom: '2026-01-01',
    zones: [
      {
        code: 'italia',
        name: 'Italia',
        to: { countries: ['IT'] },
        bands: [
          { upToKg: 5, price: light },
          { upToKg: 30, price: heavy },
        ],
      },
    ],
    surcharges: [{ code: 'isole', description: 'Isole', when: { to: { regions: ['Sicilia'] } }, price: { fixed: 2 } }],
    ...fields,
  });

interface Shop {
  readonly caller: Caller;
  readonly warehouseId: number;
  readonly brt: number;
  readonly gls: number;
}

/** Four shipments: light and heavy ones, to Milan and Palermo; two on each of two carriers. */
async function shop(): Promise<Shop> {
  const caller = await world.company();
  const warehouseId = await createWarehouse(caller);
  const brt = await connectWith(caller, banded(5, 9), 'BRT');
  const gls = await connectWith(caller, banded(6, 7), 'GLS');
  const of = (carrier: number, number: string, weight: string, recipient: Item) =>
    shipment(carrier, number, { ...SHIPPED, warehouseId, weight, recipient });
  await upsertShipments(caller, [
    of(brt, 'LIGHT-MI', '2', RECIPIENT),
    of(brt, 'HEAVY-PA', '12', PALERMO),
    of(gls, 'LIGHT-PA', '3', PALERMO),
    of(gls, 'HEAVY-MI', '20', RECIPIENT),
  ]);
  return { caller, warehouseId, brt, gls };
}

describe('A simulation', () => {
  let one: Shop;
  beforeAll(async () => {
    one = await shop();
  });

  test('has the sums of each tariff by zone, band and line, and the sums that it compares them with', async () => {
    const { caller, brt, gls } = one;
    const found = await simulate(caller, { period: OCTOBER });
    expect(found).toMatchObject({ state: 'done', progress: 1, shipments: 4, problem: null, notPriceable: [] });
    expect(found.asShipped).toMatchObject({
      shipments: 4,
      total: '31.00',
      byConnection: [
        { carrierConnectionId: brt, shipments: 2, total: '16.00' },
        { carrierConnectionId: gls, shipments: 2, total: '15.00' },
      ],
    });
    const [onBrt, onGls] = found.tariffs;
    expect(onBrt).toMatchObject({ number: 1, carrierConnectionId: brt, isInForce: true, shipments: 4, total: '32.00' });
    expect(onBrt).toMatchObject({
      zones: [
        {
          code: 'italia',
          shipments: 4,
          basePrice: '28.00',
          bands: [
            { overKg: '0.000', upToKg: '5.000', shipments: 2, shipmentsBeyond: 0, basePrice: '10.00' },
            { overKg: '5.000', upToKg: '30.000', shipments: 2, shipmentsBeyond: 0, basePrice: '18.00' },
          ].map(band => ({ ...band, overKg: expect.anything(), upToKg: expect.anything() })),
        },
      ],
      lines: [
        { code: 'base', component: 'base', shipments: 4, amount: '28.00' },
        { code: 'isole', component: 'surcharges', shipments: 2, amount: '4.00' },
      ],
      comparison: { shipments: 4, before: '31.00', after: '32.00', difference: '1.00' },
    });
    expect(onGls).toMatchObject({ total: '30.00', comparison: { difference: '-1.00' } });
    for (const { lines, total } of found.tariffs) {
      expect(lines.reduce((sum, { amount }) => sum + Number(amount), 0)).toBeCloseTo(Number(total), 2);
    }
  });

  test('has the cheapest mix, and the number of its shipments by tariff', async () => {
    const found = await simulate(one.caller, { period: OCTOBER });
    expect(found.cheapestMix).toMatchObject({ shipments: 4, total: '28.00', comparison: { difference: '-3.00' } });
    expect(found.tariffs.map(of => [of.cheapestShipments, of.cheapestTotal])).toEqual([
      [2, '12.00'],
      [2, '16.00'],
    ]);
  });

  test('explains the shipments that would have cost more or less by the largest amounts', async () => {
    const { tariffs, cheapestMix } = await simulate(one.caller, { period: OCTOBER });
    const { largestSavings, largestIncreases } = tariffs[0]?.comparison ?? { largestSavings: [], largestIncreases: [] };
    expect(largestSavings).toMatchObject([
      { trackingNumber: 'LIGHT-PA', before: '8.00', after: '7.00', difference: '-1.00' },
    ]);
    expect(largestIncreases).toMatchObject([
      {
        trackingNumber: 'HEAVY-MI',
        shipmentDate: '2026-10-15',
        before: '7.00',
        after: '9.00',
        explanationBefore: { lines: [{ code: 'base', amount: '7.00' }] },
        explanation: {
          zone: { code: 'italia' },
          lines: [{ code: 'base', amount: '9.00', calculation: expect.any(String) }],
        },
      },
    ]);
    expect(cheapestMix.comparison.largestSavings.map(({ trackingNumber }) => trackingNumber)).toEqual([
      'HEAVY-PA',
      'LIGHT-PA',
    ]);
    expect(cheapestMix.comparison.largestIncreases).toEqual([]);
  });

  test('prices on a tariff that was not imported, and on a day on which it is in force', async () => {
    const { caller, brt } = one;
    const tariff = banded(4, 8, { validFrom: '2030-01-01' });
    const on = async (fields: Item) =>
      (
        await simulate(caller, {
          period: OCTOBER,
          tariffs: [{ tariff: { document: { carrierConnectionId: brt, tariff } }, ...fields }],
        })
      ).tariffs;
    expect(await on({})).toMatchObject([
      { shipments: 0, total: '0.00', notPriced: [{ reason: 'NO_TARIFF_IN_FORCE', shipments: 4 }] },
    ]);
    expect(await on({ pricingDate: '2030-06-01' })).toMatchObject([
      {
        shipments: 4,
        total: '28.00',
        revision: null,
        isInForce: false,
        pricingDate: '2030-06-01',
        comparison: { difference: '-3.00' },
      },
    ]);
    expect(JSON.stringify((await simulate(caller, { period: OCTOBER })).tariffs)).not.toContain('2030');
  });

  test('uses a former revision of a tariff, and its result is unchanged by later imports', async () => {
    const { caller, brt } = await shop();
    const revision = 'query ($id: ID!) { tariffRevisions(carrierConnectionId: $id) { nodes { databaseId } } }';
    const before = await ask<{ nodes: { databaseId: number }[] }>(caller, revision, { id: brt });
    const first = await simulate(caller, { period: OCTOBER });
    const imported =
      'mutation ($input: ImportTariffInput!) { importTariff(input: $input) { tariff { databaseId } userErrors { message } } }';
    await ask(caller, imported, { input: { carrierConnectionId: brt, tariff: banded(50, 90) } });
    const revisionId = before.nodes[0]?.databaseId as number;
    const again = await simulate(caller, { period: OCTOBER, tariffs: [{ tariff: { tariffRevisionId: revisionId } }] });
    expect(again.tariffs).toMatchObject([{ total: '32.00', isInForce: false, revision: { databaseId: revisionId } }]);
    expect(again.asShipped.total).toBe('157.00');
    const { tariffs: pinned } = await simulationOf(caller, first.databaseId);
    expect(pinned[0]).toMatchObject({ total: '32.00' });
    expect(pinned[0]?.comparison.largestIncreases[0]?.explanation.lines).toMatchObject([{ amount: '9.00' }]);
  });

  test('compares the named carriers, on the shipments that a filter selects', async () => {
    const { caller, gls } = one;
    const found = await simulate(caller, { period: OCTOBER, carriers: ['GLS'], filter: { provinces: ['PA'] } });
    expect(found).toMatchObject({
      shipments: 2,
      tariffs: [{ carrierConnectionId: gls, shipments: 2, total: '17.00' }],
    });
    const none = await simulate(caller, { period: { from: '2026-09-01', to: '2026-09-30' } });
    expect(none).toMatchObject({ state: 'done', shipments: 0, cheapestMix: { total: '0.00' } });
  });

  test('counts shipments that cannot be priced by their reason', async () => {
    const { caller, brt, warehouseId } = await shop();
    const weighed = { ...SHIPPED, warehouseId };
    await upsertOrders(caller, [order('A', { parcels: [], codAmount: '10', warehouseId })]);
    await upsertShipments(caller, [
      shipment(brt, 'NO-WEIGHT', weighed),
      shipment(brt, 'NO-WAREHOUSE', { ...SHIPPED, weight: '1' }),
      shipment(brt, 'NO-HOUSE', { ...SHIPPED, weight: '1' }),
      shipment(brt, 'TOO-HEAVY', { ...weighed, weight: '31' }),
      shipment(brt, 'COD', { ...SHIPPED, weight: '1', orderNumber: 'A' }),
    ]);
    const { notPriceable, tariffs, asShipped, shipments } = await simulate(caller, { period: OCTOBER });
    expect(shipments).toBe(9);
    expect(notPriceable).toEqual([
      { reason: 'warehouse_missing', shipments: 2, examples: ['NO-WAREHOUSE', 'NO-HOUSE'], detail: expect.any(String) },
      { reason: 'weight_missing', shipments: 1, examples: ['NO-WEIGHT'], detail: 'the shipment has no weight' },
    ]);
    const expected = [
      { reason: 'WEIGHT_OUT_OF_RANGE', shipments: 1, examples: ['TOO-HEAVY'] },
      { reason: 'COD_NOT_SUPPORTED', shipments: 1, examples: ['COD'] },
    ];
    expect(tariffs[0]?.notPriced).toMatchObject(expected);
    expect(asShipped.notPriced).toMatchObject(expected);
  });

  test('has a CSV of all shipments, in which no text is a formula', async () => {
    const { caller, brt, warehouseId } = await shop();
    await upsertShipments(caller, [
      shipment(brt, '=1+1;"x"', { ...SHIPPED, warehouseId, weight: '1' }),
      shipment(brt, '＝1+1', SHIPPED),
      shipment(brt, 'NOTHING', SHIPPED),
    ]);
    const csv = await csvOf(caller, await simulate(caller, { period: OCTOBER }));
    expect(csv).toContain(`\r\n"'=1+1;""x""";;2026-10-15;${brt};created;5,00;1;5,00;0,00;`);
    const rows = rowsOf(csv);
    expect(rows.map(row => row.tracking_number)).toEqual([
      'LIGHT-MI',
      'HEAVY-PA',
      'LIGHT-PA',
      'HEAVY-MI',
      `'=1+1;"x"`,
      "'＝1+1",
      'NOTHING',
    ]);
    expect(rows[1]).toMatchObject({ was: '11,00', cheapest: '2', cheapest_price: '9,00', saved: '2,00' });
    expect(rows.at(-1)).toMatchObject({ was: 'WAREHOUSE_MISSING', cheapest: '' });
  });

  test('is listed, read by its id, and deleted', async () => {
    const { caller } = await shop();
    const made = [];
    for (const _ of times(3, i => i)) made.push((await simulate(caller, { period: OCTOBER })).databaseId);
    const list = '{ tariffSimulations(first: 2) { nodes { databaseId } totalCount } }';
    expect(await ask(caller, list)).toEqual({
      nodes: [{ databaseId: made[2] }, { databaseId: made[1] }],
      totalCount: 3,
    });
    const remove =
      'mutation ($id: ID!) { deleteTariffSimulation(input: { id: $id }) { simulation { databaseId } userErrors { code } } }';
    expect(await ask(caller, remove, { id: made[2] })).toEqual({ databaseId: made[2] });
    expect(await refusal(caller, 'query ($id: ID!) { tariffSimulation(id: $id) { state } }', { id: made[2] })).toBe(
      NOTHING,
    );
    const stranger = await world.company();
    expect(await refusal(stranger, 'query ($id: ID!) { tariffSimulation(id: $id) { state } }', { id: made[1] })).toBe(
      NOTHING,
    );
  });

  test('names no shipment to a key that cannot read shipments', async () => {
    const key = await world.key(one.caller.companyId, ['carriers:manage']);
    const sums =
      'mutation ($input: SimulateTariffsInput!) { simulateTariffs(input: $input) { simulation { cheapestMix { total } } userErrors { code } } }';
    expect(await ask(key, sums, { input: { period: OCTOBER } })).toEqual({ cheapestMix: { total: '28.00' } });
    const moves =
      '{ tariffSimulations { nodes { cheapestMix { comparison { largestSavings { trackingNumber } } } } } }';
    expect(await refusal(key, moves)).toBe('insufficient_scope');
    expect(await refusal(key, '{ tariffSimulations { nodes { csvPages { nodes { csv } } } } }')).toBe(
      'insufficient_scope',
    );
    const reader = await world.key(one.caller.companyId, ['shipments:tracking']);
    expect(await refusal(reader, SIMULATE, { input: { period: OCTOBER } })).toBe('insufficient_scope');
  });

  test.each<[what: string, input: Item, wrong: string]>([
    ['a period that ends before it begins', { period: { from: '2026-10-02', to: '2026-10-01' } }, '/period/to'],
    ['more than a year', { period: { from: '2026-01-01', to: '2027-01-02' } }, '/period/to'],
    ['a day that is none', { period: { from: '2026-02-30', to: '2026-03-01' } }, '/period/from'],
    [
      'a tariff of nobody',
      { period: OCTOBER, tariffs: [{ tariff: {} }] },
      'validation_failed: /tariffs/0/tariff required',
    ],
    [
      'a revision that is not there',
      { period: OCTOBER, tariffs: [{ tariff: { tariffRevisionId: 1_999_999 } }] },
      '/tariffs/0/tariff/tariffRevisionId',
    ],
    [
      'a connection that is not there',
      { period: OCTOBER, tariffs: [{ tariff: { document: { carrierConnectionId: 1_999_999, tariff: flat(1) } } }] },
      'carrier_connection_not_found',
    ],
    [
      'a revision with a tariff',
      { period: OCTOBER, tariffs: [{ tariff: { tariffRevisionId: 1, carrierConnectionId: 1 } }] },
      '/tariffs/0/tariff',
    ],
    ['half a character', { period: OCTOBER, filter: { recipient: 'x\udfff' } }, '/filter/recipient'],
    ['a NUL', { period: OCTOBER, filter: { text: 'a\u0000b' } }, '/filter/text'],
    ['carriers without a tariff', { period: OCTOBER, carriers: ['DHL'] }, '/tariffs'],
  ])('is rejected for %s', async (_what, input, wrong) => {
    expect(await refusal(one.caller, SIMULATE, { input })).toContain(wrong);
  });

  test('points at an error in a tariff of the request', async () => {
    const tariff = { format: 2, name: 'X', versions: [{ ...VERSION, zones: [] }] };
    const input = { period: OCTOBER, tariffs: [{ tariff: { document: { carrierConnectionId: one.brt, tariff } } }] };
    expect(await refusal(one.caller, SIMULATE, { input })).toContain('/tariffs/0/tariff/document/tariff/versions/0');
  });
});
