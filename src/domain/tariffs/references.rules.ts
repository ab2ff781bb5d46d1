import type { PlaceList } from './place.format.rules.ts';

/** What a tariff refers to and does not hold itself: lists of places and indexes of its carrier, each replaced alone. */
export interface References {
  readonly lists: ReadonlyMap<string, PlaceList>;
  /** Percentages by month, ascending; `from` is the first day. */
  readonly indexes: ReadonlyMap<string, readonly { readonly from: string; readonly percent: number }[]>;
}

export const NO_REFERENCES: References = { lists: new Map(), indexes: new Map() };
