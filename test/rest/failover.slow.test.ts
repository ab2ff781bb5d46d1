import { afterEach, describe, expect, test, vi } from 'vitest';
import type { App } from '../../src/app.ts';
import { WAREHOUSE } from '../support/platform-side.ts';
import { restClient } from '../support/rest-client.ts';
import { crowd, useFailovers, useSwallowingLine } from './failovers.ts';
import { send } from './raw-http.ts';

const given = useFailovers();
const { world, heard, startApp, lockedWarehouse } = given;

describe('After a failover that swallows every connection without closing it', () => {
  const QUERY_MS = 500;
  const way = useSwallowingLine(world);
  let app: App;
  afterEach(() => app?.stop());

  test('transactions wait for their deadline once, and return their places in the pool', async () => {
    app = await startApp(way.line.url, { queryMs: QUERY_MS }, { ROLE: 'api', DATABASE_POOL_SIZE: '2' });
    const rest = restClient(app.url, { 'x-api-key': given.caller.apiKey });
    const { id } = (await rest('POST', '/warehouses', WAREHOUSE)).body;
    const change = () => rest('PATCH', `/warehouses/${id}`, { name: 'Nuovo' });
    const holder = await lockedWarehouse(id);
    const startedAt = performance.now();
    const underWay = change();
    await holder.hasWaiter();
    way.line.swallow();
    expect((await underWay).status).toBe(503);
    // A rollback behind an unanswered statement would wait as long again.
    expect(performance.now() - startedAt).toBeLessThan(2 * QUERY_MS);
    await holder.release();
    // The server, which hears of nothing, gives the locks of the lost transaction back.
    await vi.waitFor(async () => expect((await change()).status).toBe(200), { timeout: 10_000 });
    way.line.swallow();
    // Also where it is the first statement of a transaction that has no answer, if none before it had none.
    expect([503, 200]).toContain((await change()).status);
    expect((await change()).status).toBe(200);
  });

  test('jobs, notifications and keys that were never used before work again', async () => {
    const heartbeat = { everyMs: 100, deadlineMs: QUERY_MS };
    app = await startApp(way.line.url, { queryMs: QUERY_MS, heartbeat });
    await crowd(restClient(app.url, { 'x-api-key': given.caller.apiKey }));
    const cold = await world.key(given.caller.companyId);
    way.line.swallow();
    heard.length = 0;
    await vi.waitFor(
      async () => {
        const answers = await crowd(restClient(app.url, { 'x-api-key': cold.apiKey }), 4);
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
        expect((await send(app.url, { path: '/readyz' })).status).toBe(200);
        expect(heard).toContainEqual(expect.stringContaining('notification connection made again'));
        // Written by a job.
        const used = 'select last_used_at from api_key where id = $1 and last_used_at is not null';
        expect((await world.app.database.pool.query(used, [cold.apiKeyId])).rowCount).toBe(1);
      },
      { timeout: 15_000, interval: 50 },
    );
  });
});
