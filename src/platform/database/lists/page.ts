/** A page bounded by ids: newest first, or oldest first where `inverted`; `before` and `after` are ids. */
export interface IdPage {
  readonly before: number | null;
  readonly after: number | null;
  readonly limit: number;
  readonly inverted: boolean;
}

/** Most entries of a plain list that are read at once. */
export const MAX_LIST = 10_000;

/** How far the entries of a list are counted: to count a million takes a quarter of a second. */
export const MAX_COUNT = 10_000;

/** Part of a plain list: so many entries after the one with this key. */
export interface ListPage<Key> {
  readonly after: Key | null;
  readonly limit: number;
}

/** A list that a cap keeps short, whole. */
export const WHOLE_LIST: ListPage<never> = { after: null, limit: MAX_LIST };

/** The end of a list: so many of its last entries, before the one with this id. */
export interface ListEnd {
  readonly before: number | null;
  readonly limit: number;
}
