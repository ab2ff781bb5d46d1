import type { Database } from '../../../../platform/database/database.ts';
import { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import type { Done } from '../../../../platform/jobs/job-kinds.ts';
import type { Jobs } from '../../../../platform/jobs/jobs.ts';
import type { NewJob } from '../../../../platform/jobs/queues.ts';
import { record } from '../../../account/audit/audit.service.ts';
import { sendClearing, sendDrain, sendProbe, stopBacklog } from '../backlog/backlog.service.ts';
import { noticeOfEndpoint } from '../notices/endpoint-notices.service.ts';
import type { Notifier } from '../notices/notices.service.ts';
import { type DeliveryJob, deliveries } from '../webhooks.queues.ts';
import type { AttemptResult } from './attempt.service.ts';
import {
  type DeliveryUpdate,
  type LockedHealth,
  lockHealth,
  type NewHealth,
  updateDeliveries,
  writeHealth,
} from './attempt-results.repository.ts';
import { afterAttempt, type Change, endpointNews, type Health } from './breaker.rules.ts';

type FinishedJob = Done<DeliveryJob, AttemptResult>;

/** The health of an endpoint after its findings, and the change. */
interface CalculatedHealth {
  readonly locked: LockedHealth;
  readonly health: Health;
  readonly change: Change | null;
}

/**
 * Writes the results of jobs in one transaction: jobs, deliveries, attempts, the health of endpoints and the next jobs.
 * Jobs whose lease has expired are left as they are. If a redelivery causes two results for one delivery, the second is
 * written after the first, in its own transaction.
 */
export async function completeAttempts(
  database: Database,
  notifier: Notifier,
  finished: readonly FinishedJob[],
): Promise<void> {
  const first = new Map<string, FinishedJob>();
  for (const one of finished) if (!first.has(one.job.data.deliveryId)) first.set(one.job.data.deliveryId, one);
  await completeDistinct(database, notifier, [...first.values()]);
  const rest = finished.filter(one => first.get(one.job.data.deliveryId) !== one);
  if (rest.length > 0) await completeAttempts(database, notifier, rest);
}

async function completeDistinct(
  database: Database,
  notifier: Notifier,
  finished: readonly FinishedJob[],
): Promise<void> {
  const { jobs } = notifier;
  await database.transaction(async em => {
    const completed = await jobs.complete(
      em,
      deliveries,
      finished.map(({ job }) => job),
    );
    const live = finished.filter(({ job }) => completed.has(job.id));
    const endpoints = live.filter(({ result }) => result.affectsHealth).map(({ job }) => job.data);
    const calculated = (await lockHealth(em, distinct(endpoints))).map(endpoint => calculateHealth(endpoint, live));
    await writeHealth(
      em,
      calculated.filter(({ locked, health }) => locked.isActive && health !== locked.health).map(newHealth),
    );
    // Written before the deliveries are locked, because a pause or a deletion locks the endpoint first too.
    for (const { locked, health, change } of calculated) {
      const news = locked.isActive ? endpointNews(locked.health, health, change) : null;
      const tx = new TenantTransaction(locked.companyId, em);
      if (news) await noticeOfEndpoint(tx, notifier, locked.endpointId, news);
    }

    const calculatedOf = new Map(calculated.map(one => [one.locked.endpointId, one]));
    const rows = live.flatMap(({ job, result: { row } }) =>
      row === null ? [] : [applyHealth(row, calculatedOf.get(job.data.endpointId))],
    );
    const current = await updateDeliveries(em, rows);
    const updated = rows.filter(({ deliveryId }) => current.has(deliveryId));
    await sendNext(jobs, em, live, updated);
    for (const one of calculated) await sendFollowUps(new TenantTransaction(one.locked.companyId, em), jobs, one);
  });
}

type EntityManager = TenantTransaction['em'];

/** Inserts the jobs of the next attempts, and dead letters for failed deliveries. */
async function sendNext(
  jobs: Jobs,
  em: EntityManager,
  live: readonly FinishedJob[],
  updated: readonly DeliveryUpdate[],
) {
  const dataOf = new Map(live.map(({ job }) => [job.data.deliveryId, job.data]));
  const next = (row: DeliveryUpdate): NewJob<DeliveryJob> => {
    const { companyId, deliveryId, endpointId } = dataOf.get(row.deliveryId) as DeliveryJob;
    return { data: { companyId, deliveryId, endpointId, ticket: row.ticket + 1 }, group: endpointId };
  };
  const now = Date.now();
  await jobs.insert(
    em,
    deliveries,
    updated
      .filter(({ nextAt, isHeldBack }) => nextAt !== null && !isHeldBack)
      .map(row => {
        const isDue = row.nextAt !== null && row.nextAt.getTime() <= now;
        return { ...next(row), startAfter: isDue ? undefined : (row.nextAt ?? undefined) };
      }),
  );
  await jobs.insertDeadLetters(em, deliveries, updated.filter(({ status }) => status === 'failed').map(next));
}

function distinct(endpoints: readonly DeliveryJob[]): DeliveryJob[] {
  return [...new Map(endpoints.map(data => [data.endpointId, data])).values()];
}

/** Applies the findings of an endpoint in the order of their arrival. */
function calculateHealth(locked: LockedHealth, live: readonly FinishedJob[]): CalculatedHealth {
  let { health } = locked;
  let change: Change | null = null;
  const now = new Date();
  for (const { job, result } of live) {
    const { finding } = result;
    if (job.data.endpointId !== locked.endpointId || finding === null || isDisabling(change)) continue;
    const after = afterAttempt(health, finding, now, Math.random());
    health = after.health;
    change = after.change ?? change;
  }
  // Opening and recovering within one batch does not count as a change.
  if (change === 'recovered' && locked.health.breaker !== 'open')
    health = { ...health, breaker: locked.health.breaker };
  return { locked, health, change };
}

function isDisabling(change: Change | null): change is 'gone' | 'failing' {
  return change === 'gone' || change === 'failing';
}

/** A delivery that would be retried is cancelled or held back if its endpoint was disabled or stopped. */
function applyHealth(row: DeliveryUpdate, endpoint: CalculatedHealth | undefined): DeliveryUpdate {
  if (endpoint === undefined || (row.status !== 'pending' && row.status !== 'retrying')) return row;
  const { locked, health, change } = endpoint;
  if (!locked.isActive || isDisabling(change)) return { ...row, status: 'cancelled', nextAt: null, isHeldBack: false };
  return { ...row, isHeldBack: row.isHeldBack || locked.isPaused || health.breaker === 'open' };
}

function newHealth({ locked: { companyId, endpointId }, health, change }: CalculatedHealth): NewHealth {
  // A disabled endpoint has no breaker, because nothing is held back for it.
  const isDisabled = isDisabling(change);
  const kept = isDisabled ? { ...health, breaker: null, probeAfter: null } : health;
  return { companyId, endpointId, health: kept, reason: isDisabled ? change : null };
}

async function sendFollowUps(
  tx: TenantTransaction,
  jobs: Jobs,
  { locked, health, change }: CalculatedHealth,
): Promise<void> {
  if (!locked.isActive) return;
  if (isDisabling(change)) {
    await stopBacklog(tx, jobs, locked.endpointId);
    const subject = { type: 'WebhookEndpoint', key: locked.endpointId } as const;
    await record(tx, { action: 'webhook_disabled', subject, detail: { reason: change } });
  } else if (health.breaker === 'draining' && change === 'recovered') await sendDrain(tx, jobs, locked.endpointId);
  else if (health.breaker === 'open' && change !== null && health.probeAfter) {
    if (change === 'opened') await sendClearing(tx, jobs, locked.endpointId);
    await sendProbe(tx, jobs, locked.endpointId, health.probeAfter);
  }
}
