import pg from 'pg';
import { addWorkingDays, DAY_MS } from '../../src/domain/common/working-days.rules.ts';
import { computePromises } from '../../src/domain/shipping/promise/compute.service.ts';
import { promiseTable } from '../../src/domain/shipping/promise/promise.repository.ts';
import type { PromiseTable } from '../../src/domain/shipping/promise/promise-table.rules.ts';
import { basisOf, promisedOf } from '../../src/domain/shipping/promise/promised-dates.rules.ts';
import type { Promised } from '../../src/domain/shipping/tracking/promised.rules.ts';
import type { StatusCode } from '../../src/domain/shipping/tracking/status.rules.ts';
import type { Database } from '../../src/platform/database/database.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { Tenant } from '../../src/platform/database/tenancy/tenancy.ts';
import type { Parcel } from './simulated-carriers.ts';
import { workingDaysBetween } from './working-days.ts';

/**
 * Replays parcels against the service day by day: each night the database has what had happened by then and nothing else,
 * the real job calculates the table, and on the day after it the real look-up makes a promise at each event.
 */

export interface Replay {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly companyId: string;
  /** By the number of a simulated carrier. */
  readonly connections: readonly number[];
  /** The first night, and the last. */
  readonly from: Date;
  readonly until: Date;
  readonly onNight?: (night: Date, ms: number) => unknown;
}

/** The promise for a parcel at some time, and the other estimates. */
export interface Prediction {
  readonly parcel: Parcel;
  readonly askedAt: Date;
  /** The status of its newest event; `shipped` is the first scan. */
  readonly statusCode: string;
  /** At which level, and by how many deliveries. */
  readonly level: string;
  readonly deliveries: number;
  readonly promised: Promised;
  readonly tariffDate: Date;
  readonly carrierDate: Date;
}

/** @param parcels in the order in which they are made */
export async function replay(parcels: readonly Parcel[], options: Replay): Promise<Prediction[]> {
  const { database, companyId, from, until } = options;
  const tenant = new Tenant(companyId as CompanyId, database);
  const client = new pg.Client({ connectionString: options.databaseUrl });
  await client.connect();
  try {
    const feed = await openFeed(client, parcels, options);
    const predictions: Prediction[] = [];
    for (let night = from; night <= until; night = new Date(night.getTime() + DAY_MS)) {
      await feed(night);
      const startedAt = performance.now();
      await computePromises(tenant, night);
      await options.onNight?.(night, performance.now() - startedAt);
      const { table } = await promiseTable(tenant);
      predictions.push(...predictionsOf(parcels, table, night, options));
    }
    return predictions;
  } finally {
    await client.end();
  }
}

/**
 * The promises on the day after a night: at each event, and once between them, at any time of the day. Returned parcels
 * are left out. Lost parcels are not, because their loss is not known yet.
 */
function predictionsOf(
  parcels: readonly Parcel[],
  table: PromiseTable,
  night: Date,
  { connections }: Replay,
): Prediction[] {
  const nextNight = new Date(night.getTime() + DAY_MS);
  return parcels.flatMap((parcel, i) => {
    const { scannedAt, deliveredAt, countryCode, postalCode, tariffDays, carrierDate, steps } = parcel;
    if (scannedAt >= nextNight || (deliveredAt !== null && deliveredAt < night)) return [];
    if (COMES_BACK.has(steps.at(-1)?.statusCode ?? '')) return [];
    const anyTime = new Date(night.getTime() + ((i * 7_919 + night.getTime() / 997) % DAY_MS));
    const times = [...steps.map(({ at }) => at).filter(at => at >= night && at < nextNight), anyTime];
    return times.flatMap((askedAt): Prediction[] => {
      const newest = steps.findLast(({ at }) => at <= askedAt);
      if (newest === undefined || newest.statusCode === 'delivered') return [];
      const shipment = {
        carrierConnectionId: connections[parcel.carrier] ?? 0,
        statusCode: newest.statusCode as StatusCode,
        statusAt: newest.at.getTime(),
        firstScanAt: scannedAt.getTime(),
        weight: parcel.weight === null ? null : parcel.weight.toFixed(3),
        recipient: { countryCode, postalCode },
      };
      const promised = promisedOf(table, shipment, askedAt.getTime());
      const stating = basisOf(table, shipment, askedAt.getTime())?.distribution.stating;
      if (promised === null || stating === undefined) return [];
      const tariffDate = addWorkingDays(startOfDay(scannedAt), tariffDays + 1);
      const { level, deliveries } = stating;
      const { statusCode } = newest;
      return [{ parcel, askedAt, statusCode, level, deliveries, promised, tariffDate, carrierDate }];
    });
  });
}

const COMES_BACK: ReadonlySet<string> = new Set(['returning', 'returned', 'lost']);

const startOfDay = (at: Date) => new Date(`${at.toISOString().slice(0, 10)}T00:00:00Z`);

const SHIPMENTS = `insert into shipment (company_id, carrier_connection_id, tracking_number, tracking_key, recipient, parcel_number, weight, status_code, created_at)
  select $1, connection, key, key, jsonb_build_object('companyName', null, 'address', 'Via Roma 1', 'postalCode', postal, 'city', 'Comune',
      'province', province, 'countryCode', country), 1, weight, 'created', created_at
    from unnest($2::integer[], $3::text[], $4::text[], $5::text[], $6::text[], $7::numeric[], $8::timestamptz[])
      as given(connection, key, postal, province, country, weight, created_at) order by created_at`;

