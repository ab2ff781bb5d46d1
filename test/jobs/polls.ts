import { withClient } from '../support/databases.ts';
import { passTime } from '../support/time.ts';
import type { Caller, World } from '../support/world.ts';
import { eventually, runSchedule } from './webhooks.ts';

/** Has carriers asked when a test wants it, and not by the clock. */
export function usePolls(world: World) {
  let claimed: Promise<unknown> = Promise.resolve();

  const claimAll = () => runSchedule(world, 'tracking.claim');

  /** Does it for one company alone: shipments of another test wait until that test lets time pass. */
  async function claimOf({ companyId }: Caller): Promise<void> {
    await withClient(world.ownerUrl, async client => {
      await client.query('begin');
      // A claim leaves out locked rows.
      await client.query('select from tracking_poll where company_id <> $1 for update skip locked', [companyId]);
      await claimAll();
      await client.query('rollback');
    });
  }

  /** In turn, so that none has locked what another is to claim. */
  function inTurn(work: () => Promise<unknown>): Promise<unknown> {
    claimed = claimed.then(work);
    return claimed;
  }

  /** Claims due shipments, as the clock does each minute. */
  const claim = () => inTurn(claimAll);

  /** Lets time pass for a company, and polls due shipments. */
  async function pollAfter(caller: Caller, ms: number): Promise<void> {
    const open = async () => {
      const { rows } = await world.pool.query(
        `select (select count(*) from tracking_poll where company_id = $1 and due_at <= now())::integer as due,
            (select count(*) from pgboss.job where name = 'tracking.poll' and state < 'completed'
              and data ->> 'companyId' = $1::text)::integer as jobs`,
        [caller.companyId],
      );
      return rows[0];
    };
    await inTurn(async () => {
      // A job finds its shipments by the time until which it has them, which must not pass for it alone.
      await eventually(async () => ({ jobs: (await open()).jobs }), { jobs: 0 });
      await passTime(world.pool, ms, caller.companyId);
      await claimOf(caller);
    });
    const done = async () => {
      const left = await open();
      // A claim leaves out rows that are locked, and a shipment that a carrier has named becomes due meanwhile.
      if (left.due > 0 && left.jobs === 0) await inTurn(() => claimOf(caller));
      return left;
    };
    await eventually(done, { due: 0, jobs: 0 });
  }

  return { claim, pollAfter };
}
