import type { ServerResponse } from 'node:http';
import type { CompanyId } from '../../platform/database/tenancy/company-id.ts';
import { Fault } from '../../platform/fault.ts';
import { CompanyPlaces } from '../../platform/limits/company-places.ts';
import type { HttpLimits } from '../../platform/limits/http-limits.ts';

/** Bytes that a request has reserved until its response is over. */
interface BodyLease {
  /** Returns the bytes that the body did not need. */
  keep(bytes: number): void;
}

/** The memory for bodies in progress, bounded over all requests and by company. Bodies wait for room. */
export class BodyMemory {
  readonly #bytes: CompanyPlaces;

  constructor({ bodyBytes, bodyBytesPerCompany, bodyWaitMs, maxConnections }: HttpLimits) {
    this.#bytes = new CompanyPlaces({
      places: bodyBytesPerCompany,
      total: bodyBytes,
      waitMs: bodyWaitMs,
      maxWaiting: maxConnections,
      reject: lacking => noRoom(lacking, bodyBytesPerCompany),
    });
  }

  /** @throws Fault `rate_limited` if the company's share has no room in time, `unavailable` if the whole has none */
  async reserve(companyId: CompanyId, bytes: number, response: ServerResponse): Promise<BodyLease> {
    const waiting = this.#bytes.enter(companyId, bytes);
    if (waiting) await waiting;
    let held = bytes;
    const keep = (kept: number): void => {
      if (kept !== held) this.#bytes.leave(companyId, held - kept);
      held = kept;
    };
    // If the caller has disconnected meanwhile, the response will not close again.
    if (response.destroyed) keep(0);
    else response.once('close', () => keep(0));
    return { keep };
  }
}

function noRoom(lacking: 'company' | 'total', share: number): Fault {
  const headers = { 'retry-after': '2' };
  if (lacking === 'total') return new Fault('unavailable', { headers });
  const detail = `The bodies that a company sends at the same time can have ${share} bytes in total. Send the request again in 2 s.`;
  return new Fault('rate_limited', { detail, headers });
}
