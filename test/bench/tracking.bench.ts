import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import type { OperationName } from '../../src/http/rest/operations.ts';
import { migrate } from '../../src/migrate.ts';
import { Database } from '../../src/platform/database/database.ts';
import { newSecretsKey } from '../../src/platform/secrets/secret-box.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import { type BenchOptions, chosenParts } from './bench-options.ts';
import { assertSameAnswer, type Contender, compare, withCpu } from './contest.ts';
import { fiveReads, READS } from './five-reads.ts';
import { inContract } from './in-contract.ts';
import { type LoadRequest, median, paced } from './load.ts';
import { installPeers } from './peers-install.ts';
import { postgresCpuMs, type Running, running, startArguments, startProcess } from './processes.ts';
import type { RowId } from './rows.ts';
import { fromDatabase, shortRecord } from './same-record.ts';
import type { TrackedCompany } from './seed.ts';
import { pageOfShipments, type Question, recordByNumber } from './tracking-graphql.ts';
import { COMPANIES, graphqlRequests, restRequests, SHIPMENTS, seedTracking } from './tracking-load.ts';
import { explainAtAMillion } from './tracking-plans.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const FASTIFY = 'Fastify + pg';

export interface TrackingWorld {
  readonly database: Database;
  readonly companies: readonly TrackedCompany[];
  postgresCpuMs(): Promise<number>;
  /** `npm start`, of this checkout or of another. */
  service(root?: string): Promise<Running>;
  /** A file of `peers`, in a process of its own on the same tables. */
  peer(file: string): Promise<Running>;
}

const PARTS: Readonly<Record<string, (world: TrackingWorld, options: BenchOptions) => Promise<void>>> = {
  rest,
  graphql,
  sofa,
  load,
  // Last, since the others are to have 100,000 shipments.
  plans,
};

