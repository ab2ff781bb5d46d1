import type { Condition, Setting, Test } from './condition.format.rules.ts';
import type { Names } from './condition-kind.rules.ts';
import { type CompiledTests, compileTests } from './condition-kinds.rules.ts';
import { type CompiledParcelTest, compileParcel } from './parcel-condition.rules.ts';

/** A condition, ready for the engine. */
export interface CompiledCondition {
  readonly tests: CompiledTests;
  /** Undefined where there are none. */
  readonly groups: CompiledGroups | undefined;
}

export interface CompiledGroups {
  readonly allOf: readonly CompiledTests[];
  readonly anyOf: readonly CompiledTests[];
  readonly noneOf: readonly CompiledTests[];
}

export function compileCondition(when: Condition, names: Names): CompiledCondition {
  const { allOf = [], anyOf = [], noneOf = [] } = when;
  const all = (tests: readonly Test[]) => tests.map(test => compileTests(test, names));
  const hasGroups = allOf.length + anyOf.length + noneOf.length > 0;
  return {
    tests: compileTests(when, names),
    groups: hasGroups ? { allOf: all(allOf), anyOf: all(anyOf), noneOf: all(noneOf) } : undefined,
  };
}

/** A condition on which the weight depends: of the shipment, and of the parcel that is weighed. */
export interface CompiledSetting {
  readonly condition: CompiledCondition | undefined;
  readonly parcel: CompiledParcelTest | undefined;
}

export function compileSetting(when: Setting | undefined, names: Names): CompiledSetting {
  if (!when) return { condition: undefined, parcel: undefined };
  const { parcel, ...others } = when;
  const hasOthers = Object.keys(others).length > 0;
  return {
    condition: hasOthers ? compileCondition(others, names) : undefined,
    parcel: parcel && compileParcel(parcel),
  };
}
