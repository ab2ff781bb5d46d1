import { median } from '../../bench/load.ts';
import * as seed from '../abuse/seed.ts';
import { costliest } from '../abuse/work.ts';
import type { Report } from '../report.ts';
import type { SecurityOptions } from '../security.ts';
import { Attacker, document, listed, type Shot } from '../support/attacker.ts';
import { atLowPriority } from '../support/low-priority.ts';
import { Others } from '../support/others.ts';
import type { Experience } from '../support/others-process.ts';
import type { Blocks } from '../support/service.ts';
import type { SecurityWorld } from '../support/world.ts';

const PART = 'fairness';
const SHIPMENTS = 1_000;
const TURNS = 5;
const LONG_TURNS = 15;
const TURN_MS = 6_000;
const WARM_UP_MS = 4_000;
const AT_ONCE = 16;
/** How much longer than undisturbed the others wait at most, at the median: the processors are shared with the attacker. */
export const P50_FACTOR = 3;
/** Twice what a piece of work may hold the event loop for, since garbage is collected as well. */
export const STALL_MS = 100;
/**
 * One document at the cost limit leaves up to 245 MB of garbage before V8 collects it. `--heap-growing-percent=30` keeps
 * it at 140 MB, but each read then takes 7 to 15 % more CPU.
 */
export const MEMORY_MB = 250;

/** The responses that other companies got, and the metrics of the service meanwhile. */
interface Observed {
  readonly calm: readonly Experience[];
  readonly attacked: readonly Experience[];
  readonly tally: Record<string, number>;
  /** The longest of each attack. */
  readonly stalls: readonly Blocks[];
  readonly grownMb: number;
}

const INTROSPECTION =
  '{ __schema { types { name description fields { name description args { name description type { name } } type { name ofType { name ofType { name } } } } inputFields { name description } enumValues { name description } } } }';

/** The requests that one company sends all the time, as many as its limits let through. */
const KINDS: Readonly<Record<string, (arena: seed.Filled) => Promise<readonly Shot[]>>> = {
  'documents at the cost limit': async arena => [document(await costliest(arena.attacker))],
  introspection: async () => [document(INTROSPECTION)],
  'events in batches of 1,000': async () => [
    document(
      'mutation ($input: [TrackingEventInput!]!) { recordTrackingEvents(input: { events: $input }) { created } }',
      {
        input: Array.from({ length: 1_000 }, (_, i) => ({
          trackingNumber: `BULK${String((i % SHIPMENTS) + 1).padStart(9, '0')}`,
          statusCode: 'IN_TRANSIT',
          occurredAt: new Date(Date.now() - i * 1_000).toISOString(),
        })),
      },
    ),
  ],
};

/**
 * One company uses its limits to the full with the most expensive documents there are, and another asks for its
 * trackings. Calm and attack take turns, so that what else the machine does is in both.
 */
export async function run(world: SecurityWorld, report: Report, { isLong, only }: SecurityOptions): Promise<void> {
  const victim = await seed.victim(world, 'Others of fairness');
  const others = new Others();
  const service = await world.start();
  try {
    const asking = { url: service.url, ...victim };
    const turn = async (work: () => Promise<unknown>) => (await others.during(asking, work))[0];
    await turn(() => sleep(WARM_UP_MS));
    for (const [name, prepare] of Object.entries(KINDS).filter(([kind]) => kind.includes(only))) {
      const attacker = new Attacker(service.url, await world.company(name));
      const filled = { world, attacker };
      await seed.shipments(filled, SHIPMENTS);
      const shots = await prepare(filled);
      const calm: Experience[] = [];
      const attacked: Experience[] = [];
      const memoryMb = await service.memoryMb();
      await service.forgetPeak();
      const stalls: Blocks[] = [];
      const attack = async (ms: number) => {
        const startedAt = Date.now();
        const experience = await turn(() => atLowPriority(() => attacker.keepSending(shots, AT_ONCE, ms)));
        stalls.push(await service.blocks(startedAt));
        return experience;
      };
      await attack(WARM_UP_MS);
      for (let i = 0; i < (isLong ? LONG_TURNS : TURNS); i++) {
        calm.push(await turn(() => sleep(TURN_MS)));
        attacked.push(await attack(TURN_MS));
      }
      await attacker.close();
      const grownMb = (await service.peakMemoryMb()) - memoryMb;
      const bound = `p50 of others ≤ ${P50_FACTOR} × their calm one, none failed; stall ≤ ${STALL_MS} ms; + ${MEMORY_MB} MB`;
      report.add({ part: PART, name, bound, ...judged({ calm, attacked, tally: attacker.tally, stalls, grownMb }) });
    }
  } finally {
    await service.stop();
    others.stop();
  }
}

function judged({ calm, attacked, tally, stalls, grownMb }: Observed) {
  const ratio = medianOf(attacked, 'p50Ms') / medianOf(calm, 'p50Ms');
  const failed = attacked.map(one => listed(one.failed)).filter(Boolean);
  // One block is the machine's, which takes the processor from its guest now and then: it happens in calm turns too.
  const [longest, second] = stalls.toSorted((one, other) => other.computingMs - one.computingMs);
  const stallMs = second?.computingMs ?? 0;
  return {
    figures: [
      `p50 × ${ratio.toFixed(1)}`,
      `calm ${timesOf(calm)}`,
      `attacked ${timesOf(attacked)}`,
      `stalls ${longest?.computingMs.toFixed(0)} and ${stallMs.toFixed(0)} ms`,
      `+ ${grownMb} MB`,
      `attacker ${listed(tally)}`,
    ].join('; '),
    failures: [
      ...(ratio > P50_FACTOR ? [`p50 of the others is ${ratio.toFixed(1)} times their calm one`] : []),
      ...(failed.length > 0 ? [`requests of the others failed: ${failed.join(', ')}`] : []),
      ...(stallMs > STALL_MS ? [`the event loop stood for ${stallMs.toFixed(0)} ms, and longer once`] : []),
      ...(grownMb > MEMORY_MB ? [`memory has grown by ${grownMb} MB`] : []),
    ],
  };
}

function timesOf(experiences: readonly Experience[]): string {
  const p99s = experiences.map(({ p99Ms }) => p99Ms);
  const spread = `${Math.min(...p99s).toFixed(0)}–${Math.max(...p99s).toFixed(0)}`;
  return `p50 ${medianOf(experiences, 'p50Ms').toFixed(1)}, p99 ${medianOf(experiences, 'p99Ms').toFixed(1)} ms (${spread})`;
}

/** The median over the turns. */
function medianOf(experiences: readonly Experience[], time: 'p50Ms' | 'p99Ms'): number {
  return median(experiences.map(one => one[time]));
}

function sleep(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}
