/** Spreads retries, so that simultaneous failures do not return at one moment. */
const JITTER = 0.2;

/** A time ±20 %. `random` is from 0 to 1. */
export function jittered(ms: number, random: number): number {
  return Math.round(ms * (1 - JITTER + 2 * JITTER * random));
}
