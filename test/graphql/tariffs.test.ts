import { describe, expect, test } from 'vitest';
import { readTariff } from '../../src/domain/pricing/tariffs/check/tariff.check.rules.ts';
import { importTariff } from '../rest/feed.ts';
import { connectWith, DEMO_TARIFFS, type Fields, flat, tariffWith } from '../rest/tariffs.ts';
import { failureOf } from '../support/graphql-client.ts';
import { INSTANT } from '../support/instants.ts';
import { ask, askNodes, connectCarrier, NOTHING, refusal } from '../support/platform-side.ts';
import type { Caller } from '../support/world.ts';
import { FIELDS, IMPORT, priced, priceOf, surcharge, useTariffs } from './tariff-calls.ts';

const { newMerchant, withClient, world } = useTariffs();

const NEVER = 2_147_483_647;

interface Tariff {
  readonly id: number;
  readonly carrierConnectionId: number;
  readonly name: string;
  readonly validUntil: string | null;
  readonly versions: readonly { label: string; validFrom: string }[];
  readonly document: Fields;
  readonly createdAt: string;
  readonly updatedAt: string;
}
const TARIFF = `query ($id: ID!) { tariff(id: $id) { ${FIELDS} } }`;
const TARIFFS = `{ tariffs(first: 10) { nodes { ${FIELDS} } } }`;

const tariffOf = (caller: Caller, id: number) => ask<Tariff | null>(caller, TARIFF, { id });
const tariffsOf = (caller: Caller) => askNodes<Tariff>(caller, TARIFFS);

