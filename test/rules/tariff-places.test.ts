import { describe, expect, test } from 'vitest';
import type { References } from '../../src/domain/pricing/tariffs/references/references.rules.ts';
import { abroad, italian } from './quote-cases.ts';
import { type Ask, shown } from './quote-support.ts';
import { line, parcels, priceOn, surcharge, tariffCases, tariffOf, zone } from './tariff-cases.ts';

const at = (code: string, to: object, price = 10, more = {}) =>
  zone({ code, to, bands: [{ upToKg: 1000, price }], ...more });

const LANES = {
  zones: [
    at('provinciale', { sameProvince: true }, 4),
    at('regionale', { sameRegion: true }, 5),
    at('sicilia', { regions: ['Sicilia'] }, 9),
    at('enna', { provinces: ['EN'] }, 8),
    at('isole_minori', { postalCodes: ['90010'] }, 20),
    at('italia', { countries: ['IT'] }, 7),
  ],
};
const PALERMO = italian('90139', 'Palermo', 'PA');
const CATANIA = italian('95121', 'Catania', 'CT');
const MILANO = italian('20121', 'Milano', 'MI');
const way = (from: Ask['from'] & object, to: NonNullable<Ask['to']>, warehouse = 1): Ask => ({ from, to, warehouse });

tariffCases('Provincial, regional and national lanes are priced:', [
  { name: 'in the province', version: LANES, ask: way(PALERMO, PALERMO), is: { zone: 'provinciale' }, why: 'PA to PA' },
  {
    name: 'a minor island of the province',
    version: LANES,
    ask: way(PALERMO, italian('90010', 'Ustica', 'PA')),
    is: { zone: 'isole_minori' },
    why: 'a postal code is more specific',
  },
  {
    name: 'in the region',
    version: LANES,
    ask: way(PALERMO, CATANIA),
    is: { zone: 'regionale' },
    why: 'PA to CT, before Sicilia',
  },
  {
    name: 'a province by name',
    version: LANES,
    ask: way(PALERMO, italian('94100', 'Enna', 'EN')),
    is: { zone: 'enna' },
    why: 'a province is more specific than the same region',
  },
  {
    name: 'from elsewhere',
    version: LANES,
    ask: way(MILANO, CATANIA),
    is: { zone: 'sicilia' },
    why: 'the region by name',
  },
  { name: 'national', version: LANES, ask: way(PALERMO, MILANO), is: { zone: 'italia' }, why: 'the country' },
  {
    name: 'from abroad',
    version: LANES,
    ask: way(abroad('DE', '10115'), MILANO),
    is: { zone: 'italia' },
    why: 'no province in common',
  },
]);

const ORIGINS = {
  origins: [
    { code: 'nord', places: { regions: ['Lombardia', 'Piemonte'] } },
    { code: 'deposito', warehouses: [7] },
  ],
  zones: [
    at('nord_sicilia', { regions: ['Sicilia'] }, 8, { from: ['nord'] }),
    at('deposito_ovunque', { anywhere: true }, 3, { from: ['deposito'] }),
    at('italia', { countries: ['IT'] }, 10),
  ],
  surcharges: [line('pickup', { fixed: 1 }, { origins: ['nord'] })],
};
tariffCases('Origins are distinguished:', [
  {
    name: 'a zone for the origin',
    version: ORIGINS,
    ask: way(MILANO, PALERMO),
    is: { zone: 'nord_sicilia', lines: { base: '8.00', pickup: '1.00' } },
    why: 'Milano is in Lombardia',
  },
  {
    name: 'none for the place',
    version: ORIGINS,
    ask: way(MILANO, MILANO),
    is: { zone: 'italia', surcharges: '1.00' },
    why: 'the zones without from',
  },
  {
    name: 'a warehouse by id',
    version: ORIGINS,
    ask: way(MILANO, PALERMO, 7),
    is: { zone: 'deposito_ovunque', surcharges: '0.00' },
    why: 'before its place',
  },
  {
    name: 'no origin',
    version: ORIGINS,
    ask: way(PALERMO, PALERMO),
    is: { zone: 'italia', surcharges: '0.00' },
    why: 'Sicilia is no origin',
  },
  {
    name: 'no zone for it',
    version: { ...ORIGINS, zones: ORIGINS.zones.slice(0, 2) },
    ask: way(PALERMO, PALERMO),
    is: { excluded: 'DESTINATION_NOT_SERVED', rule: '/versions/0/zones' },
    why: 'all zones are for other origins',
  },
]);

