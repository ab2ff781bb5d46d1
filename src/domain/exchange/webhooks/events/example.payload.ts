import type { EventRow } from '../../../shipping/tracking/shipment-parts.repository.ts';
import type { StatusCode } from '../../../shipping/tracking/status.rules.ts';
import type { ShipmentRow } from '../../../shipping/tracking/tracking.repository.ts';
import type { EventType } from './event.rules.ts';

const HOUR_MS = 3_600_000;

const STATES: Readonly<Record<EventType, readonly [previous: StatusCode, current: StatusCode]>> = {
  'tracking.order_shipped': ['created', 'shipped'],
  'tracking.in_transit': ['shipped', 'in_transit'],
  'tracking.out_for_delivery': ['in_transit', 'out_for_delivery'],
  'tracking.delay': ['in_transit', 'delayed'],
  'tracking.pickup_point': ['out_for_delivery', 'pickup_point'],
  'tracking.delivery_failed': ['out_for_delivery', 'delivery_failed'],
  'tracking.delivered': ['out_for_delivery', 'delivered'],
};

/** A fictitious shipment, as an event of the kind would show it. */
export function exampleShipment(
  type: EventType,
  atMs: number,
): { shipment: Required<ShipmentRow>; previousStatusCode: StatusCode } {
  const [previousStatusCode, statusCode] = STATES[type];
  const event = (id: number, occurredAt: number, code: StatusCode): EventRow => {
    return {
      id,
      occurredAt,
      statusCode: code,
      carrierStatusCode: null,
      description: null,
      location: 'Milano',
      note: null,
      label: null,
    };
  };
  const shipment: Required<ShipmentRow> = {
    id: 0,
    trackingNumber: '084000000000000',
    statusCode,
    statusAt: atMs,
    firstScanAt: atMs - 12 * HOUR_MS,
    shippedAt: atMs - 24 * HOUR_MS,
    carrierExpectedAt: null,
    platformExpectedAt: atMs + 24 * HOUR_MS,
    deliveredAt: statusCode === 'delivered' ? atMs : null,
    parcelCount: 1,
    weight: '4',
    volume: '36000',
    trackingUrl: null,
    reference: null,
    parcelId: null,
    orderId: null,
    orderNumber: 'TEST-1',
    marketplaceOrderNumber: null,
    warehouseId: null,
    carrierConnectionId: 0,
    carrierCode: 'BRT',
    recipient: {
      companyName: 'Mario Rossi',
      address: 'Via Roma 1',
      postalCode: '20121',
      city: 'Milano',
      province: 'MI',
      countryCode: 'IT',
    },
    createdAt: atMs - 24 * HOUR_MS,
    updatedAt: atMs,
    timeline: [event(1, atMs - 12 * HOUR_MS, previousStatusCode), event(2, atMs, statusCode)],
    relatedShipments: [],
    metadata: {},
    ofOrder: null,
  };
  return { shipment, previousStatusCode };
}
