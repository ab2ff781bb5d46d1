/** A page bounded by ids: newest first, or oldest first where `inverted`; `before` and `after` are ids. */
export interface IdPage {
  readonly before: number | null;
  readonly after: number | null;
  readonly limit: number;
  readonly inverted: boolean;
}

/** The limit on entries of a plain list that are read at once. */
export const MAX_LIST = 10_000;

/** The limit on counts, because counting a million entries takes a quarter of a second. */
export const MAX_COUNT = 10_000;

/** Part of a plain list: entries after the one with this key. */
export interface ListPage<Key> {
  readonly after: Key | null;
  readonly limit: number;
}

/** A whole list that a cap keeps short. */
export const WHOLE_LIST: ListPage<never> = { after: null, limit: MAX_LIST };

/** The last entries of a list, before the one with this id. */
export interface ListEnd {
  readonly before: number | null;
  readonly limit: number;
}
