/** Prices of each parcel, and of the shipment beside them, by hand. */

import { describe, expect, test } from 'vitest';
import { readTariff } from '../../src/domain/pricing/tariffs/check/tariff.check.rules.ts';
import { calculation } from '../../src/domain/pricing/tariffs/engine/explanation.rules.ts';
import { WORDS } from '../../src/domain/pricing/tariffs/explanation-words.rules.ts';
import { weightText } from '../../src/domain/pricing/tariffs/weight/chargeable-weight.rules.ts';
import { Fault } from '../../src/platform/fault.ts';
import { problemsOf, shipmentOf } from './quote-support.ts';
import { parcels, priceOn, type TariffInput, tariffCases, tariffOf, type ZoneInput, zone } from './tariff-cases.ts';

const bands = [
  { upToKg: 3, price: 4.5 },
  { upToKg: 10, price: 6 },
  { upToKg: 30, perKg: 0.5, minimum: 7 },
];
const each = (more: Partial<ZoneInput> = {}) => ({ zones: [zone({ bands, bandsPer: 'parcel', ...more })] });
const two = parcels([2, 3, 10, 10, 10]);
const mixed = parcels([2, 2.2, 10, 10, 10], [1, 9, 20, 20, 20], [1, 12.3, 20, 20, 20]);

tariffCases('Bands price each parcel:', [
  { name: 'two of 3 kg', version: each(), ask: two, is: { base: '9.00', grams: 6000 }, why: '2 × 4.50' },
  {
    name: 'bands that price the shipment, with weight.per parcel',
    version: { zones: [zone({ bands })], weight: { per: 'parcel', roundUp: [{ toKg: 1 }] } },
    ask: two,
    is: { base: '6.00', grams: 6000 },
    why: 'the weights are added, and 6 kg are in the band up to 10 kg',
  },
  {
    name: 'several kinds',
    version: each(),
    ask: mixed,
    is: { base: '22.00', grams: 28_000 },
    why: '2 × 4.50 for 3 kg, 6.00 for 9 kg, and 13 kg × 0.50 = 6.50, at least 7.00',
  },
  {
    name: 'a discount from the second parcel on',
    version: each({ furtherParcelsDiscount: 15 }),
    ask: mixed,
    is: { base: '19.76' },
    why: '7.00 whole; 6.00 − 15 % = 5.10; 4.50 − 15 % = 3.825, rounded 3.83, twice',
  },
  {
    name: 'a discount on equal parcels',
    version: each({ furtherParcelsDiscount: 100 }),
    ask: two,
    is: { base: '4.50' },
    why: 'one of them is the dearest',
  },
  {
    name: 'one parcel',
    version: each({ furtherParcelsDiscount: 50 }),
    ask: parcels([1, 3, 10, 10, 10]),
    is: { base: '4.50' },
    why: 'there is no further one',
  },
  {
    name: 'weight beyond the last band',
    version: each({ beyond: [{ everyKg: 10, price: 2 }] }),
    ask: parcels([2, 45, 10, 10, 10]),
    is: { base: '38.00', steps: 2 },
    why: '2 × (30 kg × 0.50 + 2 begun steps × 2.00)',
  },
  {
    name: 'a parcel beyond the last band',
    version: each(),
    ask: parcels([1, 3, 10, 10, 10], [1, 31, 10, 10, 10]),
    is: { excluded: 'WEIGHT_OUT_OF_RANGE', rule: '/versions/0/zones/0/bands' },
    why: 'no band reaches 31 kg',
  },
  {
    name: 'totals of equal parcels',
    version: each(),
    ask: { totals: { kg: 10, cm3: 1000, parcels: 3 } },
    is: { base: '18.00', grams: 12_000 },
    why: 'each weighs 3.334 kg, 4 kg rounded up: 3 × 6.00',
  },
  {
    name: 'volume',
    version: { ...each(), weight: { per: 'shipment', volumetric: [{ kgPerM3: 250 }], roundUp: [{ toKg: 1 }] } },
    ask: parcels([1, 1, 10, 10, 10], [1, 1, 40, 40, 20]),
    is: { base: '10.50', grams: 9000, volumetricGrams: 8250 },
    why: 'each parcel is weighed by itself: 1 kg, and 0.032 m³ × 250 = 8 kg',
  },
  {
    name: 'pallets',
    version: each({ pallets: [{ types: ['EUR'], prices: [{ upTo: 2, price: 60 }] }], furtherParcelsDiscount: 10 }),
    ask: {
      parcels: [
        { kg: 200, sides: [120, 80, 100], pallet: { type: 'EUR', isStackable: false } },
        { kg: 3, sides: [10, 10, 10], quantity: 2 },
      ],
    },
    is: { base: '68.55' },
    why: '60.00 by number, 4.50, and 4.50 less 10 %',
  },
  {
    name: 'surcharges by weight',
    version: { ...each(), surcharges: [{ code: 'e', description: 'e', price: { perKg: 0.1, perParcel: 0.5 } }] },
    ask: mixed,
    is: { surcharges: '4.80' },
    why: '28 kg, the sum of the parcels, × 0.10 + 4 × 0.50',
  },
]);

describe('The explanation of a price per parcel', () => {
  const explained = (document: TariffInput, ask = mixed) => {
    const found = priceOn(document, ask);
    if (!found.ok) throw new Error(found.code);
    return { base: calculation(WORDS.en, found, 0, shipmentOf(ask)), weight: weightText(WORDS.en, found) };
  };

  test('names the band of each parcel, the discount, and the sum of the weights', () => {
    expect(explained(tariffOf(each({ furtherParcelsDiscount: 15 })))).toEqual({
      base: '1 parcel up to 30 kg: 0.5 × 13 kg, at least 7.00; 1 parcel up to 10 kg: 6.00; 2 parcels up to 3 kg: 4.50 each; each parcel after the dearest less 15 %',
      weight: 'real 25.7 kg, of each parcel, rounded up to 1 kg: 28 kg',
    });
    expect(explained(tariffOf(each({ furtherParcelsDiscount: 15 })), parcels([1, 3, 10, 10, 10])).base).toBe(
      '1 parcel up to 3 kg: 4.50',
    );
  });

  test('distinguishes it from a weight per parcel where a discount has no parcels to price', () => {
    const wrong = tariffOf({ zones: [zone({ bands, furtherParcelsDiscount: 10 })] });
    expect(problemsOf(wrong)).toEqual(['/versions/0/zones/0/bandsPer required']);
    const message = () => {
      try {
        return readTariff(wrong).name;
      } catch (error) {
        return error instanceof Fault ? error.options.issues?.[0]?.message : '';
      }
    };
    expect(message()).toContain('`weight.per` adds the weights of parcels, and does not price them one by one');
  });

  test.each([
    ['none at all', 0, 'out_of_range'],
    ['more than everything', 101, 'out_of_range'],
    ['five decimals', 1.00001, 'too_precise'],
  ])('is impossible for a discount of %s, which is rejected', (_what, furtherParcelsDiscount, code) => {
    expect(problemsOf(tariffOf(each({ furtherParcelsDiscount })))).toEqual([
      `/versions/0/zones/0/furtherParcelsDiscount ${code}`,
    ]);
  });
});
