import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/rest-client.ts';
import { useWorld } from '../support/world.ts';
import { createWarehouse, feedOrders, RECIPIENT } from './feed.ts';
import { unnamed } from './raw-http.ts';
import { type Fields, flat, type Merchant, merchant, PALERMO, PARCEL, quote } from './tariffs.ts';

const world = useWorld();
let shop: Merchant;
let strangers: Merchant;
const NEVER = 2_147_483_647;
beforeAll(async () => {
  const everything = {
    zones: [{ code: 'tutto', name: 'Tutto', to: { anywhere: true }, bands: [{ upToKg: 100_000, price: 5 }] }],
    cod: { fixed: 1, percent: 1 },
    insurance: { percent: 1 },
  };
  shop = await merchant(await world.company(), flat(5, everything));
  strangers = await merchant(await world.company(), flat(5, everything));
});

type Wrong = [pointer: string, code: string][];

/** What is wrong where, by place and without the words. */
function refusal({ status, body }: Answer): Wrong {
  expect([status, body?.code]).toEqual([422, 'validation_failed']);
  const errors = body.errors as { pointer: string; code: string; message: string }[];
  for (const { message } of errors) expect(message).toMatch(/\w/);
  return errors.map(({ pointer, code }): [string, string] => [pointer, code]).toSorted();
}

const accepted = ({ status, body }: Answer) =>
  expect([status, Array.isArray(body) ? 'items' : body]).toEqual([200, 'items']);
const send = (body: unknown) => quote(shop.caller, body);
const bodyOf = (fields?: Fields) => shop.body(fields);
/** One parcel with other fields as given. */
const parcel = (fields: Fields) => ({ parcels: [{ ...PARCEL, ...fields }] });
const to = (fields: Fields) => ({ destination: { ...PALERMO, ...fields } });
const totals = (fields: Fields) => ({ parcels: undefined, totalWeight: 4, totalVolume: 36_000, ...fields });
/** JSON text with a number that JavaScript would not write: it takes the place of 424242. */
const raw = (body: object, number: string) => JSON.stringify(body).replace('424242', number);

const show = (value: unknown) => JSON.stringify(value) ?? 'undefined';

describe('numbers', () => {
  const NOT_NUMBERS: [unknown, string][] = [
    ['4', 'wrong_type'],
    ['', 'wrong_type'],
    ['NaN', 'wrong_type'],
    [true, 'wrong_type'],
    [false, 'wrong_type'],
    [[4], 'wrong_type'],
    [[], 'wrong_type'],
    [{}, 'wrong_type'],
    [{ kg: 4 }, 'wrong_type'],
  ];
  const OUT_OF_RANGE = [0, -0, -1, -0.001, 1e-7, 5e-324, 1e21, 1e300, Number.MAX_SAFE_INTEGER];

  describe.each<
    [field: string, make: (value: unknown) => Fields, pointer: string, max: number, above: number, decimals: number]
  >([
    ['weight', value => parcel({ weight: value }), '/parcels/0/weight', 100_000, 100_000.001, 3],
    ['length', value => parcel({ length: value }), '/parcels/0/length', 1000, 1000.01, 2],
    ['width', value => parcel({ width: value }), '/parcels/0/width', 1000, 1000.01, 2],
    ['height', value => parcel({ height: value }), '/parcels/0/height', 1000, 1000.01, 2],
    ['totalWeight', value => totals({ totalWeight: value }), '/totalWeight', 100_000, 100_000.001, 3],
    ['totalVolume', value => totals({ totalVolume: value }), '/totalVolume', 1_000_000_000, 1_000_000_000.01, 2],
  ])('%s', (_field, make, pointer, max, above, decimals) => {
    const tooFine = 1 + 10 ** -(decimals + 1);
    test.each([
      ...NOT_NUMBERS,
      ...OUT_OF_RANGE.map((value): [unknown, string] => [value, 'out_of_range']),
      [above, 'out_of_range'] as [unknown, string],
      [tooFine, 'out_of_range'] as [unknown, string],
    ])('%j is refused: %s', async (value, code) => {
      expect(refusal(await send(bodyOf(make(value))))).toEqual([[pointer, code]]);
    });

    test('beyond every number of JavaScript is refused', async () => {
      for (const number of ['1e400', '-1e400', `1${'0'.repeat(400)}`]) {
        const wrong = refusal(await send(raw(bodyOf(make(424_242)), number)));
        expect(wrong.map(([at]) => at)).toEqual([pointer]);
      }
    });

    test('at its bounds is accepted', async () => {
      for (const value of [10 ** -decimals, max, 1.5]) {
        const { status, body } = await send(bodyOf(make(value)));
        expect([value, status, body.errors]).toEqual([value, 200, undefined]);
      }
    });

    test('may be written with an exponent or zeros behind', async () => {
      const plain = await send(bodyOf(make(20)));
      accepted(plain);
      for (const number of ['2e1', '20.000000', '2.0E+1', '200e-1']) {
        expect((await send(raw(bodyOf(make(424_242)), number))).text).toBe(plain.text);
      }
    });
  });

  test.each(['weight', 'length', 'width', 'height'])('%s must be given', async field => {
    expect(refusal(await send(bodyOf(parcel({ [field]: undefined }))))).toEqual([[`/parcels/0/${field}`, 'required']]);
    expect(refusal(await send(bodyOf(parcel({ [field]: null }))))).toEqual([[`/parcels/0/${field}`, 'required']]);
  });

  describe.each(['codAmount', 'insuranceAmount'])('%s', field => {
    test.each<[unknown, string]>([
      ...NOT_NUMBERS,
      [10.123, 'out_of_range'],
      [0.001, 'out_of_range'],
      [-0.01, 'out_of_range'],
      [-1, 'out_of_range'],
      [1_000_000.01, 'out_of_range'],
      [1e7, 'out_of_range'],
      [1e21, 'out_of_range'],
      [1e-7, 'out_of_range'],
    ])('%j is refused: %s', async (value, code) => {
      expect(refusal(await send(bodyOf({ [field]: value })))).toEqual([[`/${field}`, code]]);
      // Of an order as well, and whether it exists is asked later.
      expect(refusal(await send({ orderId: NEVER, [field]: value }))).toEqual([[`/${field}`, code]]);
    });

    test.each([0, -0, 0.01, 99.9, 1_000_000, null])('%j is accepted', async value => {
      accepted(await send(bodyOf({ [field]: value })));
    });
  });
});

