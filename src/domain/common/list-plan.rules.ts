import type { Direction } from '../../platform/database/lists/index-walk.ts';
import { invalid } from '../../platform/fault.ts';

/** What lists of shipments and of orders have in common: ranges of times, and what one page may look through. */

/** From a time on, and before another. */
export interface DateRange {
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
}

/**
 * A range that is so short bounds what a list looks through, so that it may be searched for what no index finds: at ten
 * million shipments a year, the 31 days have some hundred pages of rows to look through, and not five thousand.
 */
const MAX_DAYS = 31;
const DAY_MS = 24 * 3_600_000;

/** Rows that one page looks through for those that match: some 50 ms where PostgreSQL has them in memory. */
export const LOOKED_THROUGH = 2_000;

/** The same for a count, of all stretches of the index together, and of one. */
export const COUNTED_THROUGH = 40_000;

export const NO_RANGE: DateRange = {};

/** Whether a range, which ends now where it does not say when, is of a few days only. */
export function isShort({ from, to }: DateRange, now: Date): boolean {
  return from != null && (to ?? now).getTime() - from.getTime() <= MAX_DAYS * DAY_MS;
}

export const SHORT = `at most ${MAX_DAYS} days`;

/** A filter without the ranges that have neither end, which are no conditions: an index by the time would leave out who has none. */
export function withoutEmptyRanges<Filter extends object>(filter: Filter): Filter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => !isEmptyRange(value))) as Filter;
}

function isEmptyRange(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date) return false;
  const { from, to } = value as DateRange;
  return from == null && to == null;
}

/** The conditions that a filter has. */
export function givenIn<Filter extends object>(filter: Filter): (keyof Filter)[] {
  return (Object.keys(filter) as (keyof Filter)[]).filter(name => filter[name] != null);
}

export function inWords(direction: Direction): string {
  return direction === 'asc' ? 'oldest first' : 'newest first';
}

/** @throws Fault `validation_failed` with the reason for each condition that would have too many rows looked through */
export function refuseCostly(conditions: readonly string[], message: string): void {
  if (conditions.length === 0) return;
  throw invalid(conditions.map(name => ({ path: ['filter', name], code: 'too_costly', message })));
}
