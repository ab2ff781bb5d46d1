import type { Contact } from '../../common/places/recipient.rules.ts';

export const RELATION_TYPES = ['parent', 'forward', 'return', 'child'] as const;
export type RelationType = (typeof RELATION_TYPES)[number];

/** The limit on a tracking number. */
export const MAX_NUMBER = 100;

/** The limit on related shipments that one names. */
export const MAX_RELATED = 50;

/** The parts of a shipment in other tables; absent if they were not sent. */
export interface ShipmentParts {
  contact?: Contact;
  labels?: readonly string[];
  relatedShipments?: Readonly<Record<string, RelationType>>;
}

/** The contact of a shipment without its own recipient. */
export const NO_CONTACT: Contact = { email: null, telephone: null };

/**
 * In SQL, the order of the shipments with one tracking number, newest first. They are few, and
 * sorted. Without the calculation PostgreSQL could scan all shipments by their ids until one has the number.
 */
export const newestOfNumber = (id: string) => `order by ${id} + 0 desc`;
