import type { StatusCode } from '../status.rules.ts';

/** What changes of a shipment are numbered and kept, so that a consumer can ask for all that happened since. */

export const CHANGE_KINDS = ['created', 'updated', 'status', 'event', 'estimate', 'related'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

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
