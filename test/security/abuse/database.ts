import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { until } from '../../bench/until.ts';
import { openTcpProxy } from '../../support/tcp-proxy.ts';
import type { Report } from '../report.ts';
import type { SecurityWorld } from '../support/world.ts';
import type { Abuse, Arena, Attack } from './case.ts';
import * as seed from './seed.ts';

const LOCK_MS = 10_000;
const LONG_LOCK_MS = 15_000;
const RECOVERY_SECONDS = 15;
const GIVE_UP_SECONDS = 45;
/** So long after the last trouble it counts as recovered. */
const CALM_SECONDS = 3;
const SLOW_SECONDS = 1;
const POOL_SIZE = 4;
export const SWALLOWED = 'H4 swallowed connections to PostgreSQL';

async function lockedTable(arena: Arena): Promise<Attack> {
  const { world, attacker, isLong } = arena;
  await seed.warehouses(arena, 10);
  return async () => {
    const client = new pg.Client(world.databaseUrl);
    await client.connect();
    try {
      await client.query('begin');
      await client.query('lock table warehouse in access exclusive mode');
      const pending: Promise<unknown>[] = [];
      for (let waited = 0; waited < (isLong ? LONG_LOCK_MS : LOCK_MS); waited += 100) {
        pending.push(attacker.send({ path: '/api/v1/integrations/warehouses' }));
        await setTimeout(100);
      }
      await client.query('rollback');
      await Promise.all(pending);
    } finally {
      await client.end();
    }
  };
}

export const DATABASE: readonly Abuse[] = [{ name: 'M4 a locked table, 10 reads a second', prepare: lockedTable }];

/** H4: all connections to PostgreSQL are swallowed while new ones work, as after a failover without RST. */
export async function swallowedConnections(
  world: SecurityWorld,
  report: Report,
  target: { readonly apiKey: string; readonly paths: readonly string[] },
): Promise<void> {
  const line = await openTcpProxy(world.databaseUrl);
  const service = await world.start({ DATABASE_URL: line.url, DATABASE_POOL_SIZE: String(POOL_SIZE) });
  let asked = 0;
  const isAnswered = async () => {
    const path = target.paths[asked++ % target.paths.length] ?? '/';
    const signal = AbortSignal.timeout(GIVE_UP_SECONDS * 1_000);
    return fetch(service.url + path, { headers: { 'x-api-key': target.apiKey }, signal }).then(
      async response => {
        await response.arrayBuffer();
        return response.status === 200;
      },
      () => false,
    );
  };
  try {
    // A connection that is not there yet would be opened afterwards, and work.
    await until(
      async () => {
        await Promise.all(Array.from({ length: 40 }, isAnswered));
        return line.connections;
      },
      connections => connections > POOL_SIZE,
    );
    const swallowed = line.swallow();
    const { troubledSeconds, pending } = await askUntilGood(isAnswered);
    const recovery =
      pending > 0
        ? `${pending} requests are not answered after ${GIVE_UP_SECONDS} s`
        : `recovered after ${troubledSeconds.toFixed(1)} s`;
    report.add({
      part: 'abuse',
      name: SWALLOWED,
      figures: `${swallowed} connections swallowed, ${recovery}`,
      bound: `every request answered well within ${RECOVERY_SECONDS} s`,
      failures: pending === 0 && troubledSeconds <= RECOVERY_SECONDS ? [] : [recovery],
    });
  } finally {
    await service.kill();
    await line.close();
  }
}

/** Asks ten times a second until nobody waits and all is well; when the last one in trouble was rid of it. */
async function askUntilGood(isAnswered: () => Promise<boolean>): Promise<{ troubledSeconds: number; pending: number }> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  let pending = 0;
  let troubledSeconds = 0;
  const ask = async () => {
    const askedAt = seconds();
    pending++;
    const isGood = await isAnswered();
    pending--;
    if (!isGood || seconds() - askedAt > SLOW_SECONDS) troubledSeconds = seconds();
  };
  while (seconds() < GIVE_UP_SECONDS && (pending > 0 || seconds() < troubledSeconds + CALM_SECONDS)) {
    void ask();
    await setTimeout(100);
  }
  return { troubledSeconds, pending };
}
