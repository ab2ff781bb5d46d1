import { cases, toTheGram, weighing } from './quote-cases.ts';
import { type Ask, type VersionInput, zoneWith } from './quote-support.ts';

const BANDS = [
  { upToKg: 1, price: 5 },
  { upToKg: 3, price: 6 },
  { upToKg: 5, price: 7.5 },
];
const closed: Partial<VersionInput> = { weight: toTheGram, zones: [zoneWith({ bands: BANDS })] };
const open: Partial<VersionInput> = {
  weight: toTheGram,
  zones: [zoneWith({ bands: BANDS, beyond: [{ everyKg: 2, price: 1.1 }] })],
};

cases('Bands hold up to and including their limit:', [
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
    version: { ...closed, weight: { per: 'shipment', roundUp: [{ toKg: 1 }] } },
    ask: weighing(4.8),
    is: { grams: 5000, base: '7.50' },
    why: 'rounded up to the limit',
  },
  {
    name: '4.8 kg in steps of 2 kg, closed',
    version: { ...closed, weight: { per: 'shipment', roundUp: [{ toKg: 2 }] } },
    ask: weighing(4.8),
    is: { excluded: 'WEIGHT_OUT_OF_RANGE' },
    why: 'rounded up to 6, beyond the limit',
  },
]);

const wide = [zoneWith({ bands: [{ upToKg: 5000, price: 5 }] })];
const weight = (
  per: 'shipment' | 'parcel',
  toKg: number,
  ...volumetric: NonNullable<VersionInput['weight']['volumetric']>
): Partial<VersionInput> => ({ zones: wide, weight: { per, roundUp: [{ toKg }], volumetric } });
const box = { kg: 4, sides: [40, 30, 30] } as const; // 36,000 cm³
const TWO: Ask = {
  parcels: [
    { kg: 2.1, sides: [30, 20, 20] },
    { kg: 3.2, sides: [10, 10, 10] },
  ],
};

cases('The chargeable weight is calculated as by hand:', [
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
