import type { Metadata, MetadataPatch } from '../common/metadata.rules.ts';
import type { Contact, Recipient } from '../places/recipient.rules.ts';

export const RELATION_TYPES = ['parent', 'forward', 'return', 'child'] as const;
export type RelationType = (typeof RELATION_TYPES)[number];

/** The limit on a tracking number. */
export const MAX_NUMBER = 100;

/** The limit on related shipments that one names. */
export const MAX_RELATED = 50;

/** A shipment's own columns as they are stored, without fields that were not sent. */
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

/** The parts of a shipment in other tables; absent if they were not sent. */
export interface ShipmentParts {
  contact?: Contact;
  labels?: readonly string[];
  relations?: Readonly<Record<string, RelationType>>;
}

export interface CheckedShipment {
  readonly fields: Partial<ShipmentFields> &
    Pick<ShipmentFields, 'carrierConnectionId' | 'trackingNumber' | 'trackingKey'>;
  readonly parts: ShipmentParts;
  /** Absent if it was not sent, null to remove the order. */
  readonly orderNumber?: string | null;
  /** Absent if it was not sent. */
  readonly metadata?: MetadataPatch;
}

/** The contact of a shipment without its own recipient. */
export const NO_CONTACT: Contact = { email: null, telephone: null };

/** Columns and parts with another name in the input; null for those that follow another field. */
const FIELD_OF: Readonly<Record<string, string | null>> = {
  orderId: 'orderNumber',
  contact: 'recipient',
  relations: 'relatedShipments',
  parcelNumber: 'parcelCount',
  shipmentDate: 'shippedAt',
  expectedDeliveryDate: 'expectedDeliveryAt',
  trackingKey: null,
  referenceKey: null,
  parcelIdKey: null,
};

/** The fields of the input behind changed columns and parts, in alphabetical order. */
export function changedFields(changed: readonly string[]): string[] {
  const fields = changed.map(name => (name in FIELD_OF ? FIELD_OF[name] : name));
  return [...new Set(fields.filter(name => name != null))].sort();
}

/**
 * In SQL, the order of the shipments with one tracking number, newest first. They are few, and
 * sorted. Without the calculation PostgreSQL could scan all shipments by their ids until one has the number.
 */
export const newestOfNumber = (id: string) => `order by ${id} + 0 desc`;
