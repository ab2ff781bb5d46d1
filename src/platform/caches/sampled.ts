import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/** How long a scrape waits for a sample; a later sample is left out of it. */
const WAIT_MS = 1_000;

/**
 * A measurement that is costly to take: it is taken at most every `everyMs` and shared by all callers. It is undefined
 * if it fails or takes too long, because metrics must be served when the database does not respond.
 */
export function sampled<Sample>(
  read: () => Promise<Sample>,
  everyMs: number,
  waitMs = WAIT_MS,
): () => Promise<Sample | undefined> {
  const cache = new LRUCache<'sample', { readonly sample?: Sample }>({
    max: 1,
    ttl: everyMs,
    // A failure is cached too, so that it is not repeated more often than a success.
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
