import type { CompiledCondition, CompiledGroups } from './condition-compile.rules.ts';
import { testsHold } from './condition-kinds.rules.ts';
import type { Situation } from './situation.rules.ts';

/** Whether a condition of a tariff holds for a shipment. */
export function holds(condition: CompiledCondition | undefined, situation: Situation): boolean {
  if (condition === undefined) return true;
  const { tests, groups } = condition;
  return testsHold(tests, situation) && (groups === undefined || groupsHold(groups, situation));
}

function groupsHold({ allOf, anyOf, noneOf }: CompiledGroups, situation: Situation): boolean {
  return (
    allOf.every(tests => testsHold(tests, situation)) &&
    (anyOf.length === 0 || anyOf.some(tests => testsHold(tests, situation))) &&
    !noneOf.some(tests => testsHold(tests, situation))
  );
}
