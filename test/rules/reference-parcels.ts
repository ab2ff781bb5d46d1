import { Q, q } from './fractions.ts';
import type { LineInput } from './tariff-cases.ts';

/** Parcels as the guide speaks of them, and the tests that they meet. */

type When = NonNullable<LineInput['when']>;
export type Range = NonNullable<When['realKg']>;
type ParcelTests = NonNullable<When['parcel']>;

export interface Parcel {
  readonly kg: Q;
  readonly m3: Q;
  /** In centimetres, as given; undefined in a quote with totals. */
  readonly sides: readonly [number, number, number] | undefined;
  readonly pallet: { readonly type: string; readonly isStackable: boolean } | undefined;
}

export const GRAM = new Q(1, 1000);
const LEAST_M3 = new Q(1, 1_000_000);

export function lies(range: Range | undefined, value: Q): boolean {
  if (range === undefined) return true;
  const { from, over, upTo, below } = range;
  return (
    (from === undefined || !q(from).above(value)) &&
    (over === undefined || value.above(q(over))) &&
    (upTo === undefined || !value.above(q(upTo))) &&
    (below === undefined || q(below).above(value))
  );
}

export function parcelHolds(tests: ParcelTests, { kg, m3, sides, pallet }: Parcel): boolean {
  const { weightKg, volumeM3, palletTypes, isPallet, isStackable, anyOf, noneOf } = tests;
  const [a = 0, b = 0, c = 0] = [...(sides ?? [])].sort((x, y) => y - x);
  const [longest, second, shortest] = [q(a), q(b), q(c)];
  const round = longest.plus(second).plus(shortest);
  const sized: [Range | undefined, Q][] = [
    [tests.longestSideCm, longest],
    [tests.secondSideCm, second],
    [tests.sumOfSidesCm, round],
    [tests.girthCm, round.plus(second).plus(shortest)],
  ];
  return (
    lies(weightKg, kg.upTo(GRAM)) &&
    lies(volumeM3, m3.upTo(LEAST_M3)) &&
    sized.every(([range, value]) => range === undefined || (sides !== undefined && lies(range, value))) &&
    (palletTypes === undefined || (pallet !== undefined && palletTypes.includes(pallet.type))) &&
    (isPallet === undefined || isPallet === (pallet !== undefined)) &&
    (isStackable === undefined || isStackable === (pallet ? pallet.isStackable : true)) &&
    (anyOf === undefined || anyOf.some(one => parcelHolds(one, { kg, m3, sides, pallet }))) &&
    !(noneOf ?? []).some(one => parcelHolds(one, { kg, m3, sides, pallet }))
  );
}