interface WrongCase {
  readonly name: string;
  readonly fields: Fields;
  readonly wrong: Wrong;
}

const wrongCases = (...cases: [name: string, fields: Fields, ...wrong: Wrong][]): WrongCase[] =>
  cases.map(([name, fields, ...wrong]) => ({ name, fields, wrong: wrong.toSorted() }));

describe('parcels', () => {
  test.each(
    wrongCases(
      ['an object', { parcels: { ...PARCEL } }, ['/parcels', 'wrong_type']],
      ['a text', { parcels: 'one' }, ['/parcels', 'wrong_type']],
      ['a number', { parcels: 1 }, ['/parcels', 'wrong_type']],
      ['empty', { parcels: [] }, ['/parcels', 'empty']],
      ['of null', { parcels: [null] }, ['/parcels/0', 'required']],
      ['of a number', { parcels: [PARCEL, 4] }, ['/parcels/1', 'wrong_type']],
      ['of a list', { parcels: [[PARCEL]] }, ['/parcels/0', 'wrong_type']],
      ['101 entries', { parcels: Array(101).fill(PARCEL) }, ['/parcels', 'too_many']],
      ['501 of one kind', parcel({ quantity: 501 }), ['/parcels/0/quantity', 'out_of_range']],
      [
        '501 of two kinds',
        {
          parcels: [
            { ...PARCEL, quantity: 250 },
            { ...PARCEL, quantity: 251 },
          ],
        },
        ['/parcels', 'too_many'],
      ],
      [
        '100 entries of 6',
        { parcels: Array(100).fill({ ...PARCEL, weight: 0.1, quantity: 6 }) },
        ['/parcels', 'too_many'],
      ],
      ['quantity 0', parcel({ quantity: 0 }), ['/parcels/0/quantity', 'out_of_range']],
      ['quantity -1', parcel({ quantity: -1 }), ['/parcels/0/quantity', 'out_of_range']],
      ['quantity 1.5', parcel({ quantity: 1.5 }), ['/parcels/0/quantity', 'wrong_type']],
      ['quantity "2"', parcel({ quantity: '2' }), ['/parcels/0/quantity', 'wrong_type']],
      ['quantity true', parcel({ quantity: true }), ['/parcels/0/quantity', 'wrong_type']],
      ['quantity 1e21', parcel({ quantity: 1e21 }), ['/parcels/0/quantity', 'wrong_type']],
      ['heavier together than anything', parcel({ weight: 1000, quantity: 101 }), ['/parcels', 'out_of_range']],
      [
        'larger together than anything',
        parcel({ length: 1000, width: 1000, height: 1000, quantity: 2 }),
        ['/parcels', 'out_of_range'],
      ],
      [
        'several faults at once',
        {
          parcels: [
            { ...PARCEL, weight: 0 },
            { ...PARCEL, height: -1, quantity: 0 },
          ],
        },
        ['/parcels/0/weight', 'out_of_range'],
        ['/parcels/1/height', 'out_of_range'],
        ['/parcels/1/quantity', 'out_of_range'],
      ],
    ),
  )('$name', async ({ fields, wrong }) => {
    expect(refusal(await send(bodyOf(fields)))).toEqual(wrong);
  });

  test.each<[string, Fields]>([
    ['500 of one kind', parcel({ quantity: 500 })],
    ['100 entries of 5', { parcels: Array(100).fill({ ...PARCEL, quantity: 5 }) }],
    ['quantity null', parcel({ quantity: null })],
  ])('%s are accepted', async (_name, fields) => {
    accepted(await send(bodyOf(fields)));
  });

  test('without quantity are one each', async () => {
    expect((await send(bodyOf(parcel({ quantity: 1 })))).text).toBe((await send(bodyOf())).text);
  });
});

