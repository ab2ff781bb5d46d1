import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type BenchOptions, chosenParts } from './bench-options.ts';
import { assertSameAnswer, compare, rate, row } from './contest.ts';
import { allAtOnce, type LoadRequest, measure, median, oneByOne, percentile } from './load.ts';
import { polling } from './polling.bench.ts';
import { type Running, running, startArguments, startProcess } from './processes.ts';
import { openSandboxWorld, type SandboxWorld } from './seed.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const BASE = '/api/v1/integrations';
const ACCOUNT = 'sandbox';

/** Different ones, so that nothing on the way could know an answer already. */
const ADDRESSES = 500;
const SLOW_MS = 200;
const AT_ONCE = 500;
/** In flight all the time; with a carrier that takes 200 ms that makes 500 checks a second. */
const KEPT_GOING = 100;
const DOCUMENTS = ['gls', 'brt', 'dhl', 'ups', 'fedex'];
const MIB = 1024 * 1024;

const PARTS: Readonly<Record<string, (world: SandboxWorld, options: BenchOptions) => Promise<void>>> = {
  overhead,
  slow,
  start,
  polling,
};

/** Address checks beside a peer and with a slow carrier; what Mesh costs at the start; the polling of open shipments. */
export async function run(options: BenchOptions): Promise<void> {
  const works = chosenParts(PARTS, options.parts);
  const world = await openSandboxWorld();
  try {
    for (const work of works) await work(world, options);
  } finally {
    await world.close();
  }
}

/** Valid addresses, to be checked through a carrier. */
function checks({ company }: SandboxWorld, carrierCode: string, count = ADDRESSES): LoadRequest[] {
  const { apiKey, connections } = company;
  return Array.from({ length: count }, (_, i) => ({
    method: 'POST',
    path: `${BASE}/addresses/check-address`,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({
      carrierCompanyId: connections.get(carrierCode),
      address: `Via Roma ${i + 1}`,
      city: 'Milano',
      zip: zipOf(i),
      provincia: 'MI',
      country: 'IT',
    }),
  }));
}

/** Postal codes that the stand-ins accept unchanged: up to …89. */
function zipOf(i: number): string {
  return `20${1 + (i % 5)}${String(i % 90).padStart(2, '0')}`;
}

/** The request of the service and the peer to the carrier, made without them. */
function asked(count = ADDRESSES): LoadRequest[] {
  const authorization = `Basic ${Buffer.from(`${ACCOUNT}:${ACCOUNT}`).toString('base64')}`;
  return Array.from({ length: count }, (_, i) => {
    const query = `type=delivery&countryCode=IT&postalCode=${zipOf(i)}&cityName=Milano&countyName=MI&strictValidation=true`;
    return { method: 'GET', path: `/dhl/address-validate?${query}`, headers: { authorization } };
  });
}

async function overhead(world: SandboxWorld, { seconds, rounds, results }: BenchOptions): Promise<void> {
  await running(async keep => {
    const sandbox = keep(await world.startSandbox());
    const service = keep(await world.start(sandbox));
    const peer = keep(
      await startProcess([`${ROOT}test/bench/peers/fastify-address.ts`], {
        DATABASE_URL: world.databaseUrl,
        CARRIER_SANDBOX_URL: sandbox.url,
        CARRIER_USERNAME: ACCOUNT,
        CARRIER_PASSWORD: ACCOUNT,
      }),
    );
    const requests = checks(world, 'DHL');
    for (const request of requests.slice(0, 50)) await assertSameAnswer([service, request], [peer, request]);
    const contenders = [
      { name: 'Fastify + undici', server: peer, requests },
      { name: 'REST', server: service, requests, against: { address: 'Fastify + undici' } },
      { name: 'carrier itself', server: sandbox, requests: asked() },
    ];
    await compare(contenders, { seconds, rounds, results, postgresCpuMs: world.postgresCpuMs });

    const medians = contenders.map(() => [] as number[]);
    for (let round = 0; round < rounds; round++) {
      for (const [i, one] of contenders.entries()) {
        medians[i]?.push(median(await oneByOne(one.server.url, one.requests, seconds)));
      }
    }
    const [ofPeer = [], ofService = [], ofCarrier = []] = medians;
    heading();
    rate('one connection: the carrier itself, median ms', '', ofCarrier, 2);
    rate('one connection: Fastify + undici, median ms', '', ofPeer, 2);
    rate('one connection: REST, median ms', '', ofService, 2);
    const added = ofService.map((ms, i) => ms - (ofCarrier[i] ?? Number.NaN));
    rate("what the service adds to the carrier's answer, ms", '< 2', added, 2);
    const more = ofService.map((ms, i) => ms - (ofPeer[i] ?? Number.NaN));
    rate('what it adds to the peer, ms', '', more, 2);
  });
}

