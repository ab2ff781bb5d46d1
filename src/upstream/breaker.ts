import { LRUCache } from 'lru-cache';

/** Calls in a row without a response, after which a connection is paused. */
const OPENS_AFTER = 5;
const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 120_000;
/** A trial call without a result blocks the others no longer than this. */
const PROBE_MS = 15_000;

/** Failing connections that are remembered. */
const MAX_FAILING = 10_000;

interface Failing {
  readonly failures: number;
  /** The end of the pause; afterwards one call is let through, and the others wait for its result. */
  readonly closedUntilMs: number;
  /** When the breaker opened; calls that began earlier do not count. */
  readonly closedAtMs: number;
}

/**
 * Spares callers the wait for a carrier that does not respond, and the carrier the requests. There is one breaker per
 * connection and process: each process finds out for itself, and all ask a recovered carrier again within two minutes.
 *
 * Not the breaker of cockatiel, because of two tests in breaker.test.ts. "is asked by one after a pause, which finds
 * out for the others": while cockatiel makes a trial call, other calls wait for its result, here up to 8 s, in place of
 * an immediate CARRIER_UNAVAILABLE. "also with one that was under way": a call that began before the breaker opened and
 * then succeeds does not close cockatiel's.
 */
export class Breaker {
  readonly #failing = new LRUCache<string, Failing>({ max: MAX_FAILING });

  /** Whether a call may be made; the first call after a pause blocks the others until it has ended. */
  enter(key: string, nowMs: number): boolean {
    const failing = this.#failing.get(key);
    if (!failing || failing.failures < OPENS_AFTER) return true;
    if (nowMs < failing.closedUntilMs) return false;
    this.#failing.set(key, { ...failing, closedUntilMs: nowMs + PROBE_MS });
    return true;
  }

  /** The time until the connection can be asked; 0 for now. */
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

  /** How many connections are paused. */
  open(nowMs: number): number {
    return [...this.#failing.values()].filter(({ closedUntilMs }) => nowMs < closedUntilMs).length;
  }
}