describe('The import of a tariff', () => {
  test('returns the tariff, which is afterwards listed and read by its id', async () => {
    const { caller, ids } = await newMerchant(null);
    const [carrierConnectionId] = ids;
    const before = Date.now();
    const tariff = {
      format: 2,
      name: ' Due anni ',
      versions: [
        { ...flat(1).versions[0], label: '2025', validFrom: '2025-01-01' },
        { ...flat(2).versions[0], label: '2026', validFrom: '2026-01-01', validUntil: '2026-12-31' },
      ],
    };
    const imported = await ask<Tariff>(caller, IMPORT, { input: { carrierConnectionId, tariff } });
    expect(imported).toEqual({
      id: expect.any(Number),
      carrierConnectionId,
      carrierConnection: { databaseId: carrierConnectionId, label: 'Conto' },
      name: 'Due anni',
      validUntil: '2026-12-31',
      versions: [
        { label: '2025', validFrom: '2025-01-01' },
        { label: '2026', validFrom: '2026-01-01' },
      ],
      document: expect.objectContaining({ name: 'Due anni' }),
      createdAt: expect.stringMatching(INSTANT),
      updatedAt: expect.stringMatching(INSTANT),
    });
    expect(Date.parse(imported.createdAt)).toBeGreaterThanOrEqual(before - 1);
    expect(await tariffOf(caller, imported.id)).toEqual(imported);
    expect(await tariffsOf(caller)).toEqual([imported]);
  });

  test('that replaces another keeps the id, and replaces everything else', async () => {
    const shop = await newMerchant(null);
    const { caller } = shop;
    const [connection = 0] = shop.ids;
    const first = await importTariff(caller, connection, tariffWith({ surcharges: [surcharge(1)] }));
    const before = await tariffOf(caller, first);
    expect(await priceOf(shop)).toBe(9);
    while (Date.now() <= Date.parse(before?.updatedAt ?? ''));
    expect(await importTariff(caller, connection, { ...flat(3), name: 'Nuovo' })).toBe(first);
    await priced(shop, 3);
    const after = await tariffOf(caller, first);
    expect(after).toMatchObject({ name: 'Nuovo', createdAt: before?.createdAt });
    expect(Date.parse(after?.updatedAt ?? '')).toBeGreaterThan(Date.parse(before?.updatedAt ?? ''));
    expect((await tariffsOf(caller)).map(({ id }) => id)).toEqual([first]);
  });

  test.each<[string, object]>([
    ['a name of 200 emoji', { ...flat(3), name: '📦'.repeat(200) }],
    ['the first day of all', flat(3, { validFrom: '2000-01-01' })],
    ['the last day of all', flat(3, { validUntil: '2099-12-31' })],
    ['a place given twice in its zone', tariffWith({ zones: [italy({ regions: ['Sicilia', 'Sicilia', 'sicilia'] })] })],
    ['8,000 postal codes', tariffWith({ zones: [italy({ postalCodes: codes(8000), countries: ['IT'] })] })],
  ])('accepts %s', async (_what, tariff) => {
    const shop = await newMerchant(null);
    await importTariff(shop.caller, shop.ids[0] as number, tariff);
    expect(await priceOf(shop)).toBe(3);
  });

  test('for an inactive connection is stored, and quoted only once the connection is active', async () => {
    const shop = await newMerchant();
    const id = await connectWith(shop.caller, flat(4), 'BRT', false);
    expect((await shop.quote()).body.code).toBe('NO_CARRIERS_CONNECTED');
    expect((await tariffsOf(shop.caller)).map(({ carrierConnectionId }) => carrierConnectionId)).toEqual([id]);
    await withClient(client => client.query('update carrier_connection set is_active = true where id = $1', [id]));
    await priced(shop, 4);
  });

  test('for an unknown connection, or another company’s, is rejected in the same way', async () => {
    const shop = await newMerchant(flat(1));
    const strangers = await newMerchant(flat(2));
    const refused = async (carrierConnectionId: unknown, tariff: unknown) => {
      const { status, ...answer } = await shop.caller.graphql(IMPORT, { input: { carrierConnectionId, tariff } });
      return [status, failureOf(answer)];
    };
    const never = await refused(NEVER, flat(9));
    expect(never).toMatchObject([200, { code: 'carrier_connection_not_found', pointer: '/carrierConnectionId' }]);
    expect(await refused(strangers.ids[0], flat(9))).toEqual(never);
    expect(await refused(0, flat(9))).toEqual(never);
    expect(await priceOf(strangers)).toBe(2);
    // A wrong tariff is wrong before anyone asks whose.
    expect(await refused(strangers.ids[0], {})).toEqual(await refused(NEVER, {}));
  });

  test('and the reading of tariffs require carriers:manage', async () => {
    const shop = await newMerchant(flat(1));
    const { companyId } = shop.caller;
    const reader = await world.key(companyId, ['carriers:read', 'shipments:quote', 'shipments:write', 'orders:write']);
    const manager = await world.key(companyId, ['carriers:manage']);
    const [own] = await tariffsOf(shop.caller);
    const input = { carrierConnectionId: shop.ids[0], tariff: flat(5) };
    for (const [query, variables] of [
      [
        'mutation ($input: ImportTariffInput!) { importTariff(input: $input) { tariff { id: databaseId } userErrors { code pointer message } } }',
        { input },
      ],
      ['query ($id: ID!) { tariff(id: $id) { id: databaseId } }', { id: own?.id }],
      ['{ tariffs { nodes { id: databaseId } } }', {}],
    ] as const) {
      const { errors = [] } = await reader.graphql(query, variables);
      expect(errors.map(({ extensions }) => [extensions.code, extensions.requiredScope])).toEqual([
        ['insufficient_scope', 'carriers:manage'],
      ]);
    }
    expect(await priceOf(shop)).toBe(1);
    expect(await importTariff(manager, shop.ids[0] as number, flat(5))).toBe(own?.id);
    expect(await askNodes(manager, '{ tariffs { nodes { id: databaseId } } }')).toEqual([{ id: own?.id }]);
    await priced(shop, 5);
  });
});

function italy(to: Fields): Fields {
  return { code: 'italia', name: 'Italia', to, bands: [{ upToKg: 100, price: 3 }] };
}

/** As many postal codes, all of them beyond Italy's. */
function codes(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `FR ${10_000 + i}`);
}

describe('The list of tariffs', () => {
  test('has only the company’s tariffs, by ascending id', async () => {
    const shop = await newMerchant(flat(1), flat(2));
    const strangers = await newMerchant(flat(3));
    const own = await tariffsOf(shop.caller);
    expect(own.map(({ carrierConnectionId }) => carrierConnectionId)).toEqual(shop.ids);
    expect(own.map(({ id }) => id)).toEqual(own.map(({ id }) => id).toSorted((a, b) => a - b));
    const [theirs] = await tariffsOf(strangers.caller);
    expect(await tariffsOf(await world.company())).toEqual([]);
    for (const id of [theirs?.id ?? 0, NEVER, 0]) expect(await refusal(shop.caller, TARIFF, { id })).toBe(NOTHING);
    expect(await tariffOf(strangers.caller, theirs?.id ?? 0)).toEqual(theirs);
  });
});

