import type { CompanyId } from '../../../../platform/database/tenancy/company-id.ts';
import { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import type { Housekeeping } from '../../../../platform/jobs/job-kinds.ts';
import { oneByOne } from '../../../../platform/jobs/one-by-one.ts';
import { appendChanges } from '../changes/changes.repository.ts';
import type { DelayReason, NewChange } from '../changes/changes.rules.ts';
import { TERMINAL_STATUSES } from '../events.rules.ts';
import { shipmentsDelayed } from '../tracking.announcements.ts';
import {
  companiesWithLate,
  companiesWithStalled,
  type FoundDelay,
  markLate,
  markStalled,
  type Periods,
} from './delays.repository.ts';
import { silences } from './silence.rules.ts';

/** Older delays and silences are not searched: they were found in time, or no longer matter to anybody. */
const LATE: Periods = { firstDays: 30, againDays: 7 };
const STALLED: Periods = { firstDays: 14, againDays: 7 };

const DELAYS_AT_ONCE = 500;

/**
 * Finds open shipments that are delayed without a carrier's report: past their expected date, or silent for longer than
 * normal. Each finding is a change of the shipment. The first late one, unless the carrier has reported a delay, and the
 * first silent one of a shipment are announced in the same transaction.
 */
export async function detectDelays(housekeeping: Housekeeping): Promise<void> {
  await oneByOne(await delaysIn(housekeeping), delays => announce(housekeeping, delays));
}

/** Shipments of a company with delays of one kind. */
interface Delays {
  readonly companyId: CompanyId;
  readonly reason: DelayReason;
  /** Finds and marks a limited number of delayed shipments. */
  readonly find: (tx: TenantTransaction) => Promise<readonly FoundDelay[]>;
}

async function delaysIn({ database }: Housekeeping): Promise<Delays[]> {
  const found: Delays[] = [];
  const late = (tx: TenantTransaction) => markLate(tx, LATE, TERMINAL_STATUSES, DELAYS_AT_ONCE);
  for (const companyId of await companiesWithLate(database, LATE, TERMINAL_STATUSES)) {
    found.push({ companyId, reason: 'late', find: late });
  }
  for (const silence of silences(new Date())) {
    const stalled = (tx: TenantTransaction) => markStalled(tx, silence, STALLED, DELAYS_AT_ONCE);
    for (const companyId of await companiesWithStalled(database, silence, STALLED)) {
      found.push({ companyId, reason: 'silent', find: stalled });
    }
  }
  return found;
}

/** Records and announces the delays of a company, a limited number per transaction. */
async function announce(
  { database, jobs, publicUrl, metrics }: Housekeeping,
  { companyId, reason, find }: Delays,
): Promise<void> {
  const tenant = new Tenant(companyId, database);
  for (let isMore = true; isMore; ) {
    isMore = await tenant.transaction(async tx => {
      const found = await find(tx);
      if (found.length === 0) return false;
      const first =
        (await appendChanges(
          tx,
          found.map(one => changeOf(one, reason)),
        )) -
        found.length +
        1;
      const delayed = found.map((one, i) => ({ ...one, change: first + i }));
      await shipmentsDelayed.announce(tx, { announcer: { jobs, publicUrl, metrics }, delayed });
      return found.length >= DELAYS_AT_ONCE;
    });
  }
}

function changeOf({ shipmentId, since }: FoundDelay, reason: DelayReason): NewChange {
  return { kind: 'delayed', shipmentId, detail: { reason, since: new Date(since).toISOString() } };
}
