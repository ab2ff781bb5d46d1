import { describe, expect, test } from 'vitest';
import { REACHABLE } from '../support/receiver.ts';
import { DAY, HOUR } from '../support/time.ts';
import { useWorld } from '../support/world.ts';
import { breakDown, tryAfter } from './failing-endpoints.ts';
import { kindsOf, useNotices } from './notice-calls.ts';
import { eventually, once, sendTest, useEndpoints, webhook } from './webhooks.ts';

/** Notices about the health of endpoints to other endpoints of the company. */

const world = useWorld(REACHABLE);
const { open } = useEndpoints(world);
const { listen } = useNotices();

describe.concurrent('An endpoint that only fails', { timeout: 60_000 }, () => {
  test('causes one notice each at 50, 70 and 90 % of the time, and when it is disabled', async () => {
    const failing = await open({ status: 503 });
    const { caller, endpointId, receiver } = failing;
    const told = await listen(caller);
    await breakDown(caller, endpointId);
    await tryAfter(world, 2 * DAY, failing);
    expect(told.soFar()).toEqual([]);
    for (const [days, count] of [
      [0.6, 1],
      [0.1, 1],
      [0.9, 2],
      [0.1, 2],
      [0.9, 3],
    ] as const) {
      await tryAfter(world, days * DAY, failing);
      await told.first(count);
    }
    await failing.pass(DAY);
    const notices = await told.first(4);
    const endpoint = { id: endpointId, label: 'Test', host: new URL(receiver.url).host, topic: 'tracking' };
    expect(notices).toMatchObject([
      { type: 'notice.endpoint_failing', data: { endpoint, percent: 50 } },
      { type: 'notice.endpoint_failing', data: { endpoint, percent: 70 } },
      { type: 'notice.endpoint_failing', data: { endpoint, percent: 90 } },
      { type: 'notice.endpoint_disabled', data: { endpoint, reason: 'failing' } },
    ]);
    expect(new Set(notices.map(({ company }) => company.id))).toEqual(new Set([caller.companyId]));
    const { failingSince, disabledAfter } = notices[0]?.data ?? {};
    expect(Date.parse(disabledAfter) - Date.parse(failingSince)).toBe(5 * DAY);
    expect(await webhook(caller, endpointId)).toMatchObject({ state: 'disabled' });
  });

  test('causes one notice when it succeeds, and further notices when it fails again', async () => {
    const failing = await open({ status: 503 });
    const { caller, endpointId, receiver } = failing;
    const told = await listen(caller);
    await breakDown(caller, endpointId);
    await tryAfter(world, 3 * DAY, failing);
    await told.first(1);
    receiver.answer({});
    await failing.pass(HOUR);
    expect(kindsOf(await told.first(2))).toEqual(['endpoint_failing', 'endpoint_recovered']);
    await eventually(() => webhook(caller, endpointId), { state: 'active' });
    await once(caller, (await sendTest(caller, endpointId)).id, { status: 'success' });
    receiver.answer({ status: 500 });
    await breakDown(caller, endpointId);
    await tryAfter(world, 3 * DAY, failing);
    expect(kindsOf(await told.first(3))).toEqual(['endpoint_failing', 'endpoint_recovered', 'endpoint_failing']);
  });
});