describe('The export of a tariff', () => {
  test.each(DEMO_TARIFFS)('(%s) equals its import', async (code, tariff) => {
    const { caller } = await newMerchant();
    const carrierConnectionId = await connectCarrier(caller, code);
    const { id, document } = await ask<Tariff>(caller, IMPORT, { input: { carrierConnectionId, tariff } });
    expect(document).toEqual(readTariff(tariff));
    const again = await ask<Tariff>(caller, IMPORT, { input: { carrierConnectionId, tariff: document } });
    expect(again.document).toEqual(document);
    expect(again.id).toBe(id);
  });

  test('keeps every decimal and every field that a tariff can have', async () => {
    const { caller, ids } = await newMerchant(null);
    const tariff = {
      format: 2,
      name: 'Tutto',
      versions: [
        {
          label: 'Prima',
          validFrom: '2024-02-29',
          validUntil: '2024-12-31',
          originCountries: ['IT', 'SM'],
          weight: { volumetric: [{ cm3PerKg: 4000 }], per: 'parcel', roundUp: [{ toKg: 0.125 }] },
          limits: { parcelKg: 99.999, shipmentKg: 0.001, longestSideCm: 0.01, sumOfSidesCm: 999.99, parcels: 500 },
          zones: [
            {
              code: 'Z-1_a',
              name: 'Zona 😀',
              to: {
                postalCodes: ['90139', '57030-57039', '9*', 'ES 35*', 'GB EC1A 1BB'],
                municipalities: ['Livigno', 'Samone (TO)'],
                provinces: ['PA', 'Milano'],
                regions: ['Lazio'],
                countries: ['EU', 'CH'],
                anywhere: true,
              },
              deliveryDays: 0,
              bands: [
                { upToKg: 0.001, price: 0 },
                { upToKg: 100_000, price: 99_999.99 },
              ],
              beyond: [{ everyKg: 0.001, price: 0.01 }],
            },
            { code: 'no', name: 'No', to: { countries: ['RU'] }, notServed: 'Sospesa', bands: [] },
          ],
          surcharges: [
            {
              code: 'a',
              description: 'A',
              price: {
                greaterOf: [
                  { fixed: 1, perKg: 0.00001 },
                  { percent: 0.0001, of: ['base', 'b'] },
                ],
                minimum: 0.01,
                maximum: 5,
              },
            },
            {
              code: 'b',
              description: 'B',
              when: {
                zones: ['Z-1_a'],
                to: { regions: ['Sicilia'] },
                chargeableKg: { from: 0.5 },
                parcel: { weightKg: { from: 1 }, longestSideCm: { over: 10 }, sumOfSidesCm: { over: 20 } },
              },
              price: { perParcel: 0.1 },
            },
          ],
          fuel: [
            {
              code: 'fuel',
              description: 'F',
              price: {
                of: ['base', 'a'],
                rates: [
                  { from: '2024-01-01', percent: 8.1234 },
                  { from: '2024-06-01', percent: 0 },
                ],
              },
            },
          ],
          options: [
            { code: 'z', description: 'Z', price: { fixed: 0 } },
            { code: 'c', description: 'C', price: { fixed: 1 } },
          ],
          cod: [
            {
              code: 'cod',
              description: 'C',
              when: { codAmount: { upTo: 999.99 } },
              price: { fixed: 1, percent: 1.5, of: ['codAmount'], minimum: 2 },
            },
          ],
          insurance: [
            {
              code: 'insurance',
              description: 'I',
              when: { insuredValue: { upTo: 10_000 } },
              price: { percent: 0.5, of: ['insuredValue'], minimum: 1, above: 50 },
            },
          ],
          vat: [{ to: { anywhere: true }, percent: 22, note: 'Nota' }],
        },
        { ...flat(2).versions[0], label: 'Seconda', validFrom: '2025-01-01' },
      ],
    };
    const { document } = await ask<Tariff>(caller, IMPORT, { input: { carrierConnectionId: ids[0], tariff } });
    expect(document).toEqual(readTariff(tariff));
    const again = await ask<Tariff>(caller, IMPORT, { input: { carrierConnectionId: ids[0], tariff: document } });
    expect(again.document).toEqual(document);
  });

  test('with a version without an end has none either: it ends when the next one begins', async () => {
    const { caller, ids } = await newMerchant(null);
    const version = (validFrom: string) => ({ ...flat(1).versions[0], validFrom, label: validFrom });
    const tariff = { format: 2, name: 'Tre', versions: ['2024-01-01', '2024-03-01', '2025-01-01'].map(version) };
    const { document, validUntil } = await ask<Tariff>(caller, IMPORT, {
      input: { carrierConnectionId: ids[0], tariff },
    });
    const ends = (document.versions as Fields[]).map(one => one.validUntil);
    expect(ends).toEqual([undefined, undefined, undefined]);
    expect(validUntil).toBeNull();
  });
});
