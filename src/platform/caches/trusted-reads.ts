import { LRUCache } from 'lru-cache';
import type { Notifications } from '../database/notifications.ts';
import { Fault } from '../fault.ts';

/**
 * How long a reading is believed without asking again. Notifications void it at once; this is for one that never came,
 * and keeps within the second in which a change must be seen.
 */
const TRUST_MS = 900;

/** How long a reading may take before those who wait for it are sent away, and the next who ask read anew. */
const DEADLINE_MS = 5_000;

/**
 * What was read of the database, by key, until it changes: a notification on the channel names the key, and one that may
 * have been missed voids all. Readings under way are shared by those who wait for the same; what changed while it was
 * read is not remembered, and neither is that there is nothing, so that something new works at once.
 */
export class TrustedReads<Key extends string, Value extends object> {
  /** A reading that is under way already is a miss too: whoever joins it waits. */
  readonly counts = { hits: 0, misses: 0 };
  readonly #known: LRUCache<Key, Value>;
  readonly #readings = new Map<Key, Promise<Value | undefined>>();
  readonly #deadlineMs: number;

  constructor(
    notifications: Pick<Notifications, 'on' | 'onGap'>,
    channel: string,
    max: number,
    deadlineMs = DEADLINE_MS,
  ) {
    this.#deadlineMs = deadlineMs;
    this.#known = new LRUCache({ max, ttl: TRUST_MS });
    notifications.on(channel, key => this.forget(key as Key));
    notifications.onGap(() => {
      this.#known.clear();
      this.#readings.clear();
    });
  }

  /** @throws Fault `unavailable` where the reading takes too long */
  get(key: Key, read: () => Promise<Value | undefined>): Value | Promise<Value | undefined> {
    const known = this.#known.get(key);
    if (known !== undefined) {
      this.counts.hits++;
      return known;
    }
    this.counts.misses++;
    return this.#readings.get(key) ?? this.#read(key, read);
  }

  forget(key: Key): void {
    this.#known.delete(key);
    this.#readings.delete(key);
  }

  #read(key: Key, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    // What is read is as old as the question, however long the answer takes.
    const start = performance.now();
    const reading: Promise<Value | undefined> = this.#inTime(read())
      .then(value => {
        if (value !== undefined && this.#readings.get(key) === reading) this.#known.set(key, value, { start });
        return value;
      })
      .finally(() => {
        if (this.#readings.get(key) === reading) this.#readings.delete(key);
      });
    this.#readings.set(key, reading);
    return reading;
  }

  async #inTime(reading: Promise<Value | undefined>): Promise<Value | undefined> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      const detail = 'The service is waiting for its database.';
      late.reject(new Fault('unavailable', { detail, headers: { 'retry-after': '2' } }));
    }, this.#deadlineMs);
    try {
      return await Promise.race([reading, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}
