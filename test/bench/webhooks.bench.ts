import { deepEqual } from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { NewDelivery } from '../../src/domain/exchange/webhooks/events/fan-out.repository.ts';
import { enqueue } from '../../src/domain/exchange/webhooks/events/fan-out.service.ts';
import { companyStatement } from '../../src/platform/database/statements/statements.ts';
import { Tenant } from '../../src/platform/database/tenancy/tenancy.ts';
import { Jobs } from '../../src/platform/jobs/jobs.ts';
import { type BenchOptions, chosenParts } from './bench-options.ts';
import { rate, row } from './contest.ts';
import type { Work } from './peers/bare-webhooks.ts';
import { type Running, startProcess } from './processes.ts';
import type { Results } from './results.ts';
import { until } from './until.ts';
import { latencies, PACE, pace, type Told, warmUp } from './webhook-latency.ts';
import { type BenchCompany, clear, feed, openWorld, tidy, type WebhookWorld } from './webhook-world.ts';

const COMPANIES = 5;
const ENDPOINTS_EACH = 10;
/** Companies with one endpoint each. */
const LATENCY_COMPANIES = 10;
const FAR_AWAY = '2100-01-01';

// About as long as the bodies of real events.
const WAITING_BODY = JSON.stringify({ type: 'tracking.in_transit', data: { note: 'x'.repeat(2_000) } });

const WRITE_WAITING = companyStatement(
  'bench-waiting',
  `with told as (
      insert into webhook_event (company_id, id, type, sequence, body)
        select w.company_id, gen_random_uuid(), 'tracking.in_transit', 0, $4
          from webhook_endpoint w, generate_series(1, $3::integer) where w.company_id = $1 and w.id = $2
        returning company_id, id
    )
    insert into webhook_delivery (company_id, event_id, endpoint_id, parked, next_attempt_at)
      select company_id, id, $2, $5, now() from told
      returning id::text, endpoint_id as "endpointId", ticket, parked as "isHeldBack"`,
);

/** How much of it; a quick run has less of all. */
interface Size {
  readonly rounds: number;
  readonly deliveries: number;
  /** Waiting for an endpoint that is dead. */
  readonly waiting: number;
  readonly seconds: number;
}

interface Bench {
  readonly world: WebhookWorld;
  readonly companies: readonly BenchCompany[];
  readonly size: Size;
  readonly results: Results;
}

const PARTS: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  sustained,
  workers,
  'fan-out': fanOut,
  latency,
  dead,
};

/** Deliveries to fifty endpoints, beside a bare loop of signed POSTs; fan-out; latency; and what a dead endpoint does to others. */
export async function run({ rounds, quick, parts, results }: BenchOptions): Promise<void> {
  const works = chosenParts(PARTS, parts);
  const size = quick
    ? { rounds: 1, deliveries: 5_000, waiting: 20_000, seconds: 5 }
    : { rounds, deliveries: 20_000, waiting: 100_000, seconds: 10 };
  const world = await openWorld();
  try {
    const companies: BenchCompany[] = [];
    for (let i = 0; i < COMPANIES; i++) companies.push(await world.addCompany(`Company ${i}`, ENDPOINTS_EACH));
    row('', 'asked', 'measured', 'each round');
    for (const work of works) await work({ world, companies, size, results });
  } finally {
    await world.close();
  }
}

