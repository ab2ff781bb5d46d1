import { listConnections } from '../domain/shipping/carriers/carriers.service.ts';
import { upsertShipments } from '../domain/shipping/tracking/shipments.service.ts';
import type { Database } from '../platform/database/database.ts';
import { OPERATOR } from '../platform/database/tenancy/actor.ts';
import { Tenant } from '../platform/database/tenancy/tenancy.ts';
import { SHIPMENTS } from './data.ts';
import { DEMO_COMPANY_ID } from './demo-company.ts';
import { eventCount, hoursAfter } from './sent-shipments.ts';

/** Each start of the service has a shipment that walks from its beginning, for a receiver that listens by then. */

const FIRST = SHIPMENTS.find(({ trackingNumber }) => trackingNumber.startsWith('WALK'));

/**
 * Begins a walk, if the one that came with the demo company has begun already.
 *
 * @returns its number; undefined if the user has disconnected its carrier
 */
export async function beginWalk(database: Database, now: Date): Promise<string | undefined> {
  const tenant = new Tenant(DEMO_COMPANY_ID, database, { actor: OPERATOR });
  const connections = await listConnections(tenant);
  const connection = connections.find(({ carrierCode, isActive }) => carrierCode === FIRST?.carrierCode && isActive);
  if (!FIRST || !connection) return undefined;
  if ((await eventCount(tenant, FIRST.trackingNumber)) === 0) return FIRST.trackingNumber;
  const { carrierCode: _, shippedHoursAgo: __, expectedInHours, ...shipment } = FIRST;
  // By its second: two starts do not share a walk.
  const trackingNumber = `WALK${now.toISOString().replace(/\D/g, '').slice(0, 14)}`;
  const expectedDeliveryAt = hoursAfter(now, expectedInHours).toISOString();
  await upsertShipments(tenant, [
    { ...shipment, trackingNumber, carrierConnectionId: connection.id, expectedDeliveryAt },
  ]);
  return trackingNumber;
}
