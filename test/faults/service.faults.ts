import type { FaultOptions } from './faults.ts';
import { CARRIERS } from './scenarios/carriers.ts';
import { CLOCKS } from './scenarios/clocks.ts';
import { CONNECTIONS } from './scenarios/connections.ts';
import { DATABASE } from './scenarios/database.ts';
import { DISK } from './scenarios/disk.ts';
import { PROCESSES } from './scenarios/processes.ts';
import { RECEIVERS } from './scenarios/receivers.ts';
import { SCHEDULES } from './scenarios/schedules.ts';
import type { Scenario } from './service/scenario.ts';
import { FaultTable } from './service/table.ts';
import { underLoad } from './service/under-load.ts';

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
  'the upgrade from every release': async () => (await import('./upgrade.faults.ts')).run(),
  'the change log under faults': async (options: FaultOptions) => (await import('./changes.faults.ts')).run(options),
  'promotions of a standby': async (options: FaultOptions) => (await import('./failover.faults.ts')).run(options),
  'webhooks under faults': async (options: FaultOptions) => (await import('./webhooks.faults.ts')).run(options),
};
const SHORT = { rounds: 1, changes: 5_000, promotions: 2, only: '' };

/** The targets of the long run. */
const LONG_KILLS = 50;
const LONG_RECORDS = 100_000;

/** Everything that can break, one after the other, under a load of all endpoints, and the outcome. */
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
  for (const [name, other] of Object.entries(OTHERS)) {
    if (!name.includes(only)) continue;
    const isWhole = await other({ ...options, ...SHORT });
    table.remark({ name, text: 'see its own table above', verdict: isWhole ? 'pass' : 'fail' });
  }
  table.print();
  return table.isWhole;
}
