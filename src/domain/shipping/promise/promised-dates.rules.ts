import { atWorkingMs, workingMs } from '../../common/working-days.rules.ts';
import type { Lading, Promised, PromisedShipment } from '../tracking/promised.rules.ts';
import type { Distribution, Moments } from './distribution.rules.ts';
import { laneOf } from './lane.rules.ts';
import type { PromiseTable } from './promise-table.rules.ts';

/** Converts transit times to moments, given that a parcel is not delivered yet. */

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;

/** Statuses that are not delivered any more, or not yet. */
const NOT_PROMISED: ReadonlySet<string> = new Set([
  'created',
  'refused',
  'delivered',
  'returning',
  'returned',
  'lost',
  'cancelled',
]);

/** An event on the way only shows that the parcel moves; later statuses show how far it has come. */
const ON_THE_WAY: ReadonlySet<string> = new Set(['shipped', 'in_transit', 'unknown']);

/** The basis of a promise: transit times from a moment on, in minutes of working days since 1970. */
interface Basis {
  readonly distribution: Distribution;
  readonly from: number;
  readonly updatedAt: number;
}

/**
 * The remaining time after the first scan, until an event tells more: that the parcel is nearly there, that something
 * went wrong, or that it still moved when it should have arrived. From then on, the usual remaining time after such an
 * event and such a silence: a parcel without news for days differs from those with another event since.
 *
 * @param now milliseconds since 1970, like all times
 */
export function basisOf(table: PromiseTable, shipment: PromisedShipment, now: number): Basis | undefined {
  const { carrierConnectionId, statusCode, statusAt, firstScanAt, weight, recipient } = shipment;
  const { computedAt } = table;
  if (computedAt === undefined || firstScanAt === null || NOT_PROMISED.has(statusCode)) return undefined;
  const lane = laneOf(recipient.countryCode, recipient.postalCode);
  const transit = table.transit(carrierConnectionId, lane, weight === null ? null : Number(weight));
  const scanned = minutesOf(firstScanAt);
  const fromScan = transit && { distribution: transit, from: scanned, updatedAt: computedAt.getTime() };
  if (statusAt === null) return fromScan;
  const heard = minutesOf(statusAt);
  if (ON_THE_WAY.has(statusCode) && heard < scanned + (transit?.usual ?? 0)) return fromScan;
  const silentDays = Math.max(0, Math.floor((minutesOf(now) - heard) / DAY_MINUTES));
  const remaining = table.remaining(carrierConnectionId, lane, statusCode, silentDays);
  if (remaining === undefined) return silentDays === 0 ? fromScan : undefined;
  const from = heard + silentDays * DAY_MINUTES;
  return { distribution: remaining, from, updatedAt: Math.max(computedAt.getTime(), statusAt) };
}

/** The promise for a shipment now: future moments, or null if the deliveries do not reach so far. */
export function promisedOf(table: PromiseTable, shipment: PromisedShipment, now: number): Promised | null {
  const basis = basisOf(table, shipment, now);
  const moments = basis?.distribution.after(minutesOf(now) - basis.from);
  return basis && moments ? promised(moments, basis) : null;
}

/**
 * The promise for a parcel that would be scanned at a moment.
 *
 * @param weight kilograms
 */
export function promisedFrom(
  table: PromiseTable,
  { carrierConnectionId, countryCode, postalCode, weight }: Lading,
  scannedAt: number,
): (Promised & { readonly days: number }) | null {
  const distribution = table.transit(carrierConnectionId, laneOf(countryCode, postalCode), weight);
  const moments = distribution?.after(0);
  if (!distribution || !moments || table.computedAt === undefined) return null;
  const basis = { distribution, from: minutesOf(scannedAt), updatedAt: table.computedAt.getTime() };
  return { ...promised(moments, basis), days: wholeDays(moments) };
}

/** Working days after the first scan: whatever the time of that scan, the 80 % moment is not on a later day. */
function wholeDays({ expected }: Moments): number {
  return Math.max(1, Math.ceil(expected / DAY_MINUTES));
}

function promised({ earliest, expected, latest }: Moments, { distribution, from, updatedAt }: Basis): Promised {
  const at = (minutes: number) => atWorkingMs((from + minutes) * MINUTE_MS).getTime();
  return {
    earliest: at(earliest),
    date: at(expected),
    latest: latest === undefined ? null : at(latest),
    sampleSize: distribution.stating.deliveries,
    updatedAt,
  };
}

const minutesOf = (at: number) => workingMs(new Date(at)) / MINUTE_MS;
