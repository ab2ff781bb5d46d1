import { describe, expect, test } from 'vitest';
import { REACHABLE } from '../support/receiver.ts';
import { useWorld } from '../support/world.ts';
import { type Delivery, deliveryKey, once, sendTest, useEndpoints, webhook } from './webhooks.ts';

const world = useWorld(REACHABLE);
const { open } = useEndpoints(world);

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long after each attempt the next one comes. */
const SCHEDULE = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map(hours => hours * HOUR)];

const ms = (time: string | null) => Date.parse(time ?? '');

/** How long a delivery waits after its last attempt. */
function wait({ attempts, nextAttemptAt }: Delivery): number {
  const last = attempts.at(-1);
  return ms(nextAttemptAt) - ms(last?.startedAt ?? null) - (last?.durationMs ?? 0);
}

/** Within 20 % of the stated delay. */
function expectAbout(stated: number, actual: number, late = 300): void {
  expect(actual).toBeGreaterThanOrEqual(stated * 0.8 - 50);
  expect(actual).toBeLessThanOrEqual(stated * 1.2 + late);
}

/** How long it is until a delivery is due. */
const untilDue = ({ nextAttemptAt }: Delivery) => Math.max(ms(nextAttemptAt) - Date.now(), 0);

/** Times between attempts. */
function gaps({ attempts }: Delivery): number[] {
  return attempts.slice(1).map(({ startedAt }, i) => ms(startedAt) - ms(attempts[i]?.startedAt ?? null));
}

interface Job {
  readonly name: string;
  readonly state: string;
  readonly startAfter: Date;
}

/** The jobs of a delivery that are still to be done. */
async function jobsOf({ id }: Pick<Delivery, 'id'>): Promise<Job[]> {
  const { rows } = await world.pool.query<Job>(
    `select name, state, start_after as "startAfter" from pgboss.job
      where data ->> 'deliveryId' = $1 and state < 'completed'`,
    [deliveryKey(id)],
  );
  return rows;
}

describe.concurrent('A delivery', () => {
  test('keeps these times while its endpoint is taken for dead, and burns none of its attempts', async () => {
    const { caller, endpointId, pass } = await open({ status: 500 });
    const { id } = await sendTest(caller, endpointId);
    for (const [i, stated] of SCHEDULE.entries()) {
      const tried = await once(caller, id, { attemptCount: i + 1, status: 'retrying', isHeldBack: i >= 4 });
      expectAbout(stated, wait(tried));
      await pass(untilDue(tried));
    }
    const failed = await once(caller, id, { status: 'failed', attemptCount: 10, isHeldBack: false });
    // A dead endpoint is looked at every few seconds.
    for (const [i, gap] of gaps(failed).entries()) expectAbout(SCHEDULE[i] ?? 0, gap, 10 * SECOND);
    expect(await jobsOf(failed)).toMatchObject([{ name: 'webhooks.dead' }]);
    expect(await webhook(caller, endpointId)).toMatchObject({ state: 'backing_off', isActive: true });
  });
});
