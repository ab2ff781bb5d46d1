import type { TenantTransaction } from '../../platform/database/tenancy.ts';
import type { Housekeeping, NewJob } from '../../platform/jobs/job-kinds.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { LEASE_MINUTES, type PollJob, polls } from './poll.queues.ts';
import { type LeasedPolls, leaseDuePolls } from './poll.repository.ts';
import { pollTheRest } from './poll-rows.service.ts';

/** What a live account may ask in about a minute. */
const BATCH = 200;
const LEASED_AT_ONCE = 5_000;
/** A run ends before the next begins; what it leaves is the next one's. */
const LEASING_MS = 45_000;

/** Inserts jobs for the polls that are due, after the poll rows that large connections still lack. */
export async function enqueueDuePolls({ database, jobs, log }: Housekeeping): Promise<void> {
  const endsAt = Date.now() + LEASING_MS;
  await pollTheRest(database);
  let leased: number;
  do {
    // What is leased has its job, or it is not leased.
    leased = await database.transaction(em => enqueueSome(em, jobs));
    if (leased > 0) log.debug({ leased }, 'shipments leased for polling');
  } while (leased === LEASED_AT_ONCE && Date.now() < endsAt);
}

async function enqueueSome(em: TenantTransaction['em'], jobs: Jobs): Promise<number> {
  const leases = await leaseDuePolls(em, LEASED_AT_ONCE, LEASE_MINUTES);
  await jobs.insert(em, polls, leases.flatMap(jobsOf));
  return leases.reduce((sum, { shipmentIds }) => sum + shipmentIds.length, 0);
}

/** Jobs of one connection, of which one is in hand at a time, over all workers. */
function jobsOf({ companyId, carrierCompanyId, shipmentIds, leasedUntilMs }: LeasedPolls): NewJob<PollJob>[] {
  const leasedUntil = new Date(leasedUntilMs).toISOString();
  return Array.from({ length: Math.ceil(shipmentIds.length / BATCH) }, (_, i) => ({
    data: {
      companyId,
      carrierCompanyId,
      shipmentIds: shipmentIds.slice(i * BATCH, (i + 1) * BATCH),
      leasedUntil,
    },
    group: `${companyId}/${carrierCompanyId}`,
  }));
}
