import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import type { Recipient } from '../../common/places/recipient.rules.ts';
import type { StatusCode } from './status.rules.ts';

/** The service's own promise for a shipment. The domain that calculates it imports this one. */

/** The inputs of a promise; times are milliseconds since 1970. */
export interface PromisedShipment {
  readonly carrierConnectionId: number;
  readonly statusCode: StatusCode;
  readonly statusAt: number | null;
  readonly firstScanAt: number | null;
  /** Kilograms. */
  readonly weight: string | null;
  readonly recipient: Pick<Recipient, 'countryCode' | 'postalCode'>;
}

/** Moments by which 5, 80 and 95 of 100 such undelivered parcels will arrive, in milliseconds since 1970. */
export interface Promised {
  readonly earliest: number;
  readonly date: number;
  /** Null if there are too few deliveries. */
  readonly latest: number | null;
  /** The number of deliveries behind it. */
  readonly sampleSize: number;
  /** The time of its basis: the table, or the newest event. */
  readonly updatedAt: number;
}

/** The promises of one company; a JavaScript promise only if they are not in memory yet. */
export interface ShipmentPromises {
  /** Null for a shipment that is closed or not scanned yet, or with too few deliveries. */
  promiseOf(shipment: PromisedShipment): Promised | null | Promise<Promised | null>;
}

/** The date of a promise, once it is available. */
export function dateOf(promised: ReturnType<ShipmentPromises['promiseOf']>): number | null | Promise<number | null> {
  return promised instanceof Promise ? promised.then(found => found?.date ?? null) : (promised?.date ?? null);
}

/** The source of promises within a transaction. */
export interface PromiseSource {
  within(tx: TenantTransaction): Promise<ShipmentPromises>;
}

/** A parcel before it is shipped. */
export interface Lading {
  readonly carrierConnectionId: number;
  readonly countryCode: string;
  readonly postalCode: string;
  /** Kilograms. */
  readonly weight: number | null;
}

/** When a parcel arrives that is scanned at a moment, in milliseconds since 1970. */
export type Arrivals = (lading: Lading, scannedAt: number) => (Promised & { readonly days: number }) | null;
