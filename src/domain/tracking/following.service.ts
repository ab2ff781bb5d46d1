import type { TenantTransaction } from '../../platform/tenancy.ts';
import { TERMINAL_STATUSES } from './events.rules.ts';
import { deleteConnection, deleteShipments, insertConnection, insertShipments } from './following.repository.ts';
import { FOLLOWED_DAYS } from './poll.rules.ts';

/** Follows new shipments, within a minute; those whose connection can't be asked, and those that are done, are left out. */
export async function followShipments(tx: TenantTransaction, shipmentIds: readonly number[]): Promise<void> {
  if (shipmentIds.length > 0) await insertShipments(tx, shipmentIds, TERMINAL_STATUSES, FOLLOWED_DAYS);
}

/**
 * Follows a connection's open shipments once it can be asked, in the transaction that makes it so: spread over an hour,
 * or a minute in the sandbox.
 */
export function followConnection(tx: TenantTransaction, connectionId: number): Promise<void> {
  return insertConnection(tx, connectionId, TERMINAL_STATUSES, FOLLOWED_DAYS);
}

/** Follows none of a connection's shipments any more. */
export const unfollowConnection = deleteConnection;

/** Follows shipments no more, of which nothing more is expected. */
export async function stopFollowing(tx: TenantTransaction, shipmentIds: readonly number[]): Promise<void> {
  if (shipmentIds.length > 0) await deleteShipments(tx, shipmentIds);
}
