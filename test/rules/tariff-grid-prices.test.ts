import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gridOf, readGrid } from '../../src/domain/tariffs/grid/tariff.grid.rules.ts';
import { runs } from '../support/property-runs.ts';
import { type Zone, zone } from './grid-zones.ts';

// ---- What a zone costs by weight, in whole grams and cents.

function priceAt({ bands, beyond: [step] }: Pick<Zone, 'bands' | 'beyond'>, grams: number): number | undefined {
  const inGrams = (kg: number) => Math.round(kg * 1000);
  const inCents = (euro: number) => Math.round(euro * 100);
  for (const { upToKg, price = 0 } of bands) if (grams <= inGrams(upToKg)) return inCents(price);
  const last = bands.at(-1);
  if (!last || !step) return undefined;
  const steps = Math.ceil((grams - inGrams(last.upToKg)) / inGrams(step.everyKg));
  return inCents(last.price ?? 0) + steps * inCents(step.price);
}

const grams = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 100_000_000 }));
const euro = fc
  .oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 10_000_000 }))
  .map(cents => cents / 100);
const randomZone = fc.record({
  weights: fc.uniqueArray(grams, { minLength: 1, maxLength: 12 }),
  prices: fc.array(euro, { minLength: 12, maxLength: 12 }),
  beyond: fc.option(fc.record({ everyKg: grams.map(count => count / 1000), price: euro }), { nil: undefined }),
  isServed: fc.integer({ min: 0, max: 5 }).map(of => of > 0),
});
const randomZones = fc.array(randomZone, { minLength: 1, maxLength: 30 }).map(zones =>
  zones.map(({ weights, prices, beyond, isServed }, i) => {
    if (i > 0 && !isServed) return zone(`z${i}`, { bands: [], notServed: 'Sospeso' });
    const ordered = weights.toSorted((a, b) => a - b);
    const bands = ordered.map((count, at) => ({ upToKg: count / 1000, price: prices[at] ?? 0 }));
    return zone(`z${i}`, { bands, beyond: beyond ? [beyond] : [] });
  }),
);

/** How a spreadsheet may write a number: with a point, as it is, with thousands too. */
const WRITINGS: Readonly<Record<string, (cell: string) => string>> = {
  'decimal points': cell => cell.replace(',', '.'),
  'decimal commas': cell => cell,
  'thousands and two decimals': cell => {
    const [, plus = '', whole = '', fraction = ''] = /^(\+?)(\d+),?(\d*)$/.exec(cell) ?? [];
    return whole === '' ? cell : `${plus}${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, '.')},${fraction.padEnd(2, '0')}`;
  },
};

function zoneOf(column: ReturnType<typeof readGrid>['zones'][number] | undefined): Pick<Zone, 'bands' | 'beyond'> {
  const { bands = [], beyond } = column ?? {};
  return { bands: [...bands], beyond: beyond ? [beyond] : [] };
}

test.each(Object.keys(WRITINGS))('zones cost the same at every weight when they were cells with %s', name => {
  const write = WRITINGS[name] ?? String;
  const check = (zones: Zone[], weights: number[], withBeginnings: boolean) => {
    const [header = [], ...body] = gridOf(zones).map((row, i) => (i === 0 ? row : row.map(write)));
    const beginnings = ['0', ...body.map(([weight = '']) => weight)];
    const rows = withBeginnings
      ? [
          ['over_kg', ...header],
          ...body.map((row, i) => [row[0]?.startsWith('+') ? '' : (beginnings[i] ?? ''), ...row]),
        ]
      : [header, ...body];
    const read = readGrid(rows);
    const served = zones.filter(({ notServed }) => notServed === undefined);
    expect(read.zones.map(({ code }) => code)).toEqual(served.map(({ code }) => code));
    const edges = zones.flatMap(({ bands }) => bands.map(({ upToKg }) => Math.round(upToKg * 1000)));
    const telling = [1, 100_000_000, ...weights, ...edges.flatMap(edge => [edge - 1, edge, edge + 1])];
    for (const [i, one] of served.entries()) {
      const same = zoneOf(read.zones[i]);
      for (const weight of telling) {
        if (weight < 1) continue;
        const [was, is] = [priceAt(one, weight), priceAt(same, weight)];
        if (was !== is) expect.fail(`${one.code} at ${weight} g cost ${was}, now ${is}`);
      }
    }
    // A grid that was read has no cells left to split.
    expect(gridOf(served.map((one, i) => ({ ...one, ...zoneOf(read.zones[i]) })))).toEqual(gridOf(zones));
  };
  fc.assert(fc.property(randomZones, fc.array(grams, { maxLength: 20 }), fc.boolean(), check), {
    numRuns: runs(150),
    seed: 20_261_121,
  });
});
