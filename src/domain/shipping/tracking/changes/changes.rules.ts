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

/** A position in a company's change log: after the change with this number. */
export interface ChangeCursor {
  /**
   * Identifies the log; any log if it is undefined. After a restore from a backup, a database assigns numbers again
   * that consumers have seen for other changes.
   */
  readonly epoch?: number | undefined;
  readonly number: number;
}

/** The cursor as an opaque text for consumers. */
export function cursorText({ epoch = 0, number }: ChangeCursor): string {
  return Buffer.from(`change:${epoch}:${number}`).toString('base64url');
}

export function cursorIn(text: string): ChangeCursor | undefined {
  const [, epoch, number] = /^change:(\d{1,15}):(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  return number === undefined ? undefined : { epoch: Number(epoch), number: Number(number) };
}
