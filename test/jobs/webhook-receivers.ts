// Receivers of webhooks, and the endpoints that lead to them.
import type pg from 'pg';
import { afterEach, expect } from 'vitest';
import { REACHABLE, type Receiver, startReceiver } from '../support/receiver.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { createWebhook, deleteWebhook, pauseWebhook, sendTest, webhook } from './webhooks.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** No job is left for an endpoint. */
export async function expectNoJobs(pool: pg.Pool, endpointId: string): Promise<void> {
  const { rows } = await pool.query(
    `select name, state from pgboss.job where data ->> 'endpointId' = $1 and state < 'completed' and name = 'webhooks.deliver'`,
    [endpointId],
  );
  expect(rows).toEqual([]);
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

  return {
    world,
    closers,
    receive,
    open,
    stopWhileHanging,
  };
}
