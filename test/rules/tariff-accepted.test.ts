import { describe, expect, test } from 'vitest';
import { readTariff } from '../../src/domain/pricing/tariffs/check/tariff.check.rules.ts';
import { Fault } from '../../src/platform/fault.ts';
import { lineWith, problemsOf, tariffWith, zoneWith } from './quote-support.ts';
import { band, dated, extra, fuel, S, to, version, weight, when, zone } from './tariff-documents.ts';

describe('A tariff is accepted with', () => {
  test.each<[name: string, document: unknown]>([
    ['the least there is', tariffWith()],
    ['bands that name where they begin', band({ overKg: 0, upToKg: 3, price: 1 }, { overKg: 3, upToKg: 5, price: 2 })],
    ['a price of 0 and the highest', band({ upToKg: 3, price: 0 }, { upToKg: 100_000, price: 100_000 })],
    ['bands that grow cheaper', band({ upToKg: 3, price: 9 }, { upToKg: 5, price: 8 })],
    ['the most decimals', extra({ fixed: 0.01, perKg: 0.00001, percent: 0.0001, of: ['base'] })],
    ['zeros behind', extra({ perKg: 1.1, percent: 300, of: ['base'] })],
    ['versions that meet', dated({ validUntil: '2026-02-28' }, { validFrom: '2026-03-01' })],
    ['versions that meet in a leap year', dated({ validUntil: '2028-02-29' }, { validFrom: '2028-03-01' })],
    ['a version that ends where the next begins', dated({}, { validFrom: '2026-03-01' })],
    ['a version of one day', dated({ validUntil: '2026-01-01' })],
    ['fuel that began before', fuel({ rates: [{ from: '2020-01-01', percent: 0 }] })],
    ['a zone that is not served', zone({ bands: [], notServed: 'Sospeso' })],
    ['the same CAP twice in a zone', to({ postalCodes: ['90139', '90139', 'IT 90139'] })],
    ['a CAP in a range of another zone', to({ postalCodes: ['90*'] }, { postalCodes: ['90139'] })],
    ['ranges side by side', to({ postalCodes: ['57030-57039'] }, { postalCodes: ['57040-57045'] })],
    ['ranges that begin together', to({ postalCodes: ['57030-57039'] }, { postalCodes: ['57030-57035'] })],
    ['a comune with and without its province', to({ municipalities: ['Samone'] }, { municipalities: ['Samone (TO)'] })],
    ['the same digits of two countries', to({ postalCodes: ['35*'] }, { postalCodes: ['ES 35*'] })],
    ['a country and its group', to({ countries: ['EU'] }, { countries: ['FR'] })],
    [
      'a name in any case, with and without accents',
      to({ regions: ['SICILIA', 'valle d aosta'], provinces: ['forlì-cesena', 'pa'] }),
    ],
    ['the greater of two, with bounds', extra({ greaterOf: [{ fixed: 1 }, { perKg: 1 }], minimum: 1, maximum: 1 })],
    [
      'percentages of each other without a circle',
      extra({ percent: 1, of: ['s1', 's2'] }, { percent: 1, of: ['s2'] }, { percent: 1, of: ['base'] }),
    ],
    ['a line named twice', extra({ percent: 1, of: ['base', 'base'] })],
    ['an empty condition', when({})],
    ['cod for nothing', version({ cod: [lineWith('cod', { fixed: 0 })] })],
    ['the Union as origin', version({ originCountries: ['EU', 'CH'] })],
    ['VAT of one row', version({ vat: [{ to: { anywhere: true }, percent: 0 }] })],
    ['no volumetric weight', weight({})],
    ['the name of a schema', { $schema: 'tariff.schema.json', ...tariffWith() }],
  ])('%s', (_, document) => {
    expect(problemsOf(document)).toEqual([]);
  });

  test('its defaults, and is returned without the name of the schema', () => {
    const tariff = readTariff({ $schema: 'tariff.schema.json', ...tariffWith() });
    expect(tariff).not.toHaveProperty('$schema');
    expect(tariff).toMatchObject({ currency: 'EUR', versions: [{ limits: {}, surcharges: [], options: [] }] });
    expect(readTariff(structuredClone(tariff))).toEqual(tariff);
  });
});