/** Everything queued first, then delivered by a process that has just started; and the peer, by turns. */
async function sustained({ world, companies, size, results }: Bench): Promise<void> {
  const [ours, cpu, theirs]: number[][] = [[], [], []];
  for (let round = 0; round < size.rounds; round++) {
    await clear(world);
    await queueUp(world, companies, size.deliveries);
    const { perSecond, cpuMs } = await deliverAll(world, size.deliveries);
    ours?.push(perSecond);
    cpu?.push((cpuMs / size.deliveries) * 1000);
    const service = await world.receiver.last();

    const peer = await startPeer(world, companies);
    await world.receiver.reset();
    theirs?.push((await (await fetch(peer.url)).json()) as number);
    await peer.stop();
    const { distinct } = await world.receiver.count();
    if (distinct !== size.deliveries) throw new Error(`The peer delivered ${distinct} of ${size.deliveries}`);
    // Both are only worth a comparison while they send the same.
    const bare = await world.receiver.last();
    deepEqual(Object.keys(bare.headers).sort(), Object.keys(service.headers).sort());
  }
  const ratios = ours?.map((figure, i) => figure / (theirs?.[i] ?? Number.NaN)) ?? [];
  rate('deliveries/s, signed, durable, to 50 endpoints', '', ours ?? []);
  rate('  CPU ms of the service for 1,000 deliveries', '', cpu ?? []);
  rate('bare undici loop, no database: POSTs/s', '', theirs ?? []);
  rate('ratio', '', ratios, 2);
  results.record('webhooks-rate', ours ?? []);
  results.record('webhooks-bare', ratios);
}

/** So many deliveries with their jobs, written by a process that delivers none; answers the milliseconds it took. */
async function queueUp(
  { start, database }: WebhookWorld,
  companies: readonly BenchCompany[],
  deliveries: number,
): Promise<number> {
  const api = await start('api');
  const took = await feed(api, companies, deliveries / COMPANIES / ENDPOINTS_EACH);
  await api.stop();
  await tidy(database);
  return took;
}

/** The measurement with one worker and with two, alternately. */
async function workers({ world, companies, size }: Bench): Promise<void> {
  const perSecond: number[][] = [[], []];
  for (let round = 0; round < size.rounds; round++) {
    for (const [i, figures] of perSecond.entries()) {
      await clear(world);
      await queueUp(world, companies, size.deliveries);
      figures.push((await deliverAll(world, size.deliveries, i + 1)).perSecond);
    }
  }
  for (const [i, figures] of perSecond.entries()) rate(`deliveries/s, ${i + 1} worker(s)`, '', figures);
}

/**
 * Starts workers and waits until all is delivered and written: deliveries a second from the first arrival on, and the CPU
 * time of the workers from their start on.
 */
async function deliverAll(
  { start, database, receiver }: WebhookWorld,
  deliveries: number,
  workerCount = 1,
): Promise<{ perSecond: number; cpuMs: number }> {
  const running: Running[] = [];
  try {
    for (let i = 0; i < workerCount; i++) running.push(await start('all'));
    await until(receiver.count, ({ distinct }) => distinct === deliveries);
    await until(
      async () => {
        const { rows } = await database.pool.query(
          'select count(*)::integer as attempts, count(*) filter (where status = 204)::integer as successes from webhook_attempt',
        );
        return rows[0] as { attempts: number; successes: number };
      },
      ({ successes }) => successes === deliveries,
    );
    const { firstAt, requests } = await receiver.count();
    const perSecond = (deliveries / (Date.now() - firstAt)) * 1000;
    if (requests > deliveries) process.stdout.write(`${requests - deliveries} came twice\n`);
    const cpu = await Promise.all(running.map(worker => worker.cpuMs()));
    return { perSecond, cpuMs: cpu.reduce((sum, ms) => sum + ms, 0) };
  } finally {
    for (const worker of running) await worker.stop();
  }
}

/** The very bodies that the service has just sent. */
async function startPeer({ database, folder }: WebhookWorld, companies: readonly BenchCompany[]): Promise<Running> {
  const { rows } = await database.pool.query<{ id: string; body: string; company_id: string }>(
    'select id, body, company_id from webhook_event',
  );
  const endpoints = companies.flatMap(company => company.endpoints);
  const indexesOf = new Map(
    companies.map(({ companyId, endpoints: own }) => [companyId as string, own.map(one => endpoints.indexOf(one))]),
  );
  const events = rows.map(({ id, body, company_id }) => ({ id, body, endpoints: indexesOf.get(company_id) ?? [] }));
  const file = join(folder, 'work.json');
  await writeFile(file, JSON.stringify({ events, endpoints } satisfies Work));
  const root = new URL('../../', import.meta.url).pathname;
  return startProcess([`${root}test/bench/peers/bare-webhooks.ts`], { WORK: file });
}

