import { describe, expect, test } from 'vitest';
import { italian, MILAN } from './quote-cases.ts';
import { shown } from './quote-support.ts';
import { line, parcels, priceOn, surcharge, tariffCases, tariffOf, zone } from './tariff-cases.ts';

const TEN = parcels([9, 2, 30, 20, 10], [1, 12, 160, 45, 40]);
const MIXED = parcels([2, 5, 100, 10, 10], [1, 30, 20, 20, 20]);

tariffCases('Parcels that meet a condition are charged:', [
  {
    name: 'one oversize of ten',
    version: surcharge({ perParcel: 18 }, { parcel: { girthCm: { over: 300 } } }),
    ask: TEN,
    is: { lines: { base: '10.00', extra: '18.00' }, total: '28.00' },
    why: '160 + 90 + 80 = 330 cm; charged once',
  },
  {
    name: 'all ten for one',
    version: surcharge({ perParcel: 18, parcels: 'all' }, { parcel: { girthCm: { over: 300 } } }),
    ask: TEN,
    is: { surcharges: '180.00' },
    why: '10 × 18.00',
  },
  {
    name: 'none oversize',
    version: surcharge({ perParcel: 18 }, { parcel: { girthCm: { over: 330 } } }),
    ask: TEN,
    is: { lines: { base: '10.00' } },
    why: '330 is not over 330',
  },
  {
    name: 'from 330',
    version: surcharge({ perParcel: 18 }, { parcel: { girthCm: { from: 330 } } }),
    ask: TEN,
    is: { surcharges: '18.00' },
    why: '330 is 330 or more',
  },
  {
    name: 'from the second parcel',
    version: surcharge({ perParcel: 1.1, afterParcels: 1 }),
    ask: TEN,
    is: { surcharges: '9.90' },
    why: '9 × 1.10',
  },
  {
    name: 'from the second oversize',
    version: surcharge({ perParcel: 7, afterParcels: 1 }, { parcel: { longestSideCm: { from: 30, upTo: 100 } } }),
    ask: MIXED,
    is: { surcharges: '7.00' },
    why: 'two of 100 cm, less one',
  },
  {
    name: 'fewer than are left out',
    version: surcharge({ perParcel: 7, afterParcels: 5 }),
    ask: MIXED,
    is: { surcharges: '0.00' },
    why: '3 − 5 is none',
  },
  {
    name: 'one parcel must meet all',
    version: surcharge({ perParcel: 3 }, { parcel: { longestSideCm: { over: 90 }, weightKg: { from: 30 } } }),
    ask: MIXED,
    is: { lines: { base: '10.00' } },
    why: 'the long one is light, the heavy one short',
  },
  {
    name: 'different parcels may meet parts',
    version: surcharge(
      { perParcel: 3 },
      { allOf: [{ parcel: { longestSideCm: { over: 90 } } }, { parcel: { weightKg: { from: 30 } } }] },
    ),
    ask: MIXED,
    is: { surcharges: '9.00' },
    why: 'every one of 3 parcels is charged',
  },
  {
    name: 'any of two',
    version: surcharge(
      { perParcel: 3 },
      { parcel: { anyOf: [{ longestSideCm: { over: 90 } }, { weightKg: { from: 30 } }] } },
    ),
    ask: parcels([2, 5, 100, 10, 10], [1, 30, 20, 20, 20], [4, 1, 10, 10, 10]),
    is: { surcharges: '9.00' },
    why: 'three of seven',
  },
  {
    name: 'none of two',
    version: surcharge(
      { perParcel: 3 },
      { parcel: { noneOf: [{ longestSideCm: { over: 90 } }, { weightKg: { from: 30 } }] } },
    ),
    ask: parcels([2, 5, 100, 10, 10], [1, 30, 20, 20, 20], [4, 1, 10, 10, 10]),
    is: { surcharges: '12.00' },
    why: 'four of seven',
  },
  {
    name: 'the second side',
    version: surcharge({ perParcel: 3 }, { parcel: { secondSideCm: { over: 44.99, below: 45.01 } } }),
    ask: TEN,
    is: { surcharges: '3.00' },
    why: '45 cm',
  },
  {
    name: 'volume of a parcel',
    version: surcharge({ perParcel: 3 }, { parcel: { volumeM3: { upTo: 0.006 } } }),
    ask: TEN,
    is: { surcharges: '27.00' },
    why: '30 × 20 × 10 = 6,000 cm³, nine times',
  },
  {
    name: 'sides of a quote with totals',
    version: surcharge({ perParcel: 3 }, { parcel: { longestSideCm: { upTo: 500 } } }),
    ask: { totals: { kg: 5, cm3: 1000, parcels: 2 } },
    is: { lines: { base: '10.00' } },
    why: 'nothing is known of them',
  },
  {
    name: 'weight of a quote with totals',
    version: surcharge({ perParcel: 3 }, { parcel: { weightKg: { over: 1.666, upTo: 1.667 } } }),
    ask: { totals: { kg: 5, cm3: 1000, parcels: 3 } },
    is: { surcharges: '9.00' },
    why: '5 / 3 = 1.667 kg, rounded up to the gram',
  },
]);