const faultOf = (document: unknown, base?: string[]): Fault => {
  try {
    readTariff(document, base);
  } catch (error) {
    if (error instanceof Fault) return error;
  }
  return expect.fail('was accepted');
};

describe('A document that is too large is rejected before it is read if it has', () => {
  test('a million bands in a thousand zones', () => {
    const zones = Array.from({ length: 1_000 }, (_, i) => ({
      ...zoneWith(),
      code: `z${i}`,
      bands: Array(1_000).fill({}),
    }));
    const startedAtMs = performance.now();
    expect(problemsOf(version({ zones }))).toEqual([' too_many']);
    // Reading it took four seconds and a gigabyte.
    expect(performance.now() - startedAtMs).toBeLessThan(2_000);
  });

  test('more fields than any object has', () => {
    const fields = Object.fromEntries(Array.from({ length: 350_000 }, (_, i) => [`f${i}`, 1]));
    expect(problemsOf({ format: 2, name: 'L', versions: [], ...fields })).toEqual([' unknown_field']);
  });

  test('lists and objects within each other without end', () => {
    const lists = Array.from({ length: 40_000 }).reduce<unknown>(inner => [inner], []);
    const objects = Array.from({ length: 40_000 }).reduce<unknown>(more => ({ more }), Array(2_000).fill(''));
    expect(problemsOf({ format: 2, name: 'L', versions: lists })).toEqual(['/versions/0 wrong_type']);
    expect(problemsOf({ format: 2, name: 'L', versions: [], more: lists })).toContain('/more unknown_field');
    const [deep = ''] = problemsOf({ format: 2, name: 'L', versions: [], more: objects });
    expect(deep).toMatch(/^(\/more)+ too_many$/);
  });

  test('a list of more than anything but places may be many of', () => {
    const of = Array(1_001).fill('base');
    expect(problemsOf(extra({ percent: 1, of }))).toEqual([`${S}/price/of too_many`]);
  });

  test('more places than may be in all, over several versions', () => {
    const zones = [{ ...zoneWith(), to: { postalCodes: Array(150_000).fill('90139') } }];
    const document = dated({ validFrom: '2026-01-01', zones }, { validFrom: '2027-01-01', zones });
    expect(problemsOf(document)).toEqual(['/versions/1/zones/0/to/postalCodes too_many']);
  });

  test('more than the memory that a tariff may take, and the error says by how much', () => {
    const postalCodes = Array.from({ length: 80_000 }, (_, i) => `DE ${10_000 + i}`);
    const zones = [{ ...zoneWith(), to: { postalCodes } }];
    const fault = faultOf(dated({ validFrom: '2026-01-01', zones }, { validFrom: '2027-01-01', zones }));
    expect(fault.options.issues).toMatchObject([
      {
        path: ['versions'],
        code: 'too_many',
        message: expect.stringMatching(/^needs \d+ MB of memory, and the limit is 24 MB/),
      },
    ]);
  });
});

describe('A rejection', () => {
  test('is a 422 with sentences', () => {
    const fault = faultOf(to({ postalCodes: ['90139'] }, { postalCodes: ['90139'] }));
    expect(fault.code).toBe('validation_failed');
    expect(fault.options.issues?.[0]?.message).toBe('(90139) is claimed already by 90139 of zone z0');
  });

  test('has paths below the path of the caller', () => {
    const { issues } = faultOf(zone({ bands: [] }), ['input', 'tariff']).options;
    expect(issues?.[0]?.path).toEqual(['input', 'tariff', 'versions', 0, 'zones', 0, 'bands']);
  });

  test('stops at 100 problems', () => {
    const bands = Array.from({ length: 300 }, () => ({ upToKg: 1, price: 1 }));
    expect(problemsOf(band(...bands))).toHaveLength(100);
  });
});
