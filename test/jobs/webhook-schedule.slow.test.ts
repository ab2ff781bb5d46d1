import { describe, expect, test } from 'vitest';
import { REACHABLE } from '../support/receiver.ts';
import { SECOND } from '../support/time.ts';
import { useWorld } from '../support/world.ts';
import { expectAbout, gaps, jobsOf, SCHEDULE, untilDue, wait } from './webhook-attempts.ts';
import { once, sendTest, useEndpoints, webhook } from './webhooks.ts';

const world = useWorld(REACHABLE);
const { open } = useEndpoints(world);

describe.concurrent('A delivery', () => {
  test('keeps its schedule while its endpoint backs off, and uses up no attempts', async () => {
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
    expect(await jobsOf(world, failed)).toMatchObject([{ name: 'webhooks.dead' }]);
    expect(await webhook(caller, endpointId)).toMatchObject({ state: 'backing_off', isActive: true });
  });
});
