import type { Promised, PromisedShipment } from '../tracking/promised.rules.ts';
import { atWorkingMs, workingMs } from '../working-days.rules.ts';
import { laneOf } from './lane.rules.ts';
import type { Cell, PromiseTable } from './promise-table.rules.ts';

/** Turns what the deliveries say into moments. */

const MINUTE_MS = 60_000;

/** Of these no delivery is expected any more, or not yet. */
const NOT_PROMISED: ReadonlySet<string> = new Set([
  'created',
  'refused',
  'delivered',
  'returning',
  'returned',
  'lost',
  'cancelled',
]);

/** On the way nothing is learnt from an event but that the parcel moves; later ones tell how far it has come. */
const ON_THE_WAY: ReadonlySet<string> = new Set(['shipped', 'in_transit', 'unknown']);

/**
 * The promise of its first scan, until an event tells more: that it is nearly there, that something has gone wrong, or that
 * it is still on its way when it should have arrived. From then on, what usually remains after such an event.
 */
export function promisedOf(table: PromiseTable, shipment: PromisedShipment): Promised | null {
  const { carrierCompanyId, statusCode, statusAt, firstScanAt, weight, recipient } = shipment;
  const { computedAt } = table;
  if (computedAt === undefined || firstScanAt === null || NOT_PROMISED.has(statusCode)) return null;
  const lane = laneOf(recipient.countryCode, recipient.postalCode);
  const found = table.transit(carrierCompanyId, lane, weight === null ? null : Number(weight));
  const fromScan = found && moments(found.cell, firstScanAt, computedAt.getTime());
  if (statusAt === null) return fromScan ?? null;
  if (fromScan && ON_THE_WAY.has(statusCode) && statusAt < fromScan.date) return fromScan;
  const remaining = table.remaining(carrierCompanyId, lane, statusCode);
  if (remaining === undefined) return fromScan ?? null;
  return moments(remaining.cell, statusAt, Math.max(computedAt.getTime(), statusAt));
}

/** What is promised of a parcel that would be scanned at a moment. @param weight kilograms */
export function promisedFrom(
  table: PromiseTable,
  { carrierCompanyId, countryCode, postalCode, weight }: Lading,
  scannedAt: number,
): (Promised & { readonly days: number }) | null {
  const found = table.transit(carrierCompanyId, laneOf(countryCode, postalCode), weight);
  if (found === undefined || table.computedAt === undefined) return null;
  return { ...moments(found.cell, scannedAt, table.computedAt.getTime()), days: wholeDays(found.cell) };
}

/** What a parcel is before it is shipped. */
export interface Lading {
  readonly carrierCompanyId: number;
  readonly countryCode: string;
  readonly postalCode: string;
  /** Kilograms. */
  readonly weight: number | null;
}

/** Working days after that of the first scan: whatever the time of that scan, the 80 % moment is not on a later day. */
function wholeDays({ expected }: Cell): number {
  return Math.max(1, Math.ceil(expected / 1440));
}

function moments({ earliest, expected, latest, deliveries }: Cell, from: number, updatedAt: number): Promised {
  const start = workingMs(new Date(from));
  const after = (minutes: number) => atWorkingMs(start + minutes * MINUTE_MS).getTime();
  return { earliest: after(earliest), date: after(expected), latest: after(latest), sampleSize: deliveries, updatedAt };
}