tariffCases('Conditions are applied:', [
  {
    name: 'within dates',
    version: surcharge({ fixed: 1 }, { dates: { from: '2026-11-15', until: '2026-12-31' } }),
    ask: { date: '2026-12-31' },
    is: { surcharges: '1.00' },
    why: 'the last day belongs',
  },
  {
    name: 'before dates',
    version: surcharge({ fixed: 1 }, { dates: { from: '2026-11-15' } }),
    ask: { date: '2026-11-14' },
    is: { lines: { base: '10.00' } },
    why: 'the day before',
  },
  {
    name: 'any of place and value',
    version: surcharge({ fixed: 1 }, { anyOf: [{ to: { regions: ['Lazio'] } }, { codAmount: { over: 500 } }] }),
    ask: { cod: 500.01 },
    is: { excluded: 'COD_NOT_SUPPORTED' },
    why: 'no cash on delivery',
  },
  {
    name: 'number of parcels',
    version: surcharge({ fixed: 1 }, { parcels: { from: 3, below: 4 } }),
    ask: MIXED,
    is: { surcharges: '1.00' },
    why: '3 parcels',
  },
  {
    name: 'an option that is asked for',
    version: {
      ...surcharge({ percent: -50, of: ['phone'] }, { options: ['phone'] }),
      options: [line('phone', { fixed: 3 })],
    },
    ask: { options: ['phone'] },
    is: { lines: { base: '10.00', phone: '3.00', extra: '-1.50' }, total: '11.50' },
    why: 'half of 3.00 back',
  },
  {
    name: 'none of',
    version: surcharge({ fixed: 1 }, { noneOf: [{ to: { regions: ['Sicilia'] } }] }),
    is: { lines: { base: '10.00' } },
    why: 'Palermo is in Sicilia',
  },
]);

