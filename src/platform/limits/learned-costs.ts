import { LRUCache } from 'lru-cache';
import type { CompanyId } from '../database/tenancy.ts';

/** Kinds of requests of companies whose cost is remembered. */
const MAX_COSTS = 10_000;

/** What is left of a high cost when the next request costs less: a cheap one does not hide an expensive one after it. */
const KEPT = 0.75;

/** What requests of a kind cost a company lately: a better guess at the next one than what such a request may cost. */
export class LearnedCosts {
  readonly #costs = new LRUCache<string, number>({ max: MAX_COSTS });

  /** Undefined where nothing is known. */
  of(companyId: CompanyId, kind: string): number | undefined {
    return this.#costs.get(keyOf(companyId, kind));
  }

  learn(companyId: CompanyId, kind: string, cost: number): void {
    const key = keyOf(companyId, kind);
    this.#costs.set(key, Math.max(cost, (this.#costs.get(key) ?? 0) * KEPT));
  }
}

function keyOf(companyId: CompanyId, kind: string): string {
  return `${companyId} ${kind}`;
}
