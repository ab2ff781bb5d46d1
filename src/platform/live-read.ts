/**
 * The result of one look of a subscription. The source is asked again once something of the company may have changed,
 * or at once if there is more.
 */
export interface LiveRead<Value = unknown> {
  /** The event for the reader; undefined if nothing changed. */
  readonly value?: Value;
  /** The position from which the reader continues after this event. */
  readonly id?: string;
  /** Whether the value is empty and only shows how far the source has looked. It is sent after a while of silence. */
  readonly isKeepAlive?: boolean;
  readonly hasMore: boolean;
}
