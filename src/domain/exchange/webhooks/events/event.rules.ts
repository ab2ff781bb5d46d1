import type { AnnouncedStatus } from '../../../shipping/tracking/events.rules.ts';
import type { StatusCode } from '../../../shipping/tracking/status.rules.ts';

/** The events that an endpoint can receive. */
export const EVENT_TYPES = [
  'tracking.order_shipped',
  'tracking.in_transit',
  'tracking.out_for_delivery',
  'tracking.delay',
  'tracking.pickup_point',
  'tracking.delivery_failed',
  'tracking.delivered',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** In a subscription: every event of tracking, including kinds that later versions add. */
export const EVERY_EVENT = 'tracking.*';

export const SUBSCRIPTIONS: readonly string[] = [...EVENT_TYPES, EVERY_EVENT];

const TRIGGERS: Readonly<Record<AnnouncedStatus, EventType>> = {
  shipped: 'tracking.order_shipped',
  in_transit: 'tracking.in_transit',
  at_depot: 'tracking.in_transit',
  customs: 'tracking.in_transit',
  out_for_delivery: 'tracking.out_for_delivery',
  delayed: 'tracking.delay',
  pickup_point: 'tracking.pickup_point',
  delivery_failed: 'tracking.delivery_failed',
  held: 'tracking.delivery_failed',
  refused: 'tracking.delivery_failed',
  delivered: 'tracking.delivered',
  lost: 'tracking.delivery_failed',
};

/** The event that is fired when a shipment gets this status; null for none. */
export function eventOfStatus(statusCode: StatusCode): EventType | null {
  return statusCode in TRIGGERS ? TRIGGERS[statusCode as AnnouncedStatus] : null;
}
