import { area, cases, flat, fuel, weighing } from './quote-cases.ts';
import { lineWith, type VersionInput } from './quote-support.ts';

const istat = lineWith('istat', { percent: 2.9, of: ['base'] });
const surcharge = (price: Parameters<typeof lineWith>[1], base = 5): Partial<VersionInput> => ({
  zones: flat(base),
  surcharges: [lineWith('extra', price)],
});

cases('Surcharges and fuel have the prices calculated by hand:', [
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
    name: 'minimum',
    version: surcharge({ percent: 1, of: ['base'], minimum: 0.5 }),
    is: { surcharges: '0.50', total: '5.50', gross: '6.71' },
    why: '0.05 is less; VAT 1.21',
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
    name: 'greater of two, with a maximum',
    version: surcharge({ greaterOf: [{ fixed: 3 }, { perKg: 0.45 }], maximum: 4 }),
    ask: weighing(10),
    is: { surcharges: '4.00' },
    why: '4.50 is more',
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
