import type { StatusCode } from '../status.rules.ts';

/** The changes of a shipment that are numbered and stored, so that a consumer can ask for all later ones. */

export const CHANGE_KINDS = ['created', 'updated', 'status', 'event', 'estimate', 'related', 'delayed'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The type of each kind in the graph. */
export const TYPE_OF = {
  created: 'ShipmentCreated',
  updated: 'ShipmentUpdated',
  status: 'ShipmentStatusChanged',
  event: 'TrackingEventRecorded',
  estimate: 'CarrierEstimateChanged',
  related: 'RelatedShipmentAdded',
  delayed: 'ShipmentDelayed',
} as const satisfies Record<ChangeKind, string>;

/** Why the service found a shipment delayed. */
export type DelayReason = 'late' | 'silent';

interface OfShipment {
  readonly shipmentId: number;
}

/** A change before it is numbered. */
export type NewChange =
  | (OfShipment & { readonly kind: 'created' })
  | (OfShipment & { readonly kind: 'updated'; readonly detail: { readonly fields: readonly string[] } })
  /** An event changed its status. */
  | (OfShipment & {
      readonly kind: 'status';
      readonly eventId: number;
      readonly statusCode: StatusCode;
      readonly previousStatusCode: StatusCode;
    })
  /** An event was recorded that did not change its status. */
  | (OfShipment & { readonly kind: 'event'; readonly eventId: number })
  /** Its carrier changed the expected delivery; ISO 8601. */
  | (OfShipment & {
      readonly kind: 'estimate';
      readonly detail: { readonly expectedAt: string; readonly previousExpectedAt: string | null };
    })
  /** Its carrier named a related shipment. */
  | (OfShipment & {
      readonly kind: 'related';
      readonly detail: { readonly type: string; readonly relatedKey: string };
    })
  /** The service found it late or silent, since a time; ISO 8601. */
  | (OfShipment & {
      readonly kind: 'delayed';
      readonly detail: { readonly reason: DelayReason; readonly since: string };
    });

/** A stored change; milliseconds since 1970. */
export interface ChangeRow {
  readonly epoch: number;
  readonly number: number;
  readonly kind: ChangeKind;
  readonly shipmentId: number;
  readonly at: number;
  readonly eventId: number | null;
  readonly statusCode: StatusCode | null;
  readonly previousStatusCode: StatusCode | null;
  readonly detail: Readonly<Record<string, unknown>> | null;
}
