import type { Tenant } from '../../platform/database/tenancy/tenancy.ts';
import { Fault } from '../../platform/fault.ts';
import type { ConnectionAccount } from '../carriers/accounts.service.ts';
import type { ShipmentRow } from '../tracking/tracking.repository.ts';
import { shipmentById } from '../tracking/tracking.service.ts';
import { claimRefresh, type Refreshable, refreshable, settleRefresh } from './following.repository.ts';
import { type Answered, type AskTools, askAbout, isKnown, judge, record, settledPoll } from './poll.service.ts';

/** A question takes a carrier's patience, some seconds, and a transaction. */
const LEASE_MINUTES = 2;
/** As the statement has it that claims a shipment. */
const EVERY_MS = 60_000;

/**
 * Has a carrier asked about a shipment now, polled or not, and records what it says as a poll does. What came of it shows in
 * `following`; a carrier that does not answer is no fault.
 *
 * @throws Fault `shipment_not_found`, `carrier_not_asked` where the connection can't be asked, `rate_limited` where a caller
 *   had it asked less than a minute ago
 */
export async function refreshTracking(tenant: Tenant, shipmentId: number, tools: AskTools): Promise<ShipmentRow> {
  const shipment = await refreshable(tenant, shipmentId);
  if (!shipment) throw new Fault('shipment_not_found', { detail: 'The company has no shipment with this id.' });
  const connection = await tools.accounts.of(tenant, shipment.carrierCompanyId, 'tracking_refresh');
  if (!connection?.account) throw new Fault('carrier_not_asked');
  const leasedUntilMs = await claimRefresh(tenant, shipmentId, LEASE_MINUTES);
  if (leasedUntilMs === undefined) throw tooSoon(await refreshable(tenant, shipmentId));
  // What the carrier was asked is recorded, whether or not the caller still waits for it.
  await refresh(tenant.lasting(), shipment, connection, leasedUntilMs, tools);
  const refreshed = await shipmentById(tenant, shipmentId);
  if (!refreshed) throw new Fault('shipment_not_found');
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
  // News or not: what an earlier version left out of the same answer is made good.
  await record(tenant, shipment.carrierCompanyId, [answered].filter(isKnown), tools);
  const { statusCode } = (await refreshable(tenant, shipment.shipmentId)) ?? shipment;
  // Its account's load is minded with the next poll.
  await settleRefresh(tenant, settledPoll(answered, statusCode, connection.environment, 1), leasedUntilMs);
}

async function ask(connection: ConnectionAccount, shipment: Refreshable, tools: AskTools): Promise<Answered[]> {
  try {
    return await askAbout(connection, [shipment], tools);
  } catch (cause) {
    // Nothing that a carrier does ends there.
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