const EXCEPT = {
  zones: [
    at('isole', {
      regions: ['Sicilia'],
      postalCodes: ['07*'],
      except: { postalCodes: ['90010', '07024-07026'], municipalities: ['Lipari'] },
    }),
    at('palermo', { provinces: ['PA'], except: { postalCodes: ['90030-90039'] } }),
    at('italia', { countries: ['IT'] }),
  ],
};
const to = (postalCode: string, city: string, province: string): Ask => ({ to: italian(postalCode, city, province) });
tariffCases('Exceptions inside a zone are applied:', [
  {
    name: 'a place that is excepted',
    version: EXCEPT,
    ask: to('98055', 'Lipari', 'ME'),
    is: { zone: 'italia' },
    why: 'Lipari is none of isole',
  },
  {
    name: 'its neighbour',
    version: EXCEPT,
    ask: to('98121', 'Messina', 'ME'),
    is: { zone: 'isole' },
    why: 'Messina is',
  },
  {
    name: 'another zone takes it',
    version: EXCEPT,
    ask: to('90010', 'Ustica', 'PA'),
    is: { zone: 'palermo' },
    why: 'by its province',
  },
  {
    name: 'and the other has an exception',
    version: EXCEPT,
    ask: to('90030', 'Altofonte', 'PA'),
    is: { zone: 'isole' },
    why: 'back to the region',
  },
  {
    name: 'within a range',
    version: EXCEPT,
    ask: to('07024', 'La Maddalena', 'SS'),
    is: { zone: 'italia' },
    why: '07* without 07024-07026',
  },
  {
    name: 'a range within a range',
    version: {
      zones: [
        at('wide', { postalCodes: ['90*'] }, 1),
        at('narrow', { postalCodes: ['9013*'], except: { postalCodes: ['90139'] } }, 2),
        at('italia', { countries: ['IT'] }, 3),
      ],
    },
    ask: { to: PALERMO },
    is: { zone: 'wide' },
    why: 'the next wider',
  },
  {
    name: 'in a condition',
    version: surcharge({ fixed: 1 }, { to: { regions: ['Sicilia'], except: { provinces: ['PA'] } } }),
    ask: { to: PALERMO },
    is: { surcharges: '0.00' },
    why: 'Palermo is excepted',
  },
]);

describe('Lists of the carrier', () => {
  const references: References = {
    lists: new Map([['disagiate', { postalCodes: ['90010', '98050'], municipalities: ['Lipari (ME 98055)'] }]]),
    indexes: new Map([
      [
        'gasolio',
        [
          { from: '2026-01-01', percent: 8 },
          { from: '2026-07-01', percent: 9.5 },
        ],
      ],
    ]),
  };
  const tariff = tariffOf({
    zones: [
      at('isole', { regions: ['Sicilia'], except: { lists: ['disagiate'] } }),
      at('lontane', { lists: ['disagiate'] }, 20),
    ],
    fuel: [line('fuel', { index: 'gasolio', of: ['base'] })],
  });
  const inZone = (ask: Ask) => shown(priceOn(tariff, ask, references));

  test('apply where a tariff names them, in zones and in exceptions', () => {
    expect(inZone(to('90010', 'Ustica', 'PA'))).toMatchObject({ zone: 'lontane', base: '20.00' });
    expect(inZone(to('98055', 'Lipari', 'ME'))).toMatchObject({ zone: 'lontane' });
    expect(inZone(to('90139', 'Palermo', 'PA'))).toMatchObject({ zone: 'isole' });
  });

  test('include the index of the month: 8 % of 10.00 until June, 9.5 % from July, and after its last month', () => {
    for (const [date, fuel] of [
      ['2026-06-30', '0.80'],
      ['2026-07-01', '0.95'],
      ['2026-12-31', '0.95'],
    ] as const) {
      expect(inZone({ ...to('90139', 'Palermo', 'PA'), date })).toMatchObject({ fuel });
    }
  });
});

