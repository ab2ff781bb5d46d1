/**
 * What a subscription found when it looked. Its source is asked again once something of the company may have changed, or at
 * once if there is more.
 */
export interface LiveRead<Value = unknown> {
  /** What the reader gets; undefined where nothing changed. */
  readonly value?: Value;
  /** Where the reader goes on from after this. */
  readonly id?: string;
  /** Whether the value is empty and shows only how far the source has looked. It is sent once the stream has been silent for a while. */
  readonly isQuiet?: boolean;
  readonly hasMore: boolean;
}
