import { ms } from '../../../platform/database/statements/sql.ts';
import { companyStatement } from '../../../platform/database/statements/statements.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { type EndpointState, endpointState } from '../endpoints/endpoint-state.rules.ts';
import type { NewDelivery } from '../events/fan-out.repository.ts';
import type { DeliveryJob } from '../webhooks.queues.ts';

/** What a job said of its delivery. */
type Withdrawn = Pick<DeliveryJob, 'deliveryId' | 'ticket'>;

// Here and below: what was locked is changed by an array of its ids. Joined, a company whose many deliveries are newer than
// the statistics has each of them compared with each that was locked: seconds for 2,000 of 7,000.
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
 * Gives up deliveries whose jobs were withdrawn, as many of those that are parked, and the newest delivery, which may be on
 * its way: it is the `lastDelivery` of the endpoint, which does not change any more. Returns how many.
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

const PARK = companyStatement(
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
        next_attempt_at = case when d.status = 'failed' then clock.at else d.next_attempt_at end
      from (select now() as at) clock where d.company_id = $1 and d.id = any(array(select id from held)) returning d.id::text`,
);

/** Parks deliveries whose jobs were withdrawn; one that was given up and redriven begins anew. */
export async function park(tx: TenantTransaction, jobs: readonly Withdrawn[]): Promise<void> {
  await tx.rows(
    PARK,
    jobs.map(({ deliveryId }) => deliveryId),
    jobs.map(({ ticket }) => ticket),
  );
}

const released = (which: string) => `with chosen as (
    select id from webhook_delivery where company_id = $1 and endpoint_id = $2 and parked ${which} for update
  ), freed as (
    update webhook_delivery d set parked = false, ticket = d.ticket + 1
      where d.company_id = $1 and d.id = any(array(select id from chosen))
      returning d.id, d.endpoint_id, d.ticket, d.next_attempt_at as due_at
  )
  select id::text, endpoint_id as "endpointId", ticket, false as "isParked",
    case when due_at > now() then ${ms('due_at')} end as "dueAt" from freed order by freed.id`;

const RELEASE_OLDEST = companyStatement('release-oldest', released('order by id limit $3'));
const RELEASE_DUE = companyStatement(
  'release-due',
  released('and next_attempt_at <= now() order by next_attempt_at, id limit 1'),
);

/** Takes the oldest parked deliveries out; they need jobs, those that were tried before at their time and not sooner. */
export function releaseOldest(tx: TenantTransaction, endpointId: string, max: number): Promise<NewDelivery[]> {
  return tx.rows<NewDelivery>(RELEASE_OLDEST, endpointId, max);
}

/** Takes out the parked delivery that has been due for longest, if one is; it needs a job. */
export function releaseDue(tx: TenantTransaction, endpointId: string): Promise<NewDelivery[]> {
  return tx.rows<NewDelivery>(RELEASE_DUE, endpointId);
}

const NEXT_DUE = companyStatement(
  'next-due',
  `select ${ms('min(next_attempt_at)')} as at from webhook_delivery
    where company_id = $1 and endpoint_id = $2 and parked`,
);

/** When the next of those parked falls due. */
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

/** Whether a dead endpoint may be tried now; holds it until the end of the transaction. */
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

const HOLD_STATE = companyStatement(
  'hold-endpoint-state',
  `select ${endpointState('w')} as state from webhook_endpoint w where w.company_id = $1 and w.id = $2 for share`,
);

/** An endpoint's state, which stays the same until the end of the transaction. */
export async function holdState(tx: TenantTransaction, endpointId: string): Promise<EndpointState> {
  const [row] = await tx.rows<{ state: EndpointState }>(HOLD_STATE, endpointId);
  return row?.state ?? 'disabled';
}

const MAY_DRAIN = companyStatement(
  'may-drain',
  `select id from webhook_endpoint where company_id = $1 and id = $2
    and ${endpointState('webhook_endpoint')} in ('active', 'catching_up') for no key update`,
);

/** Whether what is parked for an endpoint may go out; holds it until the end of the transaction. */
export async function mayDrain(tx: TenantTransaction, endpointId: string): Promise<boolean> {
  return (await tx.rows(MAY_DRAIN, endpointId)).length > 0;
}

const DRAINED = companyStatement(
  'drained',
  `update webhook_endpoint set breaker = null where company_id = $1 and id = $2 and breaker = 'draining' returning id`,
);

/** Has new deliveries go out at once again; returns whether they did not before. */
export async function endDraining(tx: TenantTransaction, endpointId: string): Promise<boolean> {
  return (await tx.rows(DRAINED, endpointId)).length > 0;
}
