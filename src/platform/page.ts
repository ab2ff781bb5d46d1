/** A page bounded by ids: newest first, or oldest first where `inverted`; `before` and `after` are ids. */
export interface IdPage {
  readonly before: number | null;
  readonly after: number | null;
  readonly limit: number;
  readonly inverted: boolean;
}
