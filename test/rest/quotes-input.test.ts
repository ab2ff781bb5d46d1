import { describe, expect, test } from 'vitest';
import { wrongFields } from '../support/rest-client.ts';
import { accepted, NEVER, parcel, to, useQuoteInput, wrongCases } from './quote-input.ts';
import { type Fields, PALERMO, PARCEL } from './tariffs.ts';

const given = useQuoteInput();
const { send, bodyOf } = given;

const totals = (fields: Fields) => ({ parcels: undefined, totalWeight: 4, totalVolume: 36_000, ...fields });

/** JSON text with a number that JavaScript would not write: it takes the place of 424242. */
const raw = (body: object, number: string) => JSON.stringify(body).replace('424242', number);

/** Which numbers a field takes is tested in `rules/fields.test.ts`, and each bound in `contract/input-bounds.slow.test.ts`. */
describe('Among the numbers of a quote,', () => {
  test.each<[field: string, make: (value: unknown) => Fields, pointer: string, max: number, decimals: number]>([
    ['weight', value => parcel({ weight: value }), '/parcels/0/weight', 100_000, 3],
    ['length', value => parcel({ length: value }), '/parcels/0/length', 1000, 2],
    ['width', value => parcel({ width: value }), '/parcels/0/width', 1000, 2],
    ['height', value => parcel({ height: value }), '/parcels/0/height', 1000, 2],
    ['totalWeight', value => totals({ totalWeight: value }), '/totalWeight', 100_000, 3],
    ['totalVolume', value => totals({ totalVolume: value }), '/totalVolume', 1_000_000_000, 2],
    ['codAmount', value => ({ codAmount: value }), '/codAmount', 1_000_000, 2],
    ['insuranceAmount', value => ({ insuranceAmount: value }), '/insuranceAmount', 1_000_000, 2],
  ])('%s is a number with its limited decimals', async (_field, make, pointer, max, decimals) => {
    for (const value of [10 ** -decimals, max]) expect((await send(bodyOf(make(value)))).status).toBe(200);
    for (const value of [1 + 10 ** -(decimals + 1), -1]) {
      expect(wrongFields(await send(bodyOf(make(value))))).toEqual([[pointer, 'out_of_range']]);
    }
    for (const value of ['4', true]) {
      expect(wrongFields(await send(bodyOf(make(value))))).toEqual([[pointer, 'wrong_type']]);
    }
  });

  test('one beyond every number of JavaScript is rejected', async () => {
    for (const number of ['1e400', '-1e400', `1${'0'.repeat(400)}`]) {
      const wrong = wrongFields(await send(raw(bodyOf(parcel({ weight: 424_242 })), number)));
      expect(wrong.map(([at]) => at)).toEqual(['/parcels/0/weight']);
    }
  });

  test('one may be written with an exponent or trailing zeros', async () => {
    const plain = await send(bodyOf(parcel({ weight: 20 })));
    accepted(plain);
    for (const number of ['2e1', '20.000000', '2.0E+1', '200e-1']) {
      expect((await send(raw(bodyOf(parcel({ weight: 424_242 })), number))).text).toBe(plain.text);
    }
  });

  test.each([
    ['a decimal comma', { codAmount: '89,90' }, 'be a number with a point, such as 89.90'],
    ['a number in a string', { codAmount: '89.90' }, 'be a number and not a string'],
    ['true', { codAmount: true }, 'be a number, such as 89.90'],
    ['a number that is too high', { codAmount: 1e7 }, 'be from 0 to 1000000'],
    ['too many decimals', { codAmount: 89.905 }, 'have at most 2 decimals after the point'],
    ['a text for a whole number', { warehouseId: 'x' }, 'be a whole number'],
    ['a whole number beyond 32 bits', { warehouseId: 2 ** 31 }, 'be a whole number from -2147483648 to 2147483647'],
  ])('%s is rejected with the reason', async (_what, fields, allowed) => {
    const { body } = await send({ ...bodyOf(), ...fields });
    expect(body.errors.map(({ message }: { message: string }) => message)).toEqual([`must ${allowed}`]);
  });

  test('a whole number beyond 32 bits is out of range, as any other number beyond its bounds', async () => {
    expect(wrongFields(await send(bodyOf({ warehouseId: 2 ** 31 })))).toEqual([['/warehouseId', 'out_of_range']]);
  });

  test('a wrong type does not hide a broken rule, nor a bound that another field breaks', async () => {
    const wrong = wrongFields(await send({ orderId: 5, codAmount: true, totalWeight: 'x', totalVolume: -1 }));
    expect(wrong.toSorted()).toEqual([
      ['/codAmount', 'wrong_type'],
      ['/totalVolume', 'conflicting_modes'],
      ['/totalVolume', 'out_of_range'],
      ['/totalWeight', 'conflicting_modes'],
      ['/totalWeight', 'wrong_type'],
    ]);
  });

  test.each(['weight', 'length', 'width', 'height'])('%s must be given', async field => {
    expect(wrongFields(await send(bodyOf(parcel({ [field]: undefined }))))).toEqual([
      [`/parcels/0/${field}`, 'required'],
    ]);
    expect(wrongFields(await send(bodyOf(parcel({ [field]: null }))))).toEqual([[`/parcels/0/${field}`, 'required']]);
  });

  test.each(['codAmount', 'insuranceAmount'])('%s may be nothing, and is checked for an order as well', async field => {
    for (const value of [0, -0, null]) accepted(await send(bodyOf({ [field]: value })));
    // Whether the order exists is asked later.
    expect(wrongFields(await send({ orderId: NEVER, [field]: -1 }))).toEqual([[`/${field}`, 'out_of_range']]);
  });
});

