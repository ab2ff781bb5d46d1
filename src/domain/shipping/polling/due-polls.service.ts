import type { EntityManager } from '@mikro-orm/postgresql';
import type { Housekeeping } from '../../../platform/jobs/job-kinds.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { NewJob } from '../../../platform/jobs/queues.ts';
import { LEASE_MINUTES, type PollJob, polls } from './poll.queues.ts';
import { type LeasedPolls, leaseDuePolls } from './poll.repository.ts';
import { pollTheRest } from './poll-rows.service.ts';

/** The numbers that a live account may ask about in a minute. */
const BATCH = 200;
const LEASED_AT_ONCE = 5_000;
/** A run ends before the next one begins, which continues. */
const LEASING_MS = 45_000;

/** Inserts jobs for due polls, and then the poll rows that large connections still lack, which are due later. */
export async function enqueueDuePolls({ database, jobs, log }: Housekeeping): Promise<void> {
  const endsAt = Date.now() + LEASING_MS;
  let leased: number;
  do {
    // A shipment is leased in the transaction that inserts its job.
    leased = await database.transaction(async em =>
      enqueue(em, jobs, await leaseDuePolls(em, LEASED_AT_ONCE, LEASE_MINUTES)),
    );
    if (leased > 0) log.debug({ leased }, 'shipments leased for polling');
  } while (leased === LEASED_AT_ONCE && Date.now() < endsAt);
  await pollTheRest(database);
}

/** Inserts the jobs of leased shipments; returns the number of shipments. */
async function enqueue(em: EntityManager, jobs: Jobs, leases: readonly LeasedPolls[]): Promise<number> {
  await jobs.insert(em, polls, leases.flatMap(jobsOf));
  return leases.reduce((sum, { shipmentIds }) => sum + shipmentIds.length, 0);
}

/** Jobs of one connection, which run one at a time over all workers. */
function jobsOf({ companyId, carrierConnectionId, shipmentIds, leasedUntilMs }: LeasedPolls): NewJob<PollJob>[] {
  const leasedUntil = new Date(leasedUntilMs).toISOString();
  return Array.from({ length: Math.ceil(shipmentIds.length / BATCH) }, (_, i) => ({
    data: {
      companyId,
      carrierCompanyId: carrierConnectionId,
      shipmentIds: shipmentIds.slice(i * BATCH, (i + 1) * BATCH),
      leasedUntil,
    },
    group: `${companyId}/${carrierConnectionId}`,
  }));
}
