import type { TenantTransaction } from '../../platform/database/tenancy/tenant-transaction.ts';
import type { Recipient } from '../places/recipient.rules.ts';
import type { StatusCode } from './status.rules.ts';

/** What the service itself promises of a shipment. The domain that calculates it is not known here: it reads shipments. */

/** What a promise depends on; times are milliseconds since 1970. */
export interface PromisedShipment {
  readonly carrierCompanyId: number;
  readonly statusCode: StatusCode;
  readonly statusAt: number | null;
  readonly firstScanAt: number | null;
  /** Kilograms. */
  readonly weight: string | null;
  readonly recipient: Pick<Recipient, 'countryCode' | 'postalCode'>;
}

/** Moments by which 5, 80 and 95 of 100 such parcels that are not delivered yet will be, in milliseconds since 1970. */
export interface Promised {
  readonly earliest: number;
  readonly date: number;
  /** Null where the deliveries are too few to say it. */
  readonly latest: number | null;
  /** Deliveries that it was learnt from. */
  readonly sampleSize: number;
  /** When what it is made from last changed: the table, or the newest event. */
  readonly updatedAt: number;
}

/** The promises of one company; a JavaScript promise of them only where they are not in memory yet. */
export interface ShipmentPromises {
  /** Null for a shipment that is closed or not scanned yet, or where too little is known. */
  promiseOf(shipment: PromisedShipment): Promised | null | Promise<Promised | null>;
}

/** The date of a promise, whenever it is there. */
export function dateOf(promised: ReturnType<ShipmentPromises['promiseOf']>): number | null | Promise<number | null> {
  return promised instanceof Promise ? promised.then(found => found?.date ?? null) : (promised?.date ?? null);
}

/** Where a transaction finds the promises of its company. */
export interface PromiseSource {
  within(tx: TenantTransaction): Promise<ShipmentPromises>;
}
