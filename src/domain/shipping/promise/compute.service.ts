import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { PatientTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { inThread } from '../../../platform/threads/threads.ts';
import { DAY_MS, workingMs } from '../../common/working-days.rules.ts';
import { quantilesOf } from './calibration.rules.ts';
import {
  connectionsOf,
  forgetPromises,
  measurePromises,
  newlyScanned,
  replaceAccuracy,
  replaceTable,
  type ScannedShipment,
  type StatedPromise,
  statePromises,
} from './compute.repository.ts';
import { DESTINATION_LEVELS, laneOf } from './lane.rules.ts';
import { promiseTable } from './promise.repository.ts';
import { PROMISES_CHANGED } from './promise-book.service.ts';
import type { PromiseTable } from './promise-table.rules.ts';
import { type Provinces, transitTimes } from './transit-times.repository.ts';
import { idBefore, periodUntil } from './working-minutes.repository.ts';

export { companiesWithConnections as companiesWithPromises } from './promise.repository.ts';

const MINUTE_MS = 60_000;
/** Promises are recorded for shipments whose first scan is at most this many days old. */
const STATED_DAYS = 5;
const STATED_AT_ONCE = 50_000;

/**
 * Settings of PostgreSQL for the statements: memory for sorting, no JIT, which takes longer than it saves, and hash
 * joins, because it has no statistics of intermediate results and would choose loops that take minutes.
 */
const SETTINGS = {
  work_mem: '96MB',
  jit: 'off',
  enable_nestloop: 'off',
  enable_mergejoin: 'off',
  enable_sort: 'off',
} as const;

/** The result of a run. */
interface Computed {
  /** Groups of deliveries in the new table. */
  readonly groups: number;
  /** Shipments whose promise was recorded. */
  readonly noted: number;
}

const THREAD = new URL('./lane.thread.ts', import.meta.url);
let provinces: Provinces | undefined;

/**
 * Calculates the table of a company from its own deliveries, in one transaction: if it fails, the old table stays,
 * which others read until the commit. First it records the promises of the old table for shipments scanned since the
 * last run, and the outcomes of due promises, by which the new quantiles are chosen. So no promise is judged by a table
 * that knew its outcome.
 */
export async function computePromises(tenant: Tenant, now = new Date()): Promise<Computed> {
  provinces ??= await inThread<Provinces>(tenant, THREAD, 'provincesByBeginning', []);
  const known = provinces;
  return tenant.patiently('promise', SETTINGS, async tx => {
    const { table, beganAt } = await promiseTable(tx);
    const noted = beganAt === undefined ? 0 : await notePromises(tx, table, beganAt, now);
    const period = await periodUntil(tx, now);
    await forgetPromises(tx, workingMs(period.from) / MINUTE_MS);
    const measured = await measurePromises(tx, period);
    await replaceAccuracy(tx, measured);
    const connections = await connectionsOf(tx);
    const cells = await transitTimes(tx, period, known, {
      fromScan: quantilesOf(connections, measured, beganAt ? (now.getTime() - beganAt.getTime()) / DAY_MS : 0),
      // Later promises are not measured: these times are short, and follow changes by themselves.
      fromStatus: quantilesOf(connections, [], 0),
    });
    await replaceTable(tx, cells, now);
    await tx.notify(PROMISES_CHANGED, tx.companyId);
    return { groups: cells.length, noted };
  });
}

/** Records the table's promises for new shipments, including missing ones. Returns how many. */
async function notePromises(tx: PatientTransaction, table: PromiseTable, beganAt: Date, now: Date): Promise<number> {
  const since = new Date(Math.max(beganAt.getTime(), now.getTime() - STATED_DAYS * DAY_MS));
  let noted = 0;
  let afterId = await idBefore(tx, since);
  for (;;) {
    const shipments = await newlyScanned(tx, afterId, since, STATED_AT_ONCE);
    if (shipments.length > 0) {
      await statePromises(
        tx,
        shipments.map(shipment => statedPromise(table, shipment)),
      );
    }
    noted += shipments.length;
    if (shipments.length < STATED_AT_ONCE) return noted;
    afterId = shipments.at(-1)?.shipmentId ?? afterId;
  }
}

function statedPromise(table: PromiseTable, shipment: ScannedShipment): StatedPromise {
  const { shipmentId, carrierConnectionId, firstScanAt, weight, countryCode, postalCode } = shipment;
  const lane = laneOf(countryCode, postalCode);
  const found = table.transit(carrierConnectionId, lane, weight === null ? null : Number(weight));
  const moments = found?.after(0);
  return {
    shipmentId,
    carrierConnectionId,
    scanned: workingMs(firstScanAt) / MINUTE_MS,
    level: found ? DESTINATION_LEVELS.indexOf(found.stating.level) : null,
    earliest: moments?.earliest ?? null,
    expected: moments?.expected ?? null,
    latest: moments?.latest ?? null,
  };
}
