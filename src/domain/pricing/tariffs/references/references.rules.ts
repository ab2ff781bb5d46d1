import { YEARS } from '../../../common/date-time.rules.ts';
import type { PlaceList } from '../areas/place.format.rules.ts';
import { day } from '../format/parts.format.rules.ts';
import { spotsIn } from '../format/tariff-document.rules.ts';

/** A percentage of an index. */
export interface IndexRate {
  /** The first day on which it holds. */
  readonly from: string;
  readonly percent: number;
}

/**
 * The message for a text that is not the beginning of a percentage: a day, or a month, which begins on its first day.
 */
export const DAY_OR_MONTH = `must be a day such as 2026-11-09, or a month such as 2026-11, ${YEARS}`;

/** Returns the first day of a written day or month; undefined for other text. */
export function firstDayOf(written: string): string | undefined {
  const from = /^\d{4}-\d{2}$/.test(written) ? `${written}-01` : written;
  return day.safeParse(from).success ? from : undefined;
}

/**
 * The lists of places and indexes of a carrier. A tariff refers to them and does not contain them, and each is replaced
 * alone.
 */
export interface References {
  readonly lists: ReadonlyMap<string, PlaceList>;
  /** Percentages by date, ascending. */
  readonly indexes: ReadonlyMap<string, readonly IndexRate[]>;
}

export type ReferenceKind = 'list' | 'index';

/** The key of a list or an index within a company. */
export interface ReferenceKey {
  readonly carrierCode: string;
  readonly kind: ReferenceKind;
  readonly name: string;
}

/** A key as a text: `BRT.list.isole_minori`. */
export function referenceKeyText({ carrierCode, kind, name }: ReferenceKey): string {
  return `${carrierCode}.${kind}.${name}`;
}

/** The key in a text; undefined if the text is not a key. */
export function readReferenceKey(text: string): ReferenceKey | undefined {
  const [, carrierCode, kind, name] = /^([A-Z0-9_]{1,40})\.(list|index)\.([a-z][a-z0-9_]{0,39})$/.exec(text) ?? [];
  if (carrierCode === undefined || kind === undefined || name === undefined) return undefined;
  return { carrierCode, kind: kind as ReferenceKind, name };
}

export const NO_REFERENCES: References = { lists: new Map(), indexes: new Map() };

/** A list or an index as a tariff names it. */
export type NamedReference = Pick<ReferenceKey, 'kind' | 'name'>;

function* namedIn(document: object): Generator<NamedReference> {
  for (const { value } of spotsIn(document)) {
    const { index, lists } = value as { readonly index?: string; readonly lists?: readonly string[] };
    if (index !== undefined) yield { kind: 'index', name: index };
    for (const name of lists ?? []) yield { kind: 'list', name };
  }
}

/** Whether a tariff names a list or an index. */
export function refersTo(tariff: object, kind: ReferenceKind, name: string): boolean {
  return [...namedIn(tariff)].some(one => one.kind === kind && one.name === name);
}

/** The lists and indexes that a tariff names and its carrier does not have. */
export function missingReferences(tariff: object, { lists, indexes }: References): NamedReference[] {
  const missing = new Map<string, NamedReference>();
  for (const one of namedIn(tariff)) {
    if (!(one.kind === 'list' ? lists : indexes).has(one.name)) missing.set(`${one.kind} ${one.name}`, one);
  }
  return [...missing.values()];
}
