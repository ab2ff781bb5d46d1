import type pg from 'pg';
import { POLL_SCHEDULES } from '../../src/domain/polling/poll.jobs.ts';
import { passTime } from '../support/time.ts';
import type { Caller, World } from '../support/world.ts';
import { eventually } from './webhooks.ts';

/** Has carriers asked when a test wants it, and not by the clock. */
export function usePolls(world: World, database: () => pg.Pool) {
  let claimed: Promise<unknown> = Promise.resolve();

  /** Has what is due claimed, as the clock does each minute. In turn: each takes what is due of all who ask. */
  function claim(): Promise<unknown> {
    const { database, jobs, log, url } = world.app;
    const claimAll = () =>
      Promise.all(
        POLL_SCHEDULES.map(({ work }) =>
          work({ database, jobs, log, publicUrl: url, retention: { webhookDays: 30, changeDays: 90 } }),
        ),
      );
    claimed = claimed.then(claimAll);
    return claimed;
  }

  /** Lets time pass for a company, and has what is due by then polled. */
  async function pollAfter(caller: Caller, ms: number): Promise<void> {
    await passTime(database(), ms, caller.companyId);
    await claim();
    // What another claim has in hand just now is still due, as far as others see.
    const open = async () => {
      const { rows } = await database().query(
        `select (select count(*) from tracking_poll where company_id = $1 and due_at <= now())::integer as due,
            (select count(*) from pgboss.job where name = 'tracking.poll' and state < 'completed'
              and data ->> 'companyId' = $1::text)::integer as jobs`,
        [caller.companyId],
      );
      return rows[0];
    };
    await eventually(open, { due: 0, jobs: 0 });
  }

  return { claim, pollAfter };
}
