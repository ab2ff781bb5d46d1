import { isFirst, secondOf } from './second.rules.ts';
import type { Tariff } from './tariff.format.rules.ts';

/** A place where two tariffs differ. */
export interface TariffChange {
  /** By the codes of zones and lines and the limits of bands, not by positions: `versions/2026-01-01/zones/IT/bands/5/price`. */
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** Null where it was added. */
  readonly before: unknown;
  /** Null where it was removed. */
  readonly after: unknown;
}

/** What names an entry of a list. */
const NAMES = ['code', 'validFrom', 'upToKg', 'from'] as const;
/** They say something about the document that is not stored. */
const NOT_STORED: ReadonlySet<string> = new Set(['$schema', 'overKg']);

/** Everything in which a tariff differs from the one whose place it takes, in the order of the documents. */
export function tariffChanges(before: Tariff, after: Tariff): TariffChange[] {
  // What only the format changes is no difference.
  if (isFirst(before) !== isFirst(after)) return [...differences(secondOf(before), secondOf(after), [])];
  return [...differences(before, after, [])];
}

function* differences(before: unknown, after: unknown, path: readonly string[]): Generator<TariffChange> {
  if (before === after) return;
  const [old, current] = [entriesOf(before), entriesOf(after)];
  if (before !== undefined && after !== undefined && old && current) {
    for (const name of new Set([...old.keys(), ...current.keys()])) {
      yield* differences(old.get(name), current.get(name), [...path, name]);
    }
    return;
  }
  const change = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  yield { path: path.join('/'), change, before: before ?? null, after: after ?? null };
}

/** The parts of an object or a list by name; undefined for what has no parts. */
function entriesOf(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Array.isArray(value)
    ? value.map((item, i) => [nameOf(item, i), item] as const)
    : Object.entries(value);
  return new Map(entries.filter(([name, part]) => part !== undefined && !NOT_STORED.has(name)));
}

function nameOf(item: unknown, position: number): string {
  if (typeof item !== 'object' || item === null) return String(item);
  const name = NAMES.find(one => one in item);
  return name ? String((item as Record<string, unknown>)[name]) : String(position);
}
