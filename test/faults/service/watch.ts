import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { type Arena, POOL_SIZE } from './arena.ts';
import type { ProcessHealth } from './fleet.ts';
import type { Scenario } from './scenario.ts';

/** One line of the table. */
export interface Row {
  readonly name: string;
  readonly kills: number;
  /** Records that were acknowledged meanwhile, and requests that were answered. */
  readonly records: number;
  readonly requests: number;
  readonly unavailable: number;
  readonly disconnected: number;
  readonly recoverySeconds: number;
  readonly lost: number;
  readonly twice: number;
  readonly errors: number;
  readonly missing: number;
  /** The maximum over the processes. */
  readonly megabytes: number;
  readonly connections: number;
  readonly failures: readonly string[];
}

/** The values of a process without a fault. */
export type Usual = ReadonlyMap<string, ProcessHealth>;

const MAX_RECOVERY_SECONDS = 15;
const GIVE_UP_SECONDS = 90;
/** So long after the last trouble it counts as recovered. */
const CALM_MS = 3_000;
/** Under load before it is broken. */
const BEFORE_MS = 1_000;
/** A webhook is late that has not come so long after its event was acknowledged, or so many times as long as usual. */
const WEBHOOK_LATE_MS = 5_000;
const WEBHOOK_LATE_TIMES = 3;
const LAST_WEBHOOK_MS = 60_000;
const LOOK_MS = 100;
/** Memory is back to normal below this many times the usual and as much more; sockets below so many more. */
const MEMORY_TIMES = 1.5;
const MEMORY_MORE_MB = 60;
const SOCKETS_MORE = 24;
/** Connections of a process besides its pool: notifications, jobs, presence of workers. */
const CONNECTIONS_BESIDE_POOL = 6;

/** Breaks something, and watches what callers see of it until all is well again. */
export class Watch {
  readonly #arena: Arena;
  #usual: Usual = new Map();
  #webhookLateMs = WEBHOOK_LATE_MS;
  /** For the message where it takes too long. */
  #lastTrouble = '';

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  /** Measures the usual values on this machine, under the load and without any fault. */
  async calm(milliseconds: number): Promise<void> {
    const { load, fleet, receiver } = this.#arena;
    load.resume();
    const until = performance.now() + milliseconds;
    let oldestMs = 0;
    while (performance.now() < until) {
      oldestMs = Math.max(oldestMs, receiver.oldestMs);
      await setTimeout(LOOK_MS);
    }
    load.seen.isUsual();
    this.#webhookLateMs = Math.max(WEBHOOK_LATE_MS, WEBHOOK_LATE_TIMES * oldestMs);
    await load.pause();
    this.#usual = new Map(
      await Promise.all(fleet.names().map(async name => [name, await fleet.health(name)] as const)),
    );
  }

  async scenario(scenario: Scenario): Promise<Row> {
    const { load } = this.#arena;
    await scenario.prepare?.(this.#arena);
    const before = load.ledger.acknowledged;
    load.seen.begin();
    const twiceBefore = load.client.twice;
    load.resume();
    await setTimeout(BEFORE_MS);
    const { kills, failures: inflicted = [] } = await scenario.inflict(this.#arena);
    const recoverySeconds = await this.#recovery();
    await load.pause();
    const failures = [...inflicted, ...((await scenario.check?.(this.#arena)) ?? [])];
    const missing = await this.#missingWebhooks();
    if (missing.length > 0) failures.push(...some('a webhook did not come', missing));
    const { lost, twice } = await this.#compared();
    failures.push(...some('lost', lost), ...some('twice', twice));
    const { troubles, wrongs, messages, requests } = load.seen;
    failures.push(...messages);
    for (const kind of ['unavailable', 'disconnected'] as const) {
      if (troubles[kind] > 0 && !scenario.allows.includes(kind)) {
        failures.push(`${troubles[kind]} requests were ${kind}; the last trouble was: ${load.seen.lastTrouble}`);
      }
    }
    if (recoverySeconds > MAX_RECOVERY_SECONDS) {
      failures.push(`recovered after ${recoverySeconds.toFixed(1)} s; the last trouble was: ${this.#lastTrouble}`);
    }
    await scenario.tidy?.(this.#arena);
    const { megabytes, connections, failures: leaks } = await this.#leaks();
    return {
      name: scenario.name,
      kills,
      records: load.ledger.acknowledged - before,
      requests,
      recoverySeconds,
      unavailable: troubles.unavailable,
      disconnected: troubles.disconnected,
      lost: lost.length,
      twice: twice.length + load.client.twice - twiceBefore,
      errors: wrongs.internal + wrongs.bare,
      missing: missing.length,
      megabytes,
      connections,
      failures: [...failures, ...leaks],
    };
  }

  /** Waits until nobody is in trouble; how long after the end of the fault the last one was. */
  async #recovery(): Promise<number> {
    const { load, receiver } = this.#arena;
    const endedAt = performance.now();
    let troubledAt = endedAt;
    while (performance.now() < Math.min(troubledAt + CALM_MS, endedAt + GIVE_UP_SECONDS * 1_000)) {
      if (load.seen.lastTroubleAt > troubledAt) {
        troubledAt = load.seen.lastTroubleAt;
        this.#lastTrouble = load.seen.lastTrouble;
      }
      if (receiver.oldestMs > this.#webhookLateMs) {
        troubledAt = performance.now();
        this.#lastTrouble = `a webhook had not come for ${(receiver.oldestMs / 1_000).toFixed(1)} s`;
      }
      await setTimeout(LOOK_MS);
    }
    return (troubledAt - endedAt) / 1_000;
  }

  async #missingWebhooks(): Promise<readonly string[]> {
    const { receiver } = this.#arena;
    const until = performance.now() + LAST_WEBHOOK_MS;
    while (receiver.missing > 0 && performance.now() < until) await setTimeout(LOOK_MS);
    return receiver.awaited;
  }

  async #compared() {
    const { load, company } = this.#arena;
    return this.#withDatabase(client => load.ledger.compare(client, company.companyId));
  }

  async #withDatabase<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = new pg.Client({ connectionString: this.#arena.postgres.url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  /** Whether memory and connections are back at their usual values. */
  async #leaks() {
    const { fleet } = this.#arena;
    const failures: string[] = [];
    const healths = await Promise.all(fleet.names().map(async name => [name, await fleet.health(name)] as const));
    for (const [name, { megabytes, sockets }] of healths) {
      const usual = this.#usual.get(name) ?? { megabytes: 0, sockets: 0 };
      if (megabytes > usual.megabytes * MEMORY_TIMES + MEMORY_MORE_MB) {
        failures.push(`${name} uses ${megabytes.toFixed(0)} MB where ${usual.megabytes.toFixed(0)} are usual`);
      }
      if (sockets > usual.sockets + SOCKETS_MORE) {
        failures.push(`${name} has ${sockets} sockets where ${usual.sockets} are usual`);
      }
    }
    const connections = await this.#withDatabase(async client => {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::integer as count from pg_stat_activity
          where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
      return rows[0]?.count ?? 0;
    });
    const most = fleet.names().length * (POOL_SIZE + CONNECTIONS_BESIDE_POOL);
    if (connections > most) failures.push(`PostgreSQL has ${connections} connections where ${most} are the most`);
    return { megabytes: Math.max(...healths.map(([, { megabytes }]) => megabytes)), connections, failures };
  }
}

const SHOWN = 5;

function some(what: string, found: readonly string[]): string[] {
  return found.slice(0, SHOWN).map(one => `${what}: ${one}`);
}
