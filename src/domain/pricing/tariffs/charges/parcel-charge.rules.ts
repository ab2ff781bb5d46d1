import { z } from 'zod';
import { amountText } from '../conditions/measures.rules.ts';
import { type CompiledParcelTest, compileParcel, countParcels } from '../conditions/parcel-condition.rules.ts';
import type { Situation } from '../shipment-terms.rules.ts';
import { cents, MICRO, money } from '../units.rules.ts';
import { chargeKind, rejectNegative } from './charge-kind.rules.ts';

interface PerParcel {
  /** Millionths of a cent. */
  readonly perParcel: number;
  /** Which parcels; undefined for all. */
  readonly parcel: CompiledParcelTest | undefined;
  readonly afterParcels: number;
}

function chargedParcels({ parcel, afterParcels }: PerParcel, { shipment }: Situation): number {
  const count = parcel === undefined ? shipment.parcelCount : countParcels(parcel, shipment.parcels);
  return Math.max(0, count - afterParcels);
}

/**
 * An amount for each parcel that meets the condition of the line, or for every parcel, except for a number of first
 * ones.
 */
export const parcelCharge = chargeKind({
  form: {
    perParcel: z.number().min(-1_000).max(1_000).describe('EUR a parcel, at most 2 decimals.').optional(),
    parcels: z
      .enum(['matching', 'all'])
      .describe(
        'With `perParcel`: the parcels that the condition `parcel` of the line is about (without one: all), or all.',
      )
      .optional(),
    afterParcels: z.int().min(1).max(500).describe('With `perParcel`: not for the first so many.').optional(),
  },
  parts: ['perParcel'],
  needs: { parcels: ['perParcel'], afterParcels: ['perParcel'] },
  units: { perParcel: 'money' },
  guide: [
    '`perParcel`',
    'EUR for each parcel that `when.parcel` of the line holds for. Without `when.parcel`, or with `"parcels": "all"`, for every parcel. `afterParcels` leaves out the first ones, by their number.',
  ],
  words: { perParcel: 'price per parcel' },
  isCalculated: () => false,
  check: (issues, path, { perParcel, parcels, afterParcels }, rules) => {
    if ((parcels !== undefined || afterParcels !== undefined) && perParcel === undefined)
      issues.add([...path, 'perParcel'], 'required', 'must be given with parcels and afterParcels');
    rejectNegative(issues, [...path, 'perParcel'], perParcel, rules);
  },
  compile: ({ perParcel = 0, parcels, afterParcels = 0 }, { parcel }): PerParcel | undefined =>
    perParcel === 0
      ? undefined
      : {
          perParcel: cents(perParcel) * MICRO,
          parcel: parcel !== undefined && parcels !== 'all' ? compileParcel(parcel) : undefined,
          afterParcels,
        },
  apply: (price, _amounts, situation) => price.perParcel * chargedParcels(price, situation),
  pricing: ({ perParcel, parcel, afterParcels }, { words }) =>
    words.aParcel(money(perParcel / MICRO)) +
    (parcel ? words.ofItsCondition : '') +
    (afterParcels > 0 ? words.afterFirst(afterParcels) : ''),
  explain: (price, { words }, situation) =>
    `${money(price.perParcel / MICRO)} × ${amountText(words, 'parcels', chargedParcels(price, situation))}`,
});
