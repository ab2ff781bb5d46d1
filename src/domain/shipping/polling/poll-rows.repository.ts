import type { Database } from '../../../platform/database/database.ts';
import { ms, texts } from '../../../platform/database/statements/sql.ts';
import {
  companyStatement,
  serviceStatement,
  statementForEach,
} from '../../../platform/database/statements/statements.ts';
import type { CompanyId } from '../../../platform/database/tenancy/company-id.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { FOLLOWED_FOR_ANYONE } from '../carriers/account.rules.ts';
import type { StatusCode } from '../tracking/status.rules.ts';
import type { LoadShare } from './poll.rules.ts';

/** Connections that can be asked about shipments; 1.0 stored no questions beside credentials. */
const CAN_BE_ASKED = `(c.credentials is not null and 'tracking' = any(coalesce(c.questions, '{tracking}'))
    or c.carrier_code = any(${texts(FOLLOWED_FOR_ANYONE)})) and c.is_active and c.disconnected_at is null`;

const POLLABLE = `from shipment s
  join carrier_connection c on c.company_id = s.company_id and c.id = s.carrier_connection_id and ${CAN_BE_ASKED}
  where s.company_id = $1 and s.status_code <> all($3::text[])
    and least(s.shipment_date, s.created_at) > now() - make_interval(days => $4)
    and (s.status_code <> 'returned' or s.status_at > now() - make_interval(days => $5))`;

/** For how many days shipments are polled. */
interface PolledDays {
  readonly polled: number;
  readonly afterReturn: number;
}

const INSERT_POLL_ROWS = companyStatement(
  'insert-poll-rows',
  `insert into tracking_poll as p (company_id, shipment_id, carrier_connection_id, due_at)
    select s.company_id, s.id, c.id, now() + random() * interval '1 minute' ${POLLABLE} and s.id = any($2::integer[])
    on conflict (company_id, shipment_id) do update set due_at = excluded.due_at, misses = 0 where p.due_at is null`,
);

/**
 * Inserts poll rows of shipments that are polled by status and age, and on a connection that can be asked. A stored row
 * of a shipment whose polling had ended is due again.
 */
export async function insertPollRows(
  tx: TenantTransaction,
  shipmentIds: readonly number[],
  unpolled: readonly StatusCode[],
  days: PolledDays,
): Promise<void> {
  await tx.rows(INSERT_POLL_ROWS, shipmentIds, unpolled, days.polled, days.afterReturn);
}

const LOCK_CONNECTION = companyStatement(
  'lock-connection-for-polling',
  'select follow_after as "followAfter" from carrier_connection where company_id = $1 and id = $2 for update',
);

// Rows that were postponed because the connection could not be asked are due again with the others.
const INSERT_OF_CONNECTION = companyStatement(
  'insert-poll-rows-of-connection',
  `with open as materialized (
      select s.company_id, s.id, s.carrier_connection_id,
          now() + random() * case c.environment when 'sandbox' then interval '1 minute' else interval '1 hour' end as due_at
        ${POLLABLE} and s.carrier_connection_id = $2 and s.id > $6 order by s.id limit $7
    ), inserted as (
      insert into tracking_poll (company_id, shipment_id, carrier_connection_id, due_at)
        select company_id, id, carrier_connection_id, due_at from open order by id
        on conflict (company_id, shipment_id) do update set due_at = excluded.due_at, misses = 0
    ), counted as (select count(*) as count, max(id) as last from open)
    update carrier_connection set follow_after = case when counted.count = $7 then counted.last end
      from counted where company_id = $1 and id = $2 returning follow_after as "followAfter"`,
);

/**
 * Inserts poll rows of a connection's open shipments, of the `max` oldest after the given one.
 *
 * The connection is locked until the transaction ends, so that a transaction that creates its shipments has either
 * committed before they are looked for, or sees the connection as this one leaves it.
 *
 * @param after null to continue after the last call
 * @returns whether there may be more
 */
export async function insertPollRowsOfConnection(
  tx: TenantTransaction,
  carrierConnectionId: number,
  unpolled: readonly StatusCode[],
  days: PolledDays,
  after: number | null,
  max: number,
): Promise<boolean> {
  const [held] = await tx.rows<{ followAfter: number | null }>(LOCK_CONNECTION, carrierConnectionId);
  const from = after ?? held?.followAfter;
  if (from == null) return false;
  const [row] = await tx.rows<{ followAfter: number | null }>(
    INSERT_OF_CONNECTION,
    carrierConnectionId,
    unpolled,
    days.polled,
    days.afterReturn,
    from,
    max,
  );
  return row?.followAfter != null;
}

