import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { growCompany } from '../../src/demo/growth.ts';
import {
  RECORD_BY_MAIN_NUMBER,
  RECORD_BY_OTHER_NUMBER,
  RECORDS_BY_ORDER_NUMBER,
} from '../../src/domain/tracking/tracking.repository.ts';
import { openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../src/migrate.ts';
import { Database } from '../../src/platform/database/database.ts';
import type { CompanyId } from '../../src/platform/database/tenancy.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import type { BenchOptions } from './bench.ts';
import { assertSameAnswer, compare } from './contest.ts';
import type { LoadRequest } from './load.ts';
import { type Running, startArguments, startProcess } from './processes.ts';
import { COMPANIES, graphqlRequests, restRequests, SHIPMENTS, seedTracking } from './tracking-load.ts';

const MILLION = 1_000_000;

/** Tables that grow; a handful of carrier connections, or a table with nothing in it, is read whole at no cost. */
const BIG = /^Seq Scan on (shipment|customer_order|tracking_event) /;

const print = (text: string) => process.stdout.write(`${text}\n`);

/** Tracking by number on 100,000 shipments of 20 companies, beside Fastify and bare node:http; then the plans at a million. */
export async function run({ seconds, rounds, quick, beside }: BenchOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'shipping-bench-'));
  const server = await openEmbeddedPostgres({ dataDir: folder, as: 'service', throwaway: true });
  const database = await Database.connect(databaseOptions(server.url, 4), createMetrics(), createLog('silent'));
  const running: Running[] = [];
  try {
    await migrate(database);
    const startedAt = performance.now();
    const companies = await seedTracking(database);
    print(
      `${COMPANIES * SHIPMENTS} shipments with their events in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
    );

    const root = new URL('../../', import.meta.url).pathname;
    const env = { DATABASE_URL: server.url, DATA_DIR: folder, PORT: '0', DEMO: 'false', LOG_LEVEL: 'info' };
    const service = await startProcess(await startArguments(root), env);
    const fastify = await startProcess([`${root}test/bench/peers/fastify.ts`], env);
    const bare = await startProcess([`${root}test/bench/peers/bare.ts`], env);
    running.push(service, fastify, bare);

    const rest = restRequests(companies);
    await assertSameAnswer(service, fastify, rest[0] as LoadRequest);
    const contenders = [
      { name: 'Fastify + pg', server: fastify, requests: rest },
      { name: 'bare node:http', server: bare, requests: rest },
      { name: 'REST', server: service, requests: rest },
      { name: 'GraphQL', server: service, requests: graphqlRequests(companies) },
    ];
    if (beside) {
      const other = await startProcess(await startArguments(beside), env);
      running.push(other);
      contenders.push(
        { name: 'REST beside', server: other, requests: rest },
        { name: 'GraphQL beside', server: other, requests: graphqlRequests(companies) },
      );
    }
    await compare(contenders, { seconds, rounds });
    print(`peak memory of the service: ${await service.peakMemoryMb()} MB`);
    for (const process of running.splice(0)) await process.stop();

    if (!quick) await explainAtAMillion(database, companies[0]?.companyId as CompanyId);
  } finally {
    for (const process of running) await process.stop();
    await database.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function explainAtAMillion(database: Database, companyId: CompanyId): Promise<void> {
  const startedAt = performance.now();
  await growCompany(database, companyId, MILLION - (COMPANIES - 1) * SHIPMENTS);
  await database.pool.query('analyze');
  const { rows } = await database.pool.query('select count(*)::integer as shipments from shipment');
  print(
    `\nPlans at ${rows[0].shipments} shipments (grown in ${((performance.now() - startedAt) / 1000).toFixed(0)} s)`,
  );
  const cases = [
    { what: 'by main number', loader: RECORD_BY_MAIN_NUMBER, values: ['BULK000004711'] },
    { what: 'by marketplace order id', loader: RECORD_BY_OTHER_NUMBER, values: ['M4711', 'M4711'] },
    {
      what: 'by a number that nothing has',
      loader: RECORD_BY_OTHER_NUMBER,
      values: ['NOTHING', 'NOTHING'],
    },
    {
      what: 'by order number',
      loader: RECORDS_BY_ORDER_NUMBER,
      values: ['B-4711', 'B-4711', null, 10_000],
    },
  ];
  for (const { what, loader, values } of cases) {
    const plan = await database.pool.query(
      `explain (analyze, costs off, timing off, summary on) ${loader.statement.spanning.text}`,
      [companyId, ...values].map(value => [value]),
    );
    const lines = plan.rows.map(row => String(row['QUERY PLAN']));
    const scans = lines
      .map(line => /(Index Only Scan|Index Scan|Bitmap Index Scan|Seq Scan)[^(]*/.exec(line)?.[0].trim())
      .filter(Boolean);
    print(`\n${what}: ${lines.at(-1)?.trim()}`);
    for (const scan of new Set(scans)) print(`  ${scan}`);
    if (scans.some(scan => BIG.test(scan ?? ''))) throw new Error(`${what}: the plan reads a whole table`);
  }
}
