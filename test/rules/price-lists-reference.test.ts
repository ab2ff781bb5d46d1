import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeWarnings } from '../../src/domain/pricing/tariffs/check/place-warnings.rules.ts';
import { readTariff } from '../../src/domain/pricing/tariffs/check/tariff.check.rules.ts';
import { compileTariff } from '../../src/domain/pricing/tariffs/compile/compile.rules.ts';
import { price } from '../../src/domain/pricing/tariffs/engine/quote.rules.ts';
import { runs } from '../support/property-runs.ts';
import { Dice } from './dice.ts';
import { PLACES } from './known-places.ts';
import { FOREIGN_PLACES, NATIONAL_PLACES } from './price-list-places.ts';
import { shipmentOf } from './quote-support.ts';
import { randomAsk } from './random-tariffs.ts';
import type { TariffInput } from './tariff-cases.ts';
import { reference } from './tariff-reference.ts';

/** The price lists of parcels of the examples price random shipments as the reference does. */

const exampleOf = (file: string) =>
  readFileSync(new URL(`../../schema/examples/tariffs/${file}`, import.meta.url), 'utf8').trim();
const rowsOf = (file: string) =>
  exampleOf(file)
    .split('\n')
    .map(row => row.split(';'));

/**
 * The content of an index or a list of the carrier, inserted into the document, because the reference reads documents
 * alone.
 */
function inlined(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(part => inlined(name, part));
  if (typeof value !== 'object' || value === null) return value;
  const { index, lists, ...others } = value as { index?: string; lists?: readonly string[] };
  const rates = index && {
    rates: rowsOf(`${name}-${index.replace('_', '-')}.csv`)
      .slice(1)
      .map(([from = '', percent = '']) => ({
        from: `${from}-01`.slice(0, 10),
        percent: Number(percent.replace(',', '.')),
      })),
  };
  const places = (lists ?? []).flatMap(list => {
    const [header = [], ...rows] = rowsOf(`${name}-${list}.csv`);
    return header.map((field, i) => [field, rows.map(row => row[i]).filter(Boolean)] as const);
  });
  const rest = Object.entries(others).map(([key, inner]) => [key, inlined(name, inner)]);
  return { ...Object.fromEntries(rest), ...rates, ...Object.fromEntries(places) };
}

/** Parcels of weights and sides around the bounds of bands, limits and surcharges. */
function parcelsOf(dice: Dice) {
  const around = (value: number) => Math.max(1, value - 2 + dice.roll(5));
  return Array.from({ length: 1 + dice.roll(3) }, () => ({
    kg: dice.chance(50) ? around(dice.of([1, 3, 5, 10, 20, 30, 50])) : dice.decimal(60, 3) + 0.001,
    sides: [around(dice.of([20, 40, 100, 150])), around(dice.of([15, 30, 60])), around(dice.of([10, 30]))] as const,
    quantity: 1 + dice.roll(3),
  }));
}

test.each([
  ['brt-like', NATIONAL_PLACES, ['appuntamento', 'piano'], [undefined]],
  ['gls-like', NATIONAL_PLACES, ['sponda', 'appuntamento'], [undefined]],
  ['dhl-like', FOREIGN_PLACES, ['saturday', 'signature'], [undefined, 'noon', 'express', 'economy']],
] as const)(
  'The price list %s prices random parcels as the guide states, to the cent',
  (name, places, offered, services) => {
    const document = inlined(name, JSON.parse(exampleOf(`${name}.json`))) as TariffInput;
    const engine = compileTariff(readTariff(document));
    let priced = 0;
    const met = new Set<string>();
    fc.assert(
      fc.property(fc.noShrink(fc.integer()), number => {
        const dice = new Dice(number);
        for (let i = 0; i < 20; i++) {
          const { totals: _, service: __, ...common } = randomAsk(dice);
          const there = dice.of<(typeof places)[number]>(places);
          const service = dice.of<string | undefined>(services);
          const ask = {
            ...common,
            there,
            to: there.place,
            here: PLACES[3] ?? there,
            from: PLACES[3]?.place ?? 'IT',
            parcels: parcelsOf(dice),
            options: dice.some<string>(offered, 20),
            date: dice.of(['2026-06-15', '2026-10-05', '2026-11-18', '2026-11-25']),
            ...(service && { service }),
          };
          const result = price(engine, shipmentOf(ask));
          const wanted = reference(document, ask);
          if (!result.ok) expect([...wanted.reasons], JSON.stringify(ask)).toContain(result.code);
          else {
            const { totalCents, vatCents } = result;
            expect([totalCents, vatCents], JSON.stringify(ask)).toEqual([wanted.total?.cents(), wanted.vat?.cents()]);
            priced++;
            for (const code of Object.keys(wanted.lines ?? {})) met.add(code);
          }
        }
      }),
      { numRuns: runs(100), seed: 34 },
    );
    expect(priced).toBeGreaterThan(runs(400));
    const [version] = document.versions;
    const { surcharges = [], fuel = [], options = [], cod = [], insurance = [] } = version ?? {};
    const codes = [surcharges, fuel, options, cod, insurance].flat().map(({ code }) => code);
    expect(codes.filter(code => !met.has(code))).toEqual([]);
  },
);

test.each(['brt-like', 'gls-like', 'dhl-like', 'pallet-network'])('The price list %s has no place to look at', name => {
  expect(placeWarnings(readTariff(JSON.parse(exampleOf(`${name}.json`))))).toEqual([]);
});
