import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWarehouse, feedOrders, RECIPIENT } from '../support/platform-side.ts';
import { runs } from '../support/property-runs.ts';
import { wrongFields } from '../support/rest-client.ts';
import { accepted, NEVER, parcel, to, useQuoteInput, wrongCases } from './quote-input.ts';
import { unnamed } from './raw-http.ts';
import { type Fields, PARCEL, quote } from './tariffs.ts';

const given = useQuoteInput();
const { send, bodyOf } = given;

describe('A destination is rejected if it is wrong:', () => {
  test.each(
    wrongCases(
      ['a text', { destination: 'Palermo' }, ['/destination', 'wrong_type']],
      ['empty', { destination: {} }, ['/destination/city', 'required'], ['/destination/postalCode', 'required']],
      ['without a city', to({ city: undefined }), ['/destination/city', 'required']],
      ['with a city that is a number', to({ city: 90139 }), ['/destination/city', 'wrong_type']],
      ['with a CAP that is a number', to({ postalCode: 90139 }), ['/destination/postalCode', 'wrong_type']],
      ['with a CAP of four digits', to({ postalCode: '9013' }), ['/destination/postalCode', 'invalid_postal_code']],
      [
        'with a CAP of another province',
        to({ province: 'MI' }),
        ['/destination/postalCode', 'postal_code_not_in_province'],
      ],
      [
        'with a CAP of another province by name',
        to({ province: 'milano' }),
        ['/destination/postalCode', 'postal_code_not_in_province'],
      ],
      [
        'with a province that Italy does not have',
        to({ province: 'ZZ' }),
        ['/destination/province', 'unknown_province'],
      ],
      ['with a misspelt province', to({ province: 'Plaermo' }), ['/destination/province', 'unknown_province']],
      ['with a region as its province', to({ province: 'Sicilia' }), ['/destination/province', 'unknown_province']],
      ['in an unknown country', to({ country: 'XX' }), ['/destination/country', 'unknown_country']],
      ['with U+0000 in the city', to({ city: 'Pal\u0000ermo' }), ['/destination/city', 'invalid_text']],
      ['with a bell in the address', to({ address: 'Via\u0007Roma' }), ['/destination/address', 'invalid_text']],
    ),
  )('$name', async ({ fields, wrong }) => {
    expect(wrongFields(await send(bodyOf(fields)))).toEqual(wrong);
  });

  test.each<[string, Fields]>([
    ['country with blanks', { country: ' It ' }],
    ['no country', { country: undefined }],
    ['country null', { country: null }],
    ['a province by name', { province: 'palermo' }],
    ['an empty province', { province: '' }],
    ['no province', { province: undefined }],
    ['province null', { province: null }],
    ['blanks around', { postalCode: ' 90139 ', city: '  Palermo\n' }],
    ['an address and a name', { address: 'Via Libertà 12', companyName: "L'Àncora 😀 Srl" }],
    ['address and name null', { address: null, companyName: null }],
    ['another script', { city: '東京 Ђ ع' }],
  ])('but with %s it is accepted, at the same price', async (_name, fields) => {
    expect((await send(bodyOf(to(fields)))).text).toBe((await send(bodyOf())).text);
  });

  test('but a lower-case country abroad is accepted', async () => {
    accepted(await send(bodyOf({ destination: { country: 'fr', postalCode: '75001', city: 'Paris' } })));
    expect(
      wrongFields(await send(bodyOf({ destination: { country: 'fr', postalCode: '7500', city: 'Paris' } }))),
    ).toEqual([['/destination/postalCode', 'invalid_postal_code']]);
  });
});

describe('The shipment date', () => {
  test.each([
    '2026-02-30',
    '2026-02-29',
    '01/02/2026',
    ' ',
    '1999-12-31',
    '2100-01-01',
    '9999-12-31',
    '2026-06-30T10:00:00',
    '2026-02-30T10:00:00Z',
  ])('%j is rejected', async shipmentDate => {
    const wrong = wrongFields(await send(bodyOf({ shipmentDate })));
    expect(wrong.map(([pointer]) => pointer)).toEqual(['/shipmentDate']);
    expect(wrongFields(await send({ orderId: NEVER, shipmentDate }))).toEqual(wrong);
  });

  test('may not be a number', async () => {
    expect(wrongFields(await send(bodyOf({ shipmentDate: 20_260_630 })))).toEqual([['/shipmentDate', 'wrong_type']]);
  });

  test.each([
    '2026-06-30',
    ' 2026-06-30 ',
    '2026-06-30T10:00:00Z',
    '2026-06-30T10:00:00.123+02:00',
    '2020-02-29',
    null,
  ])('%j is accepted', async shipmentDate => {
    accepted(await send(bodyOf({ shipmentDate })));
  });

  test('without a tariff gives a warning', async () => {
    const { status, body } = await send(bodyOf({ shipmentDate: '2019-12-31' }));
    expect([status, body.code]).toEqual([200, 'NO_TARIFF_IN_FORCE']);
  });
});

