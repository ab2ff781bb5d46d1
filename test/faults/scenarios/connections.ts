import { setTimeout } from 'node:timers/promises';
import { terminateConnections } from '../fault-tools.ts';
import type { Scenario } from '../service/scenario.ts';

/** Connections are cut, delayed and swallowed, to PostgreSQL and to the callers. */

const CUT_MS = 3_000;
const DELAYED_MS = 5_000;
const DELAY_MS = 100;
const RESETS_MS = 3_000;
const RESET_SHARE = 0.05;

export const CONNECTIONS: readonly Scenario[] = [
  {
    name: 'database connections ended',
    allows: ['unavailable'],
    inflict: async ({ postgres }) => {
      await terminateConnections(postgres.url);
      return { kills: 0 };
    },
  },
  {
    name: 'database cut off',
    allows: ['unavailable'],
    inflict: async ({ line }) => {
      await line.cut();
      await setTimeout(CUT_MS);
      await line.restore();
      return { kills: 0 };
    },
  },
  {
    name: 'database mute',
    allows: ['unavailable'],
    inflict: async ({ line }) => {
      line.mute();
      await setTimeout(CUT_MS);
      await line.restore();
      return { kills: 0 };
    },
  },
  {
    name: 'database connections half-open',
    allows: ['unavailable'],
    inflict: async ({ line }) => {
      line.swallow();
      return { kills: 0 };
    },
    tidy: async ({ line }) => line.letGo(),
  },
  {
    name: 'database slow',
    allows: ['unavailable'],
    inflict: async ({ line }) => {
      line.delay(DELAY_MS);
      await setTimeout(DELAYED_MS);
      line.delay(0);
      return { kills: 0 };
    },
  },
  {
    name: 'responses lost on the way',
    allows: ['disconnected'],
    inflict: async ({ fleet }) => {
      for (const front of fleet.fronts) front.reset(RESET_SHARE);
      await setTimeout(RESETS_MS);
      for (const front of fleet.fronts) front.reset(0);
      return { kills: 0 };
    },
  },
];