describe('modes', () => {
  const B: Fields = {
    destination: PALERMO,
    totalWeight: 4,
    totalVolume: 36_000,
    parcelNumber: 1,
    parcels: [PARCEL],
    warehouseId: 1,
  };

  test.each(Object.keys(B))('orderId together with %s', async field => {
    expect(refusal(await send({ orderId: NEVER, [field]: B[field] }))).toEqual([[`/${field}`, 'conflicting_modes']]);
  });

  test.each(
    wrongCases(
      [
        'both whole',
        { ...B, orderId: NEVER },
        ...Object.keys(B).map((field): [string, string] => [`/${field}`, 'conflicting_modes']),
      ],
      ['neither', {}, ['/orderId', 'required']],
      ['only nulls', { orderId: null, warehouseId: null, destination: null, parcels: null }, ['/orderId', 'required']],
      ['only terms', { options: ['saturday'], codAmount: 5 }, ['/orderId', 'required']],
      ['only a warehouse', { warehouseId: 1 }, ['/destination', 'required'], ['/parcels', 'required']],
      ['only a destination', { destination: PALERMO }, ['/parcels', 'required'], ['/warehouseId', 'required']],
      ['only parcels', { parcels: [PARCEL] }, ['/destination', 'required'], ['/warehouseId', 'required']],
      ['no parcels', { warehouseId: 1, destination: PALERMO }, ['/parcels', 'required']],
      ['only totalWeight', { warehouseId: 1, destination: PALERMO, totalWeight: 4 }, ['/totalVolume', 'required']],
      ['only totalVolume', { warehouseId: 1, destination: PALERMO, totalVolume: 4 }, ['/totalWeight', 'required']],
      ['only parcelNumber', { warehouseId: 1, destination: PALERMO, parcelNumber: 2 }, ['/parcels', 'required']],
      [
        'totals together with parcels',
        { warehouseId: 1, destination: PALERMO, parcels: [PARCEL], totalWeight: 4, totalVolume: 4 },
        ['/totalVolume', 'conflicting_modes'],
        ['/totalWeight', 'conflicting_modes'],
      ],
      [
        'totalWeight together with parcels',
        { warehouseId: 1, destination: PALERMO, parcels: [PARCEL], totalWeight: 4 },
        ['/totalWeight', 'conflicting_modes'],
      ],
      [
        'parcelNumber together with parcels',
        { warehouseId: 1, destination: PALERMO, parcels: [PARCEL], parcelNumber: 1 },
        ['/parcelNumber', 'conflicting_modes'],
      ],
      ['orderId as a text', { orderId: '1' }, ['/orderId', 'wrong_type']],
      ['orderId 1.5', { orderId: 1.5 }, ['/orderId', 'wrong_type']],
      ['orderId beyond 32 bits', { orderId: 2 ** 31 }, ['/orderId', 'wrong_type']],
      ['orderId true', { orderId: true }, ['/orderId', 'wrong_type']],
      ['warehouseId as a text', { ...B, parcels: undefined, warehouseId: '1' }, ['/warehouseId', 'wrong_type']],
      [
        'warehouseId beyond 32 bits',
        { ...B, parcels: undefined, warehouseId: 2 ** 31 },
        ['/warehouseId', 'wrong_type'],
      ],
      ['parcelNumber 0', { ...B, parcels: undefined, parcelNumber: 0 }, ['/parcelNumber', 'out_of_range']],
      ['parcelNumber 501', { ...B, parcels: undefined, parcelNumber: 501 }, ['/parcelNumber', 'out_of_range']],
      ['parcelNumber -1', { ...B, parcels: undefined, parcelNumber: -1 }, ['/parcelNumber', 'out_of_range']],
      ['parcelNumber 1.5', { ...B, parcels: undefined, parcelNumber: 1.5 }, ['/parcelNumber', 'wrong_type']],
      ['parcelNumber "2"', { ...B, parcels: undefined, parcelNumber: '2' }, ['/parcelNumber', 'wrong_type']],
    ),
  )('$name', async ({ fields, wrong }) => {
    expect(refusal(await send(fields))).toEqual(wrong);
  });

  test('fields of the other mode may be null', async () => {
    const nulls = { totalWeight: null, totalVolume: null, parcelNumber: null, orderId: null };
    expect((await send(bodyOf(nulls))).text).toBe((await send(bodyOf())).text);
  });
});

