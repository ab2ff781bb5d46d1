import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import type { CompanyId } from '../database/tenancy.ts';
import { RATE_WINDOW_SECONDS } from './rates.ts';

/** Companies whose pace is remembered. */
const MAX_COMPANIES = 10_000;

/** How far a company may be ahead of its pace: what it asks for now and then is not slowed down. */
const AHEAD_MS = 200;

/**
 * Paces of companies, by the generic cell rate algorithm: work moves the time at which the company would be at its pace,
 * and who is further ahead of it than allowed waits.
 */
export class Paces {
  readonly #dueAt = new LRUCache<CompanyId, number>({ max: MAX_COMPANIES });

  /** Counts work of a company that may do units of `rate` a minute. */
  spend(companyId: CompanyId, units: number, rate: number): void {
    const takesMs = (RATE_WINDOW_SECONDS * 1000 * units) / rate;
    this.#dueAt.set(companyId, Math.max(performance.now(), this.#dueAt.get(companyId) ?? 0) + takesMs);
  }

  /** How long a company has to wait until it is at its pace, nearly. */
  aheadMs(companyId: CompanyId): number {
    return Math.max(0, (this.#dueAt.get(companyId) ?? 0) - performance.now() - AHEAD_MS);
  }
}
