import { type Arena, type ArenaOpening, openArena } from './arena.ts';
import type { Release } from './release.ts';
import type { Scenario } from './scenario.ts';
import type { FaultTable } from './table.ts';
import { Watch } from './watch.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const CALM_MS = 8_000;

/** Opens the whole service under load, and closes it after the work. */
export async function underLoad(
  release: Release | undefined,
  table: FaultTable,
  work: (each: (scenario: Scenario) => Promise<void>, arena: Arena) => Promise<void>,
  opening?: ArenaOpening,
): Promise<void> {
  const arena = await openArena(release, opening);
  // A run that is broken off leaves no process and no file system behind.
  const breakOff = () => void arena.close().finally(() => process.exit(1));
  for (const signal of SIGNALS) process.once(signal, breakOff);
  try {
    const watch = new Watch(arena);
    arena.load.start();
    await watch.calm(CALM_MS);
    await work(scenario => observe(arena, watch, scenario, table), arena);
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