describe('For something that does not exist,', () => {
  test.each<[string, () => unknown]>([
    ['a warehouse that never was', () => bodyOf({ warehouseId: NEVER - 1 })],
    ['another company’s warehouse', () => bodyOf({ warehouseId: given.strangers.warehouseId })],
    ['warehouse 0', () => bodyOf({ warehouseId: 0 })],
    ['a negative warehouse', () => bodyOf({ warehouseId: -5 })],
  ])('%s is 404', async (_what, body) => {
    const answer = await send(body());
    expect([answer.status, answer.body.code]).toEqual([404, 'warehouse_not_found']);
    expect(unnamed(answer)).toEqual(unnamed(await send(bodyOf({ warehouseId: NEVER }))));
  });

  test('a deleted warehouse is 404', async () => {
    const warehouseId = await createWarehouse(given.shop.caller);
    accepted(await send(bodyOf({ warehouseId })));
    await given.shop.caller.rest('DELETE', `/warehouses/${warehouseId}`);
    expect(unnamed(await send(bodyOf({ warehouseId })))).toEqual(unnamed(await send(bodyOf({ warehouseId: NEVER }))));
  });

  test('an unknown order, and another company’s, give the same 404', async () => {
    const [theirs] = await feedOrders(given.strangers.caller, {
      orderNumber: 'THEIRS',
      warehouseId: given.strangers.warehouseId,
      parcels: [PARCEL],
    });
    accepted(await quote(given.strangers.caller, { orderId: theirs }));
    const never = await send({ orderId: NEVER });
    expect([never.status, never.body.code]).toEqual([404, 'order_not_found']);
    for (const orderId of [theirs, 0, -1]) expect(unnamed(await send({ orderId }))).toEqual(unnamed(never));
  });

  test('other errors of the body come first', async () => {
    expect(wrongFields(await send(bodyOf({ warehouseId: NEVER, ...parcel({ weight: 0 }) })))).toEqual([
      ['/parcels/0/weight', 'out_of_range'],
    ]);
    expect(wrongFields(await send({ orderId: NEVER, shipmentDate: 'x' }))).toEqual([
      ['/shipmentDate', 'invalid_date_time'],
    ]);
  });
});

describe('An order that cannot be quoted', () => {
  let orders = 0;
  test.each<[string, (warehouseId: number) => Fields, RegExp[]]>([
    ['no parcels', warehouseId => ({ warehouseId }), [/parcels/]],
    ['an empty list of parcels', warehouseId => ({ warehouseId, parcels: [] }), [/parcels/]],
    ['no warehouse', () => ({ parcels: [PARCEL] }), [/warehouse/]],
    ['neither', () => ({}), [/parcels/, /warehouse/]],
    [
      'a parcel without sides',
      warehouseId => ({ warehouseId, parcels: [PARCEL, { weight: 1 }] }),
      [/parcels\/1\/length/, /width/, /height/],
    ],
    [
      'a parcel without a height',
      warehouseId => ({ warehouseId, parcels: [{ weight: 1, length: 1, width: 1 }] }),
      [/parcels\/0\/height/],
    ],
    [
      'a parcel of no weight',
      warehouseId => ({ warehouseId, parcels: [{ ...PARCEL, weight: 0 }] }),
      [/parcels\/0\/weight/],
    ],
    [
      'a parcel with a side of 0',
      warehouseId => ({ warehouseId, parcels: [{ ...PARCEL, length: 0 }] }),
      [/parcels\/0\/length/],
    ],
    [
      'a parcel heavier than any tariff',
      warehouseId => ({ warehouseId, parcels: [{ ...PARCEL, weight: 200_000 }] }),
      [/parcels\/0\/weight.*100000/],
    ],
    [
      'parcels that are too heavy together',
      warehouseId => ({ warehouseId, parcels: [{ ...PARCEL, weight: 60_000, quantity: 2 }] }),
      [/cannot be quoted: parcels must weigh at most 100000 kg together$/],
    ],
    [
      'a CAP that cannot belong to its province',
      warehouseId => ({ warehouseId, parcels: [PARCEL], recipient: { ...RECIPIENT, province: 'PA' } }),
      [/recipient\/postalCode/],
    ],
  ])('has %s', async (_what, fields, says) => {
    const [orderId] = await feedOrders(given.shop.caller, {
      orderNumber: `LACKS-${++orders}`,
      ...fields(given.shop.warehouseId),
    });
    const answer = await send({ orderId });
    expect(wrongFields(answer)).toEqual([['/orderId', 'order_not_quotable']]);
    for (const what of says) expect(answer.body.errors[0].message).toMatch(what);
  });

  test.each(['codAmount', 'insuranceAmount'])(
    'has %s beyond every tariff, unless the body replaces it',
    async field => {
      const [orderId] = await feedOrders(given.shop.caller, {
        orderNumber: `LACKS-${++orders}`,
        warehouseId: given.shop.warehouseId,
        parcels: [PARCEL],
        [field]: 2_000_000,
      });
      expect(wrongFields(await send({ orderId }))).toEqual([['/orderId', 'order_not_quotable']]);
      accepted(await send({ orderId, [field]: 0 }));
      accepted(await send({ orderId, [field]: 100 }));
    },
  );
});

