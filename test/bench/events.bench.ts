import { type BenchOptions, chosenParts } from './bench-options.ts';
import { type Contender, compare, rate, row } from './contest.ts';
import { type LoadRequest, measure, percentile } from './load.ts';
import { type Running, startArguments, startProcess } from './processes.ts';
import { latencies, PACE, pace, warmUp } from './webhook-latency.ts';
import { type BenchCompany, clear, nextEvents, openWorld, RECORD, type WebhookWorld } from './webhook-world.ts';

const COMPANIES = 20;
const BATCHES = { 100: 'events-batch-100', 1000: 'events-batch-1000' } as const;
/** Callers of batches: one for each core would have either wait for the other. */
const BATCH_CONNECTIONS = 4;
const ROOT = new URL('../../', import.meta.url).pathname;

interface Bench {
  readonly world: WebhookWorld;
  readonly options: BenchOptions;
}

const PARTS: Readonly<Record<string, (bench: Bench) => Promise<void>>> = { singles, batches, latency };

/**
 * Recording events: single-event calls of one company and of twenty, each with a webhook to deliver, and batches, beside a
 * server that does the same by hand; then the time from a call to the receiver of its webhook.
 */
export async function run(options: BenchOptions): Promise<void> {
  const works = chosenParts(PARTS, options.parts);
  const world = await openWorld();
  try {
    for (const work of works) await work({ world, options });
  } finally {
    await world.close();
  }
}

/** Without a worker that delivers: only the call is measured. */
async function singles({ world, options }: Bench): Promise<void> {
  const companies: BenchCompany[] = [];
  for (let i = 0; i < COMPANIES; i++) companies.push(await world.addCompany(`Singles ${i}`, 1));
  const cases = [
    { some: companies.slice(0, 1), row: 'events-one' },
    { some: companies, row: 'events-twenty' },
  ] as const;
  for (const { some, row } of cases) {
    await clear(world);
    process.stdout.write(`\nsingle events with a webhook, ${some.length} compan${some.length === 1 ? 'y' : 'ies'}`);
    await beside({ world, options }, async ({ service, peer, other }) => {
      const contenders: Contender[] = [
        { name: 'Fastify + pg', server: peer, requests: peerCalls(some, 1) },
        { name: 'the service', server: service, requests: calls(some, 1), against: { [row]: 'Fastify + pg' } },
      ];
      if (other) contenders.push({ name: 'beside', server: other, requests: calls(some, 1) });
      await compare(contenders, options);
    });
  }
}

/** Without an endpoint, as the service that has an archive sent to it. */
async function batches({ world, options }: Bench): Promise<void> {
  const company = await world.addCompany('Batches', 0);
  await clear(world);
  await beside({ world, options }, async ({ service, peer, other }) => {
    row('\nbatches', 'asked', 'events/s', 'each round');
    for (const [text, rowId] of Object.entries(BATCHES)) {
      const size = Number(text);
      const contenders = [
        { name: `${size} events, the service`, server: service, requests: calls([company], size), asked: '≥ 25,000' },
        { name: `${size} events, Fastify + pg`, server: peer, requests: peerCalls([company], size), asked: '' },
        ...(other
          ? [{ name: `${size} events, beside`, server: other, requests: calls([company], size), asked: '' }]
          : []),
      ];
      const perSecond = contenders.map((): number[] => []);
      const cpu = contenders.map((): number[] => []);
      for (let round = -1; round < options.rounds; round++) {
        for (const [i, { server, requests }] of contenders.entries()) {
          const before = await server.cpuMs();
          const { rps } = await measure(server.url, requests, options.seconds, BATCH_CONNECTIONS);
          // The first round warms up.
          if (round < 0) continue;
          perSecond[i]?.push(rps * size);
          cpu[i]?.push((((await server.cpuMs()) - before) * 1_000) / (rps * size * options.seconds));
        }
      }
      options.results.record(rowId, perSecond[0] ?? []);
      for (const [i, { name, asked }] of contenders.entries()) {
        rate(name, asked, perSecond[i] ?? []);
        rate('  CPU µs for an event', '', cpu[i] ?? [], 1);
      }
    }
  });
}

interface Servers {
  readonly service: Running;
  readonly peer: Running;
  /** Another checkout of the service. */
  readonly other: Running | undefined;
}

async function beside({ world, options }: Bench, work: (servers: Servers) => Promise<void>): Promise<void> {
  const service = await world.start('api');
  const env = { DATABASE_URL: world.databaseUrl };
  const peer = await startProcess([`${ROOT}test/bench/peers/fastify-events.ts`], env);
  const other = options.beside
    ? await startProcess(await startArguments(options.beside), {
        ...env,
        DATA_DIR: world.folder,
        PORT: '0',
        DEMO: 'false',
        LOG_LEVEL: 'info',
        ROLE: 'api',
      })
    : undefined;
  try {
    await work({ service, peer, other });
  } finally {
    await Promise.all([service, peer, other].map(server => server?.stop()));
  }
}

/** Calls of one company after the other, whose events are new each time. */
function newCalls(
  companies: readonly BenchCompany[],
  path: string,
  bodyOf: (company: BenchCompany) => unknown,
): () => LoadRequest {
  let next = 0;
  return () => {
    const company = companies[next++ % companies.length] as BenchCompany;
    const headers = { 'x-api-key': company.apiKey, 'content-type': 'application/json' };
    return { method: 'POST', path, headers, body: JSON.stringify(bodyOf(company)) };
  };
}

const calls = (companies: readonly BenchCompany[], count: number) =>
  newCalls(companies, '/graphql', company => ({ query: RECORD, variables: { input: nextEvents(company, count) } }));
const peerCalls = (companies: readonly BenchCompany[], count: number) =>
  // In the database's words, which the peer stores as they come.
  newCalls(companies, '/events', company =>
    nextEvents(company, count).map(event => ({ ...event, statusCode: event.statusCode?.toLowerCase() })),
  );

/** Calls of one company at a steady pace, whether those before were answered or not, until their webhooks have come. */
async function latency({ world, options }: Bench): Promise<void> {
  const company = await world.addCompany('Latency', 1);
  await clear(world);
  const service = await world.start('all');
  const figures = { p50: [] as number[], p99: [] as number[], answered: [] as number[], refused: [] as number[] };
  try {
    await warmUp(service, company);
    for (let round = 0; round < options.rounds; round++) {
      const { told, refused } = await pace(service, [company], options.seconds);
      const found = await latencies(world, [company], told);
      const took = found.map(({ sentAt, arrivedAt }) => arrivedAt - sentAt);
      figures.p50.push(percentile(took, 0.5));
      figures.p99.push(percentile(took, 0.99));
      figures.answered.push(
        percentile(
          told.map(({ sentAt, answeredAt }) => answeredAt - sentAt),
          0.99,
        ),
      );
      figures.refused.push(refused);
    }
  } finally {
    await service.stop();
  }
  options.results.record('events-latency', figures.p99, { note: `${figures.refused.join(' + ')} calls refused` });
  row(`\n${PACE} calls/s of one company`, 'asked', 'ms', 'each round');
  rate('from the call to the receiver, p50', '', figures.p50);
  rate('from the call to the receiver, p99', '< 50', figures.p99);
  rate('from the call to its answer, p99', '', figures.answered);
  rate('calls refused', '0', figures.refused);
}
