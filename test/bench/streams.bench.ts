import { Agent, type ClientRequest, request } from 'node:http';
import { type BenchOptions, chosenParts } from './bench-options.ts';
import { rate, row } from './contest.ts';
import { percentile } from './load.ts';
import type { Running } from './processes.ts';
import type { RowId } from './rows.ts';
import { until } from './until.ts';
import { PACE, pace, type Told, warmUp } from './webhook-latency.ts';
import { type BenchCompany, openWorld, type WebhookWorld } from './webhook-world.ts';

const STREAMS = 1_000;
/** Shipments of each company; more than it has events. */
const SHIPMENTS = 1_500;
const SUBSCRIPTION = `subscription ($after: String) {
  changes(after: $after) {
    nodes {
      number
      shipment { trackingNumber statusCode }
      ... on ShipmentStatusChanged { event { description } }
    }
    pageInfo { endCursor }
  }
}`;

interface Bench {
  readonly world: WebhookWorld;
  readonly options: BenchOptions;
}

const PARTS: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  // As many of each company as a key may have by default.
  spread: bench => watched(bench, 100, 'streams-wake'),
  crowd: bench => watched(bench, 20),
  one: bench => watched(bench, 1),
};

/** How long changes take to the readers of 1,000 streams on one process, and what memory these take. */
export async function run(options: BenchOptions): Promise<void> {
  const works = chosenParts(PARTS, options.parts);
  const world = await openWorld();
  try {
    for (const work of works) await work({ world, options });
  } finally {
    await world.close();
  }
}

/** Streams of some companies, whose changes come at a steady pace. */
async function watched({ world, options }: Bench, companyCount: number, rowId?: RowId): Promise<void> {
  const companies: BenchCompany[] = [];
  for (let i = 0; i < companyCount; i++) {
    companies.push(await world.addCompany(`Streams ${companyCount} ${i}`, 0, SHIPMENTS));
  }
  // Each stream is a connection too, and the changes come over others.
  const limits = { MAX_STREAMS_PER_KEY: String(STREAMS), MAX_CONNECTIONS_PER_KEY: String(2 * STREAMS) };
  const service = await world.start('api', limits);
  const figures = {
    p50: [] as number[],
    p99: [] as number[],
    answered: [] as number[],
    missing: [] as number[],
    cpu: [] as number[],
  };
  try {
    await warmUp(service, companies[0] as BenchCompany);
    const before = await service.memoryMb();
    const readers = await openReaders(service, companies);
    const open = await service.memoryMb();
    for (let round = 0; round < options.rounds; round++) {
      const cpuBefore = await service.cpuMs();
      const { told } = await pace(service, companies, options.seconds);
      const took = await arrivals(readers, companies, told);
      figures.cpu.push(((await service.cpuMs()) - cpuBefore) / took.length);
      figures.p50.push(percentile(took, 0.5));
      figures.p99.push(percentile(took, 0.99));
      figures.answered.push(
        percentile(
          told.map(({ sentAt, answeredAt }) => answeredAt - sentAt),
          0.99,
        ),
      );
      figures.missing.push(told.length * (STREAMS / companyCount) - took.length);
    }
    const memory = await service.peakMemoryMb();
    for (const { connection } of readers) connection.destroy();
    row(`\n${STREAMS} streams of ${companyCount} companies, ${PACE} changes/s`, 'asked', 'ms', 'each round');
    rate('from the call to a reader, p50', '', figures.p50);
    rate('from the call to a reader, p99', '< 500', figures.p99);
    rate('from the call to its answer, p99', '', figures.answered);
    rate('events that did not come', '0', figures.missing);
    rate('CPU ms for a change of a reader', '', figures.cpu, 2);
    row('resident MB: without streams, with them, at most', '', [before, open, memory].join(', '));
    if (rowId) options.results.record(rowId, figures.p99);
    if (rowId) options.results.record('streams-memory', [memory]);
  } finally {
    await service.stop();
  }
}

interface Reader {
  readonly company: BenchCompany;
  readonly connection: ClientRequest;
  /** When each event came, by its description; milliseconds since 1970. */
  readonly cameAt: Map<string, number>;
}

async function openReaders(service: Running, companies: readonly BenchCompany[]): Promise<Reader[]> {
  const agent = new Agent({ maxSockets: STREAMS });
  const cursors = await Promise.all(companies.map(company => cursorOf(service, company)));
  const readers: Reader[] = [];
  // A few at once, because the speed of opening is not measured.
  while (readers.length < STREAMS) {
    const some = companies.map((company, i) => openReader(service, company, cursors[i] ?? '', agent));
    readers.push(...(await Promise.all(some)));
  }
  return readers;
}

async function cursorOf({ url }: Running, { apiKey }: BenchCompany): Promise<string> {
  const response = await fetch(`${url}/graphql?query=${encodeURIComponent('{ changeLog { cursor } }')}`, {
    headers: { 'x-api-key': apiKey },
  });
  const { data } = (await response.json()) as { data: { changeLog: { cursor: string } } };
  return data.changeLog.cursor;
}

function openReader({ url }: Running, company: BenchCompany, after: string, agent: Agent): Promise<Reader> {
  const { promise, resolve, reject } = Promise.withResolvers<Reader>();
  const address = new URL(`${url}/graphql`);
  address.searchParams.set('query', SUBSCRIPTION);
  address.searchParams.set('variables', JSON.stringify({ after }));
  const headers = { accept: 'text/event-stream', 'x-api-key': company.apiKey };
  const connection = request(address, { agent, headers });
  const reader: Reader = { company, connection, cameAt: new Map() };
  connection.on('error', reject).on('response', response => {
    if (response.statusCode !== 200) reject(new Error(`A stream was rejected with ${response.statusCode}`));
    let text = '';
    response.setEncoding('utf8').on('data', (part: string) => {
      const now = Date.now();
      text += part;
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        // The first one comes at once.
        if (event.includes('event: next')) resolve(reader);
        for (const [, description = ''] of event.matchAll(/"description":"([^"]*)"/g))
          reader.cameAt.set(description, now);
      }
    });
  });
  connection.end();
  return promise;
}

/** Milliseconds from each call to each reader of its company, once all have come or none comes any more. */
async function arrivals(readers: readonly Reader[], companies: readonly BenchCompany[], told: readonly Told[]) {
  const readersOf = Map.groupBy(readers, ({ company }) => company);
  const look = async () =>
    told.flatMap(({ description, sentAt, company }) =>
      (readersOf.get(company) ?? []).flatMap(({ cameAt }) => {
        const at = cameAt.get(description);
        return at === undefined ? [] : [at - sentAt];
      }),
    );
  const all = told.length * (readers.length / companies.length);
  return until(look, ({ length }) => length === all, { everyMs: 200, timeoutMs: 30_000 }).catch(look);
}
