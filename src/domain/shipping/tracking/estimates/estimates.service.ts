import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { Log } from '../../../../platform/telemetry/log.ts';
import { appendChangesAtEnd } from '../changes/changes.repository.ts';
import type { NewChange } from '../changes/changes.rules.ts';
import { type ChangedEstimate, recordEstimates } from './estimates.repository.ts';
import { readEstimate } from './estimates.rules.ts';

export { estimatesOf } from './estimates.repository.ts';

/** A carrier's estimate, in the form of the carrier port. */
interface CarrierEstimate {
  readonly shipmentId: number;
  readonly estimate: string;
}

/**
 * Records carriers' estimates of deliveries. Earlier estimates stay, and repeated ones change nothing. An unreadable
 * estimate is dropped and logged without its text.
 */
export async function recordCarrierEstimates(
  tenant: Tenant,
  estimates: readonly CarrierEstimate[],
  log: Log,
): Promise<void> {
  const now = new Date();
  const read = estimates.map(({ shipmentId, estimate }) => ({ shipmentId, expectedAt: readEstimate(estimate, now) }));
  const readable = read.flatMap(({ shipmentId, expectedAt }) => (expectedAt ? { shipmentId, expectedAt } : []));
  if (readable.length > 0) {
    await tenant.transaction(async tx => {
      appendChangesAtEnd(tx, (await recordEstimates(tx, readable)).map(changeOf));
    });
  }
  const unreadable = estimates.length - readable.length;
  if (unreadable > 0) log.warn({ companyId: tenant.companyId, unreadable }, 'carrier estimates unreadable');
}

function changeOf({ shipmentId, date, previousDate }: ChangedEstimate): NewChange {
  const iso = (time: number) => new Date(time).toISOString();
  const previousExpectedAt = previousDate === null ? null : iso(previousDate);
  return { kind: 'estimate', shipmentId, detail: { expectedAt: iso(date), previousExpectedAt } };
}
