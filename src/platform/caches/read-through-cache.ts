import { LRUCache } from 'lru-cache';
import type { Notifications } from '../database/connections/notifications.ts';
import { Fault } from '../fault.ts';

/**
 * The default age after which a value is read again. Notifications invalidate values at once; the age covers a lost
 * notification, and rows that were changed by hand in SQL. It is below the second in which a change must be seen.
 */
const TTL_MS = 900;

/** How long a read may take before its callers get an error and the next caller reads again. */
const DEADLINE_MS = 5_000;

interface Options<Value> {
  /** Longer for values whose change may be seen after more than a second if a notification is lost. */
  readonly ttlMs?: number;
  /** The limit on the weight of all values: above it the least recently used are evicted. No heavier one is kept. */
  readonly maxWeight?: number;
  readonly weigh?: (value: Value) => number;
}

type Read<Value> = () => Promise<Value | undefined>;

/** Thrown by a read that found nothing, because only values are cached. */
class Absent extends Error {}

/**
 * Caches values of the database, by key. The service that changes a row invalidates the key in its own
 * process; a notification on the channel names the key to the other processes, and a gap in the notifications
 * invalidates everything. Callers of the same key share a read that is under way. A value that changed while it was
 * read is not kept. Nothing is kept for a key without a row, so that a new row is found at once.
 */
export class ReadThroughCache<Key extends string, Value extends object> {
  /** A read that is under way counts as a miss too, because its callers wait. */
  readonly counts = { hits: 0, misses: 0 };
  readonly #cache: LRUCache<Key, Value, Read<Value>>;

  constructor(
    notifications: Pick<Notifications, 'on' | 'onGap'>,
    channel: string,
    max: number,
    { ttlMs = TTL_MS, maxWeight, weigh }: Options<Value> = {},
  ) {
    this.#cache = new LRUCache({
      max,
      ttl: ttlMs,
      ...(maxWeight !== undefined && weigh && { maxSize: maxWeight, sizeCalculation: weigh }),
      // A caller of a read that is invalidated meanwhile asked before the change, and gets the value that was read.
      ignoreFetchAbort: true,
      fetchMethod: async (_key, _stale, { options, context: read }) => {
        const startMs = performance.now();
        const value = await inTime(read());
        if (value === undefined) throw new Absent();
        // A value is as old as its question, however long the response takes. A TTL of 0 would mean no limit.
        options.ttl = Math.max(1, ttlMs - (performance.now() - startMs));
        return value;
      },
    });
    notifications.on(channel, key => this.invalidate(key as Key));
    notifications.onGap(() => this.#cache.clear());
  }

  /** Returns a promise only for a value that is not cached. @throws Fault `unavailable` if the read takes too long */
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

async function inTime<Value>(reading: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const detail = 'The service is waiting for its database.';
    late.reject(new Fault('unavailable', { detail, headers: { 'retry-after': '2' } }));
  }, DEADLINE_MS);
  try {
    return await Promise.race([reading, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
