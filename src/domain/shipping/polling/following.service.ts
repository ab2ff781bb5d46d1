import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { Fault } from '../../../platform/fault.ts';
import type { ConnectionAccount } from '../carriers/accounts.service.ts';
import type { ShipmentRow } from '../tracking/tracking.repository.ts';
import { shipmentById } from '../tracking/tracking.service.ts';
import { claimRefresh, completeRefresh, type Refreshable, refreshable } from './following.repository.ts';
import { type Answered, type AskTools, askAbout, completedPoll, isKnown, judge, record } from './poll.service.ts';

/** A refresh takes the timeout of the carrier, some seconds, and a transaction. */
const LEASE_MINUTES = 2;
/** Equal to the minute in the statement that leases the shipment. */
const EVERY_MS = 60_000;

/**
 * Asks a carrier about a shipment now, polled or not, and records the response as a poll does. The outcome, which may
 * be a missing response, shows in `following`.
 *
 * @throws Fault `shipment_not_found`, `carrier_not_asked` if the connection cannot be asked, `rate_limited` if a
 *   caller refreshed the shipment less than a minute ago
 */
export async function refreshTracking(tenant: Tenant, shipmentId: number, tools: AskTools): Promise<ShipmentRow> {
  const shipment = await refreshable(tenant, shipmentId);
  if (!shipment) throw new Fault('shipment_not_found', { detail: 'The company has no shipment with this id.' });
  const connection = await tools.accounts.of(tenant, shipment.carrierConnectionId, 'tracking', 'tracking_refresh');
  if (!connection?.account) throw new Fault('carrier_not_asked');
  const leasedUntilMs = await claimRefresh(tenant, shipmentId, LEASE_MINUTES);
  if (leasedUntilMs === undefined) throw tooSoon(await refreshable(tenant, shipmentId));
  // The response is recorded even if the caller has disconnected.
  await refresh(tenant.lasting(), shipment, connection, leasedUntilMs, tools);
  const refreshed = await shipmentById(tenant, shipmentId);
  if (!refreshed) throw new Fault('shipment_not_found', { detail: 'The company has no shipment with this id.' });
  return refreshed;
}

async function refresh(
  tenant: Tenant,
  shipment: Refreshable,
  connection: ConnectionAccount,
  leasedUntilMs: number,
  tools: AskTools,
): Promise<void> {
  const [answered] = await ask(connection, shipment, tools);
  if (!answered) return;
  await judge(tenant, connection, [answered], tools);
  // Recorded even without news, because an earlier version may have left out parts of the response.
  await record(tenant, shipment.carrierConnectionId, [answered].filter(isKnown), tools);
  const now = (await refreshable(tenant, shipment.shipmentId)) ?? shipment;
  // The next poll considers the load of the account.
  await completeRefresh(tenant, completedPoll(answered, now, connection.environment, 1), leasedUntilMs);
}

async function ask(connection: ConnectionAccount, shipment: Refreshable, tools: AskTools): Promise<Answered[]> {
  try {
    return await askAbout(connection, [shipment], tools);
  } catch (cause) {
    // Only a stopping service rejects here; a carrier's failure is an outcome.
    throw new Fault('unavailable', { detail: 'The service is shutting down.', headers: { 'retry-after': '2' }, cause });
  }
}

function tooSoon(shipment: Refreshable | undefined): Fault {
  const seconds = Math.max(1, Math.ceil((EVERY_MS - (shipment?.refreshedMsAgo ?? 0)) / 1000));
  return new Fault('rate_limited', {
    detail: `The carrier is asked about a shipment at most once a minute. Send the request again in ${seconds} s.`,
    members: { retryAfter: seconds },
  });
}
