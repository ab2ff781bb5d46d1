import { describe, expect, test } from 'vitest';
import { REACHABLE } from '../support/receiver.ts';
import { HOUR, SECOND } from '../support/time.ts';
import { useWorld } from '../support/world.ts';
import { useBacklogs } from './webhook-backlogs.ts';
import { createWebhook, deleteWebhook, eventually, once, sendTest, useEndpoints, webhook } from './webhooks.ts';

const world = useWorld(REACHABLE);
const { open } = useEndpoints(world);
const { fill, counts, jobsOf } = useBacklogs(world);

/** How long something may take that is to happen at once: a look or two of a worker that looks twice a second. */
const AT_ONCE = 5_000;

const ms = (time: string | null) => Date.parse(time ?? '');

/** Has a delivery be held by someone else during some work. */
async function holding(deliveryId: string | undefined, work: () => Promise<void>): Promise<void> {
  const client = await world.pool.connect();
  try {
    await client.query('begin');
    const { rowCount } = await client.query('select from webhook_delivery where id = $1 for update', [deliveryId]);
    expect(rowCount).toBe(1);
    await work();
  } finally {
    await client.query('rollback');
    client.release();
  }
}

describe('An endpoint with 7,000 deliveries waiting', () => {
  test.for(['deleted', 'gone'])(
    'that is %s delays no other endpoint, and all its deliveries are cancelled',
    async how => {
      const { caller, receiver, endpointId } = await open(({ path }) => ({ status: path === '/' ? 410 : 200 }));
      const { id: otherId } = await createWebhook(caller, `${receiver.url}/other`);
      // The statistics lack the waiting rows: a plan that was chosen by them took seconds.
      await world.pool.query('analyze webhook_delivery');
      const waiting = { count: 3_500, status: 'pending', at: new Date(Date.now() + HOUR) } as const;
      await fill(caller, endpointId, waiting);
      const parked = await fill(caller, endpointId, { ...waiting, isHeldBack: true });
      // A statement that cancels all of them at once has to wait for the last but one. The last one is the endpoint's
      // `lastDelivery`, and is cancelled at once.
      await holding(parked.at(-2)?.id, async () => {
        const startedAt = Date.now();
        if (how === 'deleted') await deleteWebhook(caller, endpointId);
        else await once(caller, (await sendTest(caller, endpointId)).id, { status: 'failed' });
        expect(Date.now() - startedAt).toBeLessThan(AT_ONCE);
        expect(await webhook(caller, endpointId)).toMatchObject({ state: 'disabled', disabledReason: how });
        for (let i = 0; i < 10; i++) {
          const sentAt = Date.now();
          const arrived = await once(caller, (await sendTest(caller, otherId)).id, { status: 'success' });
          expect(ms(arrived.deliveredAt) - sentAt).toBeLessThan(SECOND);
        }
      });
      const rest = async () => (await counts(endpointId)).filter(({ status }) => status !== 'failed');
      await eventually(rest, [{ status: 'cancelled', parked: false, attempts: 0, count: 7_000 }]);
      expect(await jobsOf(endpointId)).toEqual([]);
    },
  );
});
