import type { Bracket, Charge, Sum } from './charge.format.rules.ts';
import { checkMeasure } from './check-conditions.rules.ts';
import { knownNames, type TariffIssues } from './check-issues.rules.ts';
import type { Path } from './tariff-document.rules.ts';

/** What is known of the line that a price is of. */
export interface LineRules {
  /** First day of the version. */
  readonly validFrom: string;
  readonly canBeNegative: boolean;
  /** Whether it is charged for something that happens after the shipment. */
  readonly isLate: boolean;
}

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
  { canBeNegative }: LineRules,
): void {
  const least = minimum ?? (canBeNegative ? Number.NEGATIVE_INFINITY : 0);
  if (maximum !== undefined && maximum < least)
    issues.add([...path, 'maximum'], 'out_of_range', `must not be less than the minimum, ${least}`);
  if (minimum !== undefined && minimum < 0 && !canBeNegative) addNegative(issues, [...path, 'minimum']);
}

function checkSum(issues: TariffIssues, path: Path, sum: Sum, rules: LineRules): void {
  const { fixed, perKg, aboveKg, perParcel, parcels, afterParcels, percent, rates, index, of, per } = sum;
  const shares = Object.entries({ percent, rates, index }).filter(([, share]) => share !== undefined);
  const [first, second] = shares;
  if (second) issues.add([...path, second[0]], 'not_allowed', `must not stand beside ${first?.[0]}`);
  if (first && of === undefined)
    issues.add([...path, 'of'], 'required', `must be given: ${first[0]} and of go together`);
  if (!first && of !== undefined)
    issues.add([...path, 'percent'], 'required', 'must be given: percent and of go together');
  if (shares.length === 0 && [fixed, perKg, perParcel, per].every(part => part === undefined)) {
    const parts = 'fixed, perKg, perParcel, percent, rates, index, per';
    issues.add(path, 'required', `must have at least one of ${parts}`);
  }
  if (aboveKg !== undefined && perKg === undefined)
    issues.add([...path, 'perKg'], 'required', 'must be given with aboveKg');
  if ((parcels !== undefined || afterParcels !== undefined) && perParcel === undefined)
    issues.add([...path, 'perParcel'], 'required', 'must be given with parcels and afterParcels');
  if (rates) checkRates(issues, [...path, 'rates'], rates, rules.validFrom);
  if (index !== undefined) checkIndex(issues, [...path, 'index'], index, rules.validFrom);
  for (const [i, { measure }] of (per ?? []).entries()) {
    checkMeasure(issues, [...path, 'per', i, 'measure'], measure, rules.isLate);
  }
  if (rules.canBeNegative) return;
  for (const [name, value] of Object.entries({ fixed, perKg, perParcel, percent })) {
    if (value !== undefined && value < 0) addNegative(issues, [...path, name]);
  }
  for (const [i, rate] of (rates ?? []).entries()) {
    if (rate.percent < 0) addNegative(issues, [...path, 'rates', i, 'percent']);
  }
  for (const [i, one] of (per ?? []).entries()) if (one.price < 0) addNegative(issues, [...path, 'per', i, 'price']);
}

function checkRates(
  issues: TariffIssues,
  path: Path,
  rates: readonly { readonly from: string }[],
  validFrom: string,
): void {
  for (const [i, { from }] of rates.entries()) {
    const before = rates[i - 1]?.from;
    const at = [...path, i, 'from'];
    if (before === undefined && from > validFrom) issues.add(at, 'gap', `must not come after validFrom, ${validFrom}`);
    if (before !== undefined && from <= before) issues.add(at, 'overlap', `must come after the rate before, ${before}`);
  }
}

function checkIndex(issues: TariffIssues, path: Path, name: string, validFrom: string): void {
  const { references } = issues;
  if (!references) return;
  const [first] = references.indexes.get(name) ?? [];
  if (!first) {
    const message = `names the index "${name}", which the carrier does not have: ${knownNames(references.indexes.keys())}`;
    issues.add(path, 'unknown_index', message);
  } else if (first.from > validFrom) {
    issues.add(path, 'gap', `must have a rate of the month of validFrom, ${validFrom}, or before`);
  }
}

function addNegative(issues: TariffIssues, path: Path): void {
  issues.add(path, 'out_of_range', 'must be at least 0: only a surcharge can be a discount');
}
