import { LRUCache } from 'lru-cache';

/** Calls in a row without an answer, after which a connection is left alone for a while. */
const OPENS_AFTER = 5;
const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 120_000;
/** One that was let through to find out, and of which nothing was heard, stands in nobody's way for longer. */
const PROBE_MS = 15_000;

/** Connections that fail just now. */
const MAX_FAILING = 10_000;

interface Failing {
  readonly failures: number;
  /** Until when nobody asks; where it is past, one may, and the others wait for what it finds. */
  readonly closedUntilMs: number;
  /** When the door was closed; what was under way then says nothing new. */
  readonly closedAtMs: number;
}

/**
 * Spares callers the wait for a carrier that does not respond, and the carrier the requests. One breaker a connection, in
 * this process: each finds out for itself, and a carrier that has recovered is asked by all within two minutes.
 *
 * Not the breaker of cockatiel, because of two tests in breaker.test.ts. "is asked by one after a pause, which finds out for
 * the others": while cockatiel probes, other calls wait for the outcome, here up to 8 s, in place of an immediate
 * CARRIER_UNAVAILABLE. "also with one that was under way": a call that began before the breaker opened and then succeeds
 * does not close cockatiel's.
 */
export class Breaker {
  readonly #failing = new LRUCache<string, Failing>({ max: MAX_FAILING });

  /** Whether a call may be made; the first after a pause keeps the others out until it has ended. */
  enter(key: string, nowMs: number): boolean {
    const failing = this.#failing.get(key);
    if (!failing || failing.failures < OPENS_AFTER) return true;
    if (nowMs < failing.closedUntilMs) return false;
    this.#failing.set(key, { ...failing, closedUntilMs: nowMs + PROBE_MS });
    return true;
  }

  /** In what time the connection can be asked; 0 for now. */
  waitMs(key: string, nowMs: number): number {
    return Math.max(0, (this.#failing.get(key)?.closedUntilMs ?? 0) - nowMs);
  }

  succeeded(key: string): void {
    this.#failing.delete(key);
  }

  failed(key: string, startedMs: number, nowMs: number): void {
    const { failures, closedAtMs } = this.#failing.get(key) ?? { failures: 0, closedAtMs: 0 };
    if (failures >= OPENS_AFTER && startedMs < closedAtMs) return;
    const closings = failures + 1 - OPENS_AFTER;
    const pauseMs = closings < 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** closings, MAX_PAUSE_MS);
    this.#failing.set(key, { failures: failures + 1, closedUntilMs: nowMs + pauseMs, closedAtMs: nowMs });
  }

  /** How many connections are left alone just now. */
  open(nowMs: number): number {
    return [...this.#failing.values()].filter(({ closedUntilMs }) => nowMs < closedUntilMs).length;
  }
}
