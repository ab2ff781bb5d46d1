import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { Report } from '../report.ts';
import { openSilentLine } from '../support/silent-line.ts';
import type { SecurityWorld } from '../support/world.ts';
import type { Abuse, Arena, Attack } from './case.ts';
import * as seed from './seed.ts';

const LOCK_MS = 10_000;
const LONG_LOCK_MS = 15_000;
const RECOVERY_SECONDS = 15;
const GIVE_UP_SECONDS = 45;
/** So many good answers in a row are a recovery. */
const IN_A_ROW = 10;

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
  target: { readonly apiKey: string; readonly path: string },
): Promise<void> {
  const line = await openSilentLine(world.databaseUrl);
  const service = await world.start({ DATABASE_URL: line.url });
  try {
    const isAnswered = () =>
      fetch(service.url + target.path, {
        headers: { 'x-api-key': target.apiKey },
        signal: AbortSignal.timeout(GIVE_UP_SECONDS * 1_000),
      }).then(
        async response => {
          await response.arrayBuffer();
          return response.status === 200;
        },
        () => false,
      );
    for (let i = 0; i < 40; i++) await isAnswered();
    const swallowed = line.swallow();
    const startedAt = performance.now();
    const seconds = () => (performance.now() - startedAt) / 1_000;
    let goodSince = Number.POSITIVE_INFINITY;
    let lastBadAt = 0;
    const pending: Promise<void>[] = [];
    while (seconds() < GIVE_UP_SECONDS && seconds() < goodSince + IN_A_ROW * 0.1) {
      const askedAt = seconds();
      pending.push(
        isAnswered().then(isGood => {
          if (!isGood) lastBadAt = Math.max(lastBadAt, askedAt);
          goodSince = isGood ? Math.min(goodSince, Math.max(askedAt, lastBadAt)) : Number.POSITIVE_INFINITY;
        }),
      );
      await setTimeout(100);
    }
    const recovery = Number.isFinite(goodSince) ? `recovered after ${goodSince.toFixed(1)} s` : 'not recovered';
    const failures = goodSince <= RECOVERY_SECONDS ? [] : [`${recovery}, ${GIVE_UP_SECONDS} s were given`];
    report.add({
      part: 'abuse',
      name: 'H4 swallowed connections to PostgreSQL',
      figures: `${swallowed} connections swallowed, ${recovery}`,
      bound: `recovered within ${RECOVERY_SECONDS} s`,
      failures,
    });
  } finally {
    await service.kill();
    await line.close();
  }
}
