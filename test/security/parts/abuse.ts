import { ABUSES } from '../abuse/all.ts';
import type { Abuse, Outcome } from '../abuse/case.ts';
import { SWALLOWED, swallowedConnections } from '../abuse/database.ts';
import * as seed from '../abuse/seed.ts';
import type { Report } from '../report.ts';
import type { SecurityOptions } from '../security.ts';
import { Attacker, faultsIn, listed, type Tally } from '../support/attacker.ts';
import { atLowPriority } from '../support/low-priority.ts';
import { Others } from '../support/others.ts';
import type { Experience, Target } from '../support/others-process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { Blocks, Service } from '../support/service.ts';
import type { SecurityWorld } from '../support/world.ts';
import { MEMORY_MB, P50_FACTOR, STALL_MS } from './fairness.ts';

const PART = 'abuse';

const WARM_UP_MS = 3_000;
const UNDISTURBED_MS = 8_000;
const ATTACK_MS = 6_000;

const IDLE_SECONDS = 5;
/** Measurements of a case that is too late the first time, at most. */
const MEASUREMENTS = 3;
const GIVE_UP_IDLE_SECONDS = 10;
/** A process that has more than this after an abuse is not one to measure the next with. */
const FRESH_MB = 450;

/** The effects of one abuse on the service and on other companies. */
interface Measured {
  readonly others: Experience;
  readonly outcome: Outcome | undefined;
  readonly tally: Tally;
  readonly blocks: Blocks;
  readonly grownMb: number;
  readonly idleSeconds: number | undefined;
  readonly cpuAfterSeconds: number;
  readonly isAlive: boolean;
}

/** One company abuses the service in every way while another asks for its trackings. */
export async function run(world: SecurityWorld, report: Report, { isLong, only }: SecurityOptions): Promise<void> {
  const victim = await seed.victim(world, 'Others');
  const others = new Others();
  const receiver = await startReceiver();
  const arena = new Ring(world, others, receiver, victim, isLong);
  try {
    const chosen = ABUSES.filter(({ name }) => name.includes(only));
    if (chosen.length > 0) {
      const undisturbed = await arena.undisturbed();
      report.add(undisturbedFinding(undisturbed));
      const p50Ms = P50_FACTOR * undisturbed.p50Ms;
      for (const abuse of chosen) {
        const bound = `others p50 ≤ ${p50Ms.toFixed(0)} ms, none failed; alive; stall ≤ ${STALL_MS} ms; + ${MEMORY_MB} MB; idle in ${IDLE_SECONDS} s`;
        const found = await judged(() =>
          arena.measure(abuse).then(
            measured => ({
              figures: figuresOf(measured),
              late: lateOf(measured, p50Ms),
              failures: failuresOf(measured),
            }),
            (error: Error) => ({ figures: 'not carried out', late: [], failures: [error.message] }),
          ),
        );
        report.add({ part: PART, name: abuse.name, bound, ...found });
      }
    }
    await arena.close();
    if (SWALLOWED.includes(only)) {
      await swallowedConnections(world, report, victim);
    }
  } finally {
    await arena.close();
    others.stop();
    receiver.close();
  }
}

/** The result of one measurement. */
interface Found {
  readonly figures: string;
  /** Times beyond their bounds. */
  readonly late: readonly string[];
  readonly failures: readonly string[];
}

/**
 * Times beyond their bounds are measured up to twice more, since another user of the computer can take the processors away
 * at any time. They fail if two of three measurements have some; all of them are reported. Every other failure is one at once.
 */
async function judged(measure: () => Promise<Found>): Promise<Pick<Found, 'figures' | 'failures'>> {
  const found: Found[] = [];
  const failures = () => found.flatMap(one => one.failures);
  const late = () => found.filter(one => one.late.length > 0);
  do found.push(await measure());
  while (failures().length === 0 && late().length === 1 && found.length < MEASUREMENTS);
  const figures = found.map(one => [one.figures, ...one.late].join('; ')).join(' | ');
  return {
    figures: found.length > 1 ? `${late().length} of ${found.length} measurements too late: ${figures}` : figures,
    failures: [...failures(), ...(late().length > 1 ? late().flatMap(one => one.late) : [])],
  };
}

/** Abuses one after the other, in one process as long as it stands them and in a new one after that. */
class Ring {
  readonly #world: SecurityWorld;
  readonly #others: Others;
  readonly #receiver: Receiver;
  readonly #victim: Omit<Target, 'url'>;
  readonly #isLong: boolean;
  #service: Service | undefined;

  constructor(world: SecurityWorld, others: Others, receiver: Receiver, victim: Omit<Target, 'url'>, isLong: boolean) {
    this.#world = world;
    this.#others = others;
    this.#receiver = receiver;
    this.#victim = victim;
    this.#isLong = isLong;
  }

  async undisturbed(): Promise<Experience> {
    const service = await this.#started();
    const [experience] = await this.#whileAsking(service, () => sleep(UNDISTURBED_MS));
    return experience;
  }