const BY_RULE = {
  weight: {
    per: 'shipment' as const,
    volumetric: [
      { when: { zones: ['isole'] }, kgPerM3: 300 },
      { when: { parcel: { longestSideCm: { over: 120 } } }, kgPerM3: 400 },
      { kgPerM3: 200 },
    ],
    minimums: [{ when: { parcel: { girthCm: { over: 300 } } }, parcelKg: 40 }],
    roundUp: [{ upToKg: 30, toKg: 0.5 }, { upToKg: 100, toKg: 1 }, { toKg: 100 }],
  },
  zones: [at('isole', { regions: ['Sicilia'] }), at('italia', { countries: ['IT'] })],
};
const toMilan = (ask: Ask): Ask => ({ ...ask, to: MILANO });
tariffCases('The weight follows rules:', [
  {
    name: 'a factor by zone',
    version: BY_RULE,
    ask: parcels([1, 1, 100, 50, 20]),
    is: { volumetricGrams: 30_000, grams: 30_000 },
    why: '0.1 m³ × 300; 30 kg is a half',
  },
  {
    name: 'a factor by size',
    version: BY_RULE,
    ask: toMilan(parcels([2, 1, 100, 50, 20], [1, 1, 130, 10, 10])),
    is: { volumetricGrams: 45_200, grams: 46_000 },
    why: '0.2 m³ × 200 + 0.013 m³ × 400 = 45.2; above 30 to a whole kg',
  },
  {
    name: 'the least weight of an oversize parcel',
    version: BY_RULE,
    ask: toMilan(parcels([1, 12, 150, 40, 40], [1, 3, 10, 10, 10])),
    is: { volumetricGrams: 96_200, grams: 97_000 },
    why: '0.24 m³ × 400 + 0.001 m³ × 200 = 96.2',
  },
  {
    name: 'the least weight counts',
    version: { ...BY_RULE, weight: { ...BY_RULE.weight, volumetric: [] } },
    ask: toMilan(parcels([2, 12, 150, 40, 40], [1, 3.2, 10, 10, 10])),
    is: { volumetricGrams: 0, grams: 84_000 },
    why: '2 × 40 + 3.2 = 83.2',
  },
  {
    name: 'up to whole quintali',
    version: BY_RULE,
    ask: toMilan(parcels([1, 100.001, 10, 10, 10])),
    is: { grams: 200_000 },
    why: 'above 100 kg',
  },
  {
    name: 'of each parcel',
    version: { ...BY_RULE, weight: { ...BY_RULE.weight, per: 'parcel' } },
    ask: toMilan(parcels([2, 12, 150, 40, 40], [1, 30.1, 10, 10, 10])),
    is: { volumetricGrams: 192_200, grams: 223_000 },
    why: '0.24 m³ × 400 = 96 twice, 30.1 → 31; with 0.2 volumetric',
  },
]);