const COD = {
  cod: [
    line(
      'cash',
      { per: [{ measure: 'codAmount', every: 100, price: 1.4 }], minimum: 3 },
      {
        codPayments: ['cash'],
        codAmount: { upTo: 999.99 },
      },
    ),
    line('cheque', { fixed: 2, percent: 1, of: ['codAmount'] }, { codPayments: ['bank_cheque'] }),
  ],
};
tariffCases('Cash on delivery, insurance and fuel are charged:', [
  {
    name: 'begun hundreds',
    version: COD,
    ask: { cod: 200.01 },
    is: { lines: { base: '10.00', cash: '4.20' }, cod: '4.20' },
    why: '3 × 1.40',
  },
  { name: 'a whole hundred', version: COD, ask: { cod: 300 }, is: { cod: '4.20' }, why: '3 × 1.40' },
  { name: 'the minimum', version: COD, ask: { cod: 0.01 }, is: { cod: '3.00' }, why: '1.40 is less' },
  {
    name: 'by cheque',
    version: COD,
    ask: { cod: 1500, payment: 'bank_cheque' },
    is: { lines: { base: '10.00', cheque: '17.00' } },
    why: '2.00 + 15.00',
  },
  {
    name: 'too much cash',
    version: COD,
    ask: { cod: 1000 },
    is: { excluded: 'COD_NOT_SUPPORTED', rule: '/versions/0/cod' },
    why: 'neither line holds',
  },
  {
    name: 'by card',
    version: COD,
    ask: { cod: 10, payment: 'card' },
    is: { excluded: 'COD_NOT_SUPPORTED' },
    why: 'neither line holds',
  },
  {
    name: 'above one maximum',
    version: { cod: [line('cod', { fixed: 2 }, { codAmount: { upTo: 500 } })] },
    ask: { cod: 500.01 },
    is: { excluded: 'COD_NOT_SUPPORTED', rule: '/versions/0/cod/0/when/codAmount' },
    why: 'the maximum is named',
  },
  {
    name: 'brackets of value',
    version: {
      insurance: [
        line('insurance', {
          brackets: {
            by: 'insuredValue',
            prices: [
              { upTo: 500, fixed: 3 },
              { upTo: 2500, percent: 0.9, of: ['insuredValue'], minimum: 6 },
              { percent: 1.1, of: ['insuredValue'] },
            ],
          },
          maximum: 30,
        }),
      ],
    },
    ask: { insured: 500.01 },
    is: { insurance: '6.00' },
    why: '0.9 % of 500.01 = 4.50, less than 6.00',
  },
  {
    name: 'the last bracket and the maximum',
    version: {
      insurance: [
        line('insurance', {
          brackets: {
            by: 'insuredValue',
            prices: [
              { upTo: 500, fixed: 3 },
              { percent: 1.1, of: ['insuredValue'] },
            ],
          },
          maximum: 30,
        }),
      ],
    },
    ask: { insured: 2800 },
    is: { insurance: '30.00' },
    why: '30.80 is more',
  },
  {
    name: 'within what is left out',
    version: { insurance: [line('insurance', { percent: 0.8, of: ['insuredValue'], above: 100, minimum: 2 })] },
    ask: { insured: 100 },
    is: { insurance: '0.00', lines: { insurance: '0.00' } },
    why: 'not the minimum either',
  },
  {
    name: 'fuel by zone',
    version: {
      zones: [zone(), zone({ code: 'sud', to: { regions: ['Sicilia'] } })],
      fuel: [
        line('fuel_sud', { percent: 12, of: ['base'] }, { zones: ['sud'] }),
        line('fuel', { percent: 8, of: ['base'] }),
      ],
    },
    is: { lines: { base: '10.00', fuel_sud: '1.20' }, fuel: '1.20' },
    why: 'the first that holds, alone',
  },
  {
    name: 'fuel elsewhere',
    version: {
      zones: [zone(), zone({ code: 'sud', to: { regions: ['Sicilia'] } })],
      fuel: [
        line('fuel_sud', { percent: 12, of: ['base'] }, { zones: ['sud'] }),
        line('fuel', { percent: 8, of: ['base'] }),
      ],
      surcharges: [line('extra', { percent: 50, of: ['fuel'] })],
    },
    ask: MILAN,
    is: { lines: { base: '10.00', fuel: '0.80', extra: '0.40' } },
    why: 'the second; `fuel` names whichever is charged',
  },
]);

