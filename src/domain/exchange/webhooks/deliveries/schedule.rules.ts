import { jittered } from '../../../common/jitter.rules.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The delays after failed attempts; after the last one a delivery fails for good: 75 h 35 min. */
export const RETRY_AFTER_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/**
 * The delay until the next attempt, in milliseconds; undefined after the last one.
 *
 * @param tries attempts made so far, including this one
 * @param askedMs the receiver's `Retry-After`, if there was one
 */
export function retryDelayMs(tries: number, askedMs: number | undefined, random: number): number | undefined {
  const scheduled = RETRY_AFTER_MS[tries - 1];
  if (scheduled === undefined) return undefined;
  return Math.max(jittered(scheduled, random), askedMs ?? 0);
}