  async measure(abuse: Abuse): Promise<Measured> {
    const service = await this.#started();
    const attacker = new Attacker(service.url, await this.#world.company('Attacker'));
    const attackMs = this.#isLong ? 3 * ATTACK_MS : ATTACK_MS;
    const common = { world: this.#world, receiver: this.#receiver, isLong: this.#isLong };
    const attack = await abuse.prepare({ ...common, service, attacker, attackMs });
    for (const status of Object.keys(attacker.tally)) delete attacker.tally[status];
    await service.idleAfter(GIVE_UP_IDLE_SECONDS, this.#hasTransaction);
    await service.forgetPeak();
    const memoryMb = await service.memoryMb();
    const startedAt = Date.now();
    const [experience, { outcome, idle }] = await this.#whileAsking(service, async () => ({
      outcome: (await atLowPriority(attack)) ?? undefined,
      idle: await service.idleAfter(GIVE_UP_IDLE_SECONDS, this.#hasTransaction),
    }));
    const measured = {
      others: experience,
      outcome,
      tally: { ...attacker.tally },
      blocks: await service.blocks(startedAt),
      grownMb: (await service.peakMemoryMb()) - memoryMb,
      idleSeconds: idle.seconds,
      cpuAfterSeconds: idle.cpuSeconds,
      isAlive: service.isAlive,
    };
    await attacker.close();
    if (!service.isAlive || idle.seconds === undefined || (await service.memoryMb()) > FRESH_MB) await this.close();
    return measured;
  }

  /** Whether somebody is in a transaction of several statements: the questions of the others are one statement each. */
  readonly #hasTransaction = async (): Promise<boolean> => {
    const { rows } = await this.#world.database.pool.query<{ found: boolean }>(
      `select exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and (state = 'idle in transaction' or (state = 'active' and xact_start < query_start))) as found`,
    );
    return rows[0]?.found ?? false;
  };

  /** The service, which has answered long enough to have its code compiled. */
  async #started(): Promise<Service> {
    if (this.#service) return this.#service;
    const service = await this.#world.start();
    this.#service = service;
    await this.#whileAsking(service, () => sleep(WARM_UP_MS));
    return service;
  }

  #whileAsking<Result>({ url }: Service, work: () => Promise<Result>): Promise<[Experience, Result]> {
    return this.#others.during({ url, ...this.#victim }, work);
  }

  async close(): Promise<void> {
    await this.#service?.kill();
    this.#service = undefined;
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}

function undisturbedFinding(experience: Experience) {
  const failed = Object.keys(experience.failed).length > 0 ? ['the others are not served undisturbed'] : [];
  return { part: PART, name: 'undisturbed', figures: timesOf(experience), bound: 'none failed', failures: failed };
}

function timesOf({ count, p50Ms, p99Ms, maxMs, failed, ownLagMs }: Experience): string {
  const times = `others p50 ${p50Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)}, max ${maxMs.toFixed(0)} ms of ${count}`;
  return `${times} (± ${ownLagMs.toFixed(0)}), failed ${listed(failed) || 'none'}`;
}

function figuresOf(measured: Measured): string {
  const { others, outcome, tally, blocks, grownMb, idleSeconds, cpuAfterSeconds, isAlive } = measured;
  const parts = [
    timesOf(others),
    `stall ${blocks.longestMs.toFixed(0)} ms, ${blocks.computingMs.toFixed(0)} computing`,
    isAlive ? `+ ${grownMb} MB` : 'PROCESS ENDED',
    isAlive &&
      `idle after ${idleSeconds?.toFixed(1) ?? `more than ${GIVE_UP_IDLE_SECONDS}`} s (${cpuAfterSeconds} CPU s)`,
    outcome?.figures,
    `attacker ${listed(tally) || 'nothing'}`,
  ];
  return parts.filter(Boolean).join('; ');
}

function lateOf({ others, blocks, idleSeconds, isAlive }: Measured, p50Ms: number): string[] {
  return [
    ...(others.p50Ms > p50Ms ? [`p50 of the others is ${others.p50Ms.toFixed(0)} ms`] : []),
    ...(blocks.computingMs > STALL_MS ? [`the event loop stood for ${blocks.computingMs.toFixed(0)} ms`] : []),
    ...(isAlive && (idleSeconds ?? Number.POSITIVE_INFINITY) > IDLE_SECONDS
      ? [`the service still works ${idleSeconds ?? GIVE_UP_IDLE_SECONDS} s after the last answer`]
      : []),
  ];
}

function failuresOf({ others, outcome, tally, grownMb, isAlive }: Measured): string[] {
  return [
    ...(isAlive ? [] : ['the process ended']),
    ...(Object.keys(others.failed).length > 0 ? [`requests of the others failed: ${listed(others.failed)}`] : []),
    ...(grownMb > MEMORY_MB ? [`memory has grown by ${grownMb} MB`] : []),
    ...faultsIn(tally).map(status => `the attacker got ${status}`),
    ...(outcome?.failures ?? []),
  ];
}
