import { setTimeout } from 'node:timers/promises';

/** Longer a scrape is not held up: what is not there by then is left out of it. */
const WAIT_MS = 1_000;

/**
 * A reading that costs something, taken at most every `everyMs` and shared by all who ask. Undefined where it fails or is
 * not there in time: figures must come when the database does not.
 */
export function sampled<Sample>(
  read: () => Promise<Sample>,
  everyMs: number,
  waitMs = WAIT_MS,
): () => Promise<Sample | undefined> {
  let takenAt = Number.NEGATIVE_INFINITY;
  let taken: Promise<Sample | undefined> = Promise.resolve(undefined);
  return () => {
    if (performance.now() - takenAt >= everyMs) {
      takenAt = performance.now();
      taken = read().catch(() => undefined);
    }
    return Promise.race([taken, setTimeout(waitMs, undefined, { ref: false })]);
  };
}
