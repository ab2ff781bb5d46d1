import { type Issue, pointer, sentence } from '../../platform/fault.ts';
import type { IssueCode } from '../../platform/issue-codes.ts';

export const MAX_BATCH = 1000;
/** Items of a batch that are written without a break. */
const PORTION = 100;

export type Outcome = 'created' | 'updated' | 'unchanged' | 'rejected';

/** The result of one item of a batch: its errors if it was rejected, otherwise the id of the record. */
export interface ItemResult {
  readonly index: number;
  readonly outcome: Outcome;
  /** The type of the record, if there is one, and its number. */
  readonly type?: 'Order' | 'Shipment' | 'TrackingEvent';
  readonly id: string | null;
  readonly issues: readonly Issue[];
}

export interface BatchResult {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly results: readonly ItemResult[];
}

/**
 * Items in portions, in their order; items with one key are in one portion. The unit of work takes some tenths of a
 * millisecond for a record without a break, so a batch is written in portions within its transaction.
 */
export function portionsOf<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const portions: Item[][] = [];
  for (const sameKey of Map.groupBy(items, keyOf).values()) {
    const last = portions.at(-1);
    if (last && last.length < PORTION) last.push(...sameKey);
    else portions.push(sameKey);
  }
  return portions;
}

export function rejected(index: number, issues: readonly Issue[]): ItemResult {
  return { index, outcome: 'rejected', id: null, issues };
}

/** Rejects an item for one reason; `path` starts at the item. */
export function rejectedFor(
  index: number,
  path: readonly (string | number)[],
  code: IssueCode,
  message: string,
): ItemResult {
  return rejected(index, [{ path: [index, ...path], code, message }]);
}

/** The results in the order of the inputs, with their counts. */
export function summarize(results: readonly ItemResult[]): BatchResult {
  const count = (outcome: Outcome) => results.filter(result => result.outcome === outcome).length;
  return {
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    rejected: count('rejected'),
    results: results.toSorted((a, b) => a.index - b.index),
  };
}

/** The result with the paths of its issues relative to an input that has the batch as a field. */
export function within(field: string, result: BatchResult): BatchResult {
  if (result.rejected === 0) return result;
  const ofField = ({ path, ...issue }: Issue): Issue => ({ ...issue, path: [field, ...path] });
  return { ...result, results: result.results.map(one => ({ ...one, issues: one.issues.map(ofField) })) };
}

/** An issue for callers: a pointer, and a sentence that states the allowed values. */
export function publicIssue(issue: Issue): { pointer: string; message: string } {
  return { pointer: pointer(issue.path), message: sentence(issue) };
}

/** The fields of `wanted` that differ from `known`: empty if nothing changes. */
export function changes<T extends object>(known: object, wanted: Partial<T>): Partial<T> {
  const before = known as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(wanted).filter(([field, value]) => !same(before[field], value)),
  ) as Partial<T>;
}

function same(a: unknown, b: unknown): boolean {
  if (a instanceof Date || b instanceof Date)
    return a instanceof Date && b instanceof Date && a.getTime() === b.getTime();
  if (a !== null && b !== null && typeof a === 'object' && typeof b === 'object') {
    const keys = Object.keys(a);
    // By key and not by text, because PostgreSQL's jsonb reorders keys.
    return (
      Array.isArray(a) === Array.isArray(b) &&
      keys.length === Object.keys(b).length &&
      keys.every(
        key => Object.hasOwn(b, key) && same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
      )
    );
  }
  return (a ?? null) === (b ?? null);
}
