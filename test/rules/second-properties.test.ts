import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventCharge, type ShipmentEvent } from '../../src/domain/quotes/after-shipment.rules.ts';
import { price, vatByRate } from '../../src/domain/quotes/quote.rules.ts';
import { NOT_CHARGED } from '../../src/domain/quotes/quote-terms.rules.ts';
import { compileTariff } from '../../src/domain/tariffs/compile.rules.ts';
import { upgradedTariff } from '../../src/domain/tariffs/second.rules.ts';
import { readTariff } from '../../src/domain/tariffs/tariff.check.rules.ts';
import { runs } from '../support/property-runs.ts';
import type { Q } from './quote-reference.ts';
import { compiled, shipmentOf } from './quote-support.ts';
import { randomSecondAsk, randomSecondTariff } from './random-second-tariffs.ts';
import { Dice, randomAsk, randomTariff } from './random-tariffs.ts';
import { oracle } from './second-reference.ts';

const cents = (amount: Q) => Number((amount.n * 100n) / amount.d);
const grams = (kg: Q) => Number((kg.n * 1000n + kg.d - 1n) / kg.d);
const asCents = (lines: Readonly<Record<string, Q>> = {}) =>
  Object.fromEntries(Object.entries(lines).map(([code, amount]) => [code, cents(amount)]));

/** Each takes some seconds of a processor, and far more where others use it too. */
const LONG = { timeout: 180_000 };

test('random tariffs of the second format price as the guide says, to the cent', LONG, () => {
  const met = { priced: 0, excluded: 0, discounts: 0, cut: 0, events: 0, pallets: 0, vats: 0, negativeVats: 0 };
  fc.assert(
    fc.property(fc.noShrink(fc.integer()), number => {
      const dice = new Dice(number);
      const document = randomSecondTariff(dice);
      const engine = compileTariff(readTariff(document));
      for (let i = 0; i < 30; i++) {
        const ask = randomSecondAsk(dice);
        const shipment = shipmentOf(ask);
        const days = dice.roll(12);
        const events = (['storage', 'return', 'waiting'] as const).map(on => ({ on, days, minutes: days * 7 }));
        const result = price(engine, shipment);
        const wanted = oracle(document, ask, events);
        const what = () => JSON.stringify({ ask, result: result.ok ? result.zone.code : result, document });
        if (!result.ok || wanted.excluded) {
          if (result.ok === wanted.excluded) expect.fail(what());
          met.excluded++;
          continue;
        }
        const lines: Record<string, number> = {};
        for (const [position, { code }] of result.version.lines.entries()) {
          if (result.amounts[position] !== NOT_CHARGED) lines[code] = result.amounts[position] as number;
        }
        const late: Record<string, number> = {};
        for (const { on, days: storageDays, minutes: waitingMinutes } of events) {
          const charge = eventCharge(result, shipment, { on: on as ShipmentEvent, storageDays, waitingMinutes });
          if (charge) late[on] = charge.cents;
        }
        const got = {
          zone: result.zone.code,
          lines,
          grams: result.chargeableGrams,
          volumetric: result.volumetricGrams,
          total: result.totalCents,
          vat: result.vatCents,
          rates: Object.fromEntries(
            vatByRate(result.version, result.amounts, result.vatPpm).map(({ ppm, net, vat }) => [
              ppm / 10_000,
              [net, vat],
            ]),
          ),
          late,
        };
        const expected = {
          zone: wanted.zone,
          lines: asCents(wanted.lines),
          grams: wanted.chargeable && grams(wanted.chargeable),
          volumetric: wanted.volumetric && grams(wanted.volumetric),
          total: wanted.total && cents(wanted.total),
          vat: wanted.vat && cents(wanted.vat),
          rates: Object.fromEntries(
            Object.entries(wanted.vatBreakdown ?? {}).map(([rate, amounts]) => [rate, amounts.map(cents)]),
          ),
          late: result.cutCents > 0 ? late : asCents(wanted.events),
        };
        // What it is about is written only where it fails: it is long.
        if (!isDeepStrictEqual(got, expected)) expect(got, what()).toEqual(expected);
        met.priced++;
        if (Object.values(lines).some(amount => amount < 0)) met.discounts++;
        if (result.cutCents > 0) met.cut++;
        if (Object.keys(late).length > 0) met.events++;
        if (result.base.pallets.length > 0) met.pallets++;
        if (result.version.hasLineVat) met.vats++;
        if (Object.values(got.rates).some(([net = 0]) => net < 0)) met.negativeVats++;
      }
    }),
    { numRuns: runs(220), seed: 81 },
  );
  // Each of them was met often enough to be worth something.
  expect(met.priced).toBeGreaterThan(runs(2_500));
  for (const [what, often] of Object.entries(met)) expect(often, what).toBeGreaterThan(runs(20));
});

test('a tariff of the first format prices the same after its upgrade, line by line', LONG, () => {
  let priced = 0;
  fc.assert(
    fc.property(fc.noShrink(fc.integer()), number => {
      const dice = new Dice(number);
      const first = randomTariff(dice);
      const upgraded = compileTariff(readTariff(upgradedTariff(readTariff(first))));
      const before = compiled(first);
      for (let i = 0; i < 20; i++) {
        const shipment = shipmentOf(randomAsk(dice));
        const [one, other] = [price(before, shipment), price(upgraded, shipment)];
        const plain = (result: typeof one) =>
          result.ok ? { ...result, version: 0, zone: result.zone.code, zoneTable: 0 } : { code: result.code };
        expect(plain(other)).toEqual(plain(one));
        if (one.ok) priced++;
      }
    }),
    { numRuns: runs(200), seed: 82 },
  );
  expect(priced).toBeGreaterThan(runs(1_000));
});
