import type { Database } from '../../../../platform/database/database.ts';
import { ms } from '../../../../platform/database/statements/sql.ts';
import { companyStatement, serviceStatement } from '../../../../platform/database/statements/statements.ts';
import type { CompanyId } from '../../../../platform/database/tenancy/company-id.ts';
import { isNotSuspended } from '../../../../platform/database/tenancy/suspended-companies.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import { type EndpointState, endpointState } from '../endpoints/endpoint.rules.ts';
import type { NewDelivery } from '../events/fan-out.repository.ts';
import type { DeliveryJob } from '../webhooks.queues.ts';

type Withdrawn = Pick<DeliveryJob, 'deliveryId' | 'ticket'>;

// Here and below, locked rows are changed by an array of their ids. With a join, many deliveries newer than the
// statistics would each be compared with each locked row: seconds for 2,000 of 7,000.
const CANCEL = companyStatement(
  'cancel-webhook-deliveries',
  `with waiting as (
      select id from webhook_delivery where company_id = $1 and status in ('pending', 'retrying') and id = any(array(
          select unnest($3::bigint[]) union all
          (select id from webhook_delivery where company_id = $1 and endpoint_id = $2 and parked order by id limit $4) union all
          (select id from webhook_delivery where company_id = $1 and endpoint_id = $2 order by id desc limit 1)
        )) order by id for update
    )
    update webhook_delivery set status = 'cancelled', parked = false, next_attempt_at = null, updated_at = now()
      where company_id = $1 and id = any(array(select id from waiting)) returning id::text`,
);

/**
 * Cancels deliveries whose jobs were withdrawn, as many held back ones, and the newest delivery, which may be in
 * progress: it is the `lastDelivery` of the endpoint, which then no longer changes. Returns how many.
 */
export async function cancel(
  tx: TenantTransaction,
  endpointId: string,
  jobs: readonly Withdrawn[],
  max: number,
): Promise<number> {
  const ids = jobs.map(({ deliveryId }) => deliveryId);
  return (await tx.rows(CANCEL, endpointId, ids, max)).length;
}

const HOLD_BACK = companyStatement(
  'park-webhook-deliveries',
  `with given as (
      select id, ticket from unnest($2::bigint[], $3::integer[]) as t(id, ticket) order by id
    ), held as (
      select given.id from given cross join lateral (
        select from webhook_delivery d where d.company_id = $1 and d.id = given.id and d.ticket = given.ticket
          and d.status in ('pending', 'retrying', 'failed') for update
      ) d
    )
    update webhook_delivery d set parked = true,
        status = case when d.status = 'failed' then 'pending' else d.status end,
        tries = case when d.status = 'failed' then 0 else d.tries end,
        next_attempt_at = case when d.status = 'failed' then now() else d.next_attempt_at end
      where d.company_id = $1 and d.id = any(array(select id from held)) returning d.id::text`,
);

/** Holds back deliveries whose jobs were withdrawn; a failed and redriven one starts again. */
export async function holdBack(tx: TenantTransaction, jobs: readonly Withdrawn[]): Promise<void> {
  await tx.rows(
    HOLD_BACK,
    jobs.map(({ deliveryId }) => deliveryId),
    jobs.map(({ ticket }) => ticket),
  );
}

/**
 * The time of a delivery's event. A replay delivers old events, which are due since then. Sorting takes 57 ms where
 * 100,000 deliveries wait, for each thousand that are released; by the index of ids it would be 1 ms.
 */
const AGE = 'least(next_attempt_at, created_at)';

const released = (which: string) => `with chosen as (
    select id from webhook_delivery where company_id = $1 and endpoint_id = $2 and parked ${which} for update
  ), freed as (
    update webhook_delivery d set parked = false, ticket = d.ticket + 1
      where d.company_id = $1 and d.id = any(array(select id from chosen))
      returning d.id, d.endpoint_id, d.ticket, d.next_attempt_at as due_at, ${AGE} as age
  )
  select id::text, endpoint_id as "endpointId", ticket, false as "isHeldBack",
    case when due_at > now() then ${ms('due_at')} end as "dueAt" from freed order by age, freed.id`;

const RELEASE_OLDEST = companyStatement('release-oldest', released(`order by ${AGE}, id limit $3`));
const RELEASE_DUE = companyStatement(
  'release-due',
  released('and next_attempt_at <= now() order by next_attempt_at, id limit 1'),
);

