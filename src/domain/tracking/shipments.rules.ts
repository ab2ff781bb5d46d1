import type { Metadata, MetadataPatch } from '../common/metadata.rules.ts';
import type { Contact, Recipient } from '../places/recipient.rules.ts';

export const RELATION_TYPES = ['parent', 'forward', 'return', 'child'] as const;
export type RelationType = (typeof RELATION_TYPES)[number];

/** Most characters of a tracking number. */
export const MAX_NUMBER = 100;

/** Most shipments that one names as belonging to it. */
export const MAX_RELATED = 50;

/** A shipment's own columns as they are stored; those not sent are absent. */
export interface ShipmentFields {
  carrierConnectionId: number;
  trackingNumber: string;
  trackingKey: string;
  warehouseId: number | null;
  quoteId: number | null;
  recipient: Recipient | null;
  reference: string | null;
  referenceKey: string | null;
  parcelId: string | null;
  parcelIdKey: string | null;
  parcelNumber: number;
  weight: string | null;
  volume: string | null;
  trackingUrl: string | null;
  shipmentDate: Date | null;
  expectedDeliveryDate: Date | null;
  metadata: Metadata;
}

/** What belongs to a shipment in tables of its own; absent where not sent. */
export interface ShipmentParts {
  contact?: Contact;
  labels?: readonly string[];
  relations?: Readonly<Record<string, RelationType>>;
}

export interface CheckedShipment {
  readonly fields: Partial<ShipmentFields> &
    Pick<ShipmentFields, 'carrierConnectionId' | 'trackingNumber' | 'trackingKey'>;
  readonly parts: ShipmentParts;
  /** Absent where not sent, null where the shipment is to have no order. */
  readonly orderNumber?: string | null;
  /** Absent where not sent. */
  readonly metadata?: MetadataPatch;
}

/** Of a shipment without a recipient of its own. */
export const NO_CONTACT: Contact = { email: null, telephone: null };

/** Columns and parts whose field in the input has another name; null of those that only follow another one. */
const FIELD_OF: Readonly<Record<string, string | null>> = {
  orderId: 'orderNumber',
  contact: 'recipient',
  relations: 'related',
  trackingKey: null,
  referenceKey: null,
  parcelIdKey: null,
};

/** The fields of the input that made columns and parts of a shipment change, in alphabetical order. */
export function changedFields(changed: readonly string[]): string[] {
  const fields = changed.map(name => (name in FIELD_OF ? FIELD_OF[name] : name));
  return [...new Set(fields.filter(name => name != null))].sort();
}
