import type { EntityManager } from '@mikro-orm/postgresql';
import { ms } from '../../../platform/database/statements/sql.ts';
import { companyStatement, serviceStatement } from '../../../platform/database/statements/statements.ts';
import { rowsWithin } from '../../../platform/database/statements/transaction.ts';
import type { CompanyId } from '../../../platform/database/tenancy/company-id.ts';
import { isNotSuspended } from '../../../platform/database/tenancy/suspended-companies.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { StatusCode } from '../tracking/status.rules.ts';
import { NO_TIME, type StoredDayEvent } from './day-events.rules.ts';
import { ANSWERS, type AskOutcome } from './poll.rules.ts';
import type { RecordedEvent } from './unusable-times.rules.ts';

/** Due shipments of one connection, and the end of the lease of their job. */
export interface LeasedPolls {
  readonly companyId: CompanyId;
  readonly carrierConnectionId: number;
  readonly shipmentIds: readonly number[];
  readonly leasedUntilMs: number;
}

// Selected by ctid, because selecting by keys would read all rows; with tableoid, because each partition of a partitioned
// table has its own. A row that has moved is left for the next run.
const LEASE_DUE = serviceStatement(
  'lease-due-polls',
  `with due as (
      select tableoid as part, ctid as at from tracking_poll due where due_at <= now() and ${isNotSuspended('due.company_id')}
        order by due_at limit $1 for update skip locked
    ), leased as (
      update tracking_poll p set due_at = now() + make_interval(mins => $2) from due
        where p.ctid = due.at and p.tableoid = due.part
        returning p.company_id, p.carrier_connection_id, p.shipment_id, p.due_at
    )
    select company_id as "companyId", carrier_connection_id as "carrierConnectionId",
        array_agg(shipment_id order by shipment_id) as "shipmentIds", ${ms('due_at')} as "leasedUntilMs"
      from leased group by company_id, carrier_connection_id, due_at`,
);

/** Leases due polls of all companies that are not suspended, longest due first, so that no other run gets them. */
export function leaseDuePolls(em: EntityManager, max: number, leaseMinutes: number): Promise<LeasedPolls[]> {
  return rowsWithin<LeasedPolls>(em, LEASE_DUE, [max, leaseMinutes]);
}

// Not `=`: thousands of rows have one lease, and PostgreSQL would use the index of due times.
const leasedUntil = (parameter: string) => `p.due_at is not distinct from ${parameter}::timestamptz`;

/** A shipment for a question to its carrier. */
export interface LeasedShipment {
  readonly shipmentId: number;
  readonly trackingKey: string;
  readonly statusCode: StatusCode;
  readonly ageMs: number;
  /** The time since the event that gave it its status. */
  readonly statusAgeMs: number;
  readonly misses: number;
  /** Digest of the carrier's last response. */
  readonly answer: Buffer | null;
}

const LEASED = companyStatement(
  'leased-shipments',
  `select s.id as "shipmentId", s.tracking_key as "trackingKey", s.status_code as "statusCode",
      ${ms('(now() - least(s.shipment_date, s.created_at))')} as "ageMs",
      ${ms('(now() - coalesce(s.status_at, s.created_at))')} as "statusAgeMs", p.misses, p.answer
    from tracking_poll p join shipment s on s.company_id = p.company_id and s.id = p.shipment_id
    where p.company_id = $1 and p.shipment_id = any($2::integer[]) and ${leasedUntil('$3')}
    order by s.id`,
);

/** The given shipments that are still polled, and leased until this time. */
export function leasedShipments(
  tenant: Tenant,
  shipmentIds: readonly number[],
  lease: string,
): Promise<LeasedShipment[]> {
  return tenant.rows<LeasedShipment>(LEASED, shipmentIds, lease);
}

const UNTIMED = companyStatement(
  'events-without-their-time',
  `select shipment_id as "shipmentId", carrier_status_code as "carrierStatusCode", location, note from tracking_event
    where company_id = $1 and shipment_id = any($2::integer[]) and status_code = 'unknown' and note is not null`,
);

/** Stored events whose time may have been unusable when they were recorded. */
export function recordedUntimed(
  tenant: Tenant,
  shipmentIds: readonly number[],
): Promise<(RecordedEvent & { readonly shipmentId: number })[]> {
  return tenant.rows(UNTIMED, shipmentIds);
}

