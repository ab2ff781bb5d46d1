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
  /** One of each kind of rule; `rules/tariff-check.test.ts` has the others. */
  const WRONG: [what: string, tariff: unknown, pointer: string, code: string][] = [
    ['nothing', null, '/tariff', 'required'],
    ['a text', 'x', '/tariff', 'wrong_type'],
    ['empty', {}, '/tariff/versions', 'required'],
    ['an unknown field of a version', flat(50, { fule: {} }), '/tariff/versions/0/fule', 'unknown_field'],
    [
      'a price of three decimals',
      tariffWith({ zones: [zone({ bands: [{ upToKg: 5, price: 1.005 }] })] }),
      '/tariff/versions/0/zones/0/bands/0/price',
      'too_precise',
    ],
    [
      'a place claimed twice',
      tariffWith({ zones: [zone(), zone({ code: 'b' })] }),
      '/tariff/versions/0/zones/1/to/countries/0',
      'conflict',
    ],
    ['VAT with gaps', flat(50, { vat: [{ to: { countries: ['IT'] }, percent: 22 }] }), '/tariff/versions/0/vat', 'gap'],
    ['a label with U+0000', flat(50, { label: 'a\u0000b' }), '/tariff/versions/0/label', 'invalid_format'],
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
    '(%s) is rejected at its place, and the old one stays whole',
    async (_what, tariff, pointer, code) => {
      const failure = failureOf(
        await shop.caller.graphql(IMPORT, { input: { carrierCompanyId: shop.ids[0], tariff } }),
      );
      const issues = failure?.errors ?? [];
      expect(issues.find(issue => issue.pointer === pointer)?.code).toBe(code);
      for (const { message } of issues) expect(message).toMatch(/\w/);
      expect(await state()).toEqual(before);
    },
  );

  test('in many places reports them all', async () => {
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

describe('the database rejects by itself', () => {
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
