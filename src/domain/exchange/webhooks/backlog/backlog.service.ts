import type { Database } from '../../../../platform/database/database.ts';
import { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import type { Housekeeping } from '../../../../platform/jobs/job-kinds.ts';
import type { Jobs } from '../../../../platform/jobs/jobs.ts';
import { oneByOne } from '../../../../platform/jobs/one-by-one.ts';
import {
  countDue,
  type DueOfCompany,
  deleteWaiting,
  dueByCompany,
  laterByGroup,
} from '../../../../platform/jobs/pgboss-tables.ts';
import { nextLook } from '../deliveries/breaker.rules.ts';
import { holdsBack } from '../endpoints/endpoint.rules.ts';
import { enqueue } from '../events/fan-out.service.ts';
import {
  clearings,
  type DeliveryJob,
  deadDeliveries,
  deliveries,
  drains,
  probes,
  STOPPED_CHANNEL,
} from '../webhooks.queues.ts';
import {
  cancel,
  endDraining,
  holdBack,
  lockState,
  mayDrain,
  mayProbe,
  nextDue,
  probeLater,
  releaseDue,
  releaseOldest,
  stalledEndpoints,
} from './backlog.repository.ts';

/** Deliveries that are cleared in one transaction. */
const CHUNK = 2_000;

/**
 * How many of an endpoint's deliveries are queued while its backlog is drained, and when more are added: deliveries of
 * others wait behind no more than these.
 */
const DRAINING = { queued: 1_000, refillBelow: 500, everyMs: 500 };

/** How long a probe may take before another one is sent. */
const PROBE_LEASE_MS = 60_000;

/**
 * Takes the jobs of a stopped endpoint out of the queue, where every worker would have to skip them: held back if they
 * may be sent later, cancelled otherwise. It works in chunks, and leaves an endpoint alone that was resumed meanwhile.
 */
export async function clearBacklog(tenant: Tenant, endpointId: string): Promise<void> {
  while (await tenant.transaction(tx => clearChunk(tx, endpointId)));
}

/** Clears a chunk; returns whether there may be more. */
async function clearChunk(tx: TenantTransaction, endpointId: string): Promise<boolean> {
  const state = await lockState(tx, endpointId);
  if (state !== 'disabled' && !holdsBack(state)) return false;
  // Except the probe, which alone finds out whether the endpoint works.
  const withdrawn = await deleteWaiting<DeliveryJob>(tx.em, deliveries.queue, endpointId, CHUNK, { isProbe: true });
  if (state === 'disabled') {
    const cancelled = await cancel(tx, endpointId, withdrawn, CHUNK);
    return withdrawn.length === CHUNK || cancelled >= CHUNK;
  }
  if (withdrawn.length > 0) await holdBack(tx, withdrawn);
  return withdrawn.length === CHUNK;
}

/**
 * Stops deliveries to an endpoint that was paused or disabled in this transaction: attempts in progress are aborted on
 * every worker, and waiting ones are cleared, the first chunk here and the rest by a job.
 */
export async function stopBacklog(tx: TenantTransaction, jobs: Jobs, endpointId: string): Promise<void> {
  await tx.notify(STOPPED_CHANNEL, endpointId);
  if (await clearChunk(tx, endpointId)) await sendClearing(tx, jobs, endpointId);
}

/** Probes a dead endpoint with the delivery that has been due for longest; if none is due, it looks again later. */
export async function probe(tenant: Tenant, endpointId: string, jobs: Jobs): Promise<void> {
  await tenant.transaction(async tx => {
    if (!(await mayProbe(tx, endpointId))) return;
    const chosen = await releaseDue(tx, endpointId);
    const now = new Date();
    if (chosen.length > 0) {
      await enqueue(tx, jobs, chosen, true);
      // The result of the attempt sets the next time, unless its worker dies.
      await probeLater(tx, endpointId, new Date(now.getTime() + PROBE_LEASE_MS));
    } else {
      const at = nextLook(await nextDue(tx, endpointId), now);
      await probeLater(tx, endpointId, at);
      await sendProbe(tx, jobs, endpointId, at);
    }
  });
}

export async function sendProbe({ em, companyId }: TenantTransaction, jobs: Jobs, endpointId: string, at: Date) {
  await jobs.insert(em, probes, [{ data: { companyId, endpointId }, startAfter: at }]);
}

export async function sendClearing({ em, companyId }: TenantTransaction, jobs: Jobs, endpointId: string) {
  await jobs.insert(em, clearings, [{ data: { companyId, endpointId } }]);
}

export async function sendDrain({ em, companyId }: TenantTransaction, jobs: Jobs, endpointId: string, at?: Date) {
  await jobs.insert(em, drains, [{ data: { companyId, endpointId }, key: endpointId, startAfter: at }]);
}

/** Sends the deliveries held back for an endpoint, oldest first, a queueful at a time, until none is left. */
export async function drain(tenant: Tenant, endpointId: string, jobs: Jobs): Promise<void> {
  await tenant.transaction(async tx => {
    if (!(await mayDrain(tx, endpointId))) return;
    const queued = await countDue(tx.em, deliveries.queue, endpointId, DRAINING.queued);
    const room = queued < DRAINING.refillBelow ? DRAINING.queued - queued : 0;
    const released = room > 0 ? await releaseOldest(tx, endpointId, room) : [];
    await enqueue(tx, jobs, released);
    const isDrained = released.length < room;
    // Once more at the end: a delivery that was held back in a concurrent transaction was not visible.
    if (!isDrained || (await endDraining(tx, endpointId))) {
      await sendDrain(tx, jobs, endpointId, new Date(Date.now() + DRAINING.everyMs));
    }
  });
}

/** Restarts endpoints whose probe or drain was lost, with a queue or a worker. */
export async function restartStalled({ database, jobs }: Housekeeping): Promise<void> {
  await oneByOne(await stalledEndpoints(database), ({ companyId, endpointId, state }) => {
    const send = state === 'disabled' ? sendClearing : state === 'backing_off' ? sendProbe : sendDrain;
    return new Tenant(companyId, database).transaction(tx => send(tx, jobs, endpointId, new Date()));
  });
}

/** Deliveries that workers can send now, by company, of the `max` that have been due for longest. */
export function dueDeliveries(database: Database, max: number): Promise<DueOfCompany[]> {
  return dueByCompany(database, deliveries.queue, max);
}

/** When the first delivery that is tried later is due, by endpoint, of the `max` that are due first; in milliseconds since 1970. */
export async function laterDeliveries(database: Database, max: number): Promise<ReadonlyMap<string, number>> {
  const later = await laterByGroup(database, deliveries.queue, max);
  return new Map(later.map(({ group, nextAt }) => [group, nextAt]));
}

/** Whether the jobs of a queue are deliveries, which fail with their receivers. */
export function isOfDeliveries(queue: string): boolean {
  return queue === deliveries.queue || isOfDeadDeliveries(queue);
}

/** Whether a queue has deliveries that failed for good. */
export function isOfDeadDeliveries(queue: string): boolean {
  return queue === deadDeliveries.queue;
}