describe('unknown fields', () => {
  test.each(
    wrongCases(
      ['at the top', { codAmmount: 5 }, ['/codAmmount', 'unknown_field']],
      ['of a destination', to({ zip: '90139' }), ['/destination/zip', 'unknown_field']],
      ['of a parcel', parcel({ depth: 5 }), ['/parcels/0/depth', 'unknown_field']],
      [
        'named as parts of a prototype',
        { constructor: 1, toString: 1 },
        ['/constructor', 'unknown_field'],
        ['/toString', 'unknown_field'],
      ],
      ['that need escapes', { 'a/b~c': 1 }, ['/a~1b~0c', 'unknown_field']],
      [
        'at every level',
        { x: null, ...to({ y: null }), ...parcel({ z: null }) },
        ['/x', 'unknown_field'],
        ['/destination/y', 'unknown_field'],
        ['/parcels/0/z', 'unknown_field'],
      ],
    ),
  )('$name', async ({ fields, wrong }) => {
    expect(refusal(await send(bodyOf(fields)))).toEqual(wrong);
  });

  test('__proto__ is one', async () => {
    const body = JSON.stringify(bodyOf()).replace('{', '{"__proto__":{"orderId":1},');
    expect(refusal(await send(body))).toEqual([['/__proto__', 'unknown_field']]);
  });
});

describe('options and carriers', () => {
  test.each(
    wrongCases(
      ['options as a text', { options: 'saturday' }, ['/options', 'wrong_type']],
      ['options as an object', { options: { saturday: true } }, ['/options', 'wrong_type']],
      ['an option that is a number', { options: ['saturday', 5] }, ['/options/1', 'wrong_type']],
      ['an option that is null', { options: [null] }, ['/options/0', 'required']],
      ['an option that is a list', { options: [['saturday']] }, ['/options/0', 'wrong_type']],
      ['an empty option', { options: [''] }, ['/options/0', 'required']],
      ['a blank option', { options: ['saturday', ' \t'] }, ['/options/1', 'required']],
      ['an option of 41 characters', { options: ['x'.repeat(41)] }, ['/options/0', 'too_long']],
      ['an option with U+0000', { options: ['sat\u0000urday'] }, ['/options/0', 'invalid_text']],
      ['51 options', { options: Array(51).fill('saturday') }, ['/options', 'too_many']],
      ['no carriers', { carrierCompanyIds: [] }, ['/carrierCompanyIds', 'empty']],
      ['carriers as a number', { carrierCompanyIds: 1 }, ['/carrierCompanyIds', 'wrong_type']],
      ['a carrier as a text', { carrierCompanyIds: [1, '2'] }, ['/carrierCompanyIds/1', 'wrong_type']],
      ['a carrier that is null', { carrierCompanyIds: [null] }, ['/carrierCompanyIds/0', 'required']],
      ['a carrier 1.5', { carrierCompanyIds: [1.5] }, ['/carrierCompanyIds/0', 'wrong_type']],
      ['a carrier beyond 32 bits', { carrierCompanyIds: [2 ** 31] }, ['/carrierCompanyIds/0', 'wrong_type']],
    ),
  )('$name', async ({ fields, wrong }) => {
    expect(refusal(await send(bodyOf(fields)))).toEqual(wrong);
  });

  test.each([
    ['unheard_of'],
    ['x'.repeat(40)],
    ['😀'],
    ['constructor'],
    ['__proto__'],
    ['base'],
    ['fuel'],
    ['cod'],
    ['insurance'],
  ])('an option nobody offers (%s) is a warning', async option => {
    const { status, body } = await send(bodyOf({ options: [option] }));
    expect([status, body.code]).toEqual([200, 'OPTION_NOT_SUPPORTED']);
    expect(body.details[0].message).toContain(option);
  });

  test('250 carriers that do not exist are a warning, and one more is too many', async () => {
    const carrierCompanyIds = Array.from({ length: 251 }, (_, i) => 1_000_000 + i);
    const { status, body } = await send(bodyOf({ carrierCompanyIds: carrierCompanyIds.slice(1) }));
    expect([status, body.code]).toEqual([200, 'NO_CARRIERS_CONNECTED']);
    const refused = await send(bodyOf({ carrierCompanyIds }));
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/carrierCompanyIds']);
  });
});

