import { setTimeout } from 'node:timers/promises';
import type { Arena } from '../service/arena.ts';
import type { Scenario } from '../service/scenario.ts';

/** The api and the workers are killed and frozen. */

/** Until a supervisor starts it again. */
const AWAY_MS = 1_000;
const FROZEN_MS = 5_000;
/** Longer than a worker's hold on its jobs lasts without a sign of life. */
const WORKER_FROZEN_MS = 20_000;

const one = (names: readonly string[]) => names[Math.floor(Math.random() * names.length)] ?? '';

async function killed({ fleet }: Arena, names: readonly string[]): Promise<{ kills: number }> {
  await Promise.all(names.map(name => fleet.kill(name)));
  await setTimeout(AWAY_MS);
  await Promise.all(names.map(name => fleet.start(name)));
  return { kills: names.length };
}

async function frozen({ fleet }: Arena, name: string, milliseconds: number): Promise<{ kills: number }> {
  fleet.freeze(name);
  await setTimeout(milliseconds);
  fleet.thaw(name);
  return { kills: 0 };
}

export const PROCESSES: readonly Scenario[] = [
  {
    name: 'api killed',
    allows: ['disconnected'],
    inflict: arena => killed(arena, [one(arena.fleet.names('api'))]),
  },
  {
    name: 'worker killed',
    allows: [],
    inflict: arena => killed(arena, [one(arena.fleet.names('worker'))]),
  },
  { name: 'all workers killed', allows: [], inflict: arena => killed(arena, arena.fleet.names('worker')) },
  { name: 'all processes killed', allows: ['disconnected'], inflict: arena => killed(arena, arena.fleet.names()) },
  {
    name: 'api frozen',
    allows: [],
    inflict: arena => frozen(arena, one(arena.fleet.names('api')), FROZEN_MS),
  },
  {
    name: 'worker frozen',
    allows: [],
    inflict: arena => frozen(arena, one(arena.fleet.names('worker')), WORKER_FROZEN_MS),
  },
];
