import { setTimeout } from 'node:timers/promises';
import { query, timeOf } from '../fault-tools.ts';
import type { Arena } from '../service/arena.ts';
import type { Scenario } from '../service/scenario.ts';

/**
 * Nothing breaks any more, and the clock sends its jobs. The load does not see those fail: what they do is also done for
 * callers, only not in time.
 */

/** Schedules of every minute stand for all others, which run in the same way. */
const EVERY_MINUTE = '* * * * *';
/** The next minute, and what pg-boss takes to notice it. */
const PATIENCE_MS = 120_000;
const LOOK_MS = 500;

const LAST_RUNS = `select s.name as queue, j.state
  from pgboss.schedule s left join lateral (select state from pgboss.job j
    where j.name = s.name and j.created_on > $2 and j.state in ('completed', 'failed')
    order by j.completed_on desc limit 1) j on true
  where s.cron = $1 order by s.name`;

async function unfinished({ postgres }: Arena): Promise<string[]> {
  const since = await timeOf(postgres.url);
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const runs = await query<{ queue: string; state: string | null }>(postgres.url, LAST_RUNS, [EVERY_MINUTE, since]);
    const open = runs.filter(({ state }) => state !== 'completed');
    if (runs.length > 0 && open.length === 0) return [];
    if (performance.now() > until) {
      return runs.length === 0
        ? ['there is no job of the clock']
        : open.map(({ queue, state }) => `${queue}, which the clock sends, ${state ?? 'was not worked'}`);
    }
    await setTimeout(LOOK_MS);
  }
}

export const SCHEDULES: readonly Scenario[] = [
  {
    name: 'the clock sends its jobs',
    allows: [],
    inflict: async arena => ({ kills: 0, failures: await unfinished(arena) }),
  },
];
