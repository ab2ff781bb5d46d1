import type { ServerResponse } from 'node:http';
import type { CompanyId } from '../../platform/database/tenancy.ts';
import { Fault } from '../../platform/fault.ts';
import type { HttpLimits } from '../../platform/limits/http-limits.ts';

/** Bytes that a request holds until its response is over. */
export interface BodyLease {
  /** Gives back what the body turned out not to need. */
  keep(bytes: number): void;
}

/**
 * Counts the bytes of bodies that are being read or held, over all requests: the memory for them is bounded, and so is
 * each company's share of it. A body that does not fit waits for a moment.
 */
export class BodyMemory {
  readonly #limits: HttpLimits;
  #held = 0;
  readonly #heldByCompany = new Map<CompanyId, number>();
  /** Each takes its bytes if they fit by now. In the order they came. */
  readonly #waiting = new Set<() => void>();

  constructor(limits: HttpLimits) {
    this.#limits = limits;
  }

  /** @throws Fault `rate_limited` if the company's share has no room in time, `unavailable` if the whole has none */
  async hold(companyId: CompanyId, bytes: number, response: ServerResponse): Promise<BodyLease> {
    if (!this.#take(companyId, bytes)) await this.#wait(companyId, bytes);
    let held = bytes;
    const keep = (kept: number): void => {
      this.#giveBack(companyId, held - kept);
      held = kept;
    };
    // The response of a caller who left meanwhile will not close again.
    if (response.destroyed) keep(0);
    else response.once('close', () => keep(0));
    return { keep };
  }

  async #wait(companyId: CompanyId, bytes: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const retry = (): void => {
      if (!this.#take(companyId, bytes)) return;
      this.#waiting.delete(retry);
      resolve();
    };
    this.#waiting.add(retry);
    const timer = setTimeout(() => {
      this.#waiting.delete(retry);
      reject(this.#lack(companyId, bytes));
    }, this.#limits.bodyWaitMs);
    await promise.finally(() => clearTimeout(timer));
  }

  #take(companyId: CompanyId, bytes: number): boolean {
    const held = this.#heldByCompany.get(companyId) ?? 0;
    const { bodyBytes, bodyBytesPerCompany } = this.#limits;
    if (this.#held + bytes > bodyBytes || held + bytes > bodyBytesPerCompany) return false;
    this.#held += bytes;
    this.#heldByCompany.set(companyId, held + bytes);
    return true;
  }

  #giveBack(companyId: CompanyId, bytes: number): void {
    if (bytes === 0) return;
    this.#held -= bytes;
    const held = (this.#heldByCompany.get(companyId) ?? 0) - bytes;
    if (held > 0) this.#heldByCompany.set(companyId, held);
    else this.#heldByCompany.delete(companyId);
    for (const retry of this.#waiting) retry();
  }

  #lack(companyId: CompanyId, bytes: number): Fault {
    const headers = { 'retry-after': '2' };
    const held = this.#heldByCompany.get(companyId) ?? 0;
    const { bodyBytesPerCompany: share } = this.#limits;
    if (held + bytes <= share) return new Fault('unavailable', { headers });
    const detail = `The bodies of requests that a company sends at once may have ${share} bytes together. Send the request again in 2 s.`;
    return new Fault('rate_limited', { detail, headers });
  }
}
