import type { StatusCode } from '../status.rules.ts';

/** What changes of a shipment are numbered and kept, so that a consumer can ask for all that happened since. */

export const CHANGE_KINDS = ['created', 'updated', 'status', 'event', 'estimate', 'related'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The type that the graph shows each as. */
export const TYPE_OF = {
  created: 'ShipmentCreated',
  updated: 'ShipmentUpdated',
  status: 'ShipmentStatusChanged',
  event: 'TrackingEventRecorded',
  estimate: 'CarrierEstimateChanged',
  related: 'RelatedShipmentAdded',
} as const satisfies Record<ChangeKind, string>;

interface OfShipment {
  readonly shipmentId: number;
}

/** A change that is to be numbered. */
export type NewChange =
  | (OfShipment & { readonly kind: 'created' })
  /** The platform changed some of its fields. */
  | (OfShipment & { readonly kind: 'updated'; readonly detail: { readonly fields: readonly string[] } })
  /** An event moved it to another status. */
  | (OfShipment & {
      readonly kind: 'status';
      readonly eventId: number;
      readonly statusCode: StatusCode;
      readonly previousStatusCode: StatusCode;
    })
  /** An event was recorded that did not move it. */
  | (OfShipment & { readonly kind: 'event'; readonly eventId: number })
  /** Its carrier expects its delivery at another time; ISO 8601. */
  | (OfShipment & {
      readonly kind: 'estimate';
      readonly detail: { readonly expectedAt: string; readonly previousExpectedAt: string | null };
    })
  /** Its carrier named another shipment that belongs to it. */
  | (OfShipment & {
      readonly kind: 'related';
      readonly detail: { readonly type: string; readonly relatedKey: string };
    });

/** A change as it is kept; milliseconds since 1970. */
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
