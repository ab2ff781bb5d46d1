import { z } from 'zod';
import type { Words } from '../explanation-words.rules.ts';
import type { Situation } from '../shipment-terms.rules.ts';
import { DECIMALS, decimalNumber, grams, kgText, scaledSigned } from '../units.rules.ts';
import { chargeKind, rejectNegative } from './charge-kind.rules.ts';

interface PerGram {
  /** Millionths of a cent. */
  readonly perGram: number;
  readonly aboveGrams: number;
}

const chargedGrams = ({ aboveGrams }: PerGram, { chargeableGrams }: Situation) =>
  Math.max(0, chargeableGrams - aboveGrams);
const perKgText = ({ perGram }: PerGram) => decimalNumber(perGram, DECIMALS.eurPerKg);
const aboveText = (words: Words, { aboveGrams }: PerGram) => (aboveGrams > 0 ? words.above(kgText(aboveGrams)) : '');

/** An amount for each kilogram of chargeable weight, or for each kilogram above a limit. */
export const kilogramCharge = chargeKind({
  form: {
    perKg: z.number().min(-50).max(50).describe('EUR a kilogram of chargeable weight, at most 5 decimals.').optional(),
    aboveKg: z.number().positive().max(100_000).describe('With `perKg`: only kilograms above this.').optional(),
  },
  parts: ['perKg'],
  needs: { aboveKg: ['perKg'] },
  units: { perKg: 'eurPerKg', aboveKg: 'kg' },
  guide: ['`perKg`', 'EUR for each kilogram of chargeable weight; with `aboveKg`, only for the kilograms above it'],
  words: { perKg: 'price per kg' },
  isCalculated: ({ perKg = 0 }) => perKg !== 0,
  check: (issues, path, { perKg, aboveKg }, rules) => {
    if (aboveKg !== undefined && perKg === undefined)
      issues.add([...path, 'perKg'], 'required', 'must be given with aboveKg');
    rejectNegative(issues, [...path, 'perKg'], perKg, rules);
  },
  compile: ({ perKg = 0, aboveKg }): PerGram | undefined =>
    perKg === 0
      ? undefined
      : { perGram: scaledSigned(perKg, DECIMALS.eurPerKg) ?? Number.NaN, aboveGrams: grams(aboveKg) },
  apply: (price, _amounts, situation) => price.perGram * chargedGrams(price, situation),
  pricing: (price, { words }) => words.aKg(perKgText(price)) + aboveText(words, price),
  explain: (price, { words }, situation) =>
    `${perKgText(price)} × ${kgText(chargedGrams(price, situation))}${aboveText(words, price)}`,
});
