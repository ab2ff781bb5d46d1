import type { ParcelKind, Situation } from '../shipment-terms.rules.ts';
import type { CompiledCondition, CompiledGroups, CompiledSetting } from './condition-compile.rules.ts';
import { type CompiledTests, testsHold } from './condition-kinds.rules.ts';
import { parcelFits } from './parcel-condition.rules.ts';

/** Whether a condition of a tariff holds for a shipment. */
export function holds(condition: CompiledCondition | undefined, situation: Situation): boolean {
  if (condition === undefined) return true;
  const { tests, groups } = condition;
  return testsHold(tests, situation) && (groups === undefined || groupsHold(groups, situation));
}

function groupsHold({ allOf, anyOf, noneOf }: CompiledGroups, situation: Situation): boolean {
  for (const tests of allOf) if (!testsHold(tests, situation)) return false;
  return (anyOf.length === 0 || oneHolds(anyOf, situation)) && !oneHolds(noneOf, situation);
}

function oneHolds(all: readonly CompiledTests[], situation: Situation): boolean {
  for (const tests of all) if (testsHold(tests, situation)) return true;
  return false;
}

/** Whether a condition of the weight holds for a parcel of a shipment. */
export function settingHolds({ condition, parcel }: CompiledSetting, situation: Situation, one: ParcelKind): boolean {
  return holds(condition, situation) && (parcel === undefined || parcelFits(parcel, one));
}

/** Whether a condition of the weight holds for any of some parcels. */
export function settingHoldsForAny(
  { condition, parcel }: CompiledSetting,
  situation: Situation,
  parcels: readonly ParcelKind[],
): boolean {
  return holds(condition, situation) && (parcel === undefined || parcels.some(one => parcelFits(parcel, one)));
}