/** Releases the oldest held back deliveries; they need jobs, at their due time if they were tried before. */
export function releaseOldest(tx: TenantTransaction, endpointId: string, max: number): Promise<NewDelivery[]> {
  return tx.rows<NewDelivery>(RELEASE_OLDEST, endpointId, max);
}

/** Releases the held back delivery that has been due for longest, if there is one; it needs a job. */
export function releaseDue(tx: TenantTransaction, endpointId: string): Promise<NewDelivery[]> {
  return tx.rows<NewDelivery>(RELEASE_DUE, endpointId);
}

const NEXT_DUE = companyStatement(
  'next-due',
  `select ${ms('min(next_attempt_at)')} as at from webhook_delivery
    where company_id = $1 and endpoint_id = $2 and parked`,
);

/** When the next held back delivery is due. */
export async function nextDue(tx: TenantTransaction, endpointId: string): Promise<Date | null> {
  const [row] = await tx.rows<{ at: number | null }>(NEXT_DUE, endpointId);
  return row?.at == null ? null : new Date(row.at);
}

const MAY_PROBE = companyStatement(
  'may-probe',
  `select id from webhook_endpoint
    where company_id = $1 and id = $2 and ${endpointState('webhook_endpoint')} = 'backing_off' and probe_after <= now()
    for no key update`,
);

/** Whether a dead endpoint may be tried now; locks it until the end of the transaction. */
export async function mayProbe(tx: TenantTransaction, endpointId: string): Promise<boolean> {
  return (await tx.rows(MAY_PROBE, endpointId)).length > 0;
}

const PROBE_LATER = companyStatement(
  'probe-later',
  'update webhook_endpoint set probe_after = $3 where company_id = $1 and id = $2 returning id',
);

export async function probeLater(tx: TenantTransaction, endpointId: string, at: Date): Promise<void> {
  await tx.rows(PROBE_LATER, endpointId, at);
}

const LOCK_STATE = companyStatement(
  'hold-endpoint-state',
  `select ${endpointState('w')} as state from webhook_endpoint w where w.company_id = $1 and w.id = $2 for share`,
);

/** An endpoint's state, locked until the end of the transaction. */
export async function lockState(tx: TenantTransaction, endpointId: string): Promise<EndpointState> {
  const [row] = await tx.rows<{ state: EndpointState }>(LOCK_STATE, endpointId);
  return row?.state ?? 'disabled';
}

const MAY_DRAIN = companyStatement(
  'may-drain',
  `select id from webhook_endpoint where company_id = $1 and id = $2
    and ${endpointState('webhook_endpoint')} in ('active', 'catching_up') for no key update`,
);

/** Whether the deliveries held back for an endpoint may be sent; locks it until the end of the transaction. */
export async function mayDrain(tx: TenantTransaction, endpointId: string): Promise<boolean> {
  return (await tx.rows(MAY_DRAIN, endpointId)).length > 0;
}

const DRAINED = companyStatement(
  'drained',
  `update webhook_endpoint set breaker = null where company_id = $1 and id = $2 and breaker = 'draining' returning id`,
);

/** Lets new deliveries be sent at once again; returns whether they were held back before. */
export async function endDraining(tx: TenantTransaction, endpointId: string): Promise<boolean> {
  return (await tx.rows(DRAINED, endpointId)).length > 0;
}

/** An endpoint whose held back deliveries nothing sends, and its company. */
interface StalledEndpoint {
  readonly companyId: CompanyId;
  readonly endpointId: string;
  readonly state: EndpointState;
}

// An endpoint that backs off and whose probe never came, or another one with held back deliveries. A paused endpoint,
// and one of a suspended company, keeps its deliveries.
const STALLED = serviceStatement(
  'stalled-endpoints',
  `select w.company_id as "companyId", w.id as "endpointId", ${endpointState('w')} as state
    from webhook_endpoint w where ${isNotSuspended('w.company_id')} and case ${endpointState('w')}
      when 'paused' then false
      when 'backing_off' then w.probe_after < now() - interval '30 seconds'
      else exists (select 1 from webhook_delivery d where d.company_id = w.company_id and d.endpoint_id = w.id and d.parked)
    end`,
);

export function stalledEndpoints(database: Database): Promise<StalledEndpoint[]> {
  return database.rows<StalledEndpoint>(STALLED, []);
}
