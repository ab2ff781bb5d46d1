import { rowLoader } from '../../../platform/database/gather/loader.ts';
import { ms } from '../../../platform/database/statements/sql.ts';
import { companyStatement } from '../../../platform/database/statements/statements.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { type CompletedPoll, type LeasedShipment, wasAsked } from './poll.repository.ts';
import { ANSWERS, type AskOutcome } from './poll.rules.ts';

/** The state of a shipment's polling. Times are milliseconds since 1970. */
export interface FollowingRow {
  readonly carrierAskedAt: number | null;
  readonly nextAskAt: number | null;
  readonly outcome: AskOutcome | null;
  readonly misses: number;
}

const FOLLOWING = rowLoader<[shipmentId: number], FollowingRow>({
  name: 'shipment-following',
  key: { id: 'integer' },
  text: `select ${ms('p.polled_at')} as "carrierAskedAt", ${ms('p.due_at')} as "nextAskAt", p.outcome, p.misses
    from tracking_poll p where p.company_id = each.company_id and p.shipment_id = each.id`,
});

export function followingOf(tenant: Tenant, shipmentId: number): Promise<FollowingRow | undefined> {
  return tenant.load(FOLLOWING, shipmentId);
}

/** A shipment for which a caller wants the carrier to be asked, polled or not. */
export interface Refreshable extends LeasedShipment {
  readonly carrierConnectionId: number;
  /** The time since a caller last refreshed it. */
  readonly refreshedMsAgo: number | null;
}

const REFRESHABLE = rowLoader<[shipmentId: number], Refreshable>({
  name: 'shipment-to-refresh',
  key: { id: 'integer' },
  text: `select s.id as "shipmentId", s.carrier_connection_id as "carrierConnectionId", s.tracking_key as "trackingKey",
      s.status_code as "statusCode", ${ms('(now() - least(s.shipment_date, s.created_at))')} as "ageMs",
      ${ms('(now() - coalesce(s.status_at, s.created_at))')} as "statusAgeMs",
      coalesce(p.misses, 0) as misses, p.answer, ${ms('(now() - p.refreshed_at)')} as "refreshedMsAgo"
    from shipment s left join tracking_poll p on p.company_id = each.company_id and p.shipment_id = s.id
    where s.company_id = each.company_id and s.id = each.id`,
});

export function refreshable(tenant: Tenant, shipmentId: number): Promise<Refreshable | undefined> {
  return tenant.load(REFRESHABLE, shipmentId);
}

// Leased like a due poll: if the process dies, the next run polls it, and a job that has it in hand no longer completes
// it.
const CLAIM = companyStatement(
  'claim-refresh',
  `with claimed as (
      insert into tracking_poll as p (company_id, shipment_id, carrier_connection_id, due_at, refreshed_at)
        select s.company_id, s.id, s.carrier_connection_id, now() + make_interval(mins => $3), now()
          from shipment s where s.company_id = $1 and s.id = $2
        on conflict (company_id, shipment_id) do update set due_at = excluded.due_at, refreshed_at = excluded.refreshed_at
          where p.refreshed_at is null or excluded.refreshed_at - p.refreshed_at >= interval '1 minute'
        returning due_at
    )
    select ${ms('due_at')} as "leasedUntilMs" from claimed`,
);

/** Leases a shipment to a caller; undefined if a caller refreshed it less than a minute ago. */
export async function claimRefresh(
  tenant: Tenant,
  shipmentId: number,
  leaseMinutes: number,
): Promise<number | undefined> {
  const [row] = await tenant.rows<{ leasedUntilMs: number }>(CLAIM, shipmentId, leaseMinutes);
  return row?.leasedUntilMs;
}

// The row may be gone, because the final event ends the polls of a shipment. It is then kept without a due time.
const COMPLETE = companyStatement(
  'settle-refresh',
  `insert into tracking_poll as p (company_id, shipment_id, carrier_connection_id, due_at, polled_at, answered_at, refreshed_at,
        misses, outcome, answer)
      select s.company_id, s.id, s.carrier_connection_id, now() + $4::float8 * interval '1 millisecond',
          case when ${wasAsked('$6::text')} then now() end, case when $6::text = any($8::text[]) then now() end, now(),
          $5::smallint, $6::text, $7::bytea
        from shipment s where s.company_id = $1 and s.id = $2
      on conflict (company_id, shipment_id) do update set
        due_at = case when p.due_at = $3::timestamptz then excluded.due_at else p.due_at end,
        polled_at = coalesce(excluded.polled_at, p.polled_at), answered_at = coalesce(excluded.answered_at, p.answered_at),
        misses = excluded.misses, outcome = excluded.outcome, answer = excluded.answer`,
);

/** Records the outcome, and sets when the shipment is due next unless it has another lease or none. */
export async function completeRefresh(
  tenant: Tenant,
  { shipmentId, dueInMs, misses, outcome, answer }: CompletedPoll,
  leasedUntilMs: number,
): Promise<void> {
  const lease = new Date(leasedUntilMs).toISOString();
  await tenant.rows(COMPLETE, shipmentId, lease, dueInMs, misses, outcome, answer, ANSWERS);
}
