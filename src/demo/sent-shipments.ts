import { upsertOrders } from '../domain/shipping/orders/orders.service.ts';
import type { TrackingEventInput } from '../domain/shipping/tracking/events.input.ts';
import { recordTrackingEvents } from '../domain/shipping/tracking/events.service.ts';
import { upsertShipments } from '../domain/shipping/tracking/shipments.service.ts';
import { trackByNumber } from '../domain/shipping/tracking/tracking.service.ts';
import { listWarehouses } from '../domain/shipping/warehouses/warehouses.service.ts';
import type { Tenant } from '../platform/database/tenancy/tenancy.ts';
import { Fault } from '../platform/fault.ts';
import { createLog } from '../platform/telemetry/log.ts';
import type { DemoTools } from './demo-company.ts';

/** Sends shipments of the demo company with their orders and events, as a merchant's platform does. */

/** Where the demo company's parcels go, and how many days they take. */
export const PLACES = [
  { postalCode: '20121', city: 'Milano', province: 'MI', days: 1 },
  { postalCode: '00185', city: 'Roma', province: 'RM', days: 1 },
  { postalCode: '80133', city: 'Napoli', province: 'NA', days: 2 },
  { postalCode: '90139', city: 'Palermo', province: 'PA', days: 3 },
  { postalCode: '10121', city: 'Torino', province: 'TO', days: 1 },
  { postalCode: '09124', city: 'Cagliari', province: 'CA', days: 3 },
  { postalCode: '50122', city: 'Firenze', province: 'FI', days: 1 },
  { postalCode: '30121', city: 'Venezia', province: 'VE', days: 2 },
] as const;
export type Place = (typeof PLACES)[number];

export const WEIGHTS = ['2', '4.5', '8', '14', '27'];

const HOUR_MS = 3_600_000;
const SIDES = { length: '30', width: '25', height: '20' };

export interface SentShipment {
  readonly orderNumber: string;
  readonly trackingNumber: string;
  readonly place: Place;
  readonly weight: string;
  readonly shippedAt: Date;
  readonly expectedAt?: Date;
  readonly events: readonly TrackingEventInput[];
}

export function hoursAfter(moment: Date, hours: number): Date {
  return new Date(moment.getTime() + hours * HOUR_MS);
}

/** An event of BRT. */
export function brtEvent(trackingNumber: string, at: Date, code: string, description: string, location: string) {
  return { trackingNumber, occurredAt: at.toISOString(), carrierStatusCode: code, description, location };
}

/** Events are written last, so a shipment with events shows that all are there. */
export async function sendShipments(
  tenant: Tenant,
  { announcer, caps }: DemoTools,
  carrierConnectionId: number,
  shipments: readonly SentShipment[],
): Promise<void> {
  const warehouseId = (await listWarehouses(tenant))[0]?.id;
  await upsertOrders(
    tenant,
    shipments.map(({ orderNumber, place: { days: _, ...place }, weight }) => ({
      orderNumber,
      warehouseId,
      recipient: { companyName: `Cliente ${orderNumber}`, address: 'Via Roma 1', ...place },
      parcels: [{ ...SIDES, weight, quantity: 1 }],
    })),
  );
  await upsertShipments(
    tenant,
    shipments.map(({ orderNumber, trackingNumber, weight, shippedAt, expectedAt }) => ({
      carrierConnectionId,
      trackingNumber,
      orderNumber,
      weight,
      volume: '15000',
      parcelCount: 1,
      shippedAt: shippedAt.toISOString(),
      ...(expectedAt && { expectedDeliveryAt: expectedAt.toISOString() }),
      warehouseId,
    })),
  );
  const events = shipments.flatMap(shipment => shipment.events);
  await recordTrackingEvents(tenant, events, announcer, caps, createLog('silent'));
}

/** The number of events of a shipment; undefined if there is no such shipment. */
export async function eventCount(tenant: Tenant, trackingNumber: string): Promise<number | undefined> {
  const record = await trackByNumber(tenant, trackingNumber).catch(error => {
    if (error instanceof Fault && error.code === 'shipment_not_found') return undefined;
    throw error;
  });
  return record?.timeline?.length;
}
