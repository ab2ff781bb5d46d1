import { describe, expect, test } from 'vitest';
import { destinationAt } from '../../src/domain/tariffs/area.rules.ts';
import {
  type Ask,
  compiled,
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

// Every expected number here was reckoned by hand, as the case says; none comes from the engine.

const italian = (postalCode: string, city: string, province?: string): Place => ({
  countryCode: 'IT',
  postalCode,
  city,
  ...(province && { province }),
});
const abroad = (countryCode: string, postalCode: string): Place => ({ countryCode, postalCode, city: 'Somewhere' });

/** The tariff of the worked example in the notes. */
const SICILY: Partial<VersionInput> = {
  weight: { volumetric: { kgPerM3: 300 }, per: 'shipment', roundUpToKg: 0.1 },
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
  fuel: { description: 'Carburante', of: ['base'], rates: [{ from: '2026-01-01', percent: 8.5 }] },
  cod: { fixed: 3, percent: 1.2, minimum: 4.5, maximumAmount: 4999.99 },
  insurance: { percent: 0.9, minimum: 3.5 },
};

test('the worked example: 26.34 gross', () => {
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

describe('zones: the most specific rule', () => {
  const at = (code: string, price: number, to: VersionInput['zones'][number]['to']) =>
    zoneWith({ code, to, bands: [{ upToKg: 10, price }] });
  // From the least specific to the most, so that the order in the tariff cannot be what decides.
  const zones = [
    at('world', 60, { anywhere: true }),
    at('eu', 25, { countries: ['EU'] }),
    at('italy', 10, { countries: ['IT'] }),
    at('france', 22, { countries: ['FR'] }),
    at('britain', 45, { countries: ['GB'] }),
    at('marche', 14, { regions: ['Marche'] }),
    at('sicily', 15, { regions: ['sicilia'] }),
    at('trapani', 16, { provinces: ['Trapani'] }),
    at('ascoli', 17, { provinces: ['AP'] }),
    at('sondrio', 12, { provinces: ['SO'] }),
    at('livigno', 40, { municipalities: ['LIVIGNO'] }),
    at('any_samone', 42, { municipalities: ['Samone'] }),
    at('samone_to', 41, { municipalities: ['Samone (TO)'] }),
    at('messina', 20, { postalCodes: ['98*'] }),
    at('eolie', 30, { postalCodes: ['98050-98059'] }),
    at('lipari', 31, { postalCodes: ['98055'] }),
    at('canarie', 55, { postalCodes: ['ES 35*'] }),
    at('ulster', 50, { postalCodes: ['GB BT*'] }),
    at('warsaw', 33, { postalCodes: ['PL 00-950'] }),
    at('cupertino', 70, { postalCodes: ['US 95014'] }),
  ];
  const tariff = compiled(tariffWith({ zones }));

  // VAT: 22 % of the price in Italy and the Union, 0 beyond, on the Canary Islands and in Livigno.
  test.each<[place: Place, zone: string, kind: string, net: string, gross: string, why: string]>([
    [italian('98055', 'Lipari', 'ME'), 'lipari', 'postal_code', '31.00', '37.82', 'CAP before ranges; 31 + 6.82'],
    [italian('98050', 'Eolie', 'ME'), 'eolie', 'postal_code_range', '30.00', '36.60', 'first of the range; 30 + 6.60'],
    [italian('98059', 'Eolie', 'ME'), 'eolie', 'postal_code_range', '30.00', '36.60', 'last of the range'],
    [italian('98060', 'Messina', 'ME'), 'messina', 'postal_code_range', '20.00', '24.40', 'one after it; 20 + 4.40'],
    [italian('98049', 'Messina', 'ME'), 'messina', 'postal_code_range', '20.00', '24.40', 'one before it'],
    [
      italian('98122', 'Livigno', 'ME'),
      'messina',
      'postal_code_range',
      '20.00',
      '20.00',
      'range before comune; VAT by comune, 0',
    ],
    [italian('23030', 'Livigno', 'SO'), 'livigno', 'municipality', '40.00', '40.00', 'comune; extraterritorial, 0 %'],
    [
      italian('23030', '  lìvigno '),
      'livigno',
      'municipality',
      '40.00',
      '40.00',
      'without its province, and however written',
    ],
    [italian('23032', 'Bormio', 'SO'), 'sondrio', 'province', '12.00', '14.64', 'next to Livigno; 12 + 2.64'],
    [
      italian('10010', 'Samone', 'TO'),
      'samone_to',
      'municipality',
      '41.00',
      '50.02',
      'comune with province; 41 + 9.02',
    ],
    [italian('10010', 'Samone'), 'samone_to', 'municipality', '41.00', '50.02', 'the CAP says Torino'],
    [italian('38059', 'Samone', 'TN'), 'any_samone', 'municipality', '42.00', '51.24', 'the other one; 42 + 9.24'],
    [italian('91100', 'Trapani', 'TP'), 'trapani', 'province', '16.00', '19.52', 'province before region; 16 + 3.52'],
    [italian('91100', 'Trapani'), 'trapani', 'province', '16.00', '19.52', 'CAPs 91 are of Trapani alone'],
    [PALERMO, 'sicily', 'region', '15.00', '18.30', 'region; 15 + 3.30'],
    [
      italian('63822', 'Porto San Giorgio'),
      'marche',
      'region',
      '14.00',
      '17.08',
      'Ascoli or Fermo: neither, but Marche; 14 + 3.08',
    ],
    [italian('63822', 'Porto San Giorgio', 'FM'), 'marche', 'region', '14.00', '17.08', 'Fermo has no zone'],
    [italian('63100', 'Ascoli Piceno'), 'ascoli', 'province', '17.00', '20.74', 'Ascoli alone; 17 + 3.74'],
    [italian('20121', 'Milano', 'MI'), 'italy', 'country', '10.00', '12.20', 'country; 10 + 2.20'],
    [abroad('FR', '75001'), 'france', 'country', '22.00', '26.84', 'country before the Union; 22 + 4.84'],
    [abroad('DE', '10115'), 'eu', 'country_group', '25.00', '30.50', 'Union; 25 + 5.50'],
    [abroad('ES', '28001'), 'eu', 'country_group', '25.00', '30.50', 'Madrid'],
    [abroad('ES', '35001'), 'canarie', 'postal_code_range', '55.00', '55.00', 'Las Palmas; outside the VAT area'],
    [abroad('ES', '38001'), 'eu', 'country_group', '25.00', '25.00', 'Tenerife: still Spain as a zone, but no VAT'],
    [abroad('GB', 'BT1 5GS'), 'ulster', 'postal_code_range', '50.00', '50.00', 'Belfast'],
    [abroad('GB', 'SW1A 1AA'), 'britain', 'country', '45.00', '45.00', 'London'],
    [abroad('PL', '00-950'), 'warsaw', 'postal_code', '33.00', '40.26', 'a hyphen is no range; 33 + 7.26'],
    [abroad('PL', '00-500'), 'eu', 'country_group', '25.00', '30.50', 'within 00-950, were it a range'],
    [abroad('US', '95014-1234'), 'cupertino', 'postal_code', '70.00', '70.00', 'nine digits, by the first five'],
    [abroad('US', '95015-1234'), 'world', 'default', '60.00', '60.00', 'next to it'],
    [abroad('CH', '98055'), 'world', 'default', '60.00', '60.00', 'an Italian CAP means nothing in Switzerland'],
  ])('%j: %s by %s, %s net, %s gross (%s)', (to, zone, kind, net, gross) => {
    const result = priceOf(tariffWith({ zones }), { to });
    expect(shown(result)).toMatchObject({ zone, base: net, total: net, gross });
    const { zoneTable } = tariff.versions[0] ?? expect.fail();
    expect(zoneTable.rules[zoneTable.find(destinationAt(to))]?.kind).toBe(kind);
  });

  test.each<[place: Place, zone: VersionInput['zones'][number]['to']]>([
    [abroad('CH', '6900'), { countries: ['EU', 'IT'] }],
    [italian('20121', 'Milano', 'MI'), { regions: ['Sicilia'] }],
    [italian('63822', 'Porto San Giorgio'), { provinces: ['AP'] }],
    [abroad('FR', '90139'), { postalCodes: ['90139'], municipalities: ['Somewhere'] }],
  ])('%j is not served by %j alone', (to, zone) => {
    expect(shown(priceOf(tariffWith({ zones: [zoneWith({ to: zone })] }), { to }))).toEqual({
      excluded: 'DESTINATION_NOT_SERVED',
      rule: '/versions/0/zones',
    });
  });
});

interface Case {
  readonly name: string;
  readonly version: Partial<VersionInput>;
  readonly ask?: Ask;
  readonly is: Shown;
  readonly why: string;
}

const cases = (title: string, table: readonly Case[]) =>
  describe(title, () => {
    test.each(table)('$name: $why', ({ version, ask = {}, is }) => {
      const result = shown(priceOf(tariffWith(version), ask));
      if ('excluded' in is) expect(result).toMatchObject(is);
      else expect(result).toMatchObject({ ...is });
    });
  });

const BANDS = [
  { upToKg: 1, price: 5 },
  { upToKg: 3, price: 6 },
  { upToKg: 5, price: 7.5 },
];
const toTheGram = { per: 'shipment', roundUpToKg: 0.001 } as const;
const closed: Partial<VersionInput> = { weight: toTheGram, zones: [zoneWith({ bands: BANDS })] };
const open: Partial<VersionInput> = {
  weight: toTheGram,
  zones: [zoneWith({ bands: BANDS, beyond: { everyKg: 2, price: 1.1 } })],
};
const weighing = (kg: number, cm3 = 0, parcels = 1): Ask => ({ totals: { kg, cm3, parcels } });

cases('bands, up to and including', [
  { name: '1 kg', version: open, ask: weighing(1), is: { base: '5.00', gross: '6.10' }, why: '5 + 1.10' },
  { name: '1.001 kg', version: open, ask: weighing(1.001), is: { base: '6.00', gross: '7.32' }, why: '6 + 1.32' },
  { name: '3 kg', version: open, ask: weighing(3), is: { base: '6.00', gross: '7.32' }, why: 'still the second' },
  { name: '3.001 kg', version: open, ask: weighing(3.001), is: { base: '7.50', gross: '9.15' }, why: '7.50 + 1.65' },
  { name: '5 kg', version: open, ask: weighing(5), is: { base: '7.50', steps: 0 }, why: 'the last, no step' },
  {
    name: '5.001 kg',
    version: open,
    ask: weighing(5.001),
    is: { base: '8.60', steps: 1, gross: '10.49' },
    why: '7.50 + 1.10; VAT 1.892',
  },
  { name: '7 kg', version: open, ask: weighing(7), is: { base: '8.60', steps: 1 }, why: 'exactly one step' },
  {
    name: '7.001 kg',
    version: open,
    ask: weighing(7.001),
    is: { base: '9.70', steps: 2, gross: '11.83' },
    why: '7.50 + 2.20; VAT 2.134',
  },
  {
    name: '105 kg',
    version: open,
    ask: weighing(105),
    is: { base: '62.50', steps: 50, gross: '76.25' },
    why: '7.50 + 50 × 1.10; VAT 13.75',
  },
  { name: '5 kg, closed', version: closed, ask: weighing(5), is: { base: '7.50' }, why: 'the last band takes it' },
  {
    name: '5.001 kg, closed',
    version: closed,
    ask: weighing(5.001),
    is: { excluded: 'WEIGHT_OUT_OF_RANGE', rule: '/versions/0/zones/0/bands' },
    why: 'nothing beyond',
  },
  {
    name: '4.8 kg in whole kg, closed',
    version: { ...closed, weight: { per: 'shipment', roundUpToKg: 1 } },
    ask: weighing(4.8),
    is: { grams: 5000, base: '7.50' },
    why: 'rounded up to the limit',
  },
  {
    name: '4.8 kg in steps of 2 kg, closed',
    version: { ...closed, weight: { per: 'shipment', roundUpToKg: 2 } },
    ask: weighing(4.8),
    is: { excluded: 'WEIGHT_OUT_OF_RANGE' },
    why: 'rounded up to 6, beyond the limit',
  },
]);

const wide = [zoneWith({ bands: [{ upToKg: 5000, price: 5 }] })];
const weight = (
  per: 'shipment' | 'parcel',
  roundUpToKg: number,
  volumetric?: VersionInput['weight']['volumetric'],
): Partial<VersionInput> => ({ zones: wide, weight: { per, roundUpToKg, ...(volumetric && { volumetric }) } });
const box = { kg: 4, sides: [40, 30, 30] } as const; // 36,000 cm³
const TWO: Ask = {
  parcels: [
    { kg: 2.1, sides: [30, 20, 20] },
    { kg: 3.2, sides: [10, 10, 10] },
  ],
};

cases('chargeable weight', [
  {
    name: 'factor 300, 0.1 kg',
    version: weight('shipment', 0.1, { kgPerM3: 300 }),
    ask: { parcels: [box] },
    is: { volumetricGrams: 10_800, grams: 10_800 },
    why: '36,000 cm³ × 0.3 g',
  },
  {
    name: 'factor 250, 0.5 kg',
    version: weight('shipment', 0.5, { kgPerM3: 250 }),
    ask: { parcels: [box] },
    is: { grams: 9_000 },
    why: '36,000 × 0.25 g, on a step already',
  },
  {
    name: 'factor 250, 0.5 kg, 1 cm more',
    version: weight('shipment', 0.5, { kgPerM3: 250 }),
    ask: { parcels: [{ kg: 4, sides: [40, 30, 31] }] },
    is: { volumetricGrams: 9_300, grams: 9_500 },
    why: '37,200 × 0.25 g, up',
  },
  {
    name: 'factor 200, heavy',
    version: weight('shipment', 1, { kgPerM3: 200 }),
    ask: { parcels: [{ kg: 7.201, sides: [40, 30, 30] }] },
    is: { volumetricGrams: 7_200, grams: 8_000 },
    why: 'real 7,201 g, a gram more than volumetric',
  },
  {
    name: 'divisor 5000',
    version: weight('shipment', 0.1, { cm3PerKg: 5000 }),
    ask: { parcels: [box] },
    is: { grams: 7_200 },
    why: '36,000 / 5,000',
  },
  {
    name: 'divisor 3333',
    version: weight('shipment', 0.001, { cm3PerKg: 3333 }),
    ask: weighing(1, 10_000),
    is: { grams: 3_001 },
    why: '3.0003 kg, to the gram upwards',
  },
  {
    name: 'per parcel',
    version: weight('parcel', 0.5, { cm3PerKg: 5000 }),
    ask: TWO,
    is: { grams: 6_000, volumetricGrams: 2_600 },
    why: 'max(2.1, 2.4) → 2.5; max(3.2, 0.2) → 3.5',
  },
  {
    name: 'the same per shipment',
    version: weight('shipment', 0.5, { cm3PerKg: 5000 }),
    ask: TWO,
    is: { grams: 5_500 },
    why: 'max(5.3, 2.6) → 5.5',
  },
  {
    name: 'three of a kind per parcel',
    version: weight('parcel', 0.5, { cm3PerKg: 5000 }),
    ask: { parcels: [{ kg: 2.1, sides: [30, 20, 20], quantity: 3 }] },
    is: { grams: 7_500 },
    why: '3 × 2.5',
  },
  {
    name: '10 kg in 3 parcels, 1 kg',
    version: weight('parcel', 1),
    ask: weighing(10, 0, 3),
    is: { grams: 12_000 },
    why: '3.33 → 4, three times',
  },
  {
    name: '10 kg in 3 parcels, 0.5 kg',
    version: weight('parcel', 0.5),
    ask: weighing(10, 0, 3),
    is: { grams: 10_500 },
    why: '3.33 → 3.5, three times',
  },
  {
    name: '10 kg in 3 parcels, 0.1 kg',
    version: weight('parcel', 0.1),
    ask: weighing(10, 0, 3),
    is: { grams: 10_200 },
    why: '3.33 → 3.4, three times',
  },
  {
    name: '9 kg in 3 parcels, 1 kg',
    version: weight('parcel', 1),
    ask: weighing(9, 0, 3),
    is: { grams: 9_000 },
    why: '3 each, on a step',
  },
  {
    name: '10 kg in 3 parcels per shipment',
    version: weight('shipment', 1),
    ask: weighing(10, 0, 3),
    is: { grams: 10_000 },
    why: 'parcels do not matter',
  },
  {
    name: '36,000 cm³ in 3 parcels',
    version: weight('parcel', 0.5, { kgPerM3: 300 }),
    ask: weighing(3, 36_000, 3),
    is: { grams: 12_000 },
    why: '12,000 × 0.3 g = 3.6 → 4, three times',
  },
  {
    name: 'no factor',
    version: weight('shipment', 1),
    ask: { parcels: [{ kg: 1, sides: [100, 100, 100] }] },
    is: { grams: 1_000, volumetricGrams: 0 },
    why: 'only the real weight counts',
  },
]);

const flat = (price: number, upToKg = 100) => [zoneWith({ bands: [{ upToKg, price }] })];
const fuel = (percent: number, of: string[], ...rates: { from: string; percent: number }[]) => ({
  description: 'Carburante',
  of,
  rates: [{ from: '2026-01-01', percent }, ...rates],
});
const area = lineWith('area', { fixed: 12 });
const istat = lineWith('istat', { percent: 2.9, of: ['base'] });
const twoRates: Partial<VersionInput> = {
  zones: flat(10),
  fuel: fuel(8.5, ['base'], { from: '2026-07-01', percent: 9.25 }),
};
const surcharge = (price: Parameters<typeof lineWith>[1], base = 5): Partial<VersionInput> => ({
  zones: flat(base),
  surcharges: [lineWith('extra', price)],
});

cases('surcharges and fuel', [
  {
    name: 'a line named twice',
    version: surcharge({ percent: 10, of: ['base', 'base'] }),
    is: { surcharges: '0.50' },
    why: '10 % of 5.00, once',
  },
  {
    name: 'fuel on base and area',
    version: { zones: flat(10), surcharges: [area, istat], fuel: fuel(8.5, ['base', 'area']) },
    is: {
      lines: { base: '10.00', area: '12.00', istat: '0.29', fuel: '1.87' },
      surcharges: '12.29',
      fuel: '1.87',
      total: '24.16',
      vat: '5.32',
      gross: '29.48',
    },
    why: '8.5 % of 22.00, not of ISTAT; VAT 5.3152',
  },
  {
    name: 'ISTAT, then fuel on both',
    version: { zones: flat(12.2), surcharges: [istat], fuel: fuel(8.5, ['base', 'istat']) },
    is: { lines: { base: '12.20', istat: '0.35', fuel: '1.07' }, total: '13.62', vat: '3.00', gross: '16.62' },
    why: '8.5 % of 12.55 = 1.06675; VAT 2.9964',
  },
  {
    name: 'a percentage takes the rounded line',
    version: { zones: flat(1.6), surcharges: [istat], fuel: fuel(50, ['base', 'istat']) },
    is: { lines: { base: '1.60', istat: '0.05', fuel: '0.83' }, total: '2.48', vat: '0.55', gross: '3.03' },
    why: '0.0464 → 0.05; half of 1.65 = 0.825; of 1.6464 it would be 0.82',
  },
  {
    name: 'a surcharge on a later one',
    version: { zones: flat(10), surcharges: [lineWith('a', { percent: 10, of: ['b'] }), lineWith('b', { fixed: 4 })] },
    is: { lines: { base: '10.00', a: '0.40', b: '4.00' }, total: '14.40', gross: '17.57' },
    why: 'order in the tariff does not matter; VAT 3.168',
  },
  {
    name: 'a surcharge on fuel',
    version: { zones: flat(10), surcharges: [lineWith('a', { percent: 50, of: ['fuel'] })], fuel: fuel(10, ['base']) },
    is: { lines: { base: '10.00', a: '0.50', fuel: '1.00' }, surcharges: '0.50', total: '11.50' },
    why: 'half of 1.00',
  },
  {
    name: 'fuel, the last day of a rate',
    version: twoRates,
    ask: { date: '2026-06-30' },
    is: { fuel: '0.85' },
    why: '8.5 % of 10',
  },
  {
    name: 'fuel, the first day of the next',
    version: twoRates,
    ask: { date: '2026-07-01' },
    is: { fuel: '0.93' },
    why: '9.25 % of 10 = 0.925, up',
  },
  {
    name: 'minimum',
    version: surcharge({ percent: 1, of: ['base'], minimum: 0.5 }),
    is: { surcharges: '0.50', total: '5.50', gross: '6.71' },
    why: '0.05 is less; VAT 1.21',
  },
  {
    name: 'above the minimum',
    version: surcharge({ percent: 11, of: ['base'], minimum: 0.5 }),
    is: { surcharges: '0.55' },
    why: '0.55 is more',
  },
  {
    name: 'just under the minimum',
    version: surcharge({ percent: 9.99, of: ['base'], minimum: 0.5 }),
    is: { surcharges: '0.50' },
    why: '0.4995 → the minimum',
  },
  {
    name: 'maximum',
    version: surcharge({ percent: 50, of: ['base'], maximum: 2 }),
    is: { surcharges: '2.00', total: '7.00', gross: '8.54' },
    why: '2.50 is more; VAT 1.54',
  },
  {
    name: 'maximum before rounding',
    version: surcharge({ percent: 40.08, of: ['base'], maximum: 2 }),
    is: { surcharges: '2.00' },
    why: '2.004 is more',
  },
  {
    name: 'islands',
    version: surcharge({ fixed: 12, perKg: 0.15 }),
    ask: weighing(6.4),
    is: { surcharges: '13.05' },
    why: '12 + 7 × 0.15',
  },
  {
    name: 'greater of two: the first',
    version: surcharge({ greaterOf: [{ fixed: 3 }, { perKg: 0.45 }] }),
    ask: weighing(6),
    is: { surcharges: '3.00' },
    why: '6 × 0.45 = 2.70',
  },
  {
    name: 'greater of two: the second',
    version: surcharge({ greaterOf: [{ fixed: 3 }, { perKg: 0.45 }] }),
    ask: weighing(7),
    is: { surcharges: '3.15' },
    why: '7 × 0.45',
  },
  {
    name: 'greater of two, with a maximum',
    version: surcharge({ greaterOf: [{ fixed: 3 }, { perKg: 0.45 }], maximum: 4 }),
    ask: weighing(10),
    is: { surcharges: '4.00' },
    why: '4.50 is more',
  },
  {
    name: 'per parcel',
    version: surcharge({ perParcel: 2.5 }),
    ask: weighing(9, 0, 3),
    is: { surcharges: '7.50' },
    why: '3 × 2.50',
  },
  {
    name: 'per parcel of a kind',
    version: surcharge({ perParcel: 2.5 }),
    ask: { parcels: [{ kg: 1, sides: [9, 9, 9], quantity: 4 }] },
    is: { surcharges: '10.00' },
    why: '4 × 2.50',
  },
  {
    name: 'everything at once',
    version: surcharge({ fixed: 1, perKg: 0.333, perParcel: 0.25, percent: 2.5, of: ['base'] }),
    ask: weighing(3, 0, 2),
    is: { surcharges: '2.62' },
    why: '1 + 0.999 + 0.50 + 0.125 = 2.624, rounded once',
  },
  {
    name: 'half a cent',
    version: surcharge({ percent: 0.5, of: ['base'] }),
    is: { surcharges: '0.03' },
    why: '0.025, up',
  },
  {
    name: 'less than half a cent',
    version: surcharge({ percent: 0.4999, of: ['base'] }),
    is: { surcharges: '0.02' },
    why: '0.024995',
  },
  {
    name: '1.005 is no 1.00499',
    version: surcharge({ perKg: 1.005 }),
    ask: weighing(1),
    is: { surcharges: '1.01' },
    why: '1.005, up; floating point says 1.00',
  },
  {
    name: 'five decimals',
    version: surcharge({ perKg: 0.00001 }),
    ask: weighing(100),
    is: { surcharges: '0.00' },
    why: '0.001',
  },
  {
    name: 'half a cent of VAT',
    version: { zones: flat(0.25) },
    is: { total: '0.25', vat: '0.06', gross: '0.31' },
    why: '0.055, up',
  },
  {
    name: 'VAT once on the total',
    version: { zones: flat(0.02), surcharges: [lineWith('a', { fixed: 0.02 }), lineWith('b', { fixed: 0.02 })] },
    is: { total: '0.06', vat: '0.01', gross: '0.07' },
    why: '0.0132; of each it would be 0',
  },
]);

const conditional = (when: NonNullable<Parameters<typeof lineWith>[2]>): Partial<VersionInput> => ({
  zones: [zoneWith({ code: 'sicily', to: { regions: ['Sicilia'] } }), zoneWith({ bands: [{ upToKg: 100, price: 5 }] })],
  weight: toTheGram,
  surcharges: [lineWith('extra', { fixed: 2 }, when)],
});
const sized = (a: number, b: number, c: number, kg = 1): Ask => ({
  to: italian('20121', 'Milano', 'MI'),
  parcels: [
    { kg: 0.5, sides: [1, 1, 1] },
    { kg, sides: [a, b, c] },
  ],
});
const MILAN = { to: italian('20121', 'Milano', 'MI') };

cases('conditions of a surcharge', [
  {
    name: 'longest side at',
    version: conditional({ longestSideOverCm: 100 }),
    ask: sized(10, 100, 10),
    is: { surcharges: '0.00', lines: { base: '5.00' } },
    why: 'over means over',
  },
  {
    name: 'longest side over',
    version: conditional({ longestSideOverCm: 100 }),
    ask: sized(10, 100.01, 10),
    is: { surcharges: '2.00' },
    why: '0.01 cm more',
  },
  {
    name: 'sum of sides at',
    version: conditional({ sumOfSidesOverCm: 150 }),
    ask: sized(50, 50, 50),
    is: { surcharges: '0.00' },
    why: '150',
  },
  {
    name: 'sum of sides over',
    version: conditional({ sumOfSidesOverCm: 150 }),
    ask: sized(50, 50, 50.01),
    is: { surcharges: '2.00' },
    why: '150.01',
  },
  {
    name: 'sides of totals',
    version: conditional({ longestSideOverCm: 1 }),
    ask: weighing(1, 1_000_000),
    is: { surcharges: '0.00' },
    why: 'not known, so it does not hold',
  },
  {
    name: 'heaviest parcel below',
    version: conditional({ parcelFromKg: 20 }),
    ask: sized(9, 9, 9, 19.999),
    is: { surcharges: '0.00' },
    why: '20.499 kg in all, but no parcel',
  },
  {
    name: 'heaviest parcel at',
    version: conditional({ parcelFromKg: 20 }),
    ask: sized(9, 9, 9, 20),
    is: { surcharges: '2.00' },
    why: 'from 20',
  },
  {
    name: 'weight below',
    version: conditional({ fromKg: 20 }),
    ask: sized(9, 9, 9, 19.499),
    is: { surcharges: '0.00' },
    why: '19.999 kg',
  },
  {
    name: 'weight at',
    version: conditional({ fromKg: 20 }),
    ask: sized(9, 9, 9, 19.5),
    is: { surcharges: '2.00' },
    why: '20 kg',
  },
  {
    name: 'zone',
    version: conditional({ zones: ['sicily'] }),
    is: { zone: 'sicily', surcharges: '2.00' },
    why: 'Palermo',
  },
  {
    name: 'another zone',
    version: conditional({ zones: ['sicily'] }),
    ask: MILAN,
    is: { zone: 'all', surcharges: '0.00' },
    why: 'Milan',
  },
  { name: 'area', version: conditional({ to: { postalCodes: ['901*'] } }), is: { surcharges: '2.00' }, why: 'Palermo' },
  {
    name: 'another area',
    version: conditional({ to: { postalCodes: ['901*'] } }),
    ask: MILAN,
    is: { surcharges: '0.00' },
    why: 'Milan',
  },
  {
    name: 'two, one of which holds',
    version: conditional({ zones: ['sicily'], fromKg: 2 }),
    is: { surcharges: '0.00' },
    why: 'all must hold',
  },
  {
    name: 'a percentage of what does not apply',
    version: { ...conditional({ zones: ['sicily'] }), fuel: fuel(10, ['base', 'extra']) },
    ask: MILAN,
    is: { fuel: '0.50' },
    why: '10 % of 5.00',
  },
]);

const services: Partial<VersionInput> = {
  zones: flat(5),
  weight: { per: 'shipment', roundUpToKg: 0.1 },
  options: [
    lineWith('appointment', { fixed: 4 }),
    lineWith('phone', { fixed: 1.5 }),
    lineWith('floor', { perParcel: 6 }),
    lineWith('tail_lift', { fixed: 15 }, { fromKg: 50 }),
    lineWith('saturday', { fixed: 9 }),
  ],
  cod: { fixed: 3, percent: 1.2, minimum: 4.5, maximumAmount: 4999.99 },
  insurance: { percent: 0.9, minimum: 3.5, allowance: 500, maximumAmount: 10_000 },
};

cases('options, COD and insurance', [
  {
    name: 'none asked',
    version: services,
    is: { lines: { base: '5.00' }, total: '5.00', gross: '6.10' },
    why: 'base alone',
  },
  {
    name: 'appointment and two parcels to the floor',
    version: services,
    ask: { ...weighing(2, 0, 2), options: ['floor', 'appointment'] },
    is: {
      options: '16.00',
      lines: { base: '5.00', appointment: '4.00', floor: '12.00' },
      total: '21.00',
      vat: '4.62',
      gross: '25.62',
    },
    why: '4 + 2 × 6; VAT 4.62',
  },
  {
    name: 'tail lift, light',
    version: services,
    ask: { ...weighing(49.9), options: ['tail_lift'] },
    is: { excluded: 'OPTION_NOT_SUPPORTED', rule: '/versions/0/options/3/when' },
    why: 'from 50 kg',
  },
  {
    name: 'tail lift, rounded up to it',
    version: services,
    ask: { ...weighing(49.901), options: ['tail_lift'] },
    is: { options: '15.00', gross: '24.40' },
    why: '50 kg chargeable; 20 + 4.40',
  },
  {
    name: 'tail lift at 50 kg',
    version: services,
    ask: { ...weighing(50), options: ['saturday', 'tail_lift'] },
    is: { options: '24.00' },
    why: '15 + 9',
  },
  {
    name: 'unknown option',
    version: services,
    ask: { options: ['phone', 'piano'] },
    is: { excluded: 'OPTION_NOT_SUPPORTED', rule: '/versions/0/options' },
    why: 'not in the tariff',
  },
  {
    name: 'a surcharge is no option',
    version: { ...services, surcharges: [area] },
    ask: { options: ['area'] },
    is: { excluded: 'OPTION_NOT_SUPPORTED' },
    why: 'not in the options',
  },
  {
    name: 'COD 125',
    version: services,
    ask: { cod: 125 },
    is: { cod: '4.50', total: '9.50', gross: '11.59' },
    why: '3 + 1.50 is the minimum; VAT 2.09',
  },
  { name: 'COD 125.41', version: services, ask: { cod: 125.41 }, is: { cod: '4.50' }, why: '4.50492' },
  { name: 'COD 125.42', version: services, ask: { cod: 125.42 }, is: { cod: '4.51' }, why: '4.50504' },
  { name: 'COD 0.01', version: services, ask: { cod: 0.01 }, is: { cod: '4.50' }, why: 'the minimum' },
  { name: 'COD at its maximum', version: services, ask: { cod: 4999.99 }, is: { cod: '63.00' }, why: '3 + 59.99988' },
  {
    name: 'COD a cent above',
    version: services,
    ask: { cod: 5000 },
    is: { excluded: 'COD_NOT_SUPPORTED', rule: '/versions/0/cod/maximumAmount' },
    why: 'cash limit',
  },
  {
    name: 'COD not offered',
    version: { zones: flat(5) },
    ask: { cod: 0.01 },
    is: { excluded: 'COD_NOT_SUPPORTED', rule: '/versions/0/cod' },
    why: 'the tariff has none',
  },
  {
    name: 'COD without limit',
    version: { ...services, cod: { percent: 1 } },
    ask: { cod: 1_000_000 },
    is: { cod: '10000.00' },
    why: '1 % of a million',
  },
  {
    name: 'insured within the allowance',
    version: services,
    ask: { insured: 500 },
    is: { insurance: '0.00', total: '5.00' },
    why: 'nothing above it',
  },
  {
    name: 'insured a cent above it',
    version: services,
    ask: { insured: 500.01 },
    is: { insurance: '3.50' },
    why: 'the minimum',
  },
  {
    name: 'insured 1,000',
    version: services,
    ask: { insured: 1000 },
    is: { insurance: '4.50', total: '9.50' },
    why: '0.9 % of 500',
  },
  {
    name: 'insured at the maximum',
    version: services,
    ask: { insured: 10_000 },
    is: { insurance: '85.50' },
    why: '0.9 % of 9,500',
  },
  {
    name: 'insured a cent above',
    version: services,
    ask: { insured: 10_000.01 },
    is: { excluded: 'INSURANCE_NOT_SUPPORTED', rule: '/versions/0/insurance/maximumAmount' },
    why: 'limit',
  },
  {
    name: 'insurance not offered',
    version: { zones: flat(5) },
    ask: { insured: 1 },
    is: { excluded: 'INSURANCE_NOT_SUPPORTED', rule: '/versions/0/insurance' },
    why: 'the tariff has none',
  },
  {
    name: 'fuel on an option',
    version: { ...services, fuel: fuel(10, ['base', 'saturday', 'phone']) },
    ask: { options: ['saturday'] },
    is: { fuel: '1.40', options: '9.00' },
    why: '10 % of 5 + 9; phone was not asked for',
  },
]);

const limited: Partial<VersionInput> = {
  zones: flat(5, 1000),
  weight: toTheGram,
  limits: { parcelKg: 30, shipmentKg: 50, longestSideCm: 120, sumOfSidesCm: 200, parcels: 3 },
};
const parcels = (...kg: number[]): Ask => ({ parcels: kg.map(each => ({ kg: each, sides: [10, 10, 10] })) });
const beyond = (excluded: string, limit: string): Shown => ({ excluded, rule: `/versions/0/limits/${limit}` });

cases('limits', [
  { name: 'parcel at', version: limited, ask: parcels(30), is: { base: '5.00' }, why: '30 kg' },
  {
    name: 'parcel over',
    version: limited,
    ask: parcels(1, 30.001),
    is: beyond('WEIGHT_OUT_OF_RANGE', 'parcelKg'),
    why: '30.001 kg',
  },
  {
    name: 'parcel of totals at',
    version: { ...limited, limits: { parcelKg: 30 } },
    ask: weighing(90, 0, 3),
    is: { base: '5.00' },
    why: '30 kg each',
  },
  {
    name: 'parcel of totals over',
    version: { ...limited, limits: { parcelKg: 30 } },
    ask: weighing(90.001, 0, 3),
    is: beyond('WEIGHT_OUT_OF_RANGE', 'parcelKg'),
    why: '30.00033 kg each',
  },
  { name: 'shipment at', version: limited, ask: parcels(25, 25), is: { base: '5.00' }, why: '50 kg' },
  {
    name: 'shipment over',
    version: limited,
    ask: parcels(25, 25.001),
    is: beyond('WEIGHT_OUT_OF_RANGE', 'shipmentKg'),
    why: '50.001 kg',
  },
  { name: 'side at', version: limited, ask: sized(40, 120, 40), is: { base: '5.00' }, why: '120 cm, and 200 in sum' },
  {
    name: 'side over',
    version: limited,
    ask: sized(10, 10, 120.01),
    is: beyond('DIMENSIONS_OUT_OF_RANGE', 'longestSideCm'),
    why: '120.01 cm',
  },
  {
    name: 'sum over',
    version: limited,
    ask: sized(100, 50, 50.01),
    is: beyond('DIMENSIONS_OUT_OF_RANGE', 'sumOfSidesCm'),
    why: '200.01 cm',
  },
  {
    name: 'sides of totals',
    version: limited,
    ask: weighing(1, 900_000_000),
    is: { base: '5.00' },
    why: 'not known, so not checked',
  },
  { name: 'parcels at', version: limited, ask: parcels(1, 1, 1), is: { base: '5.00' }, why: '3' },
  {
    name: 'parcels over',
    version: limited,
    ask: parcels(1, 1, 1, 1),
    is: beyond('DIMENSIONS_OUT_OF_RANGE', 'parcels'),
    why: '4',
  },
]);

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
  ])('%j: %s %%, 5.00 become %s', (to, vatPercent, gross) => {
    expect(shown(priceOf(tariffWith({}), { to }))).toMatchObject({ total: '5.00', vatPercent, gross });
  });

  test("a tariff's own table", () => {
    const vat = [
      { to: { anywhere: true as const }, percent: 8.1 },
      { to: { regions: ['Sicilia'] }, percent: 10 },
    ];
    expect(shown(priceOf(tariffWith({ vat }), {}))).toMatchObject({ vat: '0.50', gross: '5.50' });
    // 8.1 % of 5.00 = 0.405, up
    expect(shown(priceOf(tariffWith({ vat }), MILAN))).toMatchObject({ vat: '0.41', gross: '5.41' });
  });
});

describe('versions by date', () => {
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

cases('where nothing is carried', [
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

describe('places as people write them', () => {
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
  ])('%s', (_what, to, place, zone) => {
    expect(found(to, place)).toBe(zone);
  });
});

test('a percentage of all surcharges takes in each of them, also one that another percentage makes', () => {
  const version = {
    zones: [zoneWith({ code: 'it', to: { countries: ['IT'] }, bands: [{ upToKg: 10, price: 10 }] })],
    surcharges: [lineWith('a', { fixed: 2 }), lineWith('b', { percent: 50, of: ['a'] })],
    fuel: { description: 'Carburante', of: ['base', 'surcharges'], rates: [{ from: '2026-01-01', percent: 10 }] },
  };
  // 10.00 + 2.00 + 1.00 = 13.00, of which 10 %.
  expect(shown(priceOf(tariffWith(version), { parcels: [{ kg: 1, sides: [10, 10, 10] }] })).fuel).toBe('1.30');
});