const DAY_EVENTS = companyStatement(
  'events-dated-by-day',
  `select shipment_id as "shipmentId", id::float8 as id, ${ms('occurred_at')} as "occurredAtMs",
      carrier_status_code as "carrierStatusCode", location from tracking_event
    where company_id = $1 and shipment_id = any($2::integer[]) and right(note, ${NO_TIME.length}) = '${NO_TIME}'
    order by occurred_at, id`,
);

/** Stored events that their carrier dated by a day alone. */
export function storedDayEvents(
  tenant: Tenant,
  shipmentIds: readonly number[],
): Promise<(StoredDayEvent & { readonly shipmentId: number })[]> {
  return tenant.rows(DAY_EVENTS, shipmentIds);
}

// The next event folds the shipment anew: places change because the list has grown. Locked as the recording of events
// does, and no event comes in the place of another one.
const MOVE = companyStatement(
  'move-day-events',
  `with given as (
      select * from unnest($2::integer[], $3::bigint[], $4::timestamptz[]) as t(shipment_id, id, occurred_at)
    ), held as materialized (
      select id from shipment where company_id = $1 and id in (select shipment_id from given) order by id for no key update
    ), moved as (
      update tracking_event e set occurred_at = given.occurred_at from given join held on held.id = given.shipment_id
        where e.company_id = $1 and e.shipment_id = given.shipment_id and e.id = given.id and not exists (
          select from tracking_event o
            where o.company_id = $1 and o.shipment_id = given.shipment_id and o.occurred_at = given.occurred_at)
        returning e.shipment_id
    )
    update shipment set folded_events = null where company_id = $1 and id in (select shipment_id from moved)`,
);

/** Moves stored events to other times of their days. */
export async function moveDayEvents(
  tenant: Tenant,
  moved: readonly { readonly shipmentId: number; readonly id: number; readonly occurredAt: Date }[],
): Promise<void> {
  await tenant.rows(
    MOVE,
    moved.map(({ shipmentId }) => shipmentId),
    moved.map(({ id }) => id),
    moved.map(({ occurredAt }) => occurredAt),
  );
}

/** The next state of a shipment after a question to its carrier. */
export interface CompletedPoll {
  readonly shipmentId: number;
  /** From now; null to end its polling. */
  readonly dueInMs: number | null;
  readonly misses: number;
  readonly outcome: AskOutcome | null;
  readonly answer: Buffer | null;
}

/** Whether an outcome comes from a request to the carrier. */
export const wasAsked = (outcome: string) => `${outcome} <> '${'not_asked' satisfies AskOutcome}'`;

// Locked in the order of ids, as the end of polling does, and each by its key, whatever the statistics say. A row with
// another lease belongs to another job.
const COMPLETE = companyStatement(
  'settle-polls',
  `with given as (
      select shipment_id, now() + due_in_ms * interval '1 millisecond' as due_at, misses, outcome,
          case when ${wasAsked('outcome')} then now() end as polled_at,
          case when outcome = any($8::text[]) then now() end as answered_at, answer
        from unnest($3::integer[], $4::float8[], $5::smallint[], $6::text[], $7::bytea[])
          as t(shipment_id, due_in_ms, misses, outcome, answer)
        order by shipment_id
    ), held as (
      select given.* from given cross join lateral (
        select from tracking_poll p
          where p.company_id = $1 and p.shipment_id = given.shipment_id and ${leasedUntil('$2')} for update
      ) p
    ), gone as (
      delete from tracking_poll p using held
        where p.company_id = $1 and p.shipment_id = held.shipment_id and held.due_at is null
    )
    update tracking_poll p
      set due_at = held.due_at, polled_at = coalesce(held.polled_at, p.polled_at),
        answered_at = coalesce(held.answered_at, p.answered_at), misses = held.misses, outcome = held.outcome, answer = held.answer
      from held where p.company_id = $1 and p.shipment_id = held.shipment_id and held.due_at is not null`,
);

/** Sets when each shipment is due next, or ends its polling, if it is still leased until this time. */
export async function completePolls(tenant: Tenant, polls: readonly CompletedPoll[], lease: string): Promise<void> {
  const column = <Field extends keyof CompletedPoll>(field: Field) => polls.map(poll => poll[field]);
  await tenant.rows(
    COMPLETE,
    lease,
    column('shipmentId'),
    column('dueInMs'),
    column('misses'),
    column('outcome'),
    column('answer'),
    ANSWERS,
  );
}
