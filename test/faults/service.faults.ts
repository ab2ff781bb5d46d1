import { setTimeout } from 'node:timers/promises';
import type { FaultOptions } from './faults.ts';
import { CARRIERS } from './scenarios/carriers.ts';
import { CLOCKS } from './scenarios/clocks.ts';
import { CONNECTIONS } from './scenarios/connections.ts';
import { DATABASE } from './scenarios/database.ts';
import { DISK } from './scenarios/disk.ts';
import { PROCESSES } from './scenarios/processes.ts';
import { RECEIVERS } from './scenarios/receivers.ts';
import { openArena } from './service/arena.ts';
import type { Scenario } from './service/scenario.ts';
import { isWhole, lineOf, type Skipped, tableOf } from './service/table.ts';
import { type Row, Watch } from './service/watch.ts';

const SCENARIOS: readonly Scenario[] = [
  ...PROCESSES,
  ...DATABASE,
  ...CONNECTIONS,
  ...DISK,
  ...CLOCKS,
  ...RECEIVERS,
  ...CARRIERS,
];

const CALM_MS = 8_000;
const print = (text: string) => process.stdout.write(`${(performance.now() / 1000).toFixed(1)} ${text}\n`);

/** Everything that can break, one after the other, under a load of all endpoints, and what came of it. */
export async function run({ only }: FaultOptions): Promise<boolean> {
  const chosen = SCENARIOS.filter(({ name }) => name.includes(only));
  const rows: Row[] = [];
  const skipped: Skipped[] = [];
  const arena = await openArena();
  try {
    const watch = new Watch(arena);
    print('open');
    arena.load.start();
    await watch.calm(CALM_MS);
    print('calm');
    for (const scenario of chosen) {
      const reason = scenario.impossible?.(arena);
      if (reason !== undefined) {
        skipped.push({ name: scenario.name, reason });
        continue;
      }
      const row = await watch.scenario(scenario);
      rows.push(row);
      print(lineOf(row));
      for (const failure of row.failures) print(`      ${failure}`);
    }
    print('ending');
    await arena.load.end();
    print('ended');
  } finally {
    await arena.close();
  }
  print(`\n${tableOf(rows, skipped, [])}`);
  await setTimeout(0);
  return rows.every(isWhole);
}