describe('destinations', () => {
  test.each(
    wrongCases(
      ['a text', { destination: 'Palermo' }, ['/destination', 'wrong_type']],
      ['a list', { destination: [PALERMO] }, ['/destination', 'wrong_type']],
      ['empty', { destination: {} }, ['/destination/city', 'required'], ['/destination/postalCode', 'required']],
      ['without a city', to({ city: undefined }), ['/destination/city', 'required']],
      ['with an empty city', to({ city: '' }), ['/destination/city', 'required']],
      ['with a blank city', to({ city: '\n ' }), ['/destination/city', 'required']],
      ['with a city of 201 characters', to({ city: 'x'.repeat(201) }), ['/destination/city', 'too_long']],
      ['with a city that is a number', to({ city: 90139 }), ['/destination/city', 'wrong_type']],
      ['with a CAP that is a number', to({ postalCode: 90139 }), ['/destination/postalCode', 'wrong_type']],
      ['with an empty CAP', to({ postalCode: '' }), ['/destination/postalCode', 'required']],
      ['with CAP null', to({ postalCode: null }), ['/destination/postalCode', 'required']],
      ['with a CAP of four digits', to({ postalCode: '9013' }), ['/destination/postalCode', 'invalid_postal_code']],
      ['with a CAP of six digits', to({ postalCode: '901390' }), ['/destination/postalCode', 'invalid_postal_code']],
      ['with a CAP of letters', to({ postalCode: 'ABCDE' }), ['/destination/postalCode', 'invalid_postal_code']],
      ['with a CAP of other digits', to({ postalCode: '٩٠١٣٩' }), ['/destination/postalCode', 'invalid_postal_code']],
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
      ['in an unknown country', to({ country: 'XX' }), ['/destination/country', 'unknown_country']],
      ['in a country by name', to({ country: 'Italia' }), ['/destination/country', 'unknown_country']],
      ['in a country of three letters', to({ country: 'ITA' }), ['/destination/country', 'unknown_country']],
      ['in an empty country', to({ country: '' }), ['/destination/country', 'unknown_country']],
      ['in ıt, without its dot', to({ country: 'ıt' }), ['/destination/country', 'unknown_country']],
      ['in a country that is a number', to({ country: 39 }), ['/destination/country', 'wrong_type']],
      ['with U+0000 in the city', to({ city: 'Pal\u0000ermo' }), ['/destination/city', 'invalid_text']],
      ['with a line break in the address', to({ address: 'Via\nRoma' }), ['/destination/address', 'invalid_text']],
      ['with half an emoji in the name', to({ companyName: '\ud83d' }), ['/destination/companyName', 'invalid_text']],
      ['with an escape in the province', to({ province: 'P\u001bA' }), ['/destination/province', 'invalid_text']],
    ),
  )('$name', async ({ fields, wrong }) => {
    expect(refusal(await send(bodyOf(fields)))).toEqual(wrong);
  });

  test.each<[string, Fields]>([
    ['country in lower case', { country: 'it' }],
    ['country with blanks', { country: ' It ' }],
    ['no country', { country: undefined }],
    ['country null', { country: null }],
    ['an unknown province', { province: 'ZZ' }],
    ['a province by name', { province: 'palermo' }],
    ['a province with blanks', { province: ' pa ' }],
    ['an empty province', { province: '' }],
    ['no province', { province: undefined }],
    ['province null', { province: null }],
    ['blanks around', { postalCode: ' 90139 ', city: '  Palermo\n' }],
    ['an address and a name', { address: 'Via Libertà 12', companyName: "L'Àncora 😀 Srl" }],
    ['address and name null', { address: null, companyName: null }],
    ['another script', { city: '東京 Ђ ع' }],
  ])('%s is accepted, at the same price', async (_name, fields) => {
    expect((await send(bodyOf(to(fields)))).text).toBe((await send(bodyOf())).text);
  });

  test('a lower-case country abroad is accepted', async () => {
    accepted(await send(bodyOf({ destination: { country: 'fr', postalCode: '75001', city: 'Paris' } })));
    expect(refusal(await send(bodyOf({ destination: { country: 'fr', postalCode: '7500', city: 'Paris' } })))).toEqual([
      ['/destination/postalCode', 'invalid_postal_code'],
    ]);
  });
});