/** Tracking on 100,000 shipments of 20 companies beside its peers, under several loads; then the plans at a million. */
export async function run(options: BenchOptions): Promise<void> {
  const works = chosenParts(PARTS, options.parts);
  const folder = await mkdtemp(join(tmpdir(), 'shipping-bench-'));
  const server = await openEmbeddedPostgres({ dataDir: folder, as: 'service', throwaway: true });
  const database = await Database.connect(databaseOptions(server.url, 4), createMetrics(), createLog('silent'));
  try {
    await migrate(database);
    const startedAt = performance.now();
    const companies = await seedTracking(database);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(`${COMPANIES * SHIPMENTS} shipments with their events in ${seconds} s\n`);
    // Ours and theirs as in production, where some libraries leave out checks.
    const production = { NODE_ENV: 'production', SECRETS_KEY: newSecretsKey() };
    const env = { DATABASE_URL: server.url, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'info', ...production };
    const world: TrackingWorld = {
      database,
      companies,

      postgresCpuMs: () => postgresCpuMs(folder),
      service: async (root = ROOT) => startProcess(await startArguments(root), env),
      peer: file => {
        if (file.endsWith('.mjs')) installPeers();
        return startProcess([`${ROOT}test/bench/peers/${file}`], env);
      },
    };
    for (const work of works) await work(world, options);
  } finally {
    await database.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The record by its main number, over REST. */
async function rest(world: TrackingWorld, options: BenchOptions): Promise<void> {
  await running(async keep => {
    const service = keep(await world.service());
    const fastify = keep(await world.peer('fastify.ts'));
    const duties = keep(await world.peer('fastify-duties.mjs'));
    const bare = keep(await world.peer('bare.ts'));
    const requests = restRequests(world.companies);
    for (const request of requests.slice(0, 50)) {
      await assertSameAnswer([service, request], [fastify, request]);
      await assertSameAnswer([service, request], [duties, request]);
      await assertSameAnswer([service, request], [bare, request], { ours: shortRecord, theirs: fromDatabase });
    }
    const graphql = graphqlRequests(world.companies);
    const contenders: Contender[] = [
      { name: FASTIFY, server: fastify, requests },
      { name: 'with equal duties', server: duties, requests },
      { name: 'bare node:http', server: bare, requests },
      {
        name: 'REST',
        server: service,
        requests,
        against: { 'rest-fastify': FASTIFY, 'rest-duties': 'with equal duties', 'rest-bare': 'bare node:http' },
      },
      { name: 'GraphQL', server: service, requests: graphql },
    ];
    if (options.beside) {
      const other = keep(await world.service(options.beside));
      contenders.push(
        { name: 'REST beside', server: other, requests },
        { name: 'GraphQL beside', server: other, requests: graphql },
      );
    }
    await compare(contenders, { ...options, postgresCpuMs: world.postgresCpuMs });
    process.stdout.write(`peak memory of the service: ${await service.peakMemoryMb()} MB\n`);
  });
}

/** The record by its main number, and pages of shipments, over GraphQL. */
async function graphql(world: TrackingWorld, options: BenchOptions): Promise<void> {
  await running(async keep => {
    const service = keep(await world.service());
    const peer = keep(await world.peer('postgraphile.mjs'));
    const questions: [RowId, Question][] = [
      ['graphql-postgraphile', recordByNumber(world.companies)],
      ['page-postgraphile', pageOfShipments(world.companies)],
    ];
    for (const [row, { ours, theirs, same }] of questions) {
      for (const [i, request] of ours.slice(0, 50).entries()) {
        await assertSameAnswer([service, request], [peer, theirs[i] as LoadRequest], same);
      }
      const contenders: Contender[] = [
        { name: 'PostGraphile', server: peer, requests: theirs },
        { name: 'GraphQL', server: service, requests: ours, against: { [row]: 'PostGraphile' } },
      ];
      await compare(contenders, { ...options, postgresCpuMs: world.postgresCpuMs });
    }
  });
}

/** Five reads of the REST contract by turns. */
async function sofa(world: TrackingWorld, options: BenchOptions): Promise<void> {
  await running(async keep => {
    const service = keep(await world.service());
    const peer = keep(await world.peer('sofa.mjs'));
    const requests = fiveReads(world.companies);
    for (const [i, request] of requests.slice(0, 50).entries()) {
      const operation = READS[i % READS.length] as OperationName;
      const theirs = (answer: never) => inContract(operation, answer);
      await assertSameAnswer([service, request], [peer, request], { theirs });
    }
    const contenders: Contender[] = [
      { name: 'SOFA on Yoga', server: peer, requests },
      { name: 'REST', server: service, requests, against: { sofa: 'SOFA on Yoga' } },
    ];
    await compare(contenders, { ...options, postgresCpuMs: world.postgresCpuMs });
  });
}

const LOADS = { 16: 'load-16', 64: 'load-64', 256: 'load-256' } as const;
const PACED_CONNECTIONS = 64;
const PACED_SHARE = 0.7;

/** The record by its main number, as fast as it goes over more and more connections, and then at a steady rate. */
async function load(world: TrackingWorld, options: BenchOptions): Promise<void> {
  await running(async keep => {
    const fastify = keep(await world.peer('fastify.ts'));
    const service = keep(await world.service());
    const requests = restRequests(world.companies);
    let greatest = Number.NaN;
    for (const [connections, row] of Object.entries(LOADS)) {
      process.stdout.write(`\n${connections} connections`);
      const contenders: Contender[] = [
        { name: FASTIFY, server: fastify, requests },
        { name: 'REST', server: service, requests, against: { [row]: FASTIFY } },
      ];
      const contest = { ...options, connections: Number(connections), postgresCpuMs: world.postgresCpuMs };
      const figures = await compare(contenders, contest);
      // One rate for both, which neither can be overloaded by.
      const rates = figures.map(rounds => median(rounds.map(({ rps }) => rps)));
      if (Number(connections) === PACED_CONNECTIONS) greatest = Math.min(...rates);
    }

    const perSecond = greatest * PACED_SHARE;
    const p99 = { fastify: [] as number[], service: [] as number[] };
    for (let round = 0; round < options.rounds; round++) {
      for (const [name, server] of Object.entries({ fastify, service })) {
        const pace = { perSecond, connections: PACED_CONNECTIONS };
        const { p99Ms, p50Ms, rps, cpu } = await withCpu(server, world.postgresCpuMs, () =>
          paced(server.url, requests, options.seconds, pace),
        );
        p99[name as keyof typeof p99].push(p99Ms);
        process.stdout.write(
          `${name} at ${rps.toFixed(0)}/s: median ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, ${cpu.server.toFixed(0)} µs of CPU a request\n`,
        );
      }
    }
    options.results.record(
      'load-paced',
      p99.service.map((ms, i) => ms / (p99.fastify[i] ?? Number.NaN)),
      {
        note: `${median(p99.service).toFixed(1)} ms : ${median(p99.fastify).toFixed(1)} ms at ${perSecond.toFixed(0)} /s`,
      },
    );
  });
}

async function plans({ database, companies }: TrackingWorld, { quick }: BenchOptions): Promise<void> {
  if (!quick && companies[0]) await explainAtAMillion(database, companies[0].companyId);
}
