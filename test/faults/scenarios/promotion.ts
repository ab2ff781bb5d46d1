import { setTimeout } from 'node:timers/promises';
import type { Load } from '../service/load.ts';
import type { Scenario } from '../service/scenario.ts';

const LOOK_MS = 10;
/** Writes work again by that time. */
const AFTERWARDS_MS = 3_000;

/**
 * The primary is killed, its synchronous standby is promoted, and the former primary follows it as the next standby, at
 * its former port. The processes know both addresses and continue.
 *
 * @param pauses takes the milliseconds in which no write was acknowledged
 */
export function promotion(pauses: number[]): Scenario {
  return {
    name: 'a standby promoted',
    allows: ['unavailable', 'disconnected'],
    inflict: async arena => {
      const { postgres: former, standby, load, disk } = arena;
      if (standby === undefined) throw new Error('there is no standby');
      const { port } = new URL(former.url);
      await former.kill();
      const pauseMs = pauseOf(load, () => standby.promote());
      arena.postgres = standby;
      pauses.push(await pauseMs);
      await former.close();
      arena.standby = await standby.replica(disk, port);
      return { kills: 1 };
    },
    check: async ({ fleet }) => fleet.ended.map(name => `${name} has ended`),
  };
}

/** The longest time in which no write is acknowledged, until some time after a promotion. */
async function pauseOf({ ledger }: Load, promote: () => Promise<void>): Promise<number> {
  const promoted = promote().then(() => setTimeout(AFTERWARDS_MS));
  let isOver = false;
  promoted.then(
    () => {
      isOver = true;
    },
    () => undefined,
  );
  let [count, changedAt, longestMs] = [ledger.acknowledged, performance.now(), 0];
  while (!isOver) {
    await Promise.race([promoted, setTimeout(LOOK_MS)]);
    longestMs = Math.max(longestMs, performance.now() - changedAt);
    if (ledger.acknowledged === count) continue;
    [count, changedAt] = [ledger.acknowledged, performance.now()];
  }
  return longestMs;
}
