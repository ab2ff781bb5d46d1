import type pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Fields, flat, type Merchant, PARCEL, quote, tariffWith } from '../rest/tariffs.ts';
import { failureOf } from '../support/graphql-client.ts';
import { IMPORT, surcharge, useTariffs } from './tariff-calls.ts';

const { rowsOf, newMerchant, withClient } = useTariffs();

describe('An invalid tariff', () => {
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
    ['empty', {}, '/tariff/format', 'required'],
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
    [
      'a range that may have lost its zeros in a spreadsheet',
      tariffWith({ zones: [zone({ to: { postalCodes: ['100-199'] } })] }),
      '/tariff/versions/0/zones/0/to/postalCodes/0',
      'invalid_postal_code',
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
    'with (%s) is rejected with a pointer, and the old tariff stays whole',
    async (_what, tariff, pointer, code) => {
      const failure = failureOf(
        await shop.caller.graphql(IMPORT, { input: { carrierConnectionId: shop.ids[0], tariff } }),
      );
      const issues = failure?.errors ?? [];
      expect(issues.find(issue => issue.pointer === pointer)?.code).toBe(code);
      for (const { message } of issues) expect(message).toMatch(/\w/);
      expect(await state()).toEqual(before);
    },
  );

  test('without a format, or with an unknown one, has one error, which states the valid format', async () => {
    const { format: _, ...without } = flat(50, { fule: {} });
    for (const tariff of [without, { ...without, format: 1 }, { ...without, format: '2' }]) {
      const failure = failureOf(
        await shop.caller.graphql(IMPORT, { input: { carrierConnectionId: shop.ids[0], tariff } }),
      );
      expect(failure?.errors).toMatchObject([
        { pointer: '/tariff/format', message: 'The field tariff.format must be 2.' },
      ]);
    }
  });

  test('with several errors has all of them reported', async () => {
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
    const failure = failureOf(
      await shop.caller.graphql(IMPORT, { input: { carrierConnectionId: shop.ids[0], tariff } }),
    );
    const pointers = failure?.errors?.map(({ pointer }) => pointer?.replace('/tariff/versions/0', ''));
    expect(pointers?.toSorted()).toEqual([
      '/limits/parcelKg',
      '/surcharges/1/code',
      '/zones/0/bands/0/price',
      '/zones/0/bands/1/upToKg',
    ]);
    expect(await state()).toEqual(before);
  });

  test('is rejected for its second version without storing its first', async () => {
    const [good] = flat(50).versions;
    const tariff = { format: 2, name: 'X', versions: [good, { ...good, validFrom: '2019-01-01' }] };
    const failure = failureOf(
      await shop.caller.graphql(IMPORT, { input: { carrierConnectionId: shop.ids[0], tariff } }),
    );
    expect(failure?.errors).toMatchObject([{ pointer: '/tariff/versions/1/validFrom', code: 'overlap' }]);
    expect(await state()).toEqual(before);
  });
});

describe('The database itself rejects', () => {
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

  const OWN = '(select revision_id from tariff where company_id = $1)';
  const CHECK = '23514';
  const UNIQUE = '23505';
  const FOREIGN = '23503';
  test.each<[what: string, statement: string, code: string]>([
    [
      'a second tariff of a connection',
      `insert into tariff (company_id, carrier_connection_id, revision_id, name)
        select company_id, carrier_connection_id, revision_id, 'Due' from tariff where company_id = $1 and $2::uuid is not null`,
      UNIQUE,
    ],
    [
      'a tariff of another company’s connection',
      `insert into tariff (company_id, carrier_connection_id, revision_id, name)
        select $1, carrier_connection_id, ${OWN}, 'Due' from tariff where company_id = $2`,
      FOREIGN,
    ],
    [
      'a tariff moved to another company’s connection',
      'update tariff set carrier_connection_id = (select carrier_connection_id from tariff where company_id = $2) where company_id = $1',
      FOREIGN,
    ],
    [
      'another company’s revision in force',
      'update tariff set revision_id = (select revision_id from tariff where company_id = $2) where company_id = $1',
      FOREIGN,
    ],
    [
      'a revision removed that is in force',
      'delete from carrier_tariff_revision where company_id = $1 and $2::uuid is not null',
      FOREIGN,
    ],
    ['a tariff without a name', `update tariff set name = '' where company_id = $1 and $2::uuid is not null`, CHECK],
    [
      'a document that is no object',
      `update carrier_tariff_revision set document = '[]' where company_id = $1 and $2::uuid is not null`,
      CHECK,
    ],
    [
      'a revision with a number that was never published',
      'update carrier_tariff_revision set published_at = null where company_id = $1 and $2::uuid is not null',
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
