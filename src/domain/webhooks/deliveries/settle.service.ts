import type { Database } from '../../../platform/database/database.ts';
import { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import type { Done } from '../../../platform/jobs/job-kinds.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { NewJob } from '../../../platform/jobs/queues.ts';
import { record } from '../../audit/audit.service.ts';
import { sendClearing, sendDrain, sendProbe, stopBacklog } from '../backlog/backlog.service.ts';
import { noticeOfEndpoint } from '../notices/endpoint-notices.service.ts';
import type { Notifier } from '../notices/notices.service.ts';
import { type DeliveryJob, deliveries } from '../webhooks.queues.ts';
import type { AttemptResult } from './attempt.service.ts';
import { afterAttempt, type Change, endpointNews, type Health } from './breaker.rules.ts';
import {
  type HeldHealth,
  holdHealth,
  type NewHealth,
  noteHealth,
  type SettledRow,
  settleDeliveries,
} from './settle.repository.ts';

type Settlement = Done<DeliveryJob, AttemptResult>;

/** An endpoint after its findings, and what follows from them. */
interface Reckoned {
  readonly held: HeldHealth;
  readonly health: Health;
  readonly change: Change | null;
}

/**
 * Writes the results of jobs in one transaction: jobs, deliveries, attempts, the health of endpoints and the next jobs.
 * What the worker no longer holds, since its hold ran out, is left as it is. Of two results of one delivery, which a
 * redelivery makes, the second counts after what the first makes of it, in a transaction of its own.
 */
export async function settle(
  database: Database,
  notifier: Notifier,
  settlements: readonly Settlement[],
): Promise<void> {
  const first = new Map<string, Settlement>();
  for (const one of settlements) if (!first.has(one.job.data.deliveryId)) first.set(one.job.data.deliveryId, one);
  await settleDistinct(database, notifier, [...first.values()]);
  const rest = settlements.filter(one => first.get(one.job.data.deliveryId) !== one);
  if (rest.length > 0) await settle(database, notifier, rest);
}

async function settleDistinct(
  database: Database,
  notifier: Notifier,
  settlements: readonly Settlement[],
): Promise<void> {
  const { jobs } = notifier;
  await database.transaction(async em => {
    const held = await jobs.complete(
      em,
      deliveries,
      settlements.map(({ job }) => job),
    );
    const live = settlements.filter(({ job }) => held.has(job.id));
    const endpoints = live.filter(({ result }) => result.isOfNote).map(({ job }) => job.data);
    const reckoned = (await holdHealth(database, em, distinct(endpoints))).map(endpoint => reckon(endpoint, live));
    await noteHealth(
      database,
      em,
      reckoned.filter(({ held, health }) => held.isActive && health !== held.health).map(newHealth),
    );
    // Before the deliveries are locked: whoever pauses or deletes an endpoint locks it first and its deliveries then.
    for (const { held, health, change } of reckoned) {
      const news = held.isActive ? endpointNews(held.health, health, change) : null;
      const tx = new TenantTransaction(held.companyId, em);
      if (news) await noticeOfEndpoint(tx, notifier, held.endpointId, news);
    }

    const reckonedOf = new Map(reckoned.map(one => [one.held.endpointId, one]));
    const rows = live.flatMap(({ job, result: { row } }) =>
      row === null ? [] : [ruled(row, reckonedOf.get(job.data.endpointId))],
    );
    const current = await settleDeliveries(database, em, rows);
    const settled = rows.filter(({ deliveryId }) => current.has(deliveryId));
    await sendNext(jobs, em, live, settled);
    for (const one of reckoned) await follow(new TenantTransaction(one.held.companyId, em), jobs, one);
  });
}

type EntityManager = TenantTransaction['em'];

/** The next attempts, and a grave for what was given up. */
async function sendNext(jobs: Jobs, em: EntityManager, live: readonly Settlement[], settled: readonly SettledRow[]) {
  const dataOf = new Map(live.map(({ job }) => [job.data.deliveryId, job.data]));
  const next = (row: SettledRow): NewJob<DeliveryJob> => {
    const { companyId, deliveryId, endpointId } = dataOf.get(row.deliveryId) as DeliveryJob;
    return { data: { companyId, deliveryId, endpointId, ticket: row.ticket + 1 }, group: endpointId };
  };
  const now = Date.now();
  await jobs.insert(
    em,
    deliveries,
    settled
      .filter(({ nextAt, isParked }) => nextAt !== null && !isParked)
      .map(row => {
        const isDue = row.nextAt !== null && row.nextAt.getTime() <= now;
        return { ...next(row), startAfter: isDue ? undefined : (row.nextAt ?? undefined) };
      }),
  );
  await jobs.bury(em, deliveries, settled.filter(({ status }) => status === 'failed').map(next));
}

function distinct(endpoints: readonly DeliveryJob[]): DeliveryJob[] {
  return [...new Map(endpoints.map(data => [data.endpointId, data])).values()];
}

/** Goes through the findings of an endpoint in the order in which they came in. */
function reckon(held: HeldHealth, live: readonly Settlement[]): Reckoned {
  let { health } = held;
  let change: Change | null = null;
  const now = new Date();
  for (const { job, result } of live) {
    const { finding } = result;
    if (job.data.endpointId !== held.endpointId || finding === null || isDisabling(change)) continue;
    const after = afterAttempt(health, finding, now, Math.random());
    health = after.health;
    change = after.change ?? change;
  }
  // Opened and recovered in one batch comes to nothing new.
  if (change === 'recovered' && held.health.breaker !== 'open') health = { ...health, breaker: held.health.breaker };
  return { held, health, change };
}

function isDisabling(change: Change | null): change is 'gone' | 'failing' {
  return change === 'gone' || change === 'failing';
}

/** What becomes of a delivery that would be tried again, where its endpoint gets nothing any more, or not now. */
function ruled(row: SettledRow, endpoint: Reckoned | undefined): SettledRow {
  if (endpoint === undefined || (row.status !== 'pending' && row.status !== 'retrying')) return row;
  const { held, health, change } = endpoint;
  if (!held.isActive || isDisabling(change)) return { ...row, status: 'cancelled', nextAt: null, isParked: false };
  return { ...row, isParked: row.isParked || held.isPaused || health.breaker === 'open' };
}

function newHealth({ held: { companyId, endpointId }, health, change }: Reckoned): NewHealth {
  // Disabled ones have no breaker: there is nothing to be held back.
  const isDisabled = isDisabling(change);
  const kept = isDisabled ? { ...health, breaker: null, probeAfter: null } : health;
  return { companyId, endpointId, health: kept, reason: isDisabled ? change : null };
}

async function follow(tx: TenantTransaction, jobs: Jobs, { held, health, change }: Reckoned): Promise<void> {
  if (!held.isActive) return;
  if (isDisabling(change)) {
    await stopBacklog(tx, jobs, held.endpointId);
    const subject = { type: 'WebhookEndpoint', key: held.endpointId } as const;
    await record(tx, { action: 'webhook_disabled', subject, detail: { reason: change } });
  } else if (health.breaker === 'draining' && change === 'recovered') await sendDrain(tx, jobs, held.endpointId);
  else if (health.breaker === 'open' && change !== null && health.probeAfter) {
    if (change === 'opened') await sendClearing(tx, jobs, held.endpointId);
    await sendProbe(tx, jobs, held.endpointId, health.probeAfter);
  }
}