/** Batches of 200 events with ten endpoints each, while nothing delivers. */
async function fanOut({ world, companies, size }: Bench): Promise<void> {
  const api = await world.start('api');
  const events = size.deliveries / COMPANIES / ENDPOINTS_EACH;
  const [together, alone, cpu]: number[][] = [[], [], []];
  try {
    await clear(world);
    await feed(api, companies, events);
    for (let round = 0; round < size.rounds; round++) {
      await clear(world);
      const before = await api.cpuMs();
      together?.push((size.deliveries / (await feed(api, companies, events))) * 1000);
      cpu?.push((((await api.cpuMs()) - before) / size.deliveries) * 1000);
      await clear(world);
      alone?.push((size.deliveries / (await feed(api, companies.slice(0, 1), events * COMPANIES))) * 1000);
    }
  } finally {
    await api.stop();
  }
  rate('fan-out to ten each: deliveries written/s, five companies', '≥ 6,000', together ?? []);
  rate('  CPU ms of the service for 1,000 deliveries', '', cpu ?? []);
  rate('the same, one company', '', alone ?? []);
}

/** One event at a time, at a steady pace: of one company, whose batches follow each other, and of ten by turns. */
async function latency({ world, size }: Bench): Promise<void> {
  const several: BenchCompany[] = [];
  for (let i = 0; i < LATENCY_COMPANIES; i++) several.push(await world.addCompany(`Latency ${i}`, 1));
  await clear(world);
  const service = await world.start('all');
  try {
    const each = await warmUp(service, several[0] as BenchCompany);
    row('one company, one event after the other: ms each', '', each.toFixed(1));
    for (const companies of [several.slice(0, 1), several]) {
      const { told, refused } = await pace(service, companies, size.seconds);
      const found = await latencies(world, companies, told);
      const since = (moment: 'sentAt' | 'answeredAt') =>
        spread(found.map(one => Math.max(0, one.arrivedAt - one[moment])));
      const who = `${PACE}/s, ${companies.length === 1 ? 'one company' : `${companies.length} companies`}`;
      const note = `${found.length} events${refused > 0 ? `, ${refused} more refused (503)` : ''}`;
      row(`${who}: from its answer to the receiver, ms`, '< 50', since('answeredAt'), note);
      row(`${who}: from its call to the receiver, ms`, '', since('sentAt'));
    }
  } finally {
    await service.stop();
  }
}

/** Median and 99th percentile. */
function spread(numbers: readonly number[]): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return `${at(0.5)}, p99 ${at(0.99)}`;
}

async function dead(bench: Bench): Promise<void> {
  const company = await bench.world.addCompany('Dead', 1);
  await behindHeldBack(bench, company);
  await behindHanging(bench, company);
}

/** The others' rate with and without deliveries that wait for an endpoint whose breaker is open, by turns. */
async function behindHeldBack({ world, companies, size }: Bench, company: BenchCompany): Promise<void> {
  const [without, beside]: number[][] = [[], []];
  for (let round = 0; round < size.rounds; round++) {
    await clear(world);
    await queueUp(world, companies, size.deliveries);
    without?.push((await deliverAll(world, size.deliveries)).perSecond);
    await clear(world);
    await world.database.pool.query("update webhook_endpoint set breaker = 'open', probe_after = $2 where id = $1", [
      company.endpoints[0]?.id,
      FAR_AWAY,
    ]);
    await writeWaiting(world, company, size.waiting, true);
    await queueUp(world, companies, size.deliveries);
    beside?.push((await deliverAll(world, size.deliveries)).perSecond);
  }
  const ratios = beside?.map((figure, i) => figure / (without?.[i] ?? Number.NaN)) ?? [];
  rate(`deliveries/s beside ${size.waiting} parked for a dead one`, '', beside ?? []);
  rate('deliveries/s without them', '', without ?? []);
  rate('ratio', '≥ 0.8', ratios, 2);
}

