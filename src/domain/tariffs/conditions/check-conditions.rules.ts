import type { IssueCode } from '../../../platform/issue-codes.ts';
import { knownNames, type TariffIssues } from '../check-issues.rules.ts';
import type { Path } from '../tariff-document.rules.ts';
import type { Condition, ParcelTest, Range, Test } from './condition.format.rules.ts';

/** What conditions of a version may name. */
export interface KnownCodes {
  readonly zones: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
  readonly options: ReadonlySet<string>;
  /** Whether the line is charged after the shipment, and may depend on what happened to it. */
  readonly isLate?: boolean;
}

const BOUNDS = ['from', 'over', 'upTo', 'below'] as const;

/** Measures that only what happens after a shipment has. */
const LATE_MEASURES: ReadonlySet<string> = new Set(['storageDays', 'waitingMinutes']);

/** Adds that a measure is of what happens after the shipment, where a line is charged before. */
export function checkMeasure(issues: TariffIssues, path: Path, measure: string, isLate = false): void {
  if (isLate || !LATE_MEASURES.has(measure)) return;
  issues.add(path, 'not_allowed', 'must not be counted before the shipment: only afterShipment has it');
}

/** Checks what the form of a condition can't say: names of nothing, and ranges that hold nothing. */
export function checkCondition(issues: TariffIssues, path: Path, when: Condition, known: KnownCodes): void {
  const { allOf = [], anyOf = [], noneOf = [], ...own } = when;
  checkTest(issues, path, own, known);
  for (const [name, tests] of Object.entries({ allOf, anyOf, noneOf })) {
    for (const [i, test] of tests.entries()) {
      const at = [...path, name, i];
      checkNotEmpty(issues, at, test);
      checkTest(issues, at, test, known);
    }
  }
}

function checkTest(issues: TariffIssues, path: Path, test: Test, known: KnownCodes): void {
  const { zones = [], origins = [], options = [], to, dates, parcel, codPayments: _, ...measures } = test;
  const unknown = (field: string, codes: readonly string[], all: ReadonlySet<string>, code: IssueCode) => {
    for (const [i, one] of codes.entries()) {
      if (!all.has(one)) issues.add([...path, field, i], code, `names "${one}": ${knownNames(all)}`);
    }
  };
  unknown('zones', zones, known.zones, 'unknown_zone');
  unknown('origins', origins, known.origins, 'unknown_origin');
  unknown('options', options, known.options, 'unknown_line');
  if (to) issues.areas([to], () => [...path, 'to'], ['the same']);
  if (dates) {
    checkNotEmpty(issues, [...path, 'dates'], dates);
    const { from = '', until = '9' } = dates;
    if (until < from) issues.add([...path, 'dates', 'until'], 'out_of_range', `must not lie before from, ${from}`);
  }
  for (const [name, range] of Object.entries(measures) as [string, Range | undefined][]) {
    if (!range) continue;
    checkMeasure(issues, [...path, name], name, known.isLate);
    checkRange(issues, [...path, name], range);
  }
  if (parcel) checkParcel(issues, [...path, 'parcel'], parcel);
}

function checkParcel(
  issues: TariffIssues,
  path: Path,
  parcel: ParcelTest & {
    readonly anyOf?: readonly ParcelTest[] | undefined;
    readonly noneOf?: readonly ParcelTest[] | undefined;
  },
): void {
  const { palletTypes: _, isPallet: _pallet, isStackable: _stackable, anyOf = [], noneOf = [], ...measures } = parcel;
  checkNotEmpty(issues, path, parcel);
  for (const [name, range] of Object.entries(measures)) if (range) checkRange(issues, [...path, name], range);
  for (const [i, test] of anyOf.entries()) checkParcel(issues, [...path, 'anyOf', i], test);
  for (const [i, test] of noneOf.entries()) checkParcel(issues, [...path, 'noneOf', i], test);
}

function checkRange(issues: TariffIssues, path: Path, range: Range): void {
  checkNotEmpty(issues, path, range);
  const { from, over, upTo, below } = range;
  if (from !== undefined && over !== undefined)
    issues.add([...path, 'over'], 'not_allowed', 'must not stand beside from');
  if (upTo !== undefined && below !== undefined)
    issues.add([...path, 'below'], 'not_allowed', 'must not stand beside upTo');
  const least = from ?? over;
  const most = upTo ?? below;
  if (least === undefined || most === undefined) return;
  const isEmpty = from !== undefined && upTo !== undefined ? upTo < from : most <= least;
  const bound = BOUNDS.find(name => range[name] === most && name !== 'from' && name !== 'over') ?? 'upTo';
  if (isEmpty) issues.add([...path, bound], 'out_of_range', `must be more than ${least}`);
}

function checkNotEmpty(issues: TariffIssues, path: Path, value: object): void {
  if (Object.values(value).every(one => one === undefined)) issues.add(path, 'required', 'must say something');
}