const KG = {
  weight: { per: 'shipment' as const, roundUp: [{ toKg: 0.001 }] },
  zones: [
    zone({
      bands: [
        { upToKg: 10, price: 6.8 },
        { upToKg: 100, perKg: 0.52, minimum: 9 },
        { upToKg: 1000, price: 10, per100Kg: 31 },
      ],
      beyond: [
        { upToKg: 2000, everyKg: 100, price: 28 },
        { upToKg: 4000, everyKg: 500, price: 120 },
      ],
    }),
  ],
};
const kg = (weight: number): Ask => ({ totals: { kg: weight } });
tariffCases('Prices by kilogram, by quintale and by steps are applied:', [
  { name: 'per kg, the minimum', version: KG, ask: kg(10.001), is: { base: '9.00' }, why: '5.20 is less' },
  { name: 'per kg', version: KG, ask: kg(42.125), is: { base: '21.91' }, why: '21.905, up' },
  { name: 'per quintale', version: KG, ask: kg(100.001), is: { base: '72.00' }, why: '10.00 + 2 × 31.00' },
  { name: 'the last band', version: KG, ask: kg(1000), is: { base: '320.00', steps: 0 }, why: '10.00 + 10 × 31.00' },
  { name: 'the first step', version: KG, ask: kg(1000.001), is: { base: '348.00', steps: 1 }, why: '320.00 + 28.00' },
  {
    name: 'the end of the first step',
    version: KG,
    ask: kg(2000),
    is: { base: '600.00', steps: 10 },
    why: '320.00 + 10 × 28.00',
  },
  {
    name: 'two kinds of steps',
    version: KG,
    ask: kg(2600),
    is: { base: '840.00', steps: 12 },
    why: '600.00 + 2 × 120.00',
  },
  {
    name: 'beyond all steps',
    version: KG,
    ask: kg(4000.001),
    is: { excluded: 'WEIGHT_OUT_OF_RANGE', rule: '/versions/0/zones/0/bands' },
    why: '4,000 kg at most',
  },
]);

const pallet = (type: string, quantity: number, isStackable = false, kgEach = 300) => ({
  kg: kgEach,
  sides: [120, 80, 140] as const,
  quantity,
  pallet: { type, isStackable },
});
const PALLETS = {
  weight: { per: 'shipment' as const, roundUp: [{ toKg: 1 }], kgPerLoadingMetre: 1000 },
  zones: [
    zone({
      pallets: [
        {
          types: ['EUR', 'IND'],
          prices: [
            { upTo: 1, price: 55 },
            { upTo: 3, price: 150 },
          ],
          each: 45,
        },
        { types: ['HALF'], prices: [{ upTo: 2, price: 60 }] },
      ],
      bands: [{ upToKg: 100, price: 12 }],
    }),
  ],
};
tariffCases('Pallets are priced:', [
  {
    name: 'one',
    version: PALLETS,
    ask: { parcels: [pallet('EUR', 1)] },
    is: { base: '55.00', grams: 400_000 },
    why: '1.2 × 0.8 / 2.4 = 0.4 loading metres, 400 kg',
  },
  {
    name: 'two of two types',
    version: PALLETS,
    ask: { parcels: [pallet('EUR', 1), pallet('IND', 1)] },
    is: { base: '150.00' },
    why: 'up to 3 together',
  },
  {
    name: 'each beyond',
    version: PALLETS,
    ask: { parcels: [pallet('EUR', 5)] },
    is: { base: '240.00' },
    why: '150.00 + 2 × 45.00',
  },
  {
    name: 'more than are carried',
    version: PALLETS,
    ask: { parcels: [pallet('HALF', 3)] },
    is: { excluded: 'DIMENSIONS_OUT_OF_RANGE', rule: '/versions/0/zones/0/pallets/1' },
    why: '2 at most',
  },
  {
    name: 'with parcels beside them',
    version: PALLETS,
    ask: { parcels: [pallet('EUR', 1), { kg: 20, sides: [10, 10, 10] }] },
    is: { base: '67.00', grams: 400_000 },
    why: '55.00 + 12.00 for 20 kg; the whole counts 400 kg',
  },
  {
    name: 'of a type without a price',
    version: PALLETS,
    ask: { parcels: [pallet('CHEP', 1)] },
    is: { excluded: 'WEIGHT_OUT_OF_RANGE' },
    why: '400 kg by weight',
  },
  {
    name: 'that can be stacked',
    version: {
      ...PALLETS,
      ...surcharge({ per: [{ measure: 'loadingMetres', every: 0.5, price: 7 }] }, { pallets: { from: 3 } }),
    },
    ask: { parcels: [pallet('EUR', 3, true)] },
    is: { base: '150.00', surcharges: '14.00', grams: 900_000 },
    why: '3 × 0.4 / 2 = 0.6 loading metres: 2 begun halves; 900 kg real',
  },
]);
