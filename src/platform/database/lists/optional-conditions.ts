import type { Parameters, ParameterType } from './index-scan.ts';

/** Conditions that are true if the filter does not have them. */
export function optionalConditions<Name extends string>(value: Parameters['of']) {
  const unless = (name: Name, type: ParameterType, check: (given: string) => string) =>
    `(${value(name, type)} is null or ${check(value(name, type))})`;
  return {
    unless,
    equal: (name: Name, column: string) => unless(name, 'text', given => `${column} = ${given}`),
    among: (name: Name, column: string) => unless(name, 'text[]', given => `${column} = any(${given}::text[])`),
    from: (name: Name, column: string) => unless(name, 'timestamptz', at => `${column} >= ${at}`),
    to: (name: Name, column: string) => unless(name, 'timestamptz', at => `${column} < ${at}`),
  };
}

/** A parameter that is a list of strings. */
export const textsOf = (value: Parameters['of'], name: string) => `${value(name, 'text[]')}::text[]`;
