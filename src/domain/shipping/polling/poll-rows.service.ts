import type { Database } from '../../../platform/database/database.ts';
import { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { oneByOne } from '../../../platform/jobs/one-by-one.ts';
import type { ConnectionChange } from '../carriers/carriers.announcements.ts';
import { TERMINAL_STATUSES } from '../tracking/events.rules.ts';
import { STATUS_CODES, type StatusCode } from '../tracking/status.rules.ts';
import type { StatusChanges } from '../tracking/tracking.announcements.ts';
import { isPolled, POLLED_DAYS, POLLED_DAYS_AFTER_RETURN } from './poll.rules.ts';
import {
  beginOpenConnections,
  deletePollRowsOfConnection,
  endPolls,
  insertPollRows,
  insertPollRowsOfConnection,
  unfinishedConnections,
} from './poll-rows.repository.ts';

/** Statuses after which polling has ended, or will: a shipment that leaves them is polled again. */
const ENDINGS: ReadonlySet<StatusCode> = new Set(TERMINAL_STATUSES);
/** Statuses without questions. */
const UNPOLLED = STATUS_CODES.filter(status => !isPolled(status));
const DAYS = { polled: POLLED_DAYS, afterReturn: POLLED_DAYS_AFTER_RETURN };

/** Shipments of a connection that get their poll rows in one transaction. */
const AT_ONCE = 5_000;

/** Polls new shipments, within a minute, unless they have ended or their connection cannot be asked. */
export async function pollNewShipments(tx: TenantTransaction, shipmentIds: readonly number[]): Promise<void> {
  if (shipmentIds.length > 0) await insertPollRows(tx, shipmentIds, UNPOLLED, DAYS);
}

/** Stops polling shipments that have ended, and resumes it for those that were reopened. */
export async function pollChangedShipments(tx: TenantTransaction, { moved }: StatusChanges): Promise<void> {
  const ended: number[] = [];
  const reopened: number[] = [];
  for (const { shipmentId, steps } of moved) {
    const [first, last] = [steps[0], steps.at(-1)];
    if (!first || !last) continue;
    if (!isPolled(last.statusCode)) ended.push(shipmentId);
    else if (ENDINGS.has(first.previousStatusCode)) reopened.push(shipmentId);
  }
  if (ended.length > 0) await endPolls(tx, ended);
  await pollNewShipments(tx, reopened);
}

/**
 * Polls a connection's open shipments once it can be asked, spread over an hour, or a minute in the sandbox; stops once
 * it cannot be asked. It takes a limited number of the oldest, and `pollTheRest` continues from there.
 */
export async function pollChangedConnection(
  tx: TenantTransaction,
  { carrierConnectionId, canBeAsked }: ConnectionChange,
): Promise<void> {
  if (!canBeAsked) await deletePollRowsOfConnection(tx, carrierConnectionId);
  else await insertPollRowsOfConnection(tx, carrierConnectionId, UNPOLLED, DAYS, 0, AT_ONCE);
}

/** Inserts the poll rows that large connections still lack, in transactions of a limited size. */
export async function pollTheRest(database: Database): Promise<void> {
  await beginOpenConnections(database);
  await oneByOne(await unfinishedConnections(database), async ({ companyId, carrierConnectionId }) => {
    const tenant = new Tenant(companyId, database);
    const next = () =>
      tenant.transaction(tx => insertPollRowsOfConnection(tx, carrierConnectionId, UNPOLLED, DAYS, null, AT_ONCE));
    while (await next());
  });
}
