import { describe, expect, test } from 'vitest';
import { atOnce } from '../../src/domain/steps.rules.ts';
import { firstFormat as tariffFormat } from '../../src/domain/tariffs/first.format.rules.ts';
import { readForm } from '../../src/domain/tariffs/form.rules.ts';
import { DEMO_TARIFFS } from '../rest/tariffs.ts';
import { lineWith, tariffWith, versionWith, zoneWith } from './quote-support.ts';

const version = (overrides: object) => ({ name: 'Listino', versions: [{ ...versionWith(), ...overrides }] });
const bands = (count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, i) => ({ upToKg: i + 1, price: 5, ...(i === 250 && fields) }));

/** Read in steps and at once by zod itself; issues without an order. */
function bothWays(document: unknown) {
  const inSteps = atOnce(readForm(tariffFormat, document, 1_000));
  const whole = tariffFormat.safeParse(document);
  const sorted = (issues: readonly object[]) => issues.map(issue => JSON.stringify(issue)).toSorted();
  return [
    { value: inSteps.value, issues: sorted(inSteps.issues) },
    { value: whole.data, issues: sorted(whole.error?.issues ?? []) },
  ];
}

describe('A tariff that is read in steps is as zod reads it', () => {
  test.each<[what: string, document: unknown]>([
    ...DEMO_TARIFFS.map(([carrier, tariff]): [string, unknown] => [carrier, tariff]),
    ['defaults', tariffWith()],
    ['texts that are trimmed', { ...tariffWith(), name: ' Listino ' }],
    ['800 bands', version({ zones: [zoneWith({ bands: bands(800) })] })],
    [
      'everything optional',
      version({
        surcharges: [lineWith('a', { greaterOf: [{ fixed: 1 }, { percent: 1, of: ['base'] }] }, { zones: ['all'] })],
        vat: [
          { to: { countries: ['IT'] }, percent: 22 },
          { to: { anywhere: true }, percent: 0 },
        ],
        originCountries: ['IT'],
        cod: { fixed: 1 },
      }),
    ],
  ])('%s', (_what, document) => {
    const [inSteps, whole] = bothWays(document);
    expect(whole?.issues).toEqual([]);
    expect(inSteps).toEqual(whole);
  });

  test.each<[what: string, document: unknown]>([
    ['no object', 7],
    ['nothing', undefined],
    ['a list', []],
    ['no versions', { name: 'L' }],
    ['versions that are no list', { name: 'L', versions: {} }],
    ['an empty list', { name: 'L', versions: [] }],
    ['too long a list', { name: 'L', versions: Array(51).fill(versionWith()) }],
    ['null in place of a list', version({ surcharges: null })],
    ['null in place of an object', version({ weight: null })],
    ['unknown fields at every depth', { ...version({ zones: [{ ...zoneWith(), to: { x: 1 }, y: 2 }], z: 3 }), w: 4 }],
    ['one wrong band of 800', version({ zones: [{ ...zoneWith(), bands: bands(800, { price: -1, x: 1 }) }] })],
    ['a band that is null', version({ zones: [{ ...zoneWith(), bands: [null] }] })],
    ['wrong places', version({ zones: [{ ...zoneWith(), to: { postalCodes: ['1', 2, null], countries: ['xx'] } }] })],
    ['a wrong union', version({ weight: { volumetric: { x: 1 }, per: 'shipment', roundUpToKg: 1 } })],
    ['a wrong tuple', version({ surcharges: [{ code: 'a', description: 'A', price: { greaterOf: [{}] } }] })],
    ['a day that is none', version({ validFrom: '2026-02-30' })],
  ])('%s: the same issues', (_what, document) => {
    const [inSteps, whole] = bothWays(document);
    expect(whole?.issues).not.toEqual([]);
    expect(inSteps).toEqual(whole);
  });

  test('no more of it than can be reported', () => {
    const document = version({ zones: [{ ...zoneWith(), bands: Array(1_000).fill({}) }] });
    expect(atOnce(readForm(tariffFormat, document, 10)).issues.length).toBeLessThan(300);
  });
});