describe('A quote never causes an internal error', () => {
  const TEXTS = [
    '😀',
    '👩‍👩‍👧',
    '\u0000',
    'a\u0000b',
    '\u0001\u001f\u007f',
    '\ud800',
    '\udfff\ud800',
    '\u202e90139',
    '\ufeff90139',
    'x'.repeat(100_000),
    "'; drop table tariff; --",
    '%00%0a',
    '{{7*7}}',
    '../../etc/passwd',
    'İıſK',
  ];

  test('for a random body', { timeout: 120_000 }, async () => {
    const wild = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom<unknown>(0, -1, 1.5, 1e21, 1e-7, 2 ** 31, null, '', [], {}, [null], true, '2026-02-30', ...TEXTS),
    );
    const or = (good: fc.Arbitrary<unknown>) =>
      fc.oneof({ weight: 3, arbitrary: good }, { weight: 1, arbitrary: wild });
    const parcelLike = fc.record(
      {
        weight: or(fc.constantFrom(1, 2.5)),
        length: or(fc.constant(10)),
        width: or(fc.constant(10)),
        height: or(fc.constant(10)),
        quantity: or(fc.integer({ min: 1, max: 600 })),
        extra: wild,
      },
      { requiredKeys: ['weight', 'length', 'width', 'height'] },
    );
    const place = fc.record(
      {
        country: or(fc.constantFrom('IT', 'fr', 'US')),
        postalCode: or(fc.constantFrom('90139', '75001')),
        city: or(fc.string({ unit: 'binary' })),
        province: or(fc.constantFrom('PA', 'MI', 'ZZ')),
        address: or(fc.string()),
        companyName: or(fc.string({ unit: 'grapheme' })),
      },
      { requiredKeys: ['postalCode', 'city'] },
    );
    const body = fc.record(
      {
        orderId: fc.oneof(fc.integer({ min: 0, max: 100 }), wild),
        warehouseId: or(fc.constant(given.shop.warehouseId)),
        destination: or(place),
        totalWeight: or(fc.constant(4)),
        totalVolume: or(fc.constant(4000)),
        parcelNumber: or(fc.integer()),
        parcels: or(fc.array(parcelLike, { maxLength: 3 })),
        codAmount: or(fc.double()),
        insuranceAmount: or(fc.constant(10)),
        options: or(fc.array(fc.string(), { maxLength: 2 })),
        carrierCompanyIds: or(fc.array(fc.integer(), { maxLength: 2 })),
        shipmentDate: or(fc.constantFrom('2026-06-15', '2026-06-15T23:00:00Z')),
      },
      { requiredKeys: [] },
    );
    const statuses = new Map<number, number>();
    const check = async (value: unknown) => {
      // The client holds every answer against the contract as well.
      const { status } = await send(JSON.stringify(value));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect([200, 404, 422]).toContain(status);
    };
    await fc.assert(fc.asyncProperty(body, check), { numRuns: runs(200, 8), seed: 20_261_121 });
    // One field at a time, so that each reaches its own check.
    const field = fc.constantFrom(
      'destination',
      'parcels',
      'codAmount',
      'insuranceAmount',
      'options',
      'carrierCompanyIds',
      'shipmentDate',
      'warehouseId',
    );
    const oneWild = fc.tuple(field, fc.oneof(wild, place, fc.array(parcelLike, { maxLength: 3 })));
    await fc.assert(
      fc.asyncProperty(oneWild, ([name, value]) => check(bodyOf({ [name]: value }))),
      { numRuns: runs(200, 8), seed: 20_261_121 },
    );
    expect(statuses.get(200)).toBeGreaterThan(0);
    expect(statuses.get(422)).toBeGreaterThan(runs(100, 8));
  });
});
