import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Arena } from '../service/arena.ts';
import type { Scenario } from '../service/scenario.ts';

/** The wall clock of processes, and of PostgreSQL, jumps forward and back. */

const [LIBRARY] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
/** The library looks at the file once a second. */
const STEP_MS = 5_000;
/** Between the processes and the database, as of a machine whose clock was wrong. */
const PROCESS_STEPS = ['+3600', '-3600', '+0'];
/** As when clocks are set by NTP. After a step back, jobs are due as much later. */
const POSTGRES_STEPS = ['+5', '+0', '-5'];

const impossible = () => (LIBRARY === undefined ? 'libfaketime is not installed' : undefined);
const fileIn = ({ folder }: Arena) => join(folder, 'clock');

function clockOf(arena: Arena): Record<string, string> {
  writeFileSync(fileIn(arena), '+0\n', { mode: 0o644 });
  return {
    LD_PRELOAD: LIBRARY ?? '',
    FAKETIME_TIMESTAMP_FILE: fileIn(arena),
    FAKETIME_CACHE_DURATION: '1',
    // Timers go by the monotonic clock, which no step of the wall clock moves.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
}

async function step(arena: Arena, steps: readonly string[]): Promise<{ kills: number }> {
  for (const offset of steps) {
    writeFileSync(fileIn(arena), `${offset}\n`);
    await setTimeout(STEP_MS);
  }
  return { kills: 0 };
}

async function restart({ fleet }: Arena, name: string, env: Record<string, string>): Promise<void> {
  await fleet.stop(name);
  await fleet.start(name, { env });
}

const ofProcess = (role: string, name: string): Scenario => ({
  name: `clock of ${role} an hour off`,
  allows: [],
  impossible,
  prepare: arena => restart(arena, name, clockOf(arena)),
  inflict: arena => step(arena, PROCESS_STEPS),
  tidy: arena => restart(arena, name, {}),
});

async function restartPostgres({ postgres }: Arena, env: Record<string, string>): Promise<void> {
  await postgres.stop();
  // The starting function takes our own environment.
  Object.assign(process.env, env);
  await postgres.start();
  for (const name of Object.keys(env)) delete process.env[name];
}

export const CLOCKS: readonly Scenario[] = [
  ofProcess('an api', 'api 1'),
  ofProcess('a worker', 'worker 1'),
  {
    name: 'clock of PostgreSQL steps',
    allows: [],
    impossible,
    prepare: arena => restartPostgres(arena, clockOf(arena)),
    inflict: arena => step(arena, POSTGRES_STEPS),
    tidy: arena => restartPostgres(arena, {}),
  },
];
