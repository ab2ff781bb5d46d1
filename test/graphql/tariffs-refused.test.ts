import type pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Fields, flat, type Merchant, PARCEL, quote, tariffWith } from '../rest/tariffs.ts';
import { failureOf } from '../support/graphql-client.ts';
import { IMPORT, surcharge, useTariffs } from './tariff-calls.ts';

const { rowsOf, newMerchant, withClient } = useTariffs();

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
      const failure = failureOf(
        await shop.caller.graphql(IMPORT, {
          input: { carrierCompanyId: shop.ids[0], tariff },
        }),
      );
      const issues = failure?.errors ?? [];
      expect(issues.map(issue => issue.pointer)).toContain(pointer);
      if (code) expect(issues.find(issue => issue.pointer?.endsWith(pointer))?.code).toBe(code);
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
    const failure = failureOf(await shop.caller.graphql(IMPORT, { input: { carrierCompanyId: shop.ids[0], tariff } }));
    const pointers = failure?.errors?.map(({ pointer }) => pointer?.replace('/tariff/versions/0', ''));
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
    const failure = failureOf(await shop.caller.graphql(IMPORT, { input: { carrierCompanyId: shop.ids[0], tariff } }));
    expect(failure?.errors).toMatchObject([{ pointer: '/tariff/versions/1/validFrom', code: 'overlap' }]);
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
