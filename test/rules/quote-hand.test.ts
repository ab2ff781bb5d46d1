import { describe, expect, test } from 'vitest';
import { abroad, cases, flat, fuel, italian, MILAN } from './quote-cases.ts';
import {
  type Ask,
  lineWith,
  PALERMO,
  type Place,
  priceOf,
  type Shown,
  shown,
  tariffWith,
  type VersionInput,
  zoneWith,
} from './quote-support.ts';

/** The tariff of the worked example in the notes. */
const SICILY: Partial<VersionInput> = {
  weight: { volumetric: [{ kgPerM3: 300 }], per: 'shipment', roundUp: [{ toKg: 0.1 }] },
  zones: [
    zoneWith({
      code: 'sicilia',
      to: { regions: ['Sicilia'] },
      bands: [
        { upToKg: 3, price: 6.6 },
        { upToKg: 5, price: 7.3 },
        { upToKg: 10, price: 8.9 },
        { upToKg: 20, price: 12.2 },
      ],
    }),
  ],
  surcharges: [lineWith('istat', { percent: 2.9, of: ['base'] })],
  fuel: fuel(8.5, ['base']),
  cod: [lineWith('cod', { fixed: 3, percent: 1.2, of: ['codAmount'], minimum: 4.5 }, { codAmount: { upTo: 4999.99 } })],
  insurance: [lineWith('insurance', { percent: 0.9, of: ['insuredValue'], minimum: 3.5 })],
};

test('The worked example costs 26.34 gross', () => {
  const ask: Ask = { parcels: [{ kg: 4, sides: [40, 30, 30] }], cod: 100, insured: 200 };
  expect(shown(priceOf(tariffWith(SICILY), ask))).toEqual({
    version: '2026',
    zone: 'sicilia',
    volumetricGrams: 10_800, // 36,000 cm³ × 300 kg/m³
    grams: 10_800,
    steps: 0,
    base: '12.20',
    surcharges: '0.35', // 2.9 % of 12.20 = 0.3538
    fuel: '1.04', // 8.5 % of 12.20 = 1.037
    options: '0.00',
    cod: '4.50', // 3.00 + 1.20 is less
    insurance: '3.50', // 1.80 is less
    lines: { base: '12.20', istat: '0.35', fuel: '1.04', cod: '4.50', insurance: '3.50' },
    total: '21.59',
    vatPercent: 22,
    vat: '4.75', // 4.7498
    gross: '26.34',
  });
});

describe('VAT', () => {
  test.each<[place: Place, percent: number, gross: string]>([
    [PALERMO, 22, '6.10'],
    [italian('23030', 'Livigno', 'SO'), 0, '5.00'],
    [italian('23041', 'Livigno', 'SO'), 0, '5.00'],
    [italian('23030', 'Valdidentro', 'SO'), 22, '6.10'],
    [italian('22061', "Campione d'Italia", 'CO'), 0, '5.00'],
    [italian('22060', 'CAMPIONE D’ITALIA', 'CO'), 0, '5.00'],
    [abroad('SM', '47890'), 0, '5.00'],
    [italian('47890', 'San Marino'), 0, '5.00'],
    [italian('47900', 'Rimini', 'RN'), 22, '6.10'],
    [abroad('VA', '00120'), 0, '5.00'],
    [italian('00120', 'Città del Vaticano'), 0, '5.00'],
    [abroad('CH', '6900'), 0, '5.00'],
    [abroad('GB', 'SW1A 1AA'), 0, '5.00'],
    [abroad('US', '95014'), 0, '5.00'],
    [abroad('FR', '75001'), 22, '6.10'],
    [abroad('MC', '98000'), 22, '6.10'],
    [abroad('ES', '28001'), 22, '6.10'],
    [abroad('ES', '35001'), 0, '5.00'],
    [abroad('ES', '38001'), 0, '5.00'],
    [abroad('ES', '51001'), 0, '5.00'],
    [abroad('ES', '52001'), 0, '5.00'],
    [abroad('DE', '27498'), 0, '5.00'],
    [abroad('DE', '78266'), 0, '5.00'],
    [abroad('DE', '10115'), 22, '6.10'],
    [abroad('FI', '22100'), 0, '5.00'],
    [abroad('GR', '63086'), 0, '5.00'],
    [abroad('GR', '630 86'), 0, '5.00'],
  ])('depends on the place: %j: %s %%, 5.00 become %s', (to, vatPercent, gross) => {
    expect(shown(priceOf(tariffWith({}), { to }))).toMatchObject({ total: '5.00', vatPercent, gross });
  });

  test('can be stated by the table of a tariff', () => {
    const vat = [
      { to: { anywhere: true as const }, percent: 8.1 },
      { to: { regions: ['Sicilia'] }, percent: 10 },
    ];
    expect(shown(priceOf(tariffWith({ vat }), {}))).toMatchObject({ vat: '0.50', gross: '5.50' });
    // 8.1 % of 5.00 = 0.405, up
    expect(shown(priceOf(tariffWith({ vat }), MILAN))).toMatchObject({ vat: '0.41', gross: '5.41' });
  });
});