// Earlier versions did not ask these carriers, and connect them without questions.
const BEGIN = serviceStatement(
  'connections-to-follow-without-account',
  `update carrier_connection set questions = '{tracking}', follow_after = 0
    where carrier_code = any(${texts(FOLLOWED_FOR_ANYONE)}) and questions is null and is_active and disconnected_at is null`,
);

/** Notes connections that can be asked without an account, so that their open shipments get poll rows, once for each. */
export async function beginOpenConnections(database: Database): Promise<void> {
  await database.rows(BEGIN, []);
}

const UNFINISHED = serviceStatement(
  'connections-with-poll-rows-to-insert',
  `select company_id as "companyId", id as "carrierConnectionId" from carrier_connection where follow_after is not null
    order by company_id, id`,
);

/** Connections of all companies some of whose open shipments still lack poll rows. */
export function unfinishedConnections(
  database: Database,
): Promise<{ companyId: CompanyId; carrierConnectionId: number }[]> {
  return database.rows(UNFINISHED, []);
}

// Locks rows in the order of their ids, as the statement that completes polls does, so that they cannot deadlock.
const DELETE_OF_CONNECTION = companyStatement(
  'delete-poll-rows-of-connection',
  `delete from tracking_poll p using (
      select shipment_id from tracking_poll where company_id = $1 and carrier_connection_id = $2 order by shipment_id for update
    ) held where p.company_id = $1 and p.shipment_id = held.shipment_id`,
);

// The row of a shipment that a caller has just refreshed is kept without a due time: it says when the next refresh may
// follow. Locked in that order too.
const END_POLLS = statementForEach(
  'end-polls',
  { shipment_id: 'integer' },
  input => `with given as (
      select each.company_id as company_id, shipment_id from ${input} order by each.company_id, shipment_id
    ), held as (
      select p.* from given each cross join lateral (
        select company_id, shipment_id, refreshed_at is not null and refreshed_at > now() - interval '1 minute' as is_kept
          from tracking_poll where company_id = each.company_id and shipment_id = each.shipment_id for update
      ) p
    ), kept as (
      update tracking_poll p set due_at = null from held each
        where p.company_id = each.company_id and p.shipment_id = each.shipment_id and each.is_kept
    )
    delete from tracking_poll p using held each
      where p.company_id = each.company_id and p.shipment_id = each.shipment_id and not each.is_kept`,
);

const INSERT_NO_MORE = companyStatement(
  'insert-no-more-poll-rows',
  'update carrier_connection set follow_after = null where company_id = $1 and id = $2 and follow_after is not null',
);

export async function deletePollRowsOfConnection(tx: TenantTransaction, carrierConnectionId: number): Promise<void> {
  await tx.rows(INSERT_NO_MORE, carrierConnectionId);
  await tx.rows(DELETE_OF_CONNECTION, carrierConnectionId);
}

export async function endPolls(tx: TenantTransaction, shipmentIds: readonly number[]): Promise<void> {
  await tx.rowsForEach(END_POLLS, shipmentIds);
}

const LOAD = companyStatement(
  'account-load',
  `select s.status_code as "statusCode",
      width_bucket(date_part('epoch', now() - least(s.shipment_date, s.created_at)) * 1000, $3::float8[]) as "boundsPassed",
      count(*)::integer as count
    from tracking_poll p join shipment s on s.company_id = p.company_id and s.id = p.shipment_id
    where p.company_id = $1 and p.carrier_connection_id = $2 and p.due_at is not null
    group by 1, 2`,
);

/** Polled shipments of a connection, by status and age. */
export function accountLoad(
  tenant: Tenant,
  carrierConnectionId: number,
  ageBoundsMs: readonly number[],
): Promise<LoadShare[]> {
  return tenant.rows<LoadShare>(LOAD, carrierConnectionId, ageBoundsMs);
}

/** Shipments that are overdue for a poll, counted up to a limit. */
export interface LatePolls {
  readonly count: number;
  /** When the oldest was due, in milliseconds since 1970. */
  readonly oldestDueAt: number | null;
}

// Reads the index of due times up to the limit. A shipment in hand is due after its lease.
const LATE = serviceStatement(
  'late-polls',
  `select count(*)::integer as count, ${ms('min(due_at)')} as "oldestDueAt" from (
      select due_at from tracking_poll where due_at < now() - make_interval(mins => $1) order by due_at limit $2
    ) late`,
);

/** Shipments that were due more than `minutes` ago, over all companies. */
export async function latePolls(database: Database, minutes: number, max: number): Promise<LatePolls> {
  const [row] = await database.rows<LatePolls>(LATE, [minutes, max]);
  return row ?? { count: 0, oldestDueAt: null };
}