describe('dates', () => {
  test.each([
    '2026-02-30',
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '20260101',
    '01/02/2026',
    'tomorrow',
    'domani',
    '',
    ' ',
    '1999-12-31',
    '1999',
    '2100-01-01',
    '9999-12-31',
    '+012026-01-01',
    '2026-06-30T10:00:00',
    '2026-06-30T10:00',
    '2026-06-30T25:00:00Z',
    '2026-02-30T10:00:00Z',
    '2026-06-30T10:00:00+99:00',
    '2026-06-30\u0000',
    '2026-06-30Z',
  ])('%j is refused', async shipmentDate => {
    const wrong = refusal(await send(bodyOf({ shipmentDate })));
    expect(wrong.map(([pointer]) => pointer)).toEqual(['/shipmentDate']);
    expect(refusal(await send({ orderId: NEVER, shipmentDate }))).toEqual(wrong);
  });

  test.each([[20260630], [true], [{}], [[]]])('%j is no date', async shipmentDate => {
    expect(refusal(await send(bodyOf({ shipmentDate })))).toEqual([['/shipmentDate', 'wrong_type']]);
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

  test('one without a tariff is a warning', async () => {
    const { status, body } = await send(bodyOf({ shipmentDate: '2019-12-31' }));
    expect([status, body.code]).toEqual([200, 'NO_TARIFF_IN_FORCE']);
  });
});

describe('what does not exist', () => {
  test.each<[string, () => unknown]>([
    ['a warehouse that never was', () => bodyOf({ warehouseId: NEVER - 1 })],
    ['another company’s warehouse', () => bodyOf({ warehouseId: strangers.warehouseId })],
    ['warehouse 0', () => bodyOf({ warehouseId: 0 })],
    ['a negative warehouse', () => bodyOf({ warehouseId: -5 })],
  ])('%s is 404', async (_what, body) => {
    const answer = await send(body());
    expect([answer.status, answer.body.code]).toEqual([404, 'warehouse_not_found']);
    expect(unnamed(answer)).toEqual(unnamed(await send(bodyOf({ warehouseId: NEVER }))));
  });

  test('a warehouse that was deleted is 404', async () => {
    const warehouseId = await createWarehouse(shop.caller);
    accepted(await send(bodyOf({ warehouseId })));
    await shop.caller.rest('DELETE', `/warehouses/${warehouseId}`);
    expect(unnamed(await send(bodyOf({ warehouseId })))).toEqual(unnamed(await send(bodyOf({ warehouseId: NEVER }))));
  });

  test('an order that never was, and another company’s, are 404 alike', async () => {
    const [theirs] = await feedOrders(strangers.caller, {
      orderNumber: 'THEIRS',
      warehouseId: strangers.warehouseId,
      parcels: [PARCEL],
    });
    accepted(await quote(strangers.caller, { orderId: theirs }));
    const never = await send({ orderId: NEVER });
    expect([never.status, never.body.code]).toEqual([404, 'order_not_found']);
    for (const orderId of [theirs, 0, -1]) expect(unnamed(await send({ orderId }))).toEqual(unnamed(never));
  });

  test('and is wrong as well, is wrong', async () => {
    expect(refusal(await send(bodyOf({ warehouseId: NEVER, ...parcel({ weight: 0 }) })))).toEqual([
      ['/parcels/0/weight', 'out_of_range'],
    ]);
    expect(refusal(await send({ orderId: NEVER, shipmentDate: 'x' }))).toEqual([
      ['/shipmentDate', 'invalid_date_time'],
    ]);
  });
});

describe('an order that cannot be quoted', () => {
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
      'a CAP that cannot belong to its province',
      warehouseId => ({ warehouseId, parcels: [PARCEL], recipient: { ...RECIPIENT, province: 'MI' } }),
      [/recipient\/postalCode/],
    ],
  ])('has %s', async (_what, fields, says) => {
    const [orderId] = await feedOrders(shop.caller, {
      orderNumber: `LACKS-${++orders}`,
      ...fields(shop.warehouseId),
    });
    const answer = await send({ orderId });
    expect(refusal(answer)).toEqual([['/orderId', 'order_not_quotable']]);
    for (const what of says) expect(answer.body.errors[0].message).toMatch(what);
  });

  test.each(['codAmount', 'insuranceAmount'])(
    'has %s beyond every tariff, unless the body replaces it',
    async field => {
      const [orderId] = await feedOrders(shop.caller, {
        orderNumber: `LACKS-${++orders}`,
        warehouseId: shop.warehouseId,
        parcels: [PARCEL],
        [field]: 2_000_000,
      });
      expect(refusal(await send({ orderId }))).toEqual([['/orderId', 'order_not_quotable']]);
      accepted(await send({ orderId, [field]: 0 }));
      accepted(await send({ orderId, [field]: 100 }));
    },
  );
});