describe('The version is chosen by the date:', () => {
  const until = tariffWith({ label: 'a', validFrom: '2026-01-01', validUntil: '2026-06-30', zones: flat(5) });
  const two = tariffWith(
    { label: 'a', validFrom: '2026-01-01', validUntil: '2026-02-28', zones: flat(5) },
    { label: 'b', validFrom: '2026-03-01', zones: flat(6) },
  );
  const unending = tariffWith(
    { label: 'a', validFrom: '2028-01-01', zones: flat(5) },
    { label: 'b', validFrom: '2028-03-01', zones: flat(6) },
  );
  const none = { excluded: 'NO_TARIFF_IN_FORCE', rule: '/versions' };
  test.each<[name: string, tariff: typeof until, date: string, is: Shown]>([
    ['the day before', until, '2025-12-31', none],
    ['validFrom', until, '2026-01-01', { version: 'a' }],
    ['validUntil', until, '2026-06-30', { version: 'a' }],
    ['the day after', until, '2026-07-01', none],
    ['the last day of the first', two, '2026-02-28', { version: 'a', base: '5.00' }],
    ['the first day of the second', two, '2026-03-01', { version: 'b', base: '6.00' }],
    ['years later', two, '2099-12-31', { version: 'b' }],
    ['a first that ends where the second begins, in a leap year', unending, '2028-02-29', { version: 'a' }],
    ['and that second', unending, '2028-03-01', { version: 'b' }],
  ])('%s', (_, tariff, date, is) => {
    expect(shown(priceOf(tariff, { date }))).toMatchObject(is);
  });
});

cases('A shipment is not carried:', [
  {
    name: 'notServed',
    version: {
      zones: [zoneWith(), zoneWith({ code: 'sicily', to: { regions: ['Sicilia'] }, bands: [], notServed: 'Sospeso' })],
    },
    is: { excluded: 'DESTINATION_NOT_SERVED', rule: '/versions/0/zones/1/notServed' },
    why: 'the narrower zone',
  },
  {
    name: 'next to notServed',
    version: {
      zones: [zoneWith(), zoneWith({ code: 'sicily', to: { regions: ['Sicilia'] }, bands: [], notServed: 'Sospeso' })],
    },
    ask: MILAN,
    is: { zone: 'all' },
    why: 'Milan',
  },
  {
    name: 'origin that is served',
    version: { originCountries: ['SM', 'IT'] },
    ask: { from: 'IT' },
    is: { base: '5.00' },
    why: 'Italy',
  },
  {
    name: 'origin that is not',
    version: { originCountries: ['IT'] },
    ask: { from: 'SM' },
    is: { excluded: 'DESTINATION_NOT_SERVED', rule: '/versions/0/originCountries' },
    why: 'San Marino',
  },
  { name: 'any origin', version: {}, ask: { from: 'SM' }, is: { base: '5.00' }, why: 'none named' },
  {
    name: 'EU stands for every member state',
    version: { originCountries: ['EU'] },
    ask: { from: 'IT' },
    is: { base: '5.00' },
    why: 'Italy is one',
  },
  {
    name: 'and for no other',
    version: { originCountries: ['EU'] },
    ask: { from: 'CH' },
    is: { excluded: 'DESTINATION_NOT_SERVED' },
    why: 'Switzerland is none',
  },
]);

describe('A place as people write it is matched with a zone:', () => {
  const found = (to: object, place: Place) => {
    const zones = [zoneWith({ code: 'there', to }), zoneWith({ code: 'else', to: { anywhere: true } })];
    return shown(priceOf(tariffWith({ zones }), { parcels: [{ kg: 1, sides: [10, 10, 10] }], to: place })).zone;
  };

  test.each<[what: string, to: object, place: Place, zone: string]>([
    ["a code with its country's letters", { postalCodes: ['LV 1000-1099'] }, abroad('LV', 'LV-1073'), 'there'],
    ['a beginning, and a code with letters', { postalCodes: ['LV 10*'] }, abroad('LV', 'LV-1173'), 'else'],
    ['a comune with its province behind', { municipalities: ['Livigno'] }, italian('23030', 'LIVIGNO (SO)'), 'there'],
    ['a region in two languages', { regions: ["Valle d'Aosta/Vallée d'Aoste"] }, italian('11100', 'Aosta'), 'there'],
    ['a province that came and went', { provinces: ['OG'] }, italian('08045', 'Lanusei', 'OG'), 'there'],
    ['the province its CAP had before', { provinces: ['NU', 'SU'] }, italian('08045', 'Lanusei', 'OG'), 'there'],
    ['only the one it was taken out of', { provinces: ['SU'] }, italian('08045', 'Lanusei', 'OG'), 'else'],
    ['the one it was of, twice over', { provinces: ['CA'] }, italian('09013', 'Carbonia', 'CI'), 'there'],
    [
      'its own name before that',
      { provinces: ['Gallura Nord-Est Sardegna'] },
      italian('07026', 'Olbia', 'OT'),
      'there',
    ],
    ['another abbreviation of it', { provinces: ['MD'] }, italian('09025', 'Sanluri', 'VS'), 'there'],
    ['a comune that is the only one with its CAP', { provinces: ['CA'] }, italian('09045', 'Quartu'), 'there'],
  ])('%s', (_what, to, place, zone) => {
    expect(found(to, place)).toBe(zone);
  });
});

test('A percentage of all surcharges includes each of them, also one that another percentage makes', () => {
  const version = {
    zones: [zoneWith({ code: 'it', to: { countries: ['IT'] }, bands: [{ upToKg: 10, price: 10 }] })],
    surcharges: [lineWith('a', { fixed: 2 }), lineWith('b', { percent: 50, of: ['a'] })],
    fuel: fuel(10, ['base', 'surcharges']),
  };
  // 10.00 + 2.00 + 1.00 = 13.00, of which 10 %.
  expect(shown(priceOf(tariffWith(version), { parcels: [{ kg: 1, sides: [10, 10, 10] }] })).fuel).toBe('1.30');
});
