import type { TariffIssues } from '../check/check-issues.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import type { Condition } from './condition.format.rules.ts';
import type { KnownCodes } from './condition-kind.rules.ts';
import { checkTests } from './condition-kinds.rules.ts';
import { checkNotEmpty } from './ranges.rules.ts';

/** Checks rules that the form of a condition cannot express: names must exist, and ranges must not be empty. */
export function checkCondition(issues: TariffIssues, path: Path, when: Condition, known: KnownCodes): void {
  const { allOf = [], anyOf = [], noneOf = [], ...own } = when;
  checkTests(issues, path, own, known);
  for (const [name, tests] of Object.entries({ allOf, anyOf, noneOf })) {
    for (const [i, test] of tests.entries()) {
      const at = [...path, name, i];
      checkNotEmpty(issues, at, test);
      checkTests(issues, at, test, known);
    }
  }
}