/**
 * The deliveries to a live endpoint while a worker first finds only deliveries to a hanging one, until the breaker
 * holds them back.
 */
async function behindHanging({ world, size }: Bench, company: BenchCompany): Promise<void> {
  const live: BenchCompany[] = [];
  for (let i = 0; i < LATENCY_COMPANIES; i++) live.push(await world.addCompany(`Live ${i}`, 1));
  await clear(world);
  await writeWaiting(world, company, size.waiting, false);
  await tidy(world.database);
  await world.receiver.hang(company.endpoints[0]?.path ?? '');
  const service = await world.start('all');
  try {
    const { firstAt } = await until(world.receiver.count, ({ requests }) => requests > 0);
    const states = watch(world, company, firstAt, size.waiting);
    const told: Told[] = [];
    let refused = 0;
    // For some seconds more: deliveries that were just held back must not delay others either.
    const isOver = states.then(() => setTimeout(3_000, true));
    isOver.catch(() => undefined);
    while (!(await Promise.race([isOver, setTimeout(0, false)]))) {
      const paced = await pace(service, live, 1);
      told.push(...paced.told);
      refused += paced.refused;
    }
    const { openedMs, heldBackMs } = await states;
    const found = await latencies(world, live, told);
    const during = (from: number, to: number) =>
      spread(
        found
          .filter(({ sentAt }) => sentAt - firstAt >= from && sentAt - firstAt < to)
          .map(({ arrivedAt, answeredAt }) => Math.max(0, arrivedAt - answeredAt)),
      );
    const all = during(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
    row(
      `beside ${size.waiting} queued for one that hangs: ms`,
      'p99 < 1,000',
      all,
      `${found.length} deliveries, ${refused} refused`,
    );
    row('  until its breaker opens', '', during(Number.NEGATIVE_INFINITY, openedMs));
    row('  until all is parked', '', during(openedMs, heldBackMs));
    row('  afterwards', '', during(heldBackMs, Number.POSITIVE_INFINITY));
    row('the breaker opened after, s', '', (openedMs / 1000).toFixed(1));
    row('all was parked after, s', '', (heldBackMs / 1000).toFixed(1));
  } finally {
    await service.stop();
  }
}

/** When the breaker of an endpoint opened, and when all its deliveries were parked, after a moment. */
async function watch({ database }: WebhookWorld, { companyId, endpoints }: BenchCompany, from: number, all: number) {
  const id = endpoints[0]?.id;
  const opened = async () =>
    (await database.pool.query("select from webhook_endpoint where id = $1 and breaker = 'open'", [id])).rowCount;
  await until(opened, count => count === 1, { everyMs: 50 });
  const openedMs = Date.now() - from;
  const parked = async () =>
    (
      await database.pool.query(
        'select count(*)::integer as count from webhook_delivery where company_id = $1 and endpoint_id = $2 and parked',
        [companyId, id],
      )
    ).rows[0]?.count as number;
  // All but the few that are in hand.
  await until(parked, count => count >= all - 20, { everyMs: 250 });
  return { openedMs, heldBackMs: Date.now() - from };
}

/** Deliveries of a company's first endpoint, parked or with their jobs, in transactions of 5,000. */
async function writeWaiting(
  { database, log }: WebhookWorld,
  company: BenchCompany,
  count: number,
  isHeldBack: boolean,
): Promise<void> {
  const jobs = await Jobs.start(database, log, { worker: false });
  const tenant = new Tenant(company.companyId, database);
  for (let left = count; left > 0; left -= 5_000) {
    await tenant.transaction(async tx => {
      const endpointId = company.endpoints[0]?.id;
      const made = await tx.rows<NewDelivery>(
        WRITE_WAITING,
        endpointId,
        Math.min(left, 5_000),
        WAITING_BODY,
        isHeldBack,
      );
      await enqueue(tx, jobs, made);
    });
  }
  await jobs.stop(0);
}
