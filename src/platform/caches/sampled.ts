import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/** How long a scrape waits for a sample: what is not there by then is left out of it. */
const WAIT_MS = 1_000;

/**
 * A measurement that costs something, taken at most every `everyMs` and shared by all who ask. Undefined where it fails or
 * is not there in time: metrics must come when the database does not respond.
 */
export function sampled<Sample>(
  read: () => Promise<Sample>,
  everyMs: number,
  waitMs = WAIT_MS,
): () => Promise<Sample | undefined> {
  const cache = new LRUCache<'sample', { readonly sample?: Sample }>({
    max: 1,
    ttl: everyMs,
    // A failure is kept as long: it must not be asked for more often than what succeeds.
    fetchMethod: () =>
      read().then(
        sample => ({ sample }),
        () => ({}),
      ),
  });
  return async () => {
    const late = setTimeout(waitMs, undefined, { ref: false });
    return (await Promise.race([cache.fetch('sample'), late]))?.sample;
  };
}
