import { type Tariff, type TariffVersion, VERSION_FIELDS } from '../format/tariff.format.rules.ts';
import { changeInWords, type Subject, subjectOf } from './tariff-change-text.rules.ts';

/** A place where two tariffs differ. */
export interface TariffChange extends Subject {
  /** By the codes of zones and lines and the limits of bands, not by positions: `versions/2026-01-01/zones/IT/bands/5/price`. */
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** The value before; null where it was added. For a list of texts: the texts that were taken out. */
  readonly before: unknown;
  /** The value after; null where it was removed. For a list of texts: the texts that were put in. */
  readonly after: unknown;
  /** For a version that is new: the first day of the one that would be in force otherwise, which it is compared with. */
  readonly comparedWith: string | null;
  /** A sentence that describes the change to people. */
  readonly text: string;
}

/** Fields that name an entry of a list. */
const KEY_FIELDS = ['code', 'validFrom', 'upToKg', 'from'] as const;
/** Fields that are not stored, or that follow from the next version. */
const NOT_STORED: ReadonlySet<string> = new Set(['$schema', 'overKg']);
/** Fields that distinguish a new version from the one before, and are not changes of prices. */
const VERSION_HEADER: ReadonlySet<string> = new Set(['validFrom', 'validUntil', 'label']);

/** All differences between a tariff and the one that it replaces, by version and part. */
export function tariffChanges(before: Tariff, after: Tariff): TariffChange[] {
  return new Comparison(before, after).changes();
}

class Comparison {
  readonly #before: Tariff;
  readonly #after: Tariff;
  readonly #found: TariffChange[] = [];

  constructor(before: Tariff, after: Tariff) {
    this.#before = before;
    this.#after = after;
  }

  changes(): TariffChange[] {
    const { versions: old, ...head } = this.#before;
    const { versions: current, ...nextHead } = this.#after;
    this.#compare(head, nextHead, []);
    const days = [...new Set([...old, ...current].map(({ validFrom }) => validFrom))].sort();
    for (const day of days) {
      const [left, right] = [old, current].map(versions => versions.find(({ validFrom }) => validFrom === day));
      const path = ['versions', day];
      if (left && right) this.#compare(withoutEnd(left, old), withoutEnd(right, current), path);
      else if (right) this.#newVersion(right, path);
      else this.#add(path, left, undefined);
    }
    return this.#found;
  }

  /** A new version: its changes to the version that would otherwise be in force on its first day. */
  #newVersion(version: TariffVersion, path: readonly string[]): void {
    this.#add(path, undefined, version);
    const replaced = this.#before.versions.findLast(({ validFrom }) => validFrom < version.validFrom);
    if (replaced) this.#compare(withoutDates(replaced), withoutDates(version), path, replaced.validFrom);
  }

  #compare(before: unknown, after: unknown, path: readonly string[], comparedWith: string | null = null): void {
    if (before === after) return;
    if (isListOfTexts(before) && isListOfTexts(after)) {
      this.#compareTexts(before, after, path, comparedWith);
      return;
    }
    const [old, current] = [entriesByKey(before), entriesByKey(after)];
    if (before !== undefined && after !== undefined && old && current) {
      const names = new Set([...old.keys(), ...current.keys()]);
      for (const name of path.length === 2 ? sortedByForm(names) : names) {
        this.#compare(old.get(name), current.get(name), [...path, name], comparedWith);
      }
    } else this.#add(path, before, after, comparedWith);
  }

  #compareTexts(
    before: readonly string[],
    after: readonly string[],
    path: readonly string[],
    comparedWith: string | null,
  ): void {
    const [gone, come] = [textsMissingIn(before, after), textsMissingIn(after, before)];
    if (gone.length > 0 || come.length > 0) this.#add(path, gone, come, comparedWith);
  }

  #add(path: readonly string[], before: unknown, after: unknown, comparedWith: string | null = null): void {
    const change = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
    const subject = subjectOf(path, change === 'removed' ? this.#before : this.#after);
    const values = { before: before ?? null, after: after ?? null };
    this.#found.push({
      path: path.join('/'),
      change,
      ...values,
      comparedWith,
      ...subject,
      text: changeInWords(path, change, values, subject),
    });
  }
}

function sortedByForm(names: ReadonlySet<string>): string[] {
  return [...names].sort((a, b) => VERSION_FIELDS.indexOf(a) - VERSION_FIELDS.indexOf(b));
}

/** Without its last day, where that only says when the next one begins. */
function withoutEnd(version: TariffVersion, versions: readonly TariffVersion[]): object {
  const { validUntil: _, ...rest } = version;
  return version === versions.at(-1) ? version : rest;
}

function withoutDates(version: TariffVersion): object {
  return Object.fromEntries(Object.entries(version).filter(([name]) => !VERSION_HEADER.has(name)));
}

/** Texts of a list that another one lacks, each once. */
function textsMissingIn(texts: readonly string[], other: readonly string[]): string[] {
  const known = new Set(other);
  return [...new Set(texts)].filter(text => !known.has(text));
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && typeof value[0] === 'string';
}

/** Returns the parts of an object or a list by name; undefined for a value without parts. */
function entriesByKey(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Array.isArray(value)
    ? value.map((item, i) => [keyOf(item, i), item] as const)
    : Object.entries(value);
  return new Map(entries.filter(([name, part]) => part !== undefined && !NOT_STORED.has(name)));
}

function keyOf(item: unknown, position: number): string {
  if (typeof item !== 'object' || item === null) return String(item);
  const name = KEY_FIELDS.find(one => one in item);
  return name ? String((item as Record<string, unknown>)[name]) : String(position);
}
