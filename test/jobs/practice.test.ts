import { expect, test } from 'vitest';
import { askedAt, connectSandbox, useSandbox } from '../support/carriers.ts';
import { feedShipments } from '../support/platform-side.ts';
import { REACHABLE, useReceiver } from '../support/receiver.ts';
import { startProcess } from '../support/second-process.ts';
import { passTime } from '../support/time.ts';
import { useWorld } from '../support/world.ts';
import { createWebhook, eventually, once, runSchedule, sendSchedule, sendTest } from './webhooks.ts';

const DAY_MS = 86_400_000;
const receiver = useReceiver();
const sandbox = useSandbox();
const env = Object.assign(askedAt(sandbox), REACHABLE);
const world = useWorld(Object.assign(askedAt(sandbox), REACHABLE, { PRACTICE: 'true' }));

test('A worker with PRACTICE runs jobs, but leaves webhooks and requests to carriers to a worker without it', async () => {
  const caller = await world.company();
  const endpoint = await createWebhook(caller, receiver.url);
  await feedShipments(caller, await connectSandbox(caller, 'GLS'), { trackingNumber: 'WALK1' });
  await passTime(world.pool, DAY_MS, caller.companyId);
  const { id } = await sendTest(caller, endpoint.id);
  // The worker does this, and makes the jobs that nobody works.
  await sendSchedule(world, 'tracking.claim');
  const waiting = async () => {
    const { rows } = await world.pool.query(
      `select name, state from pgboss.job where data ->> 'companyId' = $1 and name in ('tracking.poll', 'webhooks.deliver') order by name`,
      [caller.companyId],
    );
    return rows;
  };
  const untouched = [
    { name: 'tracking.poll', state: 'created' },
    { name: 'webhooks.deliver', state: 'created' },
  ];
  expect(await waiting()).toEqual(untouched);
  await runSchedule(world, 'webhooks.sweep');
  expect(await waiting()).toEqual(untouched);
  expect(receiver.requests).toEqual([]);

  const worker = await startProcess(world, { ...env, ROLE: 'worker' });
  try {
    await once(caller, id, { status: 'success' });
    await eventually(waiting, [{ state: 'completed' }, { state: 'completed' }]);
  } finally {
    await worker.stop();
  }
  expect(receiver.requests).toHaveLength(1);
});
