import type { TariffIssues } from '../check/check-issues.rules.ts';
import { checkMeasure } from '../conditions/measures-condition.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import { type Bracket, type Charge, SUM_PARTS, type Sum } from './charge.format.rules.ts';
import { type LineRules, rejectNegative } from './charge-kind.rules.ts';
import { checkKinds } from './charge-kinds.rules.ts';

/** Checks what the form of a price can't say. */
export function checkCharge(issues: TariffIssues, path: Path, charge: Charge, rules: LineRules): void {
  const { greaterOf, brackets, minimum: _, maximum: _most, above, ...own } = charge;
  checkBounds(issues, path, charge, rules);
  const alone = greaterOf ? 'greaterOf' : brackets ? 'brackets' : undefined;
  if (alone === undefined) checkSum(issues, path, own, rules);
  else if (Object.values({ ...own, above, ...(greaterOf && brackets) }).some(part => part !== undefined))
    issues.add(path, 'not_allowed', `must have ${alone} or sums of its own, not both`);
  if (above !== undefined && alone === undefined && own.of === undefined)
    issues.add([...path, 'of'], 'required', 'must be given: above is of it');
  for (const [i, sum] of (greaterOf ?? []).entries()) checkSum(issues, [...path, 'greaterOf', i], sum, rules);
  if (!brackets) return;
  checkMeasure(issues, [...path, 'brackets', 'by'], brackets.by, rules.isLate);
  for (const [i, bracket] of brackets.prices.entries()) {
    const at = [...path, 'brackets', 'prices', i];
    checkReach(issues, at, bracket.upTo, brackets.prices[i - 1]?.upTo ?? 0, i === brackets.prices.length - 1);
    checkBounds(issues, at, bracket, rules);
    checkSum(issues, at, withoutBounds(bracket), rules);
  }
}

function withoutBounds({ upTo: _, minimum: _least, maximum: _most, ...sum }: Bracket): Sum {
  return sum;
}

function checkReach(issues: TariffIssues, path: Path, upTo: number | undefined, before: number, isLast: boolean): void {
  const at = [...path, 'upTo'];
  if (isLast && upTo !== undefined) issues.add(at, 'gap', 'must be left out on the last, so that one always reaches');
  else if (!isLast && upTo === undefined) issues.add(at, 'required', 'must be given on all but the last');
  else if (upTo !== undefined && upTo <= before) issues.add(at, 'overlap', `must be more than that before, ${before}`);
}

function checkBounds(
  issues: TariffIssues,
  path: Path,
  { minimum, maximum }: Pick<Charge, 'minimum' | 'maximum'>,
  rules: LineRules,
): void {
  const least = minimum ?? (rules.canBeNegative ? Number.NEGATIVE_INFINITY : 0);
  if (maximum !== undefined && maximum < least)
    issues.add([...path, 'maximum'], 'out_of_range', `must not be less than the minimum, ${least}`);
  rejectNegative(issues, [...path, 'minimum'], minimum, rules);
}

function checkSum(issues: TariffIssues, path: Path, sum: Sum, rules: LineRules): void {
  if (SUM_PARTS.every(part => sum[part as keyof Sum] === undefined))
    issues.add(path, 'required', `must have at least one of ${SUM_PARTS.join(', ')}`);
  checkKinds(issues, path, sum, rules);
}
