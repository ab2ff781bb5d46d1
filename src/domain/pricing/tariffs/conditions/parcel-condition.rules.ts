import { z } from 'zod';
import { palletType } from '../areas/place.format.rules.ts';
import type { TariffIssues } from '../check/check-issues.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import type { ParcelKind } from '../shipment-terms.rules.ts';
import { conditionKind } from './condition-kind.rules.ts';
import { type CompiledRange, checkNotEmpty, checkRange, compileRange, range } from './ranges.rules.ts';

/** The measures of a parcel, with the most decimals of a number that each is compared with. */
export const PARCEL_MEASURES = {
  weightKg: 3,
  volumeM3: 6,
  longestSideCm: 2,
  secondSideCm: 2,
  sumOfSidesCm: 2,
  girthCm: 2,
} as const;
type ParcelMeasure = keyof typeof PARCEL_MEASURES;
const PARCEL_MEASURE_NAMES = Object.keys(PARCEL_MEASURES) as readonly ParcelMeasure[];

const parcelTests = {
  weightKg: range.describe('Real weight, kg.').optional(),
  volumeM3: range.describe('Cubic metres.').optional(),
  longestSideCm: range.optional(),
  secondSideCm: range.describe('The longest but one.').optional(),
  sumOfSidesCm: range.optional(),
  girthCm: range.describe('Longest side and twice the two others.').optional(),
  palletTypes: z.array(palletType).min(1).max(50).describe('It is a pallet of one of these types.').optional(),
  isPallet: z.boolean().optional(),
  isStackable: z.boolean().describe('Whether something can stand on it; parcels that are not pallets can.').optional(),
};

const parcelTest = z.strictObject(parcelTests).meta({ id: 'ParcelTest', minProperties: 1 });

const parcel = z
  .strictObject({
    ...parcelTests,
    anyOf: z.array(parcelTest).min(1).max(20).describe('At least one of these holds.').optional(),
    noneOf: z.array(parcelTest).min(1).max(20).describe('None of these holds.').optional(),
  })
  .describe('One parcel that meets all given conditions. Conditions on sides need parcels, not totals.')
  .meta({ id: 'ParcelCondition', minProperties: 1 });

type ParcelTest = z.infer<typeof parcelTest>;
export type ParcelCondition = z.infer<typeof parcel>;

export interface CompiledParcelTest {
  readonly ranges: readonly (CompiledRange & { readonly measure: ParcelMeasure })[];
  readonly palletTypes: ReadonlySet<string> | undefined;
  readonly isPallet: boolean | undefined;
  readonly isStackable: boolean | undefined;
  readonly anyOf: readonly CompiledParcelTest[];
  readonly noneOf: readonly CompiledParcelTest[];
}

/** A parcel that meets tests. */
export const parcelCondition = conditionKind({
  form: { parcel: parcel.optional() },
  isEarly: true,
  isCostly: true,
  guide: ['`parcel`', 'there is a parcel for which all of its tests hold'],
  words: {},
  check: (issues, path, given) => {
    if (given.parcel) checkParcel(issues, [...path, 'parcel'], given.parcel);
  },
  compile: (given): CompiledParcelTest | undefined => given.parcel && compileParcel(given.parcel),
  holds: (test, { shipment }) => shipment.parcels.some(one => parcelFits(test, one)),
});

function checkParcel(
  issues: TariffIssues,
  path: Path,
  given: ParcelTest & { readonly anyOf?: ParcelTest[] | undefined; readonly noneOf?: ParcelTest[] | undefined },
): void {
  const { anyOf = [], noneOf = [] } = given;
  checkNotEmpty(issues, path, given);
  for (const name of PARCEL_MEASURE_NAMES) {
    const one = given[name];
    if (one) checkRange(issues, [...path, name], one);
  }
  for (const [i, test] of anyOf.entries()) checkParcel(issues, [...path, 'anyOf', i], test);
  for (const [i, test] of noneOf.entries()) checkParcel(issues, [...path, 'noneOf', i], test);
}

export function compileParcel({ anyOf = [], noneOf = [], ...own }: ParcelCondition): CompiledParcelTest {
  const test = (given: ParcelTest): CompiledParcelTest => ({
    ranges: PARCEL_MEASURE_NAMES.flatMap(measure => {
      const one = given[measure];
      return one ? [{ measure, ...compileRange(one, PARCEL_MEASURES[measure]) }] : [];
    }),
    palletTypes: given.palletTypes && new Set(given.palletTypes),
    isPallet: given.isPallet,
    isStackable: given.isStackable,
    anyOf: [],
    noneOf: [],
  });
  return { ...test(own), anyOf: anyOf.map(test), noneOf: noneOf.map(test) };
}

export function parcelFits(test: CompiledParcelTest, one: ParcelKind): boolean {
  const { ranges, palletTypes, isPallet, isStackable, anyOf, noneOf } = test;
  const { pallet } = one;
  return (
    ranges.every(({ measure, least, most }) => {
      const value = measuredParcel(measure, one);
      return least <= value && value <= most;
    }) &&
    (palletTypes === undefined || (pallet !== undefined && palletTypes.has(pallet.type))) &&
    (isPallet === undefined || isPallet === (pallet !== undefined)) &&
    (isStackable === undefined || isStackable === (pallet?.isStackable ?? true)) &&
    (anyOf.length === 0 || anyOf.some(other => parcelFits(other, one))) &&
    !noneOf.some(other => parcelFits(other, one))
  );
}

/** A whole number, in the engine's units; no number where only totals are known, so that no range holds. */
function measuredParcel(measure: ParcelMeasure, one: ParcelKind): number {
  const { volumeCm3, share, longestSide, secondSide, sumOfSides } = one;
  if (measure === 'weightKg') return Math.ceil(one.grams / share);
  if (measure === 'volumeM3') return Math.ceil(volumeCm3 / share);
  if (longestSide === 0) return Number.NaN;
  switch (measure) {
    case 'longestSideCm':
      return longestSide;
    case 'secondSideCm':
      return secondSide;
    case 'sumOfSidesCm':
      return sumOfSides;
    case 'girthCm':
      return girthOf(one);
  }
}

/** Longest side and twice the two others. */
export function girthOf({ longestSide, sumOfSides }: Pick<ParcelKind, 'longestSide' | 'sumOfSides'>): number {
  return 2 * sumOfSides - longestSide;
}

/** How many of a shipment's parcels meet a test. */
export function countParcels(test: CompiledParcelTest, parcels: readonly ParcelKind[]): number {
  return parcels.reduce((sum, one) => sum + (parcelFits(test, one) ? one.quantity : 0), 0);
}
