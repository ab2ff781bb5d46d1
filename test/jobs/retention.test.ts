import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { RETENTION_RULES } from '../../src/migrate.ts';
import { figure } from '../support/metrics.ts';
import { removeOld } from '../support/retention.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { createWebhook, pauseWebhook, runSchedule } from './webhooks.ts';

/** Rows that are deleted with age: all by one schedule, which counts them. */

const world = useWorld();
const DAY_SECONDS = 86_400;
let caller: Caller;
let endpointId: string;

beforeAll(async () => {
  caller = await world.company();
  endpointId = (await createWebhook(caller, 'https://example.com/')).id;
  await pauseWebhook(caller, endpointId);
});

/** Inserts events of one moment with a delivery each; those that wait are parked. */
async function insertEvents(count: number, days: number, status: 'success' | 'pending'): Promise<void> {
  await world.pool.query(
    `with told as (
        insert into webhook_event (company_id, id, type, sequence, body, created_at)
          select $1, gen_random_uuid(), 'tracking.delay', 0, '{}', date_trunc('day', now()) - make_interval(days => $4)
            from generate_series(1, $3) returning id, created_at
      ), deliveries as (
        insert into webhook_delivery (company_id, event_id, endpoint_id, status, parked)
          select $1, id, $2, $5, $5 = 'pending' from told returning id
      )
      insert into webhook_attempt (company_id, delivery_id, number, started_at, duration_ms, outcome)
        select $1, d.id, 1, created_at, 1, 'delivered' from deliveries d cross join (select created_at from told limit 1) t`,
    [caller.companyId, endpointId, count, days, status],
  );
}

const count = async (table: string) =>
  Number(
    (await world.pool.query(`select count(*) from ${table} where company_id = $1`, [caller.companyId])).rows[0].count,
  );

test('One schedule deletes expired rows, and the metrics show deleted and oldest rows', async () => {
  await insertEvents(3, 40, 'success');
  await insertEvents(2, 20, 'success');
  await world.pool.query(
    `insert into idempotent_request (company_id, api_key_id, route, idempotency_key, claim, request, claimed_at)
      select $1, $2, 'route', hours, $3, '', now() - hours * interval '1 hour' from generate_series(20, 30, 5) hours`,
    [caller.companyId, caller.apiKeyId, randomUUID()],
  );
  await runSchedule(world, 'retention.run');
  expect([await count('webhook_event'), await count('webhook_delivery'), await count('webhook_attempt')]).toEqual([
    2, 2, 2,
  ]);
  expect(await count('idempotent_request')).toBe(1);
  const { metrics } = world.app;
  const removed = (table: string) => figure(metrics, `shipping_retention_removed_rows_total{table="${table}"}`);
  expect([
    await removed('webhook_attempt'),
    await removed('webhook_event'),
    await removed('idempotent_request'),
  ]).toEqual([3, 3, 2]);
  const oldest = await figure(metrics, 'shipping_retention_oldest_seconds{table="webhook_attempt"}');
  expect(oldest / DAY_SECONDS).toBeGreaterThanOrEqual(20);
  expect(oldest / DAY_SECONDS).toBeLessThan(21.5);
  expect(await figure(metrics, 'shipping_retention_kept_seconds{table="webhook_attempt"}')).toBe(30 * DAY_SECONDS);
  // Rows that are kept indefinitely have no age to watch.
  expect(await metrics.text()).not.toContain('shipping_retention_oldest_seconds{table="tracking_event"}');
});

test('Events that wait for their endpoint do not stop the deletion of newer events', async () => {
  const before = await count('webhook_event');
  // Rows of the same moment as deletable ones, and more than the largest batch has.
  await insertEvents(600, 41, 'pending');
  await insertEvents(250, 41, 'success');
  await insertEvents(50, 40, 'success');
  expect(await removeOld(world, { table: 'webhook_event' })).toEqual({ webhook_event: 300 });
  expect(await count('webhook_event')).toBe(before + 600);
});

test('Changes that a killed run marked as expired are shown as old, and deleted by the next run', async () => {
  const { companyId } = await world.company();
  // As that run leaves them, of a company that has no others.
  await world.pool.query(
    `with counted as (insert into tracking_change_count (company_id, last, forgotten) values ($1, 8, 8))
      insert into tracking_change (company_id, number, kind, shipment_id, at)
        select $1, n, 'updated', 1, date_trunc('day', now()) - interval '91 days' from generate_series(6, 8) n`,
    [companyId],
  );
  const oldest = await RETENTION_RULES.find(({ table }) => table === 'tracking_change')?.oldest(world.app.database);
  expect((Date.now() - (oldest?.getTime() ?? Date.now())) / 1_000).toBeGreaterThan(90 * DAY_SECONDS);
  expect(await removeOld(world, { table: 'tracking_change' })).toEqual({ tracking_change: 3 });
});
