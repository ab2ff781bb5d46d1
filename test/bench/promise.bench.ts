import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { computePromises } from '../../src/domain/shipping/promise/compute.service.ts';
import { openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../src/migrate.ts';
import { Database } from '../../src/platform/database/database.ts';
import { Tenant } from '../../src/platform/database/tenancy/tenancy.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import { coverage, PARTS, type Prediction, pinballLoss, replay } from '../support/backtest.ts';
import { type Simulation, simulate } from '../support/simulated-carriers.ts';
import { type BenchOptions, chosenParts } from './bench-options.ts';
import { seedPromised } from './promise-seed.ts';
import type { RowId } from './rows.ts';
import { trackedCompany } from './seed.ts';

/** From March to June there is only what the first table is made of; from July on each night is predicted. */
const YEAR: Omit<Simulation, 'seed' | 'parcelsPerDay'> = {
  from: '2025-03-01',
  days: 306,
  drift: ['2025-07-01', '2025-10-15'],
  strike: ['2025-10-21', '2025-10-23'],
  peak: ['2025-11-17', '2025-12-24'],
};
const FROM = new Date('2025-07-01T01:30:00Z');
const UNTIL = new Date('2025-12-31T01:30:00Z');
const PARCELS_PER_DAY = 400;
/** Fewer say nothing of a share. */
const MIN_SAMPLES = 1_000;
const SHIPMENTS = 3_000_000;

const LEVELS = ['POSTAL_CODE', 'PROVINCE', 'REGION', 'COUNTRY'];
const STATED = { earliest: 5, date: 80, latest: 95 } as const;

/** The promises of the service compared with the deliveries, and the duration of its nightly job. */
export async function run(options: BenchOptions): Promise<void> {
  for (const part of chosenParts({ backtest, nightly }, options.parts)) await part(options);
}

/** By days of five sevenths, which is near enough for what it costs to count them. */
const NOTED_BEFORE = `insert into shipment_promise (company_id, shipment_id, carrier_connection_id, scanned, level, earliest, expected, latest, took)
  select company_id, id, carrier_connection_id, extract(epoch from first_scan_at) / 84, id % 4, 600, 2700, 4500,
      case when status_code = 'delivered' and status_at < now() - interval '1 day' then extract(epoch from status_at - first_scan_at) / 84 end
    from shipment where company_id = $1 and first_scan_at < now() - interval '1 day'`;
const FORGET_A_DAY = `delete from shipment_promise where company_id = $1 and shipment_id in (
    select id from shipment where company_id = $1 and first_scan_at >= now() - interval '1 day')`;

const print = (text: string) => process.stdout.write(`${text}\n`);

async function withDatabase<T>(work: (database: Database, url: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'promise-bench-'));
  const server = await openEmbeddedPostgres({ dataDir: folder, as: 'service' });
  const database = await Database.connect(databaseOptions(server.url, 4), createMetrics(), createLog('silent'));
  try {
    await migrate(database);
    return await work(database, server.url);
  } finally {
    await database.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function backtest({ rounds, quick, results }: BenchOptions): Promise<void> {
  const figures: Partial<Record<RowId, number[]>> = {};
  const note = (row: RowId, figure: number) => {
    figures[row] = [...(figures[row] ?? []), figure];
  };
  for (let round = 1; round <= (quick ? 1 : rounds); round++) {
    const parcelsPerDay = quick ? PARCELS_PER_DAY / 4 : PARCELS_PER_DAY;
    const all = await predictionsOf({ ...YEAR, seed: round, parcelsPerDay });
    const scanned = PARTS.scanned(all);
    printTable(`Round ${round}`, all);
    note('promise-80', Math.abs(coverage(scanned, 'date') - STATED.date));
    note('promise-95', Math.abs(coverage(scanned, 'latest') - STATED.latest));
    note('promise-level', worstLevel(scanned));
    note('promise-no-weight', worstLevel(PARTS.withoutWeight(all)));
    note('promise-sparse', worstLevel(PARTS.toSparseAreas(all)));
    note('promise-abroad', worstLevel(PARTS.abroad(all)));
    note('promise-silent', worstLevel(PARTS.silent(all)));
    const ours = pinballLoss(scanned, ({ promised }) => new Date(promised.date));
    note('promise-tariff', ours / pinballLoss(scanned, ({ tariffDate }) => tariffDate));
    note('promise-carrier', ours / pinballLoss(scanned, ({ carrierDate }) => carrierDate));
  }
  for (const [row, values] of Object.entries(figures)) results.record(row as RowId, values);
}

/** How far the shares that came by the 80 % and the 95 % date are from these, at the worst level. */
function worstLevel(predictions: readonly Prediction[]): number {
  const levels = LEVELS.map(level => predictions.filter(one => one.level === level));
  return Math.max(...levels.filter(own => own.length >= MIN_SAMPLES).map(worst));
}

function worst(predictions: readonly Prediction[]): number {
  const off = (['date', 'latest'] as const).map(moment => Math.abs(coverage(predictions, moment) - STATED[moment]));
  return Math.max(...off);
}

async function predictionsOf(simulation: Simulation): Promise<readonly Prediction[]> {
  return withDatabase(async (database, databaseUrl) => {
    const { companyId } = await trackedCompany(database, 'Simulated', 0);
    const connections = await connectionsOf(database, companyId);
    return replay(simulate(simulation), { database, databaseUrl, companyId, connections, from: FROM, until: UNTIL });
  });
}

async function connectionsOf(database: Database, companyId: string): Promise<number[]> {
  const query = 'select id from carrier_connection where company_id = $1 order by id';
  return (await database.pool.query<{ id: number }>(query, [companyId])).rows.map(({ id }) => id);
}

/** Shares by part, level, connection, month and event, to find deviations. */
function printTable(title: string, all: readonly Prediction[]): void {
  print(`\n${title}${' '.repeat(22)}parcels    5 %   80 %   95 %  none   loss  tariff carrier`);
  const line = (what: string, own: readonly Prediction[]) => {
    if (own.length === 0) return;
    const shares = (['earliest', 'date', 'latest'] as const).map(moment =>
      coverage(own, moment).toFixed(1).padStart(6),
    );
    const withoutLatest = (100 * own.filter(({ promised }) => promised.latest === null).length) / own.length;
    const losses = [
      pinballLoss(own, ({ promised }) => new Date(promised.date)),
      pinballLoss(own, ({ tariffDate }) => tariffDate),
      pinballLoss(own, ({ carrierDate }) => carrierDate),
    ].map(loss => loss.toFixed(3).padStart(6));
    const none = withoutLatest.toFixed(1).padStart(5);
    print(`${what.padEnd(28)} ${String(own.length).padStart(8)} ${shares.join(' ')} ${none} ${losses.join('  ')}`);
  };
  for (const [part, select] of Object.entries(PARTS)) {
    const own = select(all);
    line(part, own);
    for (const level of LEVELS) {
      line(
        `  ${level}`,
        own.filter(one => one.level === level),
      );
    }
  }
  const scanned = PARTS.scanned(all);
  for (const carrier of [0, 1, 2]) {
    line(
      `  carrier ${carrier}`,
      scanned.filter(({ parcel }) => parcel.carrier === carrier),
    );
  }
  for (let month = FROM.getUTCMonth(); month <= UNTIL.getUTCMonth(); month++) {
    line(
      `  month ${month + 1}`,
      scanned.filter(({ parcel }) => parcel.scannedAt.getUTCMonth() === month),
    );
  }
  for (const [status, own] of Map.groupBy(all, ({ statusCode }) => statusCode)) line(`  newest ${status}`, own);
}

async function nightly({ rounds, quick, results }: BenchOptions): Promise<void> {
  await withDatabase(async database => {
    const shipments = quick ? SHIPMENTS / 10 : SHIPMENTS;
    const { companyId } = await seedPromised(database, shipments, count => {
      if (count % 500_000 === 0) print(`${count} shipments`);
    });
    const tenant = new Tenant(companyId, database);
    const took = async (what: string) => {
      const startedAt = performance.now();
      const { groups, noted } = await computePromises(tenant);
      const seconds = (performance.now() - startedAt) / 1000;
      print(`${what}: ${groups} groups, ${noted} promises noted, ${seconds.toFixed(1)} s`);
      return seconds;
    };
    await took(`the first night, ${shipments} shipments`);
    // As on any other night: promises are recorded for all shipments except the ones of the last day.
    await database.patiently(client => client.query(NOTED_BEFORE, [companyId]));
    await database.pool.query("update promise set began_at = began_at - interval '90 days' where company_id = $1", [
      companyId,
    ]);
    const seconds: number[] = [];
    for (let round = 1; round <= (quick ? 1 : rounds); round++) {
      seconds.push(await took(`night ${round}`));
      await database.patiently(client => client.query(FORGET_A_DAY, [companyId]));
    }
    if (!quick) results.record('promise-nightly', seconds);
  });
}
