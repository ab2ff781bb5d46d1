import { describe, expect, test } from 'vitest';
import { readTariff } from '../../src/domain/pricing/tariffs/check/tariff.check.rules.ts';
import { compileTariff } from '../../src/domain/pricing/tariffs/compile/compile.rules.ts';
import { calculation } from '../../src/domain/pricing/tariffs/engine/explanation.rules.ts';
import { price } from '../../src/domain/pricing/tariffs/engine/quote.rules.ts';
import { WORDS } from '../../src/domain/pricing/tariffs/explanation-words.rules.ts';
import { tariffChanges } from '../../src/domain/pricing/tariffs/revisions/tariff-changes.rules.ts';
import { type ParcelAsk, problemsOf, shipmentOf, shown } from './quote-support.ts';
import { tariffOf, type VersionInput, zone } from './tariff-cases.ts';

/** Classes of pallets by weight, height and floor; the dearest dimension of a pallet decides. */

const CLASSES: NonNullable<VersionInput['palletClasses']> = [
  { code: 'quarter', upToKg: 250, heightCm: 60, lengthCm: 120, widthCm: 80 },
  { code: 'half', upToKg: 500, heightCm: 110, lengthCm: 120, widthCm: 80, isStackable: true },
  { code: 'full', upToKg: 1000, heightCm: 220, lengthCm: 120, widthCm: 100 },
];
const per = (type: string, one: number) => ({ types: [type], prices: [{ upTo: 1, price: one }], each: one });
/** Three classes and the type IND have prices by number; everything else is 10.00 by weight. */
const pallets = [per('quarter', 30), per('half', 45), per('full', 70), per('IND', 99)];
const tariff = tariffOf({ palletClasses: CLASSES, zones: [zone({ pallets })] });
const only = tariffOf({ palletClasses: CLASSES, zones: [zone({ bands: [], pallets })] });

const pallet = (kg: number, sides: ParcelAsk['sides'], type = 'EUR', isStackable = false): ParcelAsk => ({
  kg,
  sides,
  pallet: { type, isStackable },
});
const priced = (document: typeof tariff, ...parcels: ParcelAsk[]) =>
  shown(price(compileTariff(readTariff(document)), shipmentOf({ parcels })));

describe('A pallet', () => {
  test.each<[why: string, pallet: ParcelAsk, base: string]>([
    ['is of the first class that holds it', pallet(200, [120, 80, 60]), '30.00'],
    ['is heavier', pallet(250.001, [120, 80, 60], 'EUR', true), '45.00'],
    ['is higher', pallet(200, [120, 80, 60.01], 'EUR', true), '45.00'],
    ['is as heavy and as high as a class allows', pallet(500, [120, 80, 110], 'EUR', true), '45.00'],
    ['is light and high: its height decides', pallet(50, [120, 80, 180]), '70.00'],
    ['is low and heavy: its weight decides', pallet(800, [120, 80, 40]), '70.00'],
    ['is wide: its floor decides', pallet(50, [120, 100, 40]), '70.00'],
    ['stands the other way round', pallet(200, [80, 120, 60]), '30.00'],
    ['is higher than it is long', pallet(200, [80, 60, 120], 'EUR', true), '70.00'],
    ['cannot be stacked, which its class asks for', pallet(300, [120, 80, 100]), '70.00'],
    ['has a type that is a class, whatever it weighs', pallet(900, [120, 80, 200], 'quarter'), '30.00'],
    ['has no type', pallet(200, [120, 80, 60], ''), '30.00'],
    ['has a type with prices, but a class too', pallet(200, [120, 80, 60], 'IND'), '30.00'],
    ['is of no class, and its type has prices', pallet(999, [200, 100, 100], 'IND'), '99.00'],
    ['is of no class and no type: it goes by weight', pallet(999, [200, 100, 100]), '10.00'],
  ])('%s', (_why, one, base) => {
    expect(priced(tariff, one)).toMatchObject({ base });
  });

  test('that fits no class is excluded where a zone has prices of pallets alone', () => {
    expect(priced(only, pallet(999, [200, 100, 100]))).toEqual({
      excluded: 'WEIGHT_OUT_OF_RANGE',
      rule: '/versions/0/zones/0/bands',
    });
  });

  test('has its class in conditions too, and each class is priced by its own number', () => {
    const surcharges = [
      { code: 'largo', description: 'L', when: { parcel: { palletTypes: ['full'] } }, price: { perParcel: 5 } },
    ];
    const document = tariffOf({ palletClasses: CLASSES, zones: [zone({ pallets })], surcharges });
    const parcels = [
      { ...pallet(200, [120, 80, 60]), quantity: 2 },
      { ...pallet(50, [120, 80, 180]), quantity: 3 },
    ];
    expect(priced(document, ...parcels)).toMatchObject({ lines: { base: '270.00', largo: '15.00' } });
  });
});

test('An explanation says what the class holds', () => {
  const compiled = compileTariff(readTariff(tariff));
  const shipment = shipmentOf({ parcels: [{ ...pallet(300, [120, 80, 100], 'EUR', true), quantity: 3 }] });
  const found = price(compiled, shipment);
  expect(found.ok && calculation(WORDS.en, found, 0, shipment)).toBe(
    '3 pallets half (up to 500 kg, 110 cm high, 120 cm long, 80 cm wide, stackable): 45.00 for 1, and 2 × 45.00',
  );
});

test.each<[why: string, classes: object[], problem: string]>([
  ['says nothing', [{ code: 'a' }], '0 required'],
  ['has the code of another', [CLASSES[0] ?? {}, { ...CLASSES[2], code: 'quarter' }], '1/code duplicate'],
  [
    'is never reached',
    [
      { code: 'a', upToKg: 500 },
      { code: 'b', upToKg: 400, heightCm: 50 },
    ],
    '1 overlap',
  ],
  ['is too exact', [{ code: 'a', heightCm: 60.001 }], '0/heightCm too_precise'],
  ['allows what cannot be stacked', [{ code: 'a', upToKg: 1, isStackable: false }], '0/isStackable not_allowed'],
])('A class is rejected if it %s', (_why, palletClasses, problem) => {
  const document = { ...tariff, versions: [{ ...tariff.versions[0], palletClasses }] };
  expect(problemsOf(document)).toEqual([`/versions/0/palletClasses/${problem}`]);
});

test('A change of a class is one of the classes of pallets', () => {
  const [first, ...others] = CLASSES;
  const after = tariffOf({
    palletClasses: [{ ...first, code: 'quarter', heightCm: 70 }, ...others],
    zones: [zone({ pallets })],
  });
  expect(tariffChanges(readTariff(tariff), readTariff(after))).toMatchObject([
    { part: 'pallet_classes', text: 'from 2026-01-01: classes of pallets, quarter, height: 60 → 70 (+16.7 %)' },
  ]);
});