describe('bodies', () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    shop.caller.rest('POST', '/shipments/quote', body, headers);

  test.each(['{', '', 'not json', '{"orderId":1,}', "{'orderId':1}", 'NaN', '{"orderId":NaN}', '[1', '\u0000'])(
    '%j is not JSON',
    async text => {
      const { status, body } = await post(text);
      if (text === '') expect(status).toBe(422);
      else expect([status, body.code]).toEqual([400, 'malformed_json']);
    },
  );

  test.each(['[]', '[{"orderId":1}]', 'null', '1', '"x"', 'true'])('%s is no object', async text => {
    expect(refusal(await post(text))).toEqual([['', 'wrong_type']]);
  });

  test('too large is 413', async () => {
    const { status, body } = await post(JSON.stringify({ ...bodyOf(), options: ['x'.repeat(256 * 1024)] }));
    expect([status, body.code]).toEqual([413, 'body_too_large']);
  });

  test('of another type is 415', async () => {
    const { status, body } = await post(JSON.stringify(bodyOf()), { 'content-type': 'text/plain' });
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
  });

  test('of thousands of nested lists or faults is refused in good time', async () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    for (const field of ['parcels', 'options', 'destination', 'carrierCompanyIds', 'orderId']) {
      const { status } = await post(`{"${field}":${deep}}`);
      expect(status).toBe(400);
    }
    const { status, body } = await send(bodyOf({ parcels: Array(3000).fill({ weight: '4' }) }));
    expect(status).toBe(422);
    expect(body.errors.length).toBeLessThanOrEqual(100);
  });
});

describe('never a fault of ours', () => {
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
  test.each(TEXTS.map(text => [show(text).slice(0, 40), text]))('in texts: %s', async (_name, text) => {
    const bodies = [
      ...['country', 'postalCode', 'city', 'province', 'address', 'companyName'].map(field => to({ [field]: text })),
      { options: [text] },
      { shipmentDate: text },
      { [text]: text },
      to({ [text]: 1 }),
    ];
    for (const fields of bodies) {
      const { status } = await send(bodyOf(fields));
      expect([200, 422]).toContain(status);
    }
  });

  test('in 400 random bodies', async () => {
    const wild = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom<unknown>(
        0,
        -1,
        1.5,
        1e21,
        1e-7,
        2 ** 31,
        null,
        '',
        '\u0000',
        [],
        {},
        [null],
        true,
        '😀',
        '2026-02-30',
      ),
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
        warehouseId: or(fc.constant(shop.warehouseId)),
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
    await fc.assert(fc.asyncProperty(body, check), { numRuns: 200, seed: 20_261_121 });
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
      { numRuns: 200, seed: 20_261_121 },
    );
    expect(statuses.get(200)).toBeGreaterThan(0);
    expect(statuses.get(422)).toBeGreaterThan(100);
  });
});
