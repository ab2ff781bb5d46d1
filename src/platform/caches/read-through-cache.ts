import { LRUCache } from 'lru-cache';
import type { Notifications } from '../database/connections/notifications.ts';
import { Fault } from '../fault.ts';

/**
 * How long what was read is believed without asking again, where nothing else is said. Notifications invalidate it at once; this is for one that never
 * came, and for rows that were changed past the service. It keeps within the second in which a change must be seen.
 */
const TTL_MS = 900;

/** How long a read may take before those who wait for it get an error, and the next who ask read anew. */
const DEADLINE_MS = 5_000;

interface Options<Value> {
  readonly deadlineMs?: number;
  /** For what may be seen to change later than within a second, should a notification be lost. */
  readonly ttlMs?: number;
  /** Of all values together: the least recently used are evicted beyond it, and a heavier one is not kept. */
  readonly maxWeight?: number;
  readonly weigh?: (value: Value) => number;
}

type Read<Value> = () => Promise<Value | undefined>;

/** A read that found nothing. Not a value, since those are kept. */
class Absent extends Error {}

/**
 * What was read of the database, by key, until it changes: the service that changes it invalidates it in its own process,
 * a notification on the channel names the key to the others, and one that may have been missed invalidates all. Reads
 * under way are shared by those who wait for the same; what changed while it was read is not kept, and neither is that
 * there is nothing, so that something new works at once.
 */
export class ReadThroughCache<Key extends string, Value extends object> {
  /** A read that is under way already is a miss too: whoever joins it waits. */
  readonly counts = { hits: 0, misses: 0 };
  readonly #cache: LRUCache<Key, Value, Read<Value>>;

  constructor(
    notifications: Pick<Notifications, 'on' | 'onGap'>,
    channel: string,
    max: number,
    { deadlineMs = DEADLINE_MS, ttlMs = TTL_MS, maxWeight, weigh }: Options<Value> = {},
  ) {
    this.#cache = new LRUCache({
      max,
      ttl: ttlMs,
      ...(maxWeight !== undefined && weigh && { maxSize: maxWeight, sizeCalculation: weigh }),
      // Who waits for a read that is invalidated meanwhile has asked before the change, and gets what it finds.
      ignoreFetchAbort: true,
      fetchMethod: async (_key, _stale, { options, context: read }) => {
        const startMs = performance.now();
        const value = await inTime(read(), deadlineMs);
        if (value === undefined) throw new Absent();
        // What is read is as old as the question, however long the response takes. A TTL of 0 would be none.
        options.ttl = Math.max(1, ttlMs - (performance.now() - startMs));
        return value;
      },
    });
    notifications.on(channel, key => this.invalidate(key as Key));
    notifications.onGap(() => this.#cache.clear());
  }

  /** A promise only where it is not known. @throws Fault `unavailable` where the read takes too long */
  get(key: Key, read: Read<Value>): Value | Promise<Value | undefined> {
    const known = this.#cache.get(key);
    if (known !== undefined) {
      this.counts.hits++;
      return known;
    }
    this.counts.misses++;
    return this.#cache.fetch(key, { context: read }).catch(error => {
      if (error instanceof Absent) return undefined;
      throw error;
    });
  }

  invalidate(key: Key): void {
    this.#cache.delete(key);
  }
}

async function inTime<Value>(reading: Promise<Value>, deadlineMs: number): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const detail = 'The service is waiting for its database.';
    late.reject(new Fault('unavailable', { detail, headers: { 'retry-after': '2' } }));
  }, deadlineMs);
  try {
    return await Promise.race([reading, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
