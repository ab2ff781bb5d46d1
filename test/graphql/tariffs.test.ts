import pg from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { connectCarrier, importTariff } from '../rest/feed.ts';
import {
  connectWith,
  DEMO_TARIFFS,
  type Fields,
  flat,
  type Merchant,
  MILANO,
  merchantsOf,
  PALERMO,
  PARCEL,
  quote,
  tariffWith,
} from '../rest/tariffs.ts';
import { restClient } from '../support/rest-client.ts';
import { cutListeners, useSecondProcess } from '../support/second-process.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { ask } from './platform-side.ts';

const world = useWorld();
const newMerchant = merchantsOf(world);
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NEVER = 2_147_483_647;

interface Tariff {
  readonly id: number;
  readonly carrierCompanyId: number;
  readonly name: string;
  readonly validUntil: string | null;
  readonly versions: readonly { label: string; validFrom: string }[];
  readonly document: Fields;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const FIELDS =
  'id carrierCompanyId name validUntil versions { label validFrom } document createdAt updatedAt carrierConnection { carrierCompanyId label }';
const IMPORT = `mutation ($input: ImportTariffInput!) { importTariff(input: $input) { ${FIELDS} } }`;
const TARIFF = `query ($id: Int!) { tariff(id: $id) { ${FIELDS} } }`;
const TARIFFS = `{ tariffs(first: 10) { ${FIELDS} } }`;

const tariffOf = (caller: Caller, id: number) => ask<Tariff | null>(caller, TARIFF, { id });
const tariffsOf = (caller: Caller) => ask<Tariff[]>(caller, TARIFFS);

async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Every row of a company's tariffs, table by table. */
function rowsOf({ companyId }: Caller): Promise<Record<string, unknown[]>> {
  return withClient(async client => {
    const tables = ['tariff', 'tariff_version', 'tariff_zone', 'tariff_place', 'tariff_band'];
    const found: Record<string, unknown[]> = {};
    for (const table of tables) {
      const all = `select to_jsonb(t) as row from ${table} t where company_id = $1 order by to_jsonb(t)::text`;
      found[table] = (await client.query(all, [companyId])).rows.map(({ row }) => row);
    }
    return found;
  });
}

async function priceOf(shop: Merchant): Promise<number> {
  const { body } = await shop.quote();
  expect(body).toHaveLength(1);
  return body[0].totalPrice;
}

/** Until the one connection has this price, and at most for the second in which a change must be seen. */
async function priced(shop: Merchant, price: number): Promise<void> {
  await vi.waitFor(async () => expect(await priceOf(shop)).toBe(price), { timeout: 1000, interval: 5 });
}

describe('import', () => {
  test('answers the tariff, which is then listed and read by its id', async () => {
    const { caller, ids } = await newMerchant(null);
    const [carrierCompanyId] = ids;
    const before = Date.now();
    const tariff = {
      name: ' Due anni ',
      versions: [
        { ...flat(1).versions[0], label: '2025', validFrom: '2025-01-01' },
        { ...flat(2).versions[0], label: '2026', validFrom: '2026-01-01', validUntil: '2026-12-31' },
      ],
    };
    const imported = await ask<Tariff>(caller, IMPORT, { input: { carrierCompanyId, tariff } });
    expect(imported).toEqual({
      id: expect.any(Number),
      carrierCompanyId,
      carrierConnection: { carrierCompanyId, label: 'Conto' },
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

  test('again keeps the id, and replaces everything else', async () => {
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
    expect((await rowsOf(caller)).tariff_band).toHaveLength(1);
  });

  test.each<[string, object]>([
    ['a name of 200 emoji', { ...flat(3), name: '📦'.repeat(200) }],
    ['the first day of all', flat(3, { validFrom: '2000-01-01' })],
    ['the last day of all', flat(3, { validUntil: '2099-12-31' })],
    ['a place given twice in its zone', tariffWith({ zones: [italy({ regions: ['Sicilia', 'Sicilia', 'sicilia'] })] })],
    ['8,000 postal codes', tariffWith({ zones: [italy({ postalCodes: codes(8000), countries: ['IT'] })] })],
  ])('takes %s', async (_what, tariff) => {
    const shop = await newMerchant(null);
    await importTariff(shop.caller, shop.ids[0] as number, tariff);
    expect(await priceOf(shop)).toBe(3);
  });

  test('of an inactive connection is stored, and quoted only once it is active', async () => {
    const shop = await newMerchant();
    const id = await connectWith(shop.caller, flat(4), 'BRT', false);
    expect((await shop.quote()).body.code).toBe('NO_CARRIERS_CONNECTED');
    expect((await tariffsOf(shop.caller)).map(({ carrierCompanyId }) => carrierCompanyId)).toEqual([id]);
    await withClient(client => client.query('update carrier_connection set is_active = true where id = $1', [id]));
    await priced(shop, 4);
  });

  test('for a connection that never was, and for another company’s, is refused alike', async () => {
    const shop = await newMerchant(flat(1));
    const strangers = await newMerchant(flat(2));
    const refused = async (carrierCompanyId: unknown, tariff: unknown) => {
      const { errors = [], status } = await shop.caller.graphql(IMPORT, { input: { carrierCompanyId, tariff } });
      return [
        status,
        ...errors.map(({ message, path, extensions: { requestId: _, ...extensions } }) => ({
          message,
          path,
          extensions,
        })),
      ];
    };
    const never = await refused(NEVER, flat(9));
    expect(never).toMatchObject([200, { extensions: { code: 'carrier_connection_not_found', status: 404 } }]);
    expect(await refused(strangers.ids[0], flat(9))).toEqual(never);
    expect(await refused(0, flat(9))).toEqual(never);
    expect(await priceOf(strangers)).toBe(2);
    // A wrong tariff is wrong before anyone asks whose.
    expect(await refused(strangers.ids[0], {})).toEqual(await refused(NEVER, {}));
  });

  test('carriers:manage is needed for it and for reading tariffs', async () => {
    const shop = await newMerchant(flat(1));
    const { companyId } = shop.caller;
    const reader = await world.key(companyId, ['carriers:read', 'shipments:quote', 'shipments:write', 'orders:write']);
    const manager = await world.key(companyId, ['carriers:manage']);
    const [own] = await tariffsOf(shop.caller);
    const input = { carrierCompanyId: shop.ids[0], tariff: flat(5) };
    for (const [query, variables] of [
      ['mutation ($input: ImportTariffInput!) { importTariff(input: $input) { id } }', { input }],
      ['query ($id: Int!) { tariff(id: $id) { id } }', { id: own?.id }],
      ['{ tariffs { id } }', {}],
    ] as const) {
      const { errors = [] } = await reader.graphql(query, variables);
      expect(errors.map(({ extensions }) => [extensions.code, extensions.requiredScope])).toEqual([
        ['insufficient_scope', 'carriers:manage'],
      ]);
    }
    expect(await priceOf(shop)).toBe(1);
    expect(await importTariff(manager, shop.ids[0] as number, flat(5))).toBe(own?.id);
    expect(await ask(manager, '{ tariffs { id } }')).toEqual([{ id: own?.id }]);
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

function surcharge(fixed: number, fields: Fields = {}) {
  return { code: 'extra', description: 'Supplemento', price: { fixed }, ...fields };
}

describe('tariffs', () => {
  test('are the company’s alone, by ascending id', async () => {
    const shop = await newMerchant(flat(1), flat(2));
    const strangers = await newMerchant(flat(3));
    const own = await tariffsOf(shop.caller);
    expect(own.map(({ carrierCompanyId }) => carrierCompanyId)).toEqual(shop.ids);
    expect(own.map(({ id }) => id)).toEqual(own.map(({ id }) => id).toSorted((a, b) => a - b));
    const [theirs] = await tariffsOf(strangers.caller);
    expect(await tariffsOf(await world.company())).toEqual([]);
    for (const id of [theirs?.id ?? 0, NEVER, 0, -1]) expect(await tariffOf(shop.caller, id)).toBeNull();
    expect(await tariffOf(strangers.caller, theirs?.id ?? 0)).toEqual(theirs);
  });
});

/** As it is stored: without `$schema`, with defaults, lists of nothing and versions' ends filled in. */
function normalized({ $schema: _, ...tariff }: Fields): Fields {
  const versions = tariff.versions as Fields[];
  return {
    currency: 'EUR',
    ...tariff,
    versions: versions.map(version => ({
      limits: {},
      surcharges: [],
      options: [],
      ...version,
      zones: (version.zones as Fields[]).map(zone => ({ bands: [], ...zone })),
    })),
  };
}

describe('export', () => {
  test.each(DEMO_TARIFFS)('of %s is what was imported', async (code, tariff) => {
    const { caller } = await newMerchant();
    const carrierCompanyId = await connectCarrier(caller, code);
    const { id, document } = await ask<Tariff>(caller, IMPORT, { input: { carrierCompanyId, tariff } });
    expect(document).toEqual(normalized(tariff));
    const again = await ask<Tariff>(caller, IMPORT, { input: { carrierCompanyId, tariff: document } });
    expect(again.document).toEqual(document);
    expect(again.id).toBe(id);
  });

  test('keeps every decimal and every field that a tariff may have', async () => {
    const { caller, ids } = await newMerchant(null);
    const tariff = {
      name: 'Tutto',
      versions: [
        {
          label: 'Prima',
          validFrom: '2024-02-29',
          validUntil: '2024-12-31',
          originCountries: ['IT', 'SM'],
          weight: { volumetric: { cm3PerKg: 4000 }, per: 'parcel', roundUpToKg: 0.125 },
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
              beyond: { everyKg: 0.001, price: 0.01 },
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
                fromKg: 0.5,
                parcelFromKg: 1,
                longestSideOverCm: 10,
                sumOfSidesOverCm: 20,
              },
              price: { perParcel: 0.1 },
            },
          ],
          fuel: {
            description: 'F',
            of: ['base', 'a'],
            rates: [
              { from: '2024-01-01', percent: 8.1234 },
              { from: '2024-06-01', percent: 0 },
            ],
          },
          options: [
            { code: 'z', description: 'Z', price: { fixed: 0 } },
            { code: 'c', description: 'C', price: { fixed: 1 } },
          ],
          cod: { description: 'C', fixed: 1, percent: 1.5, minimum: 2, maximumAmount: 999.99 },
          insurance: { description: 'I', percent: 0.5, minimum: 1, allowance: 50, maximumAmount: 10_000 },
          vat: [{ to: { anywhere: true }, percent: 22, note: 'Nota' }],
        },
        { ...flat(2).versions[0], label: 'Seconda', validFrom: '2025-01-01' },
      ],
    };
    const { document } = await ask<Tariff>(caller, IMPORT, { input: { carrierCompanyId: ids[0], tariff } });
    expect(document).toEqual(normalized(tariff));
    const again = await ask<Tariff>(caller, IMPORT, { input: { carrierCompanyId: ids[0], tariff: document } });
    expect(again.document).toEqual(document);
  });

  test('of a version without its end says where the next one begins', async () => {
    const { caller, ids } = await newMerchant(null);
    const version = (validFrom: string) => ({ ...flat(1).versions[0], validFrom, label: validFrom });
    const tariff = { name: 'Tre', versions: ['2024-01-01', '2024-03-01', '2025-01-01'].map(version) };
    const { document, validUntil } = await ask<Tariff>(caller, IMPORT, { input: { carrierCompanyId: ids[0], tariff } });
    const ends = (document.versions as Fields[]).map(one => one.validUntil);
    expect(ends).toEqual(['2024-02-29', '2024-12-31', undefined]);
    expect(validUntil).toBeNull();
  });

  test('and import again price the same, for all five of the demonstration', async () => {
    const original = await newMerchant();
    const copy = await newMerchant();
    for (const [code, tariff] of DEMO_TARIFFS) {
      const id = await importTariff(original.caller, await connectCarrier(original.caller, code), tariff);
      const exported = await tariffOf(original.caller, id);
      await importTariff(copy.caller, await connectCarrier(copy.caller, code), exported?.document ?? {});
    }
    const idless = (body: unknown) =>
      JSON.stringify(body, (name, value) => (name === 'carrierCompanyId' ? undefined : value));
    const destinations: Fields[] = [
      MILANO,
      PALERMO,
      { postalCode: '23041', city: 'Livigno', province: 'SO' },
      { postalCode: '57034', city: 'Campo nell’Elba', province: 'LI' },
      { postalCode: '30124', city: 'Venezia', province: 'VE' },
      { postalCode: '09010', city: 'Domus de Maria' },
      { country: 'SM', postalCode: '47890', city: 'San Marino' },
      { country: 'FR', postalCode: '75001', city: 'Paris' },
      { country: 'US', postalCode: '10001', city: 'New York' },
      { country: 'RU', postalCode: '101000', city: 'Moskva' },
    ];
    const loads: Fields[] = [
      {},
      { parcels: [{ weight: 0.3, length: 10, width: 10, height: 5 }] },
      { parcels: [{ weight: 28, length: 130, width: 60, height: 50, quantity: 3 }] },
      { parcels: undefined, totalWeight: 999.9, totalVolume: 3_000_000, parcelNumber: 25 },
    ];
    const terms: Fields[] = [
      { shipmentDate: '2026-06-15' },
      { shipmentDate: '2025-06-15' },
      { shipmentDate: '2026-12-01', codAmount: 300, insuranceAmount: 1500 },
      { shipmentDate: '2026-06-15', options: ['saturday'] },
    ];
    let quoted = 0;
    for (const destination of destinations) {
      await Promise.all(
        loads.flatMap(load =>
          terms.map(async term => {
            const request = { destination, ...load, ...term };
            const [one, other] = await Promise.all([original.quote(request), copy.quote(request)]);
            expect(one.status).toBe(200);
            expect(idless(other.body)).toBe(idless(one.body));
            if (Array.isArray(one.body)) quoted += one.body.length;
          }),
        ),
      );
    }
    expect(quoted).toBeGreaterThan(100);
  });
});

describe('a tariff that is wrong', () => {
  const zone = (fields: Fields = {}) => ({
    code: 'italia',
    name: 'Italia',
    to: { countries: ['IT'] },
    bands: [{ upToKg: 100, price: 50 }],
    ...fields,
  });
  const WRONG: [what: string, tariff: unknown, pointer: string, code: string][] = [
    ['nothing', null, '/tariff', 'required'],
    ['a text', 'x', '/tariff', 'wrong_type'],
    ['a list', [], '/tariff', 'wrong_type'],
    ['empty', {}, '/tariff/versions', 'required'],
    ['without versions', { name: 'X', versions: [] }, '/tariff/versions', 'out_of_range'],
    ['an unknown field', { ...flat(50), nome: 'X' }, '/tariff/nome', 'unknown_field'],
    ['another currency', { ...flat(50), currency: 'USD' }, '/tariff/currency', 'not_allowed'],
    ['an unknown field of a version', flat(50, { fule: {} }), '/tariff/versions/0/fule', 'unknown_field'],
    [
      'a price of a text',
      tariffWith({ zones: [zone({ bands: [{ upToKg: 5, price: '5' }] })] }),
      '/tariff/versions/0/zones/0/bands/0/price',
      'wrong_type',
    ],
    [
      'a negative price',
      tariffWith({ zones: [zone({ bands: [{ upToKg: 5, price: -1 }] })] }),
      '/tariff/versions/0/zones/0/bands/0/price',
      'out_of_range',
    ],
    [
      'a price of three decimals',
      tariffWith({ zones: [zone({ bands: [{ upToKg: 5, price: 1.005 }] })] }),
      '/tariff/versions/0/zones/0/bands/0/price',
      'too_precise',
    ],
    [
      'a band of 0 kg',
      tariffWith({ zones: [zone({ bands: [{ upToKg: 0, price: 1 }] })] }),
      '/tariff/versions/0/zones/0/bands/0/upToKg',
      'out_of_range',
    ],
    [
      'bands that fall',
      tariffWith({
        zones: [
          zone({
            bands: [
              { upToKg: 5, price: 1 },
              { upToKg: 5, price: 1 },
            ],
          }),
        ],
      }),
      '/tariff/versions/0/zones/0/bands/1/upToKg',
      'overlap',
    ],
    [
      'a gap between bands',
      tariffWith({
        zones: [
          zone({
            bands: [
              { upToKg: 5, price: 1 },
              { overKg: 6, upToKg: 7, price: 1 },
            ],
          }),
        ],
      }),
      '/tariff/versions/0/zones/0/bands/1/overKg',
      'gap',
    ],
    [
      'a zone without bands',
      tariffWith({ zones: [zone({ bands: [] })] }),
      '/tariff/versions/0/zones/0/bands',
      'required',
    ],
    ['a zone of nowhere', tariffWith({ zones: [zone({ to: {} })] }), '/tariff/versions/0/zones/0/to', 'required'],
    [
      'two zones of one code',
      tariffWith({ zones: [zone(), zone({ to: { countries: ['FR'] } })] }),
      '/tariff/versions/0/zones/1/code',
      'duplicate',
    ],
    [
      'a place claimed twice',
      tariffWith({ zones: [zone(), zone({ code: 'b' })] }),
      '/tariff/versions/0/zones/1/to/countries/0',
      'conflict',
    ],
    [
      'ranges that cross',
      tariffWith({
        zones: [
          zone({ to: { postalCodes: ['90100-90200'] } }),
          zone({ code: 'b', to: { postalCodes: ['90150-90250'] } }),
        ],
      }),
      '/tariff/versions/0/zones/1/to/postalCodes/0',
      'overlap',
    ],
    [
      'an unknown region',
      tariffWith({ zones: [zone({ to: { regions: ['Padania'] } })] }),
      '/tariff/versions/0/zones/0/to/regions/0',
      'unknown_region',
    ],
    [
      'an unknown country',
      tariffWith({ zones: [zone({ to: { countries: ['XX'] } })] }),
      '/tariff/versions/0/zones/0/to/countries/0',
      'unknown_country',
    ],
    [
      'an unknown country of origin',
      flat(50, { originCountries: ['IT', 'XX'] }),
      '/tariff/versions/0/originCountries/1',
      'unknown_country',
    ],
    [
      'a day that does not exist',
      flat(50, { validFrom: '2026-02-30' }),
      '/tariff/versions/0/validFrom',
      'invalid_format',
    ],
    [
      'an end before its beginning',
      flat(50, { validUntil: '2019-12-31' }),
      '/tariff/versions/0/validUntil',
      'out_of_range',
    ],
    [
      'a percentage of no line',
      flat(50, { surcharges: [surcharge(0, { price: { percent: 1, of: ['bas'] } })] }),
      '/tariff/versions/0/surcharges/0/price/of',
      'unknown_line',
    ],
    [
      'a circle',
      flat(50, { surcharges: [surcharge(0, { price: { percent: 1, of: ['extra'] } })] }),
      '/tariff/versions/0/surcharges/0/price/of',
      'circle',
    ],
    [
      'two lines of one code',
      flat(50, { surcharges: [surcharge(1)], options: [surcharge(1)] }),
      '/tariff/versions/0/options/0/code',
      'duplicate',
    ],
    [
      'a condition on an unknown zone',
      flat(50, { surcharges: [surcharge(1, { when: { zones: ['oltre'] } })] }),
      '/tariff/versions/0/surcharges/0/when/zones/0',
      'unknown_zone',
    ],
    ['VAT with gaps', flat(50, { vat: [{ to: { countries: ['IT'] }, percent: 22 }] }), '/tariff/versions/0/vat', 'gap'],
    ['a name with U+0000', { ...flat(50), name: 'a\u0000b' }, '/tariff/name', ''],
    [
      'a description with half an emoji',
      flat(50, { surcharges: [surcharge(1, { description: 'a\ud83d' })] }),
      '/tariff/versions/0/surcharges/0/description',
      '',
    ],
    ['the year 0', flat(50, { validFrom: '0000-01-01' }), '/tariff/versions/0/validFrom', ''],
    ['U+0000 in a label', flat(50, { label: 'a\u0000b' }), '/tariff/versions/0/label', ''],
    ['half an emoji in a label', flat(50, { label: 'a\ud83d' }), '/tariff/versions/0/label', ''],
    [
      'U+0000 in a description',
      flat(50, { surcharges: [surcharge(1, { description: 'a\u0000b' })] }),
      '/tariff/versions/0/surcharges/0/description',
      '',
    ],
    [
      'U+0000 in the name of a zone',
      tariffWith({ zones: [zone({ name: 'a\u0000b' })] }),
      '/tariff/versions/0/zones/0/name',
      '',
    ],
    [
      'half an emoji in the name of a zone',
      tariffWith({ zones: [zone({ name: '\udc00' })] }),
      '/tariff/versions/0/zones/0/name',
      '',
    ],
    [
      'a comune with U+0000',
      tariffWith({ zones: [zone({ to: { municipalities: ['Li\u0000vigno'] } })] }),
      '/tariff/versions/0/zones/0/to/municipalities/0',
      '',
    ],
  ];
  let shop: Merchant;
  let before: { price: string; rows: Record<string, unknown[]> };
  const state = async () => ({ price: (await shop.quote()).text, rows: await rowsOf(shop.caller) });
  beforeAll(async () => {
    shop = await newMerchant(flat(5, { surcharges: [surcharge(1)] }));
    before = await state();
    expect(JSON.parse(before.price)).toMatchObject([{ totalPrice: 6 }]);
    for (const rows of Object.values(before.rows)) expect(rows).toHaveLength(1);
  });

  test.each(WRONG)(
    '(%s) is refused at its place, and the old one stays whole',
    async (_what, tariff, pointer, code) => {
      const { errors = [] } = await shop.caller.graphql(IMPORT, {
        input: { carrierCompanyId: shop.ids[0], tariff },
      });
      expect(errors.map(({ extensions }) => [extensions.code, extensions.status])).toEqual([
        ['validation_failed', 422],
      ]);
      const issues = errors[0]?.extensions.errors ?? [];
      expect(issues.map(issue => issue.pointer)).toContain(pointer);
      if (code) expect(issues.find(issue => issue.pointer.endsWith(pointer))?.code).toBe(code);
      for (const { message } of issues) expect(message).toMatch(/\w/);
      expect(await state()).toEqual(before);
    },
  );

  test('in many places is told of them all', async () => {
    const tariff = flat(50, {
      validFrom: '2020-01-01',
      limits: { parcelKg: 1.0001 },
      zones: [
        zone({
          bands: [
            { upToKg: 5, price: 1.001 },
            { upToKg: 4, price: 1 },
          ],
        }),
      ],
      surcharges: [surcharge(1), surcharge(2)],
    });
    const { errors = [] } = await shop.caller.graphql(IMPORT, { input: { carrierCompanyId: shop.ids[0], tariff } });
    const pointers = errors[0]?.extensions.errors?.map(({ pointer }) => pointer.replace('/tariff/versions/0', ''));
    expect(pointers?.toSorted()).toEqual([
      '/limits/parcelKg',
      '/surcharges/1/code',
      '/zones/0/bands/0/price',
      '/zones/0/bands/1/upToKg',
    ]);
    expect(await state()).toEqual(before);
  });

  test('for the second of two versions leaves the first unwritten too', async () => {
    const [good] = flat(50).versions;
    const tariff = { name: 'X', versions: [good, { ...good, validFrom: '2019-01-01' }] };
    const { errors = [] } = await shop.caller.graphql(IMPORT, { input: { carrierCompanyId: shop.ids[0], tariff } });
    expect(errors[0]?.extensions.errors).toMatchObject([{ pointer: '/tariff/versions/1/validFrom', code: 'overlap' }]);
    expect(await state()).toEqual(before);
  });

  test('in the database, whoever writes it, leaves nothing behind', async () => {
    const { companyId } = shop.caller;
    await withClient(async client => {
      // A transaction that fails half-way, as an import would whose last statement did.
      await client.query('begin');
      await client.query('delete from tariff_version where company_id = $1', [companyId]);
      await client.query("update tariff set revision = nextval('tariff_revision') where company_id = $1", [companyId]);
      await client.query('rollback');
    });
    expect(await state()).toEqual(before);
  });
});

describe('at the same time', () => {
  test('two imports leave one whole tariff', async () => {
    const shop = await newMerchant(null);
    const [carrierCompanyId = 0] = shop.ids;
    const wide = (price: number) => {
      const bands = Array.from({ length: 200 }, (_, i) => ({ upToKg: i + 1, price }));
      const zones = ['IT', 'FR', 'DE', 'ES'].map(country => ({
        code: country,
        name: country,
        to: { countries: [country] },
        bands,
      }));
      return tariffWith({ zones, surcharges: [surcharge(price)] });
    };
    for (let round = 0; round < 5; round++) {
      const ids = await Promise.all([1, 2, 3].map(price => importTariff(shop.caller, carrierCompanyId, wide(price))));
      expect(new Set(ids).size).toBe(1);
      const rows = await rowsOf(shop.caller);
      expect(Object.values(rows).map(list => list.length)).toEqual([1, 1, 4, 4, 800]);
      const prices = new Set(rows.tariff_band?.map(row => (row as { price_cents: number }).price_cents));
      expect(prices.size).toBe(1);
      const [price = 0] = prices;
      await priced(shop, (2 * price) / 100);
    }
  });
});

describe('on every process', () => {
  const second = useSecondProcess(world);

  const elsewhere = ({ apiKey }: Caller) => restClient(second.url, { 'x-api-key': apiKey });
  /** Until both processes listen, so that the next test cuts off both. */
  async function listeningAgain(client: pg.Client): Promise<void> {
    const listening = `select 1 from pg_stat_activity where datname = current_database() and query ilike 'listen %'`;
    const count = async () => (await client.query(listening)).rows.length;
    await vi.waitFor(async () => expect(await count()).toBeGreaterThanOrEqual(2), 5000);
  }
  /** What both processes answer: a price, or the code of the warning. */
  const seen = async (shop: Merchant) => {
    const answers = await Promise.all([shop.quote(), elsewhere(shop.caller)('POST', '/shipments/quote', shop.body())]);
    return answers.map(({ status, body }) => (Array.isArray(body) ? body[0].totalPrice : (body.code ?? status)));
  };
  /** Milliseconds from `since` until both processes answer it. */
  async function seenAfterMs(shop: Merchant, expected: unknown, since: number): Promise<number> {
    while (performance.now() - since < 3000) {
      if ((await seen(shop)).every(one => one === expected)) return performance.now() - since;
    }
    return Number.POSITIVE_INFINITY;
  }

  const CHANGES: [what: string, change: (shop: Merchant, client: pg.Client) => Promise<unknown>, expected: unknown][] =
    [
      ['an import', shop => importTariff(shop.caller, shop.ids[0] as number, flat(2)), 2],
      [
        'a connection that is shut',
        ({ ids }, client) => client.query('update carrier_connection set is_active = false where id = $1', [ids[0]]),
        'NO_CARRIERS_CONNECTED',
      ],
      [
        'a tariff that is deleted',
        ({ ids }, client) => client.query('delete from tariff where carrier_connection_id = $1', [ids[0]]),
        'NO_TARIFF_IN_FORCE',
      ],
    ];

  test.each(CHANGES)('%s is seen within one second', async (_what, change, expected) => {
    const shop = await newMerchant(flat(1));
    await withClient(async client => {
      expect(await seen(shop)).toEqual([1, 1]);
      await change(shop, client);
      const since = performance.now();
      expect(await seenAfterMs(shop, expected, since)).toBeLessThan(1000);
    });
  });

  test('a connection that is opened again is seen within one second', async () => {
    const shop = await newMerchant();
    const id = await connectWith(shop.caller, flat(6), 'BRT', false);
    expect(await seen(shop)).toEqual(Array(2).fill('NO_CARRIERS_CONNECTED'));
    await withClient(client => client.query('update carrier_connection set is_active = true where id = $1', [id]));
    expect(await seenAfterMs(shop, 6, performance.now())).toBeLessThan(1000);
  });

  test.each(CHANGES)(
    '%s is seen within one second also while notifications are not heard',
    async (_what, change, expected) => {
      const shop = await newMerchant(flat(1));
      await withClient(async client => {
        expect(await cutListeners(client)).toBeGreaterThanOrEqual(2);
        // Known to both before anyone listens again.
        expect(await seen(shop)).toEqual([1, 1]);
        await change(shop, client);
        expect(await seenAfterMs(shop, expected, performance.now())).toBeLessThan(1000);
        await listeningAgain(client);
      });
    },
  );

  test('an import is priced by at once where it was answered, heard or not', async () => {
    const shop = await newMerchant(flat(1));
    const quoted: number[] = [];
    await withClient(async client => {
      await cutListeners(client);
      for (let price = 2; price <= 9; price++) {
        await priceOf(shop);
        await importTariff(shop.caller, shop.ids[0] as number, flat(price));
        quoted.push(await priceOf(shop));
      }
      await listeningAgain(client);
    });
    expect(quoted).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('a change that nobody was told of is seen within one second', async () => {
    const shop = await newMerchant(flat(1));
    await withClient(async client => {
      // Triggers do not fire here, so that no notification is sent.
      await client.query('set session_replication_role = replica');
      expect(await seen(shop)).toEqual([1, 1]);
      await client.query('update carrier_connection set is_active = false where id = $1', [shop.ids[0]]);
      expect(await seenAfterMs(shop, 'NO_CARRIERS_CONNECTED', performance.now())).toBeLessThan(1000);
    });
  });

  test('another company’s change is none of one’s business', async () => {
    const shop = await newMerchant(flat(1));
    const strangers = await newMerchant(flat(2));
    expect(await seen(shop)).toEqual([1, 1]);
    await importTariff(strangers.caller, strangers.ids[0] as number, flat(3));
    expect(await seenAfterMs(strangers, 3, performance.now())).toBeLessThan(1000);
    expect(await seen(shop)).toEqual([1, 1]);
  });

  test('quotes never mix two tariffs while imports flip between them', async () => {
    const version = (price: number) => flat(price, { surcharges: [surcharge(price)] });
    const shop = await newMerchant(version(1), version(1));
    const [a = 0, b = 0] = shop.ids;
    const counts = new Map<number, number>();
    let flipping = true;
    const ask = async (rest: Caller['rest']) => {
      while (flipping) {
        const { status, body } = await rest('POST', '/shipments/quote', shop.body());
        expect([status, body.length]).toEqual([200, 2]);
        for (const { basePrice, surchargesPrice, totalPrice } of body) {
          expect([2, 4]).toContain(totalPrice);
          expect(surchargesPrice).toBe(basePrice);
          counts.set(totalPrice, (counts.get(totalPrice) ?? 0) + 1);
        }
      }
    };
    const asking = [shop.caller.rest, elsewhere(shop.caller), shop.caller.rest, elsewhere(shop.caller)].map(ask);
    const flips = async () => {
      for (let i = 0; i < 30; i++) {
        const next = version(i % 2 === 0 ? 2 : 1);
        await Promise.all([importTariff(shop.caller, a, next), importTariff(shop.caller, b, next)]);
      }
    };
    const stop = () => {
      flipping = false;
    };
    await Promise.all([...asking, flips().finally(stop)]).finally(stop);
    expect(counts.get(2)).toBeGreaterThan(0);
    expect(counts.get(4)).toBeGreaterThan(0);
  });
});

describe('the database refuses by itself', () => {
  let shop: Merchant;
  let strangers: Merchant;
  beforeAll(async () => {
    const zones = ['IT', 'FR'].map(code => ({
      code,
      name: code,
      to: { countries: [code] },
      bands: [{ upToKg: 100, price: 5 }],
    }));
    shop = await newMerchant(tariffWith({ zones }));
    strangers = await newMerchant(tariffWith({ zones }));
  });

  const OWN = '(select id from tariff where company_id = $1)';
  const THEIRS = '(select id from tariff where company_id = $2)';
  const CHECK = '23514';
  const UNIQUE = '23505';
  const FOREIGN = '23503';
  test.each<[what: string, statement: string, code: string]>([
    [
      'a second tariff of a connection',
      `insert into tariff (company_id, carrier_connection_id, name) select company_id, carrier_connection_id, 'Due' from tariff where company_id = $1 and $2::uuid is not null`,
      UNIQUE,
    ],
    [
      'a tariff of another company’s connection',
      `insert into tariff (company_id, carrier_connection_id, name) select $1, carrier_connection_id, 'Due' from tariff where company_id = $2`,
      FOREIGN,
    ],
    [
      'a tariff moved to another company’s connection',
      'update tariff set carrier_connection_id = (select carrier_connection_id from tariff where company_id = $2) where company_id = $1',
      FOREIGN,
    ],
    ['a tariff without a name', `update tariff set name = '' where company_id = $1 and $2::uuid is not null`, CHECK],
    [
      'a band of 0 grams',
      `insert into tariff_band values ($1, ${OWN}, '2020-01-01', 'IT', 0, coalesce(length($2::uuid::text), 0))`,
      CHECK,
    ],
    [
      'a band of negative grams',
      'update tariff_band set up_to_grams = -1 where company_id = $1 and $2::uuid is not null',
      CHECK,
    ],
    [
      'a negative price',
      'update tariff_band set price_cents = -1 where company_id = $1 and $2::uuid is not null',
      CHECK,
    ],
    [
      'a band twice',
      `insert into tariff_band select b.* from tariff_band b where company_id = $1 and $2::uuid is not null`,
      UNIQUE,
    ],
    [
      'a band of another company’s tariff',
      `insert into tariff_band select $1, ${THEIRS}, '2020-01-01', 'IT', 7, 1`,
      FOREIGN,
    ],
    [
      'a band of no zone',
      `insert into tariff_band select $1, ${OWN}, '2020-01-01', 'XX', 7, 1 where $2::uuid is not null`,
      FOREIGN,
    ],
    [
      'a place claimed by two zones',
      `insert into tariff_place select $1, ${OWN}, '2020-01-01', 'FR', 'countries', 1, 'IT' where $2::uuid is not null`,
      UNIQUE,
    ],
    [
      'a place of an unknown kind',
      `insert into tariff_place select $1, ${OWN}, '2020-01-01', 'FR', 'planets', 1, 'Mars' where $2::uuid is not null`,
      CHECK,
    ],
    [
      'a place without a name',
      `insert into tariff_place select $1, ${OWN}, '2020-01-01', 'FR', 'countries', 1, '' where $2::uuid is not null`,
      CHECK,
    ],
    [
      'a place of another company’s tariff',
      `insert into tariff_place select $1, ${THEIRS}, '2020-01-01', 'FR', 'countries', 1, 'DE'`,
      FOREIGN,
    ],
    [
      'a zone of another company’s tariff',
      `insert into tariff_zone (company_id, tariff_id, valid_from, code, position, name) select $1, ${THEIRS}, '2020-01-01', 'DE', 5, 'DE'`,
      FOREIGN,
    ],
    ['a zone handed to another company', 'update tariff_zone set company_id = $2 where company_id = $1', FOREIGN],
    [
      'a zone of no version',
      `insert into tariff_zone (company_id, tariff_id, valid_from, code, position, name) select $1, ${OWN}, '2021-01-01', 'DE', 5, 'DE' where $2::uuid is not null`,
      FOREIGN,
    ],
    [
      'two zones at one place',
      'update tariff_zone set position = 0 where company_id = $1 and $2::uuid is not null',
      UNIQUE,
    ],
    [
      'a step without its price',
      'update tariff_zone set step_grams = 5 where company_id = $1 and $2::uuid is not null',
      CHECK,
    ],
    [
      'a step of 0 grams',
      'update tariff_zone set step_grams = 0, step_cents = 1 where company_id = $1 and $2::uuid is not null',
      CHECK,
    ],
    [
      'a version of another company’s tariff',
      `insert into tariff_version select $1, ${THEIRS}, '2021-01-01', 'x', '{}'`,
      FOREIGN,
    ],
    [
      'two versions of one day',
      `insert into tariff_version select v.* from tariff_version v where company_id = $1 and $2::uuid is not null`,
      UNIQUE,
    ],
    [
      'rules that are no object',
      `update tariff_version set rules = '[]' where company_id = $1 and $2::uuid is not null`,
      CHECK,
    ],
  ])('%s', async (_what, statement, code) => {
    const before = await rowsOf(shop.caller);
    const refusal = await withClient(client =>
      client.query(statement, [shop.caller.companyId, strangers.caller.companyId]).then(
        ({ rowCount }) => `took ${rowCount} rows`,
        (error: pg.DatabaseError) => error.code,
      ),
    );
    expect(refusal).toBe(code);
    expect(await rowsOf(shop.caller)).toEqual(before);
    expect((await quote(shop.caller, shop.body({ parcels: [PARCEL] }))).status).toBe(200);
  });
});
