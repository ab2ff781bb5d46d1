import type { Database } from '../../platform/database/database.ts';
import { Tenant, type TenantTransaction } from '../../platform/database/tenancy.ts';
import { TERMINAL_STATUSES } from '../tracking/events.rules.ts';
import { FOLLOWED_DAYS } from './poll.rules.ts';
import {
  deleteConnection,
  deleteShipments,
  halfFollowed,
  insertConnection,
  insertShipments,
} from './poll-rows.repository.ts';

/** Shipments of a connection that are followed in one transaction. */
const AT_ONCE = 5_000;

/** Follows new shipments, within a minute; those whose connection can't be asked, and those that are done, are left out. */
export async function followShipments(tx: TenantTransaction, shipmentIds: readonly number[]): Promise<void> {
  if (shipmentIds.length > 0) await insertShipments(tx, shipmentIds, TERMINAL_STATUSES, FOLLOWED_DAYS);
}

/**
 * Follows a connection's open shipments once it can be asked, in the transaction that makes it so: spread over an hour,
 * or a minute in the sandbox. Of very many the oldest; `followTheRest` goes on from there.
 */
export async function followConnection(tx: TenantTransaction, connectionId: number): Promise<void> {
  await insertConnection(tx, connectionId, TERMINAL_STATUSES, FOLLOWED_DAYS, 0, AT_ONCE);
}

/** Follows what is left of large connections, by and by. */
export async function followTheRest(database: Database): Promise<void> {
  for (const { companyId, connectionId } of await halfFollowed(database)) {
    const tenant = new Tenant(companyId, database);
    const next = () =>
      tenant.transaction(tx => insertConnection(tx, connectionId, TERMINAL_STATUSES, FOLLOWED_DAYS, null, AT_ONCE));
    while (await next());
  }
}

/** Follows none of a connection's shipments any more. */
export const unfollowConnection = deleteConnection;

/** Follows shipments no more, of which nothing more is expected. */
export async function stopFollowing(tx: TenantTransaction, shipmentIds: readonly number[]): Promise<void> {
  if (shipmentIds.length > 0) await deleteShipments(tx, shipmentIds);
}