const EVENTS = `insert into tracking_event (company_id, shipment_id, occurred_at, status_code)
  select $1, s.id, given.at, given.status_code from unnest($2::text[], $3::timestamptz[], $4::text[]) as given(key, at, status_code)
    join shipment s on s.company_id = $1 and s.tracking_key = given.key order by given.at`;

const STATUSES = `update shipment s set status_code = newest.status_code, status_at = newest.at,
    first_scan_at = least(s.first_scan_at, newest.first), delivered_at = case newest.status_code when 'delivered' then newest.at end
  from (select key, min(at) as first, max(at) as at, (array_agg(status_code order by at desc))[1] as status_code
    from unnest($2::text[], $3::timestamptz[], $4::text[]) as given(key, at, status_code) group by key) newest
  where s.company_id = $1 and s.tracking_key = newest.key`;

/** Writes all events since the last night into the database. */
async function openFeed(client: pg.Client, parcels: readonly Parcel[], { companyId, connections }: Replay) {
  const keyed = parcels.map((parcel, i) => ({ ...parcel, key: `SIM${i}` }));
  const steps = keyed
    .flatMap(({ key, steps: own }) => own.map(step => ({ key, ...step })))
    .sort((a, b) => a.at.getTime() - b.at.getTime());
  let [made, heard] = [0, 0];
  return async (night: Date) => {
    const newParcels = takenUntil(keyed, made, ({ createdAt }) => createdAt <= night);
    const newSteps = takenUntil(steps, heard, ({ at }) => at <= night);
    made += newParcels.length;
    heard += newSteps.length;
    for (const some of chunks(newParcels)) {
      await client.query(SHIPMENTS, [
        companyId,
        some.map(({ carrier }) => connections[carrier]),
        some.map(({ key }) => key),
        some.map(({ postalCode }) => postalCode),
        some.map(({ province }) => province),
        some.map(({ countryCode }) => countryCode),
        some.map(({ weight }) => weight?.toFixed(3) ?? null),
        some.map(({ createdAt }) => createdAt),
      ]);
    }
    for (const some of chunks(newSteps)) {
      const values = [
        companyId,
        some.map(({ key }) => key),
        some.map(({ at }) => at),
        some.map(({ statusCode }) => statusCode),
      ];
      await client.query(EVENTS, values);
      await client.query(STATUSES, values);
    }
    if (newSteps.length > 10_000) await client.query('analyze shipment, tracking_event');
  };
}

function takenUntil<T>(all: readonly T[], from: number, isBefore: (one: T) => boolean): readonly T[] {
  let to = from;
  while (to < all.length && isBefore(all[to] as T)) to++;
  return all.slice(from, to);
}

function* chunks<T>(all: readonly T[], size = 20_000): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}

/** How many of 100 were delivered by that moment, among those for which it was stated. */
export function coverage(predictions: readonly Prediction[], moment: 'earliest' | 'date' | 'latest'): number {
  const stated = predictions.filter(({ promised }) => promised[moment] !== null);
  const kept = stated.filter(({ parcel: { deliveredAt }, promised }) => {
    return deliveredAt !== null && deliveredAt.getTime() <= (promised[moment] ?? 0);
  });
  return (100 * kept.length) / stated.length;
}

/**
 * The mean pinball loss of dates as quantiles at 80 %, in working days, of parcels that arrive: a late parcel costs
 * four times an early one.
 */
export function pinballLoss(predictions: readonly Prediction[], dateOf: (prediction: Prediction) => Date): number {
  const losses = predictions.flatMap(prediction => {
    const { deliveredAt } = prediction.parcel;
    if (deliveredAt === null) return [];
    const late = workingDaysBetween(dateOf(prediction), deliveredAt);
    return [late >= 0 ? 0.8 * late : -0.2 * late];
  });
  return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
}

type Part = 'scanned' | 'withoutWeight' | 'toSparseAreas' | 'abroad' | 'silent';

/** Parts of the predictions. All predictions except the ones for silent parcels were made at the first scan. */
export const PARTS: Readonly<Record<Part, (all: readonly Prediction[]) => readonly Prediction[]>> = {
  scanned: all => all.filter(({ askedAt, parcel }) => askedAt.getTime() === parcel.scannedAt.getTime()),
  withoutWeight: all => PARTS.scanned(all).filter(({ parcel }) => parcel.weight === null),
  /** To Italian postal codes with fewer than 30 deliveries. */
  toSparseAreas: all =>
    PARTS.scanned(all).filter(({ parcel, level, deliveries }) => {
      return parcel.countryCode === 'IT' && !(level === 'POSTAL_CODE' && deliveries >= 30);
    }),
  abroad: all => PARTS.scanned(all).filter(({ parcel }) => parcel.countryCode !== 'IT'),
  /** Parcels that had been silent for a working day or longer. */
  silent: all =>
    all.filter(({ askedAt, parcel: { steps } }) => {
      const newest = steps.findLast(({ at }) => at <= askedAt);
      return newest !== undefined && workingDaysBetween(newest.at, askedAt) >= 1;
    }),
};
