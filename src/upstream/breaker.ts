import { LRUCache } from 'lru-cache';

/** Calls in a row without an answer, after which a connection is left alone for a while. */
const OPENS_AFTER = 5;
const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 120_000;

/** Connections that fail just now. */
const MAX_FAILING = 10_000;

interface Failing {
  readonly failures: number;
  /** When one may ask again; then the next failure closes the door at once. */
  readonly openUntilMs: number;
}

/**
 * Spares callers the wait for a carrier that does not answer, and the carrier the questions. One breaker a connection, in
 * this process: each finds out for itself, and a carrier that is well again is so for all within two minutes.
 */
export class Breaker {
  readonly #failing = new LRUCache<string, Failing>({ max: MAX_FAILING });

  isOpen(key: string, nowMs: number): boolean {
    return nowMs < (this.#failing.get(key)?.openUntilMs ?? 0);
  }

  succeeded(key: string): void {
    this.#failing.delete(key);
  }

  failed(key: string, nowMs: number): void {
    const failures = (this.#failing.get(key)?.failures ?? 0) + 1;
    const pauses = failures - OPENS_AFTER;
    const pauseMs = pauses < 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** pauses, MAX_PAUSE_MS);
    this.#failing.set(key, { failures, openUntilMs: nowMs + pauseMs });
  }

  /** How many connections are left alone just now. */
  open(nowMs: number): number {
    return [...this.#failing.values()].filter(({ openUntilMs }) => nowMs < openUntilMs).length;
  }
}
