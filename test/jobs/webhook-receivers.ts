// Receivers of webhooks, and the endpoints that lead to them.
import type pg from 'pg';
import { afterEach, expect } from 'vitest';
import type { App } from '../../src/app.ts';
import { deliveries as deliveriesQueue } from '../../src/domain/exchange/webhooks/webhooks.queues.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { REACHABLE, type Receiver, startReceiver } from '../support/receiver.ts';
import { startProcess } from '../support/second-process.ts';
import { type Caller, useWorld, type World } from '../support/world.ts';
import { createWebhook, deleteWebhook, pauseWebhook, sendTest, webhook } from './webhooks.ts';

/** No job is left for an endpoint. */
export async function expectNoJobs(pool: pg.Pool, endpointId: string): Promise<void> {
  const { rows } = await pool.query(
    `select name, state from pgboss.job where data ->> 'endpointId' = $1 and state < 'completed' and name = 'webhooks.deliver'`,
    [endpointId],
  );
  expect(rows).toEqual([]);
}

/**
 * Each came once, the oldest, 0, first. Ten are in hand at a time and may overtake each other, and all the others overtake
 * one that the machine holds up for a moment, of which there are few.
 */
export function expectInOrder(ages: readonly number[]): void {
  expect(ages.toSorted((a, b) => a - b)).toEqual(ages.map((_, i) => i));
  const astray = ages.filter((age, place) => Math.abs(age - place) > 20);
  expect(astray.length, `not in their places: ${astray}`).toBeLessThanOrEqual(ages.length / 100);
}

interface Filling {
  readonly count: number;
  readonly status?: 'pending' | 'failed';
  /** When they are due; at once by default. */
  readonly startAfter?: Date;
}

/** As many deliveries to an endpoint, waiting or given up, with their jobs; answers their events' ids. */
export async function fill(of: World, caller: Caller, endpointId: string, filling: Filling) {
  const { count, status = 'pending', startAfter } = filling;
  const companyId = caller.companyId as CompanyId;
  const { rows } = await of.pool.query<{ id: string; eventId: string }>(
    `with told as (
        insert into webhook_event (company_id, id, type, sequence, body)
          select $1, gen_random_uuid(), 'tracking.in_transit', 0, '{}' from generate_series(1, $3) returning id
      )
      insert into webhook_delivery (company_id, event_id, endpoint_id, status, next_attempt_at)
        select $1, id, $2, $4, case when $4 = 'pending' then now() end from told returning id::text, event_id as "eventId"`,
    [companyId, endpointId, count, status],
  );
  const jobs = rows.map(({ id }) => ({
    data: { companyId, deliveryId: id, endpointId, ticket: 1 },
    group: endpointId,
    startAfter,
  }));
  await of.app.database.transaction(async em => {
    if (status === 'failed') await of.app.jobs.insertDeadLetters(em, deliveriesQueue, jobs);
    else await of.app.jobs.insert(em, deliveriesQueue, jobs);
  });
  return rows.map(({ eventId }) => eventId);
}

/** A world with receivers that are closed after each test. */
export function useWebhookReceivers() {
  const world = useWorld(REACHABLE);
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });

  /** A receiver for one test. */
  async function receive(how?: Parameters<Receiver['answer']>[0], tls?: { key: string; cert: string }) {
    const receiver = await startReceiver(tls && { tls });
    closers.push(() => receiver.close());
    if (how) receiver.answer(how);
    return receiver;
  }

  /** An endpoint for one test. */
  async function open(caller: Caller, url: string, events?: readonly string[]) {
    const made = await createWebhook(caller, url, events);
    closers.push(() => deleteWebhook(caller, made.id));
    return made;
  }

  /** Stops an endpoint whose receiver hangs, and expects the connections to be closed at once. */
  async function stopWhileHanging(caller: Caller, stop: Caller, receiver: Receiver, how: 'delete' | 'pause') {
    const { id } = await open(caller, receiver.url);
    receiver.hang();
    const sent = [await sendTest(caller, id), await sendTest(caller, id)];
    const requests = await receiver.waitFor(2);
    expect(await webhook(caller, id)).toMatchObject({ state: 'active' });
    await (how === 'delete' ? deleteWebhook : pauseWebhook)(stop, id);
    const stoppedAt = Date.now();
    for (const request of requests) {
      const { at, answered } = await request.closed;
      expect(answered).toBe(false);
      expect(at - stoppedAt).toBeLessThan(200);
    }
    return { id, sent };
  }

  /** Milliseconds that each of some deliveries to another endpoint takes. */
  async function timesOf(caller: Caller): Promise<number[]> {
    const receiver = await receive();
    const { id } = await open(caller, receiver.url);
    const times: number[] = [];
    for (let i = 0; i < 20; i++) {
      const { eventId } = await sendTest(caller, id);
      const sentAt = Date.now();
      const [request] = await receiver.waitFor(1, ({ json }) => json.id === eventId);
      times.push((request?.at ?? Number.POSITIVE_INFINITY) - sentAt);
    }
    return times;
  }

  return {
    world,
    closers,
    receive,
    open,
    timesOf,
    stopWhileHanging,
  };
}

/** Starts processes that can reach receivers, which stop with their test. */
export function useWebhookProcesses() {
  const processes: App[] = [];
  afterEach(async () => {
    await Promise.all(processes.splice(0).map(app => app.stop()));
  });
  return async (of: World, role: 'api' | 'worker') => {
    const app = await startProcess(of, { ROLE: role, ...REACHABLE });
    processes.push(app);
    return app;
  };
}
