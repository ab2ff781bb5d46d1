import { setTimeout } from 'node:timers/promises';
import type { Scenario } from '../service/scenario.ts';

/** PostgreSQL is killed, restarted, and replaced by its replica. */

const AWAY_MS = 3_000;

export const DATABASE: readonly Scenario[] = [
  {
    name: 'PostgreSQL killed',
    allows: ['unavailable'],
    inflict: async ({ postgres }) => {
      await postgres.crash();
      return { kills: 1 };
    },
  },
  {
    name: 'PostgreSQL restarted',
    allows: ['unavailable'],
    inflict: async ({ postgres }) => {
      await postgres.stop();
      await setTimeout(AWAY_MS);
      await postgres.start();
      return { kills: 0 };
    },
  },
  {
    name: 'failover to a replica',
    allows: ['unavailable'],
    inflict: async arena => {
      const { postgres, line, disk } = arena;
      const replica = await postgres.replica(disk);
      await postgres.kill();
      await replica.promote();
      line.lead(replica.url);
      arena.postgres = replica;
      await postgres.close();
      return { kills: 1 };
    },
  },
];
