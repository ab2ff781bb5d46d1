import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTariff } from '../../src/domain/pricing/tariffs/check/tariff.check.rules.ts';
import { compileTariff } from '../../src/domain/pricing/tariffs/compile/compile.rules.ts';
import { price } from '../../src/domain/pricing/tariffs/engine/quote.rules.ts';
import { runs } from '../support/property-runs.ts';
import { Dice } from './dice.ts';
import { shipmentOf } from './quote-support.ts';
import { randomAsk } from './random-tariffs.ts';
import type { TariffInput } from './tariff-cases.ts';
import { reference } from './tariff-reference.ts';

const file = new URL('../../schema/examples/tariffs/pallet-network.json', import.meta.url);
const TARIFF = JSON.parse(readFileSync(file, 'utf8')) as TariffInput;

/** Pallets, and a parcel that is none now and then, of sizes and weights around the bounds of the classes. */
function palletsOf(dice: Dice) {
  const around = (value: number) => value - 10 + dice.roll(21);
  const floors = [
    [120, 80],
    [80, 120],
    [120, 100],
    [240, 100],
  ] as const;
  return Array.from({ length: 1 + dice.roll(3) }, () => {
    const [length, width] = dice.of(floors);
    return {
      kg: around(dice.of([100, 300, 600, 1200])),
      sides: [length, width, around(dice.of([60, 120, 220]))] as const,
      quantity: 1 + dice.roll(4),
      ...(dice.chance(90) && { pallet: { type: dice.of(['', 'EUR', 'mezzo']), isStackable: dice.chance(50) } }),
    };
  });
}

test('The price list of a pallet network prices random pallets as the guide states, to the cent', () => {
  const engine = compileTariff(readTariff(TARIFF));
  const met = { priced: 0, byNumber: 0, byWeight: 0 };
  fc.assert(
    fc.property(fc.noShrink(fc.integer()), number => {
      const dice = new Dice(number);
      for (let i = 0; i < 20; i++) {
        const { totals: _, ...common } = randomAsk(dice);
        const options = dice.some(['appuntamento', 'sponda'], 40);
        const ask = { ...common, parcels: palletsOf(dice), options, date: '2026-11-23' };
        const result = price(engine, shipmentOf(ask));
        const wanted = reference(TARIFF, ask);
        if (!result.ok) expect([...wanted.reasons], JSON.stringify(ask)).toContain(result.code);
        else {
          const { base, totalCents, vatCents } = result;
          expect([totalCents, vatCents], JSON.stringify(ask)).toEqual([wanted.total?.cents(), wanted.vat?.cents()]);
          met.priced++;
          if (base.pallets.length > 0) met.byNumber++;
          if (base.band >= 0) met.byWeight++;
        }
      }
    }),
    { numRuns: runs(100), seed: 34 },
  );
  for (const [what, often] of Object.entries(met)) expect(often, what).toBeGreaterThan(runs(200));
});