async function slow(world: SandboxWorld, { seconds, rounds }: BenchOptions): Promise<void> {
  await running(async keep => {
    const sandbox = keep(await world.startSandbox(SLOW_MS));
    const service = keep(await world.start(sandbox));
    const addresses = checks(world, 'DHL');
    // A first check loads Mesh, which another part measures; some more, and the code is compiled.
    await measure(service.url, addresses, 2, KEPT_GOING);
    const atOnce: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const { ms, answers } = await allAtOnce(service.url, checks(world, 'DHL', AT_ONCE));
      const others = answers.filter(answer => JSON.parse(answer).code !== 'ADDRESS_VALID');
      if (others.length > 0) throw new Error(`${others.length} checks came to something else: ${others[0]}`);
      atOnce.push(ms);
    }
    heading();
    rate(`${AT_ONCE} checks at once, the carrier takes ${SLOW_MS} ms: all in ms`, '< 1,500', atOnce);

    const others: LoadRequest[] = [
      { method: 'GET', path: `${BASE}/warehouses`, headers: { 'x-api-key': world.company.apiKey } },
    ];
    const keepGoing = () => measure(service.url, addresses, seconds, KEPT_GOING);
    await measure(service.url, others, Math.min(seconds, 3));
    const kept: number[] = [];
    const full: Turns = { without: [], beside: [] };
    const middle: Turns = { without: [], beside: [] };
    const slowest: Turns = { without: [], beside: [] };
    for (let round = 0; round < rounds; round++) {
      full.without.push((await measure(service.url, others, seconds)).rps);
      const [{ rps }, beside] = await Promise.all([keepGoing(), measure(service.url, others, seconds)]);
      kept.push(rps);
      full.beside.push(beside.rps);
      const without = await oneByOne(service.url, others, seconds);
      const [, took] = await Promise.all([keepGoing(), oneByOne(service.url, others, seconds)]);
      for (const [turns, share] of [
        [middle, 0.5],
        [slowest, 0.99],
      ] as const) {
        turns.without.push(percentile(without, share));
        turns.beside.push(percentile(took, share));
      }
    }
    // In the end, when all of it has been compiled.
    const cpuBefore = await service.cpuMs();
    const alone = await keepGoing();
    const cpuOfACheck = ((await service.cpuMs()) - cpuBefore) / (alone.rps * seconds);
    rate(`checks/s with ${KEPT_GOING} in flight all the time, nothing beside them`, '', [alone.rps]);
    row('  CPU of the service a check, ms', '', cpuOfACheck.toFixed(2));
    rate('GET /warehouses, 16 connections: req/s', '', full.without);
    rate('  beside the checks', '', full.beside);
    rate('  ratio', '', ratios(full), 2);
    rate('  checks/s meanwhile', '', kept);
    rate('GET /warehouses, one connection: median ms', '', middle.without, 2);
    rate('  beside the checks', '', middle.beside, 2);
    rate('GET /warehouses, one connection: p99 ms', '', slowest.without, 2);
    rate('  beside the checks', '', slowest.beside, 2);
  });
}

/** Figures of rounds, by turns. */
interface Turns {
  readonly without: number[];
  readonly beside: number[];
}

function ratios({ without, beside }: Turns): number[] {
  return beside.map((figure, i) => figure / (without[i] ?? Number.NaN));
}

const MESH = `
  const { CarrierSchema } = await import('${ROOT}src/upstream/mesh.ts');
  for (const document of ${JSON.stringify(DOCUMENTS)}) await CarrierSchema.load(document);`;
const SERVICE = `await import('${ROOT}src/app.ts');`;

async function start(world: SandboxWorld, { rounds }: BenchOptions): Promise<void> {
  const times = Math.max(rounds, 3);
  heading();
  for (const [what, modules, asks] of [
    ["Mesh and five documents, on top of the service's modules", SERVICE, true],
    ['Mesh and five documents, on top of nothing', '', false],
  ] as const) {
    const added: { ms: number[]; mb: number[] } = { ms: [], mb: [] };
    for (let i = 0; i < times; i++) {
      const without = await child(modules);
      const together = await child(modules + MESH);
      added.ms.push(together.ms - without.ms);
      added.mb.push(together.mb - without.mb);
    }
    rate(`${what}: ms`, asks ? '< 1,500' : '', added.ms);
    rate('  MB', asks ? '< 120' : '', added.mb);
  }

  const first: number[] = [];
  const second: number[] = [];
  const five: number[] = [];
  const added: number[] = [];
  for (let i = 0; i < times; i++) {
    await running(async keep => {
      const service = keep(await world.start(keep(await world.startSandbox())));
      const before = await service.memoryMb();
      first.push(await took(service, checks(world, 'DHL', 1)));
      second.push(await took(service, checks(world, 'DHL', 1)));
      five.push(
        await took(
          service,
          DOCUMENTS.flatMap(name => checks(world, name.toUpperCase(), 1)),
        ),
      );
      added.push((await service.memoryMb()) - before);
    });
  }
  rate('first check of a process: ms', '', first);
  rate('  its second: ms', '', second);
  rate('  then one of each of five carriers, all at once: ms', '', five);
  rate('  MB that it has more after these', '< 120', added);
}

/** How long a process takes to its end from the moment it was started, and its memory at the end. */
async function child(code: string): Promise<{ ms: number; mb: number }> {
  const settings = (await startArguments(ROOT)).filter(argument => argument.startsWith('--'));
  const tell = 'process.stdout.write(JSON.stringify([performance.now(), process.memoryUsage.rss()]));';
  const text = `${code}\n${tell}\nprocess.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, [...settings, '--input-type=module', '-e', text]);
  const [ms = 0, bytes = 0] = JSON.parse(stdout);
  return { ms, mb: bytes / MIB };
}

async function took({ url }: Running, requests: readonly LoadRequest[]): Promise<number> {
  const { ms, answers } = await allAtOnce(url, requests);
  const failed = answers.find(answer => JSON.parse(answer).status !== 'success');
  if (failed !== undefined) throw new Error(`A check came to something else: ${failed}`);
  return ms;
}

function heading(): void {
  process.stdout.write('\n');
  row('', 'asked', 'measured', 'each round');
}