describe('Parcels are checked:', () => {
  test.each(
    wrongCases(
      ['a text', { parcels: 'one' }, ['/parcels', 'wrong_type']],
      ['empty', { parcels: [] }, ['/parcels', 'empty']],
      ['of null', { parcels: [null] }, ['/parcels/0', 'required']],
      ['of a number', { parcels: [PARCEL, 4] }, ['/parcels/1', 'wrong_type']],
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
      ['quantity 0', parcel({ quantity: 0 }), ['/parcels/0/quantity', 'out_of_range']],
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
    expect(wrongFields(await send(bodyOf(fields)))).toEqual(wrong);
  });

  test.each<[string, Fields]>([
    ['500 of one kind', parcel({ quantity: 500 })],
    ['100 entries of 5', { parcels: Array(100).fill({ ...PARCEL, quantity: 5 }) }],
    ['quantity null', parcel({ quantity: null })],
  ])('but %s are accepted', async (_name, fields) => {
    accepted(await send(bodyOf(fields)));
  });

  test('and without quantity are one each', async () => {
    expect((await send(bodyOf(parcel({ quantity: 1 })))).text).toBe((await send(bodyOf())).text);
  });
});

describe('The two modes of a quote are kept apart:', () => {
  const B: Fields = {
    destination: PALERMO,
    totalWeight: 4,
    totalVolume: 36_000,
    parcelNumber: 1,
    parcels: [PARCEL],
    warehouseId: 1,
  };

  test.each(Object.keys(B))('orderId is rejected with %s', async field => {
    expect(wrongFields(await send({ orderId: NEVER, [field]: B[field] }))).toEqual([
      [`/${field}`, 'conflicting_modes'],
    ]);
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
      ['warehouseId as a text', { ...B, parcels: undefined, warehouseId: '1' }, ['/warehouseId', 'wrong_type']],
      ['parcelNumber 501', { ...B, parcels: undefined, parcelNumber: 501 }, ['/parcelNumber', 'out_of_range']],
    ),
  )('$name', async ({ fields, wrong }) => {
    expect(wrongFields(await send(fields))).toEqual(wrong);
  });

  test('fields of the other mode may be null', async () => {
    const nulls = { totalWeight: null, totalVolume: null, parcelNumber: null, orderId: null };
    expect((await send(bodyOf(nulls))).text).toBe((await send(bodyOf())).text);
  });
});

describe('Unknown fields are rejected:', () => {
  test.each(
    wrongCases(
      ['at the top', { codAmmount: 5 }, ['/codAmmount', 'unknown_field']],
      ['of a destination', to({ zip: '90139' }), ['/destination/zip', 'unknown_field']],
      ['of a parcel', parcel({ depth: 5 }), ['/parcels/0/depth', 'unknown_field']],
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
    expect(wrongFields(await send(bodyOf(fields)))).toEqual(wrong);
  });
});

describe('Options and carriers are checked:', () => {
  test.each(
    wrongCases(
      ['options as a text', { options: 'saturday' }, ['/options', 'wrong_type']],
      ['an option that is a number', { options: ['saturday', 5] }, ['/options/1', 'wrong_type']],
      ['a blank option', { options: ['saturday', ' \t'] }, ['/options/1', 'required']],
      ['an option of 41 characters', { options: ['x'.repeat(41)] }, ['/options/0', 'too_long']],
      ['51 options', { options: Array(51).fill('saturday') }, ['/options', 'too_many']],
      ['no carriers', { carrierCompanyIds: [] }, ['/carrierCompanyIds', 'empty']],
      ['carriers as a number', { carrierCompanyIds: 1 }, ['/carrierCompanyIds', 'wrong_type']],
      ['a carrier as a text', { carrierCompanyIds: [1, '2'] }, ['/carrierCompanyIds/1', 'wrong_type']],
    ),
  )('$name', async ({ fields, wrong }) => {
    expect(wrongFields(await send(bodyOf(fields)))).toEqual(wrong);
  });

  test('250 carriers that do not exist are a warning, and one more is too many', async () => {
    const carrierCompanyIds = Array.from({ length: 251 }, (_, i) => 1_000_000 + i);
    const { status, body } = await send(bodyOf({ carrierCompanyIds: carrierCompanyIds.slice(1) }));
    expect([status, body.code]).toEqual([200, 'NO_CARRIERS_CONNECTED']);
    const refused = await send(bodyOf({ carrierCompanyIds }));
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/carrierCompanyIds']);
  });
});
