import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import type { CompanyId } from '../database/tenancy.ts';

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

  /** Counts work of a company whose pace is so many units in a millisecond. */
  spend(companyId: CompanyId, units: number, unitsPerMs: number): void {
    const startedAt = Math.max(performance.now(), this.#dueAt.get(companyId) ?? 0);
    this.#dueAt.set(companyId, startedAt + units / unitsPerMs);
  }

  /** How long a company has to wait until it is at its pace, nearly. */
  aheadMs(companyId: CompanyId): number {
    return Math.max(0, (this.#dueAt.get(companyId) ?? 0) - performance.now() - AHEAD_MS);
  }
}
