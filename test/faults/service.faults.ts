import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultOptions } from './faults.ts';
import { CARRIERS } from './scenarios/carriers.ts';
import { CLOCKS } from './scenarios/clocks.ts';
import { CONNECTIONS } from './scenarios/connections.ts';
import { DATABASE } from './scenarios/database.ts';
import { DISK } from './scenarios/disk.ts';
import { PROCESSES } from './scenarios/processes.ts';
import { RECEIVERS } from './scenarios/receivers.ts';
import { SCHEDULES } from './scenarios/schedules.ts';
import { UPGRADE } from './scenarios/upgrade.ts';
import { type Arena, openArena } from './service/arena.ts';
import { previousRelease, type Release } from './service/release.ts';
import type { Scenario } from './service/scenario.ts';
import { FaultTable } from './service/table.ts';
import { Watch } from './service/watch.ts';

const SCENARIOS: readonly Scenario[] = [
  ...PROCESSES,
  ...DATABASE,
  ...CONNECTIONS,
  ...DISK,
  ...CLOCKS,
  ...RECEIVERS,
  ...CARRIERS,
  // After all others, so that they have run whatever was broken before.
  ...SCHEDULES,
];

/** Runs of their own, in their short form. */
const OTHERS = {
  'the change log under faults': async (options: FaultOptions) => (await import('./changes.faults.ts')).run(options),
  'webhooks under faults': async (options: FaultOptions) => (await import('./webhooks.faults.ts')).run(options),
};
const SHORT = { rounds: 1, changes: 5_000, only: '' };

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const CALM_MS = 8_000;
/** What the long run goes on to. */
const LONG_KILLS = 50;
const LONG_RECORDS = 100_000;

/** Everything that can break, one after the other, under a load of all endpoints, and what came of it. */
export async function run(options: FaultOptions): Promise<boolean> {
  const { only, isLong } = options;
  const table = new FaultTable();
  const chosen = SCENARIOS.filter(({ name }) => name.includes(only));
  if (chosen.length > 0) {
    await underLoad(undefined, table, async each => {
      do {
        for (const scenario of chosen) await each(scenario);
      } while (isLong && (table.kills < LONG_KILLS || table.records < LONG_RECORDS));
    });
  }
  if (UPGRADE.name.includes(only)) await upgrade(table);
  for (const [name, other] of Object.entries(OTHERS)) {
    if (!name.includes(only)) continue;
    const isWhole = await other({ ...options, ...SHORT });
    table.remark({ name, text: 'see its own table above', verdict: isWhole ? 'pass' : 'fail' });
  }
  table.print();
  return table.isWhole;
}

/** Opens the whole service under load, and closes it after the work. */
async function underLoad(
  release: Release | undefined,
  table: FaultTable,
  work: (each: (scenario: Scenario) => Promise<void>) => Promise<void>,
): Promise<void> {
  const arena = await openArena(release);
  // A run that is broken off leaves no process and no file system behind.
  const breakOff = () => void arena.close().finally(() => process.exit(1));
  for (const signal of SIGNALS) process.once(signal, breakOff);
  try {
    const watch = new Watch(arena);
    arena.load.start();
    await watch.calm(CALM_MS);
    await work(scenario => observe(arena, watch, scenario, table));
    await arena.load.end();
  } finally {
    for (const signal of SIGNALS) process.off(signal, breakOff);
    await arena.close();
  }
}

async function observe(arena: Arena, watch: Watch, scenario: Scenario, table: FaultTable): Promise<void> {
  const { name } = scenario;
  const reason = scenario.impossible?.(arena);
  if (reason !== undefined) {
    table.remark({ name, text: `not possible here: ${reason}`, verdict: 'skip' });
    return;
  }
  try {
    table.add(await watch.scenario(scenario));
  } catch (error) {
    table.remark({ name, text: `broke off: ${(error as Error).message}`, verdict: 'fail' });
  }
}

async function upgrade(table: FaultTable): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'shipping-faults-'));
  try {
    const release = previousRelease(folder);
    if (release === undefined) {
      const text = 'not possible here: this is no clone with the commit of the release before';
      table.remark({ name: UPGRADE.name, text, verdict: 'skip' });
    } else await underLoad(release, table, each => each({ ...UPGRADE, name: `${UPGRADE.name} from ${release.name}` }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
