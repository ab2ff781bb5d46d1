import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { price } from '../../src/domain/quotes/quote.rules.ts';
import { type Exclusion, NOT_CHARGED, type Price, type Shipment } from '../../src/domain/quotes/quote-terms.rules.ts';
import { runs } from '../support/property-runs.ts';
import { Q, reference } from './quote-reference.ts';
import { compiled, shipmentOf, type TariffInput } from './quote-support.ts';
import { Dice, randomAsk, randomTariff } from './random-tariffs.ts';

/** Each takes some seconds of a processor, and all cases half a minute: far more where others use it too. */
const LONG = { timeout: 180_000 };

const SHIPMENTS = 40;

/** The same random tariffs for every property: reading and compiling them takes most of the time. */
const TARIFFS_SEED = 11;
const known = new Map<number, { readonly document: TariffInput; readonly engine: ReturnType<typeof compiled> }>();

function tariffOf(number: number) {
  const found = known.get(number);
  if (found) return found;
  const document = randomTariff(new Dice(number));
  const made = { document, engine: compiled(document) };
  known.set(number, made);
  return made;
}

/** For each of so many random tariffs, each of `SHIPMENTS` random shipments, which are others for each seed. */
function everywhere(
  tariffs: number,
  seed: number,
  check: (document: TariffInput, engine: ReturnType<typeof compiled>, dice: Dice) => void,
): void {
  fc.assert(
    fc.property(fc.noShrink(fc.integer()), number => {
      const { document, engine } = tariffOf(number);
      const dice = new Dice(number ^ seed);
      for (let i = 0; i < SHIPMENTS; i++) check(document, engine, dice);
    }),
    { numRuns: runs(tariffs), seed: TARIFFS_SEED },
  );
}

const linesOf = ({ version, amounts }: Price) =>
  Object.fromEntries(
    version.lines.map(({ code }, i) => [code, amounts[i] ?? NOT_CHARGED]).filter(([, cents]) => cents !== NOT_CHARGED),
  );

/** Everything of a result but the tables it was found in. */
const plain = (result: Price | Exclusion) =>
  JSON.stringify(
    result.ok
      ? { ...result, version: result.version.index, zone: result.zone.index, zoneTable: undefined }
      : { ...result, version: 0 },
  );

/** `toEqual`, which takes longer than all that it compares here: it only says what differs. */
function same(got: unknown, wanted: unknown, ask?: object): void {
  if (!isDeepStrictEqual(got, wanted)) expect(got, JSON.stringify(ask)).toEqual(wanted);
}

test('agrees to the cent with a reference in fractions', LONG, () => {
  const outcomes = new Map<string, number>();
  everywhere(1_200, 11, (document, engine, dice) => {
    const ask = randomAsk(dice);
    const result = price(engine, shipmentOf(ask));
    const { reasons, lines, chargeable, total, vat } = reference(document, ask);
    const outcome = result.ok ? 'ok' : result.code;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (!result.ok) {
      if (!reasons.has(result.code)) expect([...reasons], JSON.stringify(ask)).toContain(result.code);
      return;
    }
    const got = {
      lines: linesOf(result),
      grams: result.chargeableGrams,
      total: result.totalCents,
      vat: result.vatCents,
    };
    const grams = Number(chargeable?.times(new Q(1000)).ceil().n ?? -1n);
    const wanted = { lines, grams, total, vat };
    same([...reasons], [], ask);
    same(got, wanted, ask);
  });
  // Every way it can end was met often enough.
  expect(outcomes.get('ok')).toBeGreaterThan(runs(15_000));
  expect([...outcomes.keys()].toSorted()).toEqual([
    'COD_NOT_SUPPORTED',
    'DESTINATION_NOT_SERVED',
    'DIMENSIONS_OUT_OF_RANGE',
    'INSURANCE_NOT_SUPPORTED',
    'NO_TARIFF_IN_FORCE',
    'OPTION_NOT_SUPPORTED',
    'WEIGHT_OUT_OF_RANGE',
    'ok',
  ]);
  for (const often of outcomes.values()) expect(often).toBeGreaterThan(runs(100));
});

test(
  'lines add up to components, components to the total, VAT is its rate on it, and all are whole cents',
  LONG,
  () => {
    everywhere(800, 22, (_, engine, dice) => {
      const result = price(engine, shipmentOf(randomAsk(dice)));
      if (!result.ok) return;
      const { components, version, amounts, totalCents, vatPpm, vatCents, grossCents } = result;
      const sums = { base: 0, surcharges: 0, fuel: 0, options: 0, cod: 0, insurance: 0 };
      for (const [i, { component }] of version.lines.entries()) sums[component] += Math.max(amounts[i] ?? 0, 0);
      same(components, sums);
      same(
        Object.values(components).reduce((a, b) => a + b),
        totalCents,
      );
      same(vatCents, Number((BigInt(totalCents) * BigInt(vatPpm) * 2n + 1_000_000n) / 2_000_000n));
      same(totalCents + vatCents, grossCents);
      const all = [
        ...Object.values(components),
        ...amounts.filter(cents => cents !== NOT_CHARGED),
        totalCents,
        vatCents,
        grossCents,
      ];
      same(
        all.filter(cents => !Number.isSafeInteger(cents) || cents < 0),
        [],
      );
    });
  },
);

test('more weight never costs less, where band prices ascend', LONG, () => {
  let compared = 0;
  let dearer = 0;
  everywhere(800, 33, (_, engine, dice) => {
    const light = shipmentOf(randomAsk(dice));
    const [first, ...others] = light.parcels;
    if (!first) return;
    const more = 1 + dice.roll(30_000);
    const heavy: Shipment = {
      ...light,
      parcels: [{ ...first, grams: first.grams + more }, ...others],
      grams: light.grams + more * (first.share > 1 ? 1 : first.quantity),
      heaviestGrams: Math.max(light.heaviestGrams, Math.ceil((first.grams + more) / first.share)),
    };
    const [less, greater] = [price(engine, light), price(engine, heavy)];
    if (!less.ok || !greater.ok) return;
    compared++;
    if (greater.totalCents > less.totalCents) dearer++;
    const cheaper = (['chargeableGrams', 'totalCents', 'grossCents'] as const).filter(it => greater[it] < less[it]);
    same(cheaper, [], { light, heavy });
  });
  expect(compared).toBeGreaterThan(runs(8_000));
  expect(dearer).toBeGreaterThan(runs(4_000));
});

test('the order of parcels does not matter, and the same input has the same result', LONG, () => {
  everywhere(600, 44, (document, engine, dice) => {
    const ask = randomAsk(dice);
    const result = plain(price(engine, shipmentOf(ask)));
    same(plain(price(engine, shipmentOf(ask))), result, ask);
    if (ask.parcels) same(plain(price(engine, shipmentOf({ ...ask, parcels: ask.parcels.toReversed() }))), result, ask);
    if (dice.chance(3)) same(plain(price(compiled(structuredClone(document)), shipmentOf(ask))), result, ask);
  });
});
