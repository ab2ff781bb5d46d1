import type { Direction } from '../../platform/database/lists/index-scan.ts';
import { invalid } from '../../platform/fault.ts';

/** Rules that lists of shipments and of orders share: ranges of times, and how many rows one page may look through. */

/** A range of times, without its end. */
export interface DateRange {
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
}

/**
 * A range this short bounds the rows that a list looks through, so that conditions without an index are allowed: at ten
 * million shipments a year, 31 days have some hundred pages of rows to look through, and not five thousand.
 */
const MAX_DAYS = 31;
const DAY_MS = 24 * 3_600_000;

/** Rows that one page looks through: some 50 ms if PostgreSQL has them in memory. */
export const LOOKED_THROUGH = 2_000;

/** Rows that a count looks through, over all ranges of the index together. */
export const COUNTED_THROUGH = 40_000;

export const NO_RANGE: DateRange = {};

/** A range of times that has a second condition under its former name: at this time or later. */
export function rangeSince(range: DateRange | null | undefined, since: Date | null | undefined): DateRange {
  const { from, to } = range ?? NO_RANGE;
  return { from: from != null && since != null && from < since ? since : (from ?? since), to };
}

/** Whether a range, which ends now by default, spans a few days only. */
export function isShort({ from, to }: DateRange, now: Date): boolean {
  return from != null && (to ?? now).getTime() - from.getTime() <= MAX_DAYS * DAY_MS;
}

export const SHORT = `at most ${MAX_DAYS} days`;

/** A filter without ranges that have neither end: an index by time would leave out rows without a time. */
export function withoutEmptyRanges<Filter extends object>(filter: Filter): Filter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => !isEmptyRange(value))) as Filter;
}

function isEmptyRange(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date) return false;
  const { from, to } = value as DateRange;
  return from == null && to == null;
}

export function givenIn<Filter extends object>(filter: Filter): (keyof Filter)[] {
  return (Object.keys(filter) as (keyof Filter)[]).filter(name => filter[name] != null);
}

export function inWords(direction: Direction): string {
  return direction === 'asc' ? 'oldest first' : 'newest first';
}

/** @throws Fault `validation_failed` with the reason for each condition that would look through too many rows */
export function rejectCostly(conditions: readonly string[], message: string): void {
  if (conditions.length === 0) return;
  throw invalid(conditions.map(name => ({ path: [name], code: 'too_costly', message })));
}
