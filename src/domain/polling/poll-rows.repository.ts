import type { Database } from '../../platform/database/database.ts';
import { type CompanyId, companyStatement, type TenantTransaction } from '../../platform/database/tenancy.ts';
import type { StatusCode } from '../tracking/status.rules.ts';

/** Of connections that can be asked: only to carriers with an interface are credentials given. */
const CAN_BE_ASKED = 'c.credentials is not null and c.is_active and c.disconnected_at is null';

const FOLLOWABLE = `from shipment s
  join carrier_connection c on c.company_id = s.company_id and c.id = s.carrier_connection_id and ${CAN_BE_ASKED}
  where s.company_id = $1 and s.status_code <> all($3::text[])
    and least(s.shipment_date, s.created_at) > now() - make_interval(days => $4)`;

const FOLLOW_SHIPMENTS = companyStatement(
  'follow-shipments',
  `insert into tracking_poll (company_id, shipment_id, carrier_connection_id, due_at)
    select s.company_id, s.id, c.id, now() + random() * interval '1 minute' ${FOLLOWABLE} and s.id = any($2::integer[])
    on conflict do nothing`,
);

/** Follows those that are open, at most `days` old, and of a connection that can be asked. */
export async function insertShipments(
  tx: TenantTransaction,
  shipmentIds: readonly number[],
  terminal: readonly StatusCode[],
  days: number,
): Promise<void> {
  await tx.rows(FOLLOW_SHIPMENTS, shipmentIds, terminal, days);
}

const HOLD_CONNECTION = companyStatement(
  'hold-connection',
  'select follow_after as "followAfter" from carrier_connection where company_id = $1 and id = $2 for update',
);

// What was put off because the connection could not be asked is due again with the others.
const FOLLOW_CONNECTION = companyStatement(
  'follow-connection',
  `with open as materialized (
      select s.company_id, s.id, s.carrier_connection_id,
          now() + random() * case c.environment when 'sandbox' then interval '1 minute' else interval '1 hour' end as due_at
        ${FOLLOWABLE} and s.carrier_connection_id = $2 and s.id > $5 order by s.id limit $6
    ), followed as (
      insert into tracking_poll (company_id, shipment_id, carrier_connection_id, due_at)
        select company_id, id, carrier_connection_id, due_at from open order by id
        on conflict (company_id, shipment_id) do update set due_at = excluded.due_at, misses = 0
    ), told as (select count(*) as count, max(id) as last from open)
    update carrier_connection set follow_after = case when told.count = $6 then told.last end
      from told where company_id = $1 and id = $2 returning follow_after as "followAfter"`,
);

/**
 * Follows shipments of a connection, the `max` oldest of those after one; whether there may be more. The connection is
 * held until the transaction ends: whoever is creating shipments of it has committed before they are looked for, or sees
 * the connection as it is then.
 *
 * @param after null to go on where it was left
 */
export async function insertConnection(
  tx: TenantTransaction,
  connectionId: number,
  terminal: readonly StatusCode[],
  days: number,
  after: number | null,
  max: number,
): Promise<boolean> {
  const [held] = await tx.rows<{ followAfter: number | null }>(HOLD_CONNECTION, connectionId);
  const from = after ?? held?.followAfter;
  if (from == null) return false;
  const [row] = await tx.rows<{ followAfter: number | null }>(
    FOLLOW_CONNECTION,
    connectionId,
    terminal,
    days,
    from,
    max,
  );
  return row?.followAfter != null;
}

const HALF_FOLLOWED = {
  name: 'half-followed-connections',
  text: `select company_id as "companyId", id as "connectionId" from carrier_connection where follow_after is not null
    order by company_id, id`,
};

/** Connections of all companies whose shipments are not all followed yet. */
export function halfFollowed(database: Database): Promise<{ companyId: CompanyId; connectionId: number }[]> {
  return database.rows(HALF_FOLLOWED, []);
}

// Locked by their ids, as whoever settles them does, so that neither waits for the other for ever.
const stop = (condition: string) => `delete from tracking_poll p using (
    select shipment_id from tracking_poll where company_id = $1 and ${condition} order by shipment_id for update
  ) held where p.company_id = $1 and p.shipment_id = held.shipment_id`;
const UNFOLLOW_CONNECTION = companyStatement('unfollow-connection', stop('carrier_connection_id = $2'));
const UNFOLLOW_SHIPMENTS = companyStatement('unfollow-shipments', stop('shipment_id = any($2::integer[])'));

const FOLLOW_NO_MORE = companyStatement(
  'follow-no-more',
  'update carrier_connection set follow_after = null where company_id = $1 and id = $2 and follow_after is not null',
);

export async function deleteConnection(tx: TenantTransaction, connectionId: number): Promise<void> {
  await tx.rows(FOLLOW_NO_MORE, connectionId);
  await tx.rows(UNFOLLOW_CONNECTION, connectionId);
}

export async function deleteShipments(tx: TenantTransaction, shipmentIds: readonly number[]): Promise<void> {
  await tx.rows(UNFOLLOW_SHIPMENTS, shipmentIds);
}
