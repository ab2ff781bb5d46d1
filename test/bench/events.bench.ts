import { type BenchOptions, chosenParts } from './bench-options.ts';
import { type Contender, type Contest, compare, rate, row } from './contest.ts';
import { type LoadRequest, percentile } from './load.ts';
import { postgresCpuMs, type Running, startProcess } from './processes.ts';
import type { RowId } from './rows.ts';
import { latencies, PACE, pace, warmUp } from './webhook-latency.ts';
import { type BenchCompany, clear, nextEvents, openWorld, RECORD, type WebhookWorld } from './webhook-world.ts';

const COMPANIES = 20;
/**
 * So many that each gets about ten events. An event that is not the latest of its parcel has all of its events read, and
 * concurrent batches bring such ones: of 4,000 shipments, whose open ones got hundreds, the service recorded 2,800
 * events/s in one run and 8,000 in the next.
 */
const BATCH_SHIPMENTS = 200_000;
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
    await contest({ world, options }, some, 1, row);
  }
}

/** Without an endpoint, as the service that has an archive sent to it. */
async function batches({ world, options }: Bench): Promise<void> {
  const company = await world.addCompany('Batches', 0, BATCH_SHIPMENTS);
  for (const [size, row] of Object.entries(BATCHES)) {
    await clear(world);
    process.stdout.write(`\nevents in batches of ${size}`);
    await contest({ world, options }, [company], Number(size), row, { connections: BATCH_CONNECTIONS });
  }
}

/** Has contenders record events of companies, so many in each call. */
async function contest(
  { world, options }: Bench,
  some: readonly BenchCompany[],
  size: number,
  row: RowId,
  how: Pick<Contest, 'connections'> = {},
): Promise<void> {
  await beside({ world, options }, async ({ service, peer, other }) => {
    const contenders: Contender[] = [
      { name: 'Fastify + pg', server: peer, requests: peerCalls(some, size) },
      { name: 'the service', server: service, requests: calls(some, size), against: { [row]: 'Fastify + pg' } },
    ];
    if (other) contenders.push({ name: 'beside', server: other, requests: calls(some, size) });
    const postgres = () => postgresCpuMs(world.folder);
    await compare(contenders, { ...options, ...how, itemsEach: size, postgresCpuMs: postgres });
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
  const peer = await startProcess([`${ROOT}test/bench/peers/fastify-events.ts`], { DATABASE_URL: world.databaseUrl });
  const other = options.beside ? await world.start('api', {}, options.beside) : undefined;
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
