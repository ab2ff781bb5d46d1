import { setTimeout } from 'node:timers/promises';
import { median } from '../../bench/load.ts';
import { COMPANY_ABUSES } from '../abuse/all.ts';
import type { Abuse } from '../abuse/case.ts';
import { hostileServers, startHostileServer } from '../abuse/hostile-servers.ts';
import * as seed from '../abuse/seed.ts';
import type { Report } from '../report.ts';
import type { SecurityOptions } from '../security.ts';
import { Attacker, faultsIn, listed, type Tally } from '../support/attacker.ts';
import { atLowPriority } from '../support/low-priority.ts';
import { Others } from '../support/others.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Service } from '../support/service.ts';
import type { SecurityWorld } from '../support/world.ts';

/** Abuses under way at a time, each by a company of its own. */
const AT_ONCE = 3;
const ATTACK_MS = 6_000;
const MINUTES = 3;
const LONG_MINUTES = 10;
const SAMPLE_MS = 1_000;
const FAILS_FOR_MS = 4_000;
/** How many times the memory of the second minute the last one may have, at the median of each. */
const GROWTH = 1.25;

/**
 * All abuses of companies by turns, several at a time, with carriers and receivers that fail in every way, in one
 * process of the service, while another company asks for its trackings. The curve of its memory must be level.
 */
export async function run(world: SecurityWorld, report: Report, { isLong }: SecurityOptions): Promise<void> {
  const minutes = isLong ? LONG_MINUTES : MINUTES;
  const victim = await seed.victim(world, 'Others of the mixed load');
  const [carriers, hostile, receiver] = [
    await startHostileServer(FAILS_FOR_MS),
    await startHostileServer(FAILS_FOR_MS),
    await startReceiver(),
  ];
  const service = await world.start({ CARRIER_SANDBOX_URL: carriers.url });
  const others = new Others();
  const tally: Tally = {};
  const unprepared = new Set<string>();
  const endsAt = performance.now() + minutes * 60_000;
  const isOver = () => performance.now() >= endsAt || !service.isAlive;

  const carryOut = async (abuse: Abuse) => {
    const attacker = new Attacker(service.url, await world.company(abuse.name));
    const arena = { world, service, attacker, receiver, attackMs: ATTACK_MS, isLong: false };
    // Not every abuse can be prepared while others use up the service.
    const attack = await abuse.prepare(arena).catch(() => undefined);
    if (attack) await attack();
    else unprepared.add(abuse.name);
    for (const [status, count] of Object.entries(attacker.tally)) tally[status] = (tally[status] ?? 0) + count;
    await attacker.close();
  };
  try {
    const waiting = endless([...hostileServers(hostile.url), ...COMPANY_ABUSES]);
    const attack = async () => {
      while (!isOver()) await carryOut(waiting.next().value);
    };
    const samples: Sample[] = [];
    const watch = async () => {
      while (!isOver()) {
        samples.push({ minute: minutes - (endsAt - performance.now()) / 60_000, mb: await service.memoryMb() });
        await setTimeout(SAMPLE_MS);
      }
    };
    const [experience] = await others.during({ url: service.url, ...victim }, () =>
      atLowPriority(() => Promise.all([watch(), ...Array.from({ length: AT_ONCE }, attack)])),
    );
    const curve = curveOf(samples, minutes);
    report.add({
      part: 'mixed',
      name: `all abuses of companies for ${minutes} minutes, ${AT_ONCE} at a time`,
      bound: `alive; no request of the others failed; no 5xx but 503; last minute ≤ ${GROWTH} × the second`,
      figures: [
        `MB minute by minute ${curve.join(', ')}, ${await service.peakMemoryMb()} at most`,
        `others p50 ${experience.p50Ms.toFixed(1)}, p99 ${experience.p99Ms.toFixed(1)} ms of ${experience.count}`,
        `attackers ${listed(tally)}`,
        ...(unprepared.size > 0 ? [`not prepared: ${[...unprepared].join(', ')}`] : []),
      ].join('; '),
      failures: failuresOf(service, curve, tally, experience.failed),
    });
  } finally {
    await service.kill();
    others.stop();
    receiver.close();
    carriers.close();
    hostile.close();
  }
}

interface Sample {
  readonly minute: number;
  readonly mb: number;
}

function* endless<Item>(items: readonly Item[]): Generator<Item, never> {
  for (;;) yield* items;
}

/** The median of each minute. */
function curveOf(samples: readonly Sample[], minutes: number): number[] {
  return Array.from({ length: minutes }, (_, i) => {
    return median(samples.filter(({ minute }) => Math.floor(minute) === i).map(({ mb }) => mb));
  });
}

function failuresOf(service: Service, curve: readonly number[], tally: Tally, failed: Tally): string[] {
  const [, second = Number.NaN] = curve;
  const last = curve.at(-1) ?? Number.NaN;
  return [
    ...(service.isAlive ? [] : ['the process ended']),
    ...(Object.keys(failed).length > 0 ? [`requests of the others failed: ${listed(failed)}`] : []),
    ...faultsIn(tally).map(status => `an attacker got ${status}`),
    ...(last <= second * GROWTH ? [] : [`memory went from ${second} to ${last} MB`]),
  ];
}
