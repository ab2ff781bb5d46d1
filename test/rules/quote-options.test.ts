import { area, cases, flat, fuel, sized, toTheGram, weighing } from './quote-cases.ts';
import { type Ask, lineWith, type Shown, type VersionInput } from './quote-support.ts';

const services: Partial<VersionInput> = {
  zones: flat(5),
  weight: { per: 'shipment', roundUp: [{ toKg: 0.1 }] },
  options: [
    lineWith('appointment', { fixed: 4 }),
    lineWith('phone', { fixed: 1.5 }),
    lineWith('floor', { perParcel: 6 }),
    lineWith('tail_lift', { fixed: 15 }, { chargeableKg: { from: 50 } }),
    lineWith('saturday', { fixed: 9 }),
  ],
  cod: [lineWith('cod', { fixed: 3, percent: 1.2, of: ['codAmount'], minimum: 4.5 }, { codAmount: { upTo: 4999.99 } })],
  insurance: [
    lineWith(
      'insurance',
      { percent: 0.9, of: ['insuredValue'], minimum: 3.5, above: 500 },
      { insuredValue: { upTo: 10_000 } },
    ),
  ],
};

cases('Options, COD and insurance have the prices calculated by hand:', [
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
  { name: 'COD at its maximum', version: services, ask: { cod: 4999.99 }, is: { cod: '63.00' }, why: '3 + 59.99988' },
  {
    name: 'COD not offered',
    version: { zones: flat(5) },
    ask: { cod: 0.01 },
    is: { excluded: 'COD_NOT_SUPPORTED', rule: '/versions/0/cod' },
    why: 'the tariff has none',
  },
  {
    name: 'COD without limit',
    version: { ...services, cod: [lineWith('cod', { percent: 1, of: ['codAmount'] })] },
    ask: { cod: 1_000_000 },
    is: { cod: '10000.00' },
    why: '1 % of a million',
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
    is: { excluded: 'INSURANCE_NOT_SUPPORTED', rule: '/versions/0/insurance/0/when/insuredValue' },
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

cases('Limits are checked as by hand:', [
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