tariffCases('Discounts are applied:', [
  {
    name: 'a percentage',
    version: surcharge({ percent: -12.5, of: ['base'] }),
    is: { lines: { base: '10.00', extra: '-1.25' }, total: '8.75', vat: '1.93', gross: '10.68' },
    why: 'VAT 1.925',
  },
  {
    name: 'rounded like its positive',
    version: { zones: [zone({ bands: [{ upToKg: 10, price: 0.9 }] })], ...surcharge({ percent: -12.5, of: ['base'] }) },
    is: { surcharges: '-0.11' },
    why: '0.1125; and of 1.00 0.125 → 0.13',
  },
  {
    name: 'half a cent',
    version: { zones: [zone({ bands: [{ upToKg: 10, price: 1 }] })], ...surcharge({ percent: -12.5, of: ['base'] }) },
    is: { surcharges: '-0.13', total: '0.87' },
    why: '−0.125 → −0.13',
  },
  {
    name: 'at most so much',
    version: surcharge({ percent: -50, of: ['base'], minimum: -2 }),
    is: { surcharges: '-2.00' },
    why: '−5.00 is less than −2.00',
  },
  {
    name: 'more than the rest',
    version: {
      surcharges: [
        line('a', { fixed: -8 }),
        line('b', { fixed: 1 }),
        line('c', { fixed: -6 }),
        line('d', { percent: 50, of: ['c'] }),
      ],
    },
    is: { lines: { base: '10.00', a: '-8.00', b: '1.00', c: '-3.00', d: '0.00' }, total: '0.00', vat: '0.00' },
    why: '10 − 8 + 1 − 6 − 3 = −6: d by 3, then c by 3',
  },
  {
    name: 'by monthly shipments',
    version: surcharge({
      brackets: {
        by: 'monthlyShipments',
        prices: [
          { upTo: 500, fixed: 0 },
          { percent: -5, of: ['base'] },
        ],
      },
    }),
    ask: { monthly: 501 },
    is: { surcharges: '-0.50' },
    why: 'above 500',
  },
]);

tariffCases('Kilograms above a weight, and steps, are charged:', [
  {
    name: 'above a weight',
    version: surcharge({ perKg: 0.15, aboveKg: 30 }),
    ask: parcels([1, 42, 10, 10, 10]),
    is: { surcharges: '1.80' },
    why: '12 × 0.15',
  },
  {
    name: 'not above it',
    version: surcharge({ perKg: 0.15, aboveKg: 30 }),
    ask: parcels([1, 30, 10, 10, 10]),
    is: { surcharges: '0.00' },
    why: 'nothing above',
  },
  {
    name: 'each begun quintale above',
    version: surcharge({ per: [{ measure: 'chargeableKg', every: 100, above: 50, price: 4 }] }),
    ask: parcels([1, 151, 10, 10, 10]),
    is: { surcharges: '8.00' },
    why: '101 kg above 50 are 2 begun',
  },
  {
    name: 'the greatest of three',
    version: surcharge({ greaterOf: [{ fixed: 3 }, { perKg: 0.2 }, { perParcel: 1.5 }] }),
    ask: parcels([3, 5, 10, 10, 10]),
    is: { surcharges: '4.50' },
    why: '3.00, 15 × 0.20 = 3.00, 3 × 1.50',
  },
]);

describe('The VAT of a line', () => {
  const tariff = tariffOf({
    zones: [zone({ bands: [{ upToKg: 10, price: 10.03 }] })],
    insurance: [{ ...line('insurance', { fixed: 4.02 }), vat: { percent: 0, note: 'Esente' } }],
    surcharges: [{ ...line('book', { fixed: 1.1 }), vat: { percent: 4 } }, line('plain', { fixed: 0.5 })],
  });

  test('has its own percentage, and each rate is rounded once: 22 % of 10.53 = 2.3166, 4 % of 1.10 = 0.044, 0 % of 4.02', () => {
    expect(shown(priceOn(tariff, { insured: 10 }))).toMatchObject({ total: '15.65', vat: '2.36', vatPercent: 22 });
  });

  test('applies even if the destination has none: Livigno pays 4 % of 1.10', () => {
    const to = italian('23041', 'Livigno', 'SO');
    expect(shown(priceOn(tariff, { insured: 10, to }))).toMatchObject({ vat: '0.04', vatPercent: 0 });
  });
});
