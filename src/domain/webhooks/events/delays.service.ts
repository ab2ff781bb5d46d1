import type { CompanyId } from '../../../platform/database/tenancy/company-id.ts';
import { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import type { Housekeeping } from '../../../platform/jobs/job-kinds.ts';
import { oneByOne } from '../../../platform/jobs/one-by-one.ts';
import { uncachedPromises } from '../../promise/promise-book.service.ts';
import { TERMINAL_STATUSES } from '../../tracking/events.rules.ts';
import {
  companiesWithLate,
  companiesWithStalled,
  type DelayedShipment,
  lateShipments,
  stalledShipments,
} from './delays.repository.ts';
import { notifyOfDelays } from './fan-out.service.ts';
import { silences } from './silence.rules.ts';

/** A longer delay or silence is no longer announced. */
const MAX_LATE_DAYS = 30;
const MAX_STALLED_DAYS = 14;

const DELAYS_AT_ONCE = 500;

/**
 * Notifies subscribers of open shipments that are delayed without a carrier's report: once when they are past their
 * expected date, and once when they have been silent for longer than normal. It is part of webhooks and not of
 * tracking, because a delay changes nothing in the shipment: only subscribers learn of it.
 */
export async function detectDelays(housekeeping: Housekeeping): Promise<void> {
  await oneByOne(await delaysIn(housekeeping), delays => announce(housekeeping, delays));
}

/** Shipments of a company with delays of one kind. */
interface Delays {
  readonly companyId: CompanyId;
  readonly why: 'late' | 'stalled';
  readonly find: (tx: TenantTransaction) => Promise<readonly DelayedShipment[]>;
}

async function delaysIn({ database }: Housekeeping): Promise<Delays[]> {
  const found: Delays[] = [];
  const late = (tx: TenantTransaction) => lateShipments(tx, MAX_LATE_DAYS, TERMINAL_STATUSES, DELAYS_AT_ONCE);
  for (const companyId of await companiesWithLate(database, MAX_LATE_DAYS, TERMINAL_STATUSES)) {
    found.push({ companyId, why: 'late', find: late });
  }
  for (const silence of silences(new Date())) {
    const stalled = (tx: TenantTransaction) => stalledShipments(tx, silence, MAX_STALLED_DAYS, DELAYS_AT_ONCE);
    for (const companyId of await companiesWithStalled(database, silence, MAX_STALLED_DAYS)) {
      found.push({ companyId, why: 'stalled', find: stalled });
    }
  }
  return found;
}

/** Announces the delays of a company, a limited number per transaction. */
async function announce(
  { database, jobs, publicUrl, metrics }: Housekeeping,
  { companyId, why, find }: Delays,
): Promise<void> {
  const tenant = new Tenant(companyId, database);
  let notified = DELAYS_AT_ONCE;
  while (notified === DELAYS_AT_ONCE) {
    const announcer = { jobs, publicUrl, promises: uncachedPromises, metrics };
    notified = await tenant.transaction(async tx => notifyOfDelays(tx, announcer, await find(tx), why));
  }
}
