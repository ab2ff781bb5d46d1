import { describe, expect, test } from 'vitest';
import { REACHABLE } from '../support/receiver.ts';
import { DAY } from '../support/time.ts';
import { useWorld } from '../support/world.ts';
import { breakDown, tryAfter } from './failing-endpoints.ts';
import { useNotices } from './notice-calls.ts';
import { delivery, eventually, once, resumeWebhook, sendTest, useEndpoints, webhook } from './webhooks.ts';

/** Notices about the health of endpoints to other endpoints of the company. */

const world = useWorld(REACHABLE);
const { open } = useEndpoints(world);
const { listen } = useNotices();

describe.concurrent('An endpoint that only fails', { timeout: 60_000 }, () => {
  test('causes one notice for the highest percentage if it passes several at once', async () => {
    const failing = await open({ status: 503 });
    const told = await listen(failing.caller);
    await breakDown(failing.caller, failing.endpointId);
    await tryAfter(world, 4.6 * DAY, failing);
    await told.first(1);
    await failing.pass(DAY);
    expect((await told.first(2)).map(({ type, data }) => [type, data.percent])).toEqual([
      ['notice.endpoint_failing', 90],
      ['notice.endpoint_disabled', undefined],
    ]);
  });

  test('causes a notice when it succeeds after it was disabled and resumed', async () => {
    const failing = await open({ status: 410 });
    const { caller, endpointId, receiver } = failing;
    const told = await listen(caller);
    await sendTest(caller, endpointId);
    expect(await told.first(1)).toMatchObject([{ type: 'notice.endpoint_disabled', data: { reason: 'gone' } }]);
    receiver.answer({});
    await resumeWebhook(caller, endpointId);
    await eventually(() => webhook(caller, endpointId), { state: 'active' });
    expect(told.soFar()).toHaveLength(1);
    await once(caller, (await sendTest(caller, endpointId)).id, { status: 'success' });
    expect(await told.first(2)).toMatchObject([
      {},
      { type: 'notice.endpoint_recovered', data: { endpoint: { id: endpointId } } },
    ]);
    await once(caller, (await sendTest(caller, endpointId)).id, { status: 'success' });
    expect(told.soFar()).toHaveLength(2);
  });

  test('causes no notice to itself, to endpoints that are not subscribed, or to other companies', async () => {
    const { caller } = await open();
    const gone = await listen(caller);
    const [other, unconcerned, stranger] = [
      await listen(caller, ['notice.endpoint_disabled']),
      await listen(caller, ['notice.key_expiring', 'notice.endpoint_recovered']),
      await listen(await world.company()),
    ];
    gone.receiver.answer({ status: 410 });
    const sent = await sendTest(caller, gone.id);
    expect(await other.first(1)).toMatchObject([
      { type: 'notice.endpoint_disabled', data: { endpoint: { id: gone.id, topic: 'notices' } } },
    ]);
    expect(await delivery(caller, sent.id)).toMatchObject({ status: 'failed', eventType: 'notice.endpoint_failing' });
    const { rows } = await world.pool.query(
      `select d.endpoint_id as id from webhook_delivery d join webhook_event e on e.company_id = d.company_id and e.id = d.event_id
        where e.company_id = $1 and e.sequence > 0`,
      [caller.companyId],
    );
    expect(rows).toEqual([{ id: other.id }]);
    expect([unconcerned.soFar(), stranger.soFar()]).toEqual([[], []]);
  });

  test("causes a notice to an endpoint of the operator's company, which receives the notices of all companies", async () => {
    const [operator, failing] = [await world.company(), await open({ status: 410 })];
    const [all, own, ofOperator] = [await listen(operator), await listen(failing.caller), await listen(operator)];
    await world.pool.query('update webhook_endpoint set all_companies = true where id = $1', [all.id]);
    await sendTest(failing.caller, failing.endpointId);
    const about = { type: 'notice.endpoint_disabled', data: { endpoint: { id: failing.endpointId } } };
    const isIt = ({ json }: { json: { data: { endpoint: { id: string } } } }) =>
      json.data.endpoint.id === failing.endpointId;
    const [atOperator] = await all.receiver.waitFor(1, isIt);
    const [notice] = await own.first(1);
    expect(notice).toMatchObject(about);
    expect(atOperator?.json).toEqual(notice);
    expect(atOperator?.json.company.id).toBe(failing.caller.companyId);
    // Sent once, and not to the other endpoints of the operator's company.
    await eventually(
      async () => {
        const { rows } = await world.pool.query(
          `select count(*)::integer as open from pgboss.job where name = 'webhooks.notices' and state < 'completed'`,
        );
        return rows[0];
      },
      { open: 0 },
    );
    expect(all.receiver.requests.filter(isIt)).toHaveLength(1);
    expect(ofOperator.soFar()).toEqual([]);
  });
});
