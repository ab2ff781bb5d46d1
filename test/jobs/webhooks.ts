import { afterAll, expect, vi } from 'vitest';
import { readGlobalId } from '../../src/graphql/node-id.ts';
import { SCHEDULES } from '../../src/migrate.ts';
import { withBoss } from '../support/boss.ts';
import { ask, listed } from '../support/platform-side.ts';
import { type Answering, type Receiver, startReceiver } from '../support/receiver.ts';
import { RETENTION } from '../support/retention.ts';
import { passTime } from '../support/time.ts';
import type { Caller, World } from '../support/world.ts';

/** The value once it is as expected. Tests that run beside each other cannot use `expect.poll`. */
export function eventually<Found>(look: () => Promise<Found>, expected: object, timeout = 10_000): Promise<Found> {
  const found = async () => {
    const value = await look();
    expect(value).toMatchObject(expected);
    return value;
  };
  return vi.waitFor(found, { timeout, interval: 20 });
}

/** Companies with an endpoint and its receiver, and their database, for all tests of a file. */
export function useEndpoints(world: World) {
  const receivers: Receiver[] = [];
  afterAll(async () => {
    await Promise.all(receivers.map(receiver => receiver.close()));
  });
  /** A company with an endpoint and its receiver; time passes for it alone. */
  const open = async (how: Answering = {}, events?: readonly string[]) => {
    const caller = await world.company();
    const receiver = await startReceiver();
    receivers.push(receiver);
    receiver.answer(how);
    const { id: endpointId } = await createWebhook(caller, receiver.url, events);
    const pass = (ms: number) => passTime(world.pool, ms, caller.companyId);
    return { caller, receiver, endpointId, pass };
  };
  return { open };
}

type Graph = Pick<Caller, 'graphql'>;

/** The key of a delivery in its table, which its jobs name it by. */
export const deliveryKey = (id: string) => readGlobalId(id)?.key ?? '';

export interface Attempt {
  readonly number: number;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly outcome: string;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly nextAttemptAt: string | null;
}

export interface Delivery {
  readonly id: string;
  readonly databaseId: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly sequence: number;
  readonly body: string;
  readonly status: string;
  readonly attemptCount: number;
  readonly isHeldBack: boolean;
  readonly nextAttemptAt: string | null;
  readonly deliveredAt: string | null;
  readonly attempts: readonly Attempt[];
}

const DELIVERY = `id databaseId eventId eventType sequence body status attemptCount isHeldBack nextAttemptAt deliveredAt
  attempts { nodes { number startedAt durationMs outcome responseStatus responseBody nextAttemptAt } }`;

export interface Webhook {
  readonly id: string;
  readonly secret: string;
}

interface WithSecret {
  readonly webhookEndpoint: { readonly id: string };
  readonly secret: string;
}

/** Creates an endpoint that receives everything by default. */
export async function createWebhook(
  caller: Graph,
  url: string,
  events: readonly string[] = ['tracking.*'],
): Promise<Webhook> {
  const { webhookEndpoint, secret } = await ask<WithSecret>(
    caller,
    'mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { webhookEndpoint { id } secret userErrors { code pointer message } } }',
    { input: { label: 'Test', url, events } },
  );
  return { id: webhookEndpoint.id, secret };
}

export interface Endpoint {
  readonly state: string;
  readonly isActive: boolean;
  readonly disabledReason: string | null;
  readonly failingSince: string | null;
}

const ENDPOINT = 'id state isActive disabledReason failingSince';

export function webhook(caller: Graph, id: string): Promise<Endpoint> {
  return ask(caller, `query ($id: ID!) { webhookEndpoint(id: $id) { ${ENDPOINT} } }`, { id });
}

const change = (field: string) => (caller: Graph, id: string) =>
  ask<Endpoint>(
    caller,
    `mutation ($id: ID!) { ${field}(input: { id: $id }) { webhookEndpoint { ${ENDPOINT} } userErrors { code pointer message } } }`,
    { id },
  );

export const deleteWebhook = change('deleteWebhookEndpoint');
export const pauseWebhook = change('pauseWebhookEndpoint');
export const resumeWebhook = change('resumeWebhookEndpoint');

export async function rotateSecret(caller: Graph, id: string): Promise<Webhook> {
  const { secret } = await ask<WithSecret>(
    caller,
    'mutation ($id: ID!) { rotateWebhookSecret(input: { id: $id }) { webhookEndpoint { id } secret userErrors { code pointer message } } }',
    { id },
  );
  return { id, secret };
}

/** Sends an example event. */
export function sendTest(caller: Graph, endpointId: string, type?: string): Promise<Delivery> {
  return ask(
    caller,
    `mutation ($endpointId: ID!, $type: WebhookEventType) { sendTestEvent(input: { endpointId: $endpointId, type: $type }) { webhookDelivery { ${DELIVERY} } userErrors { code pointer message } } }`,
    { endpointId, ...(type !== undefined && { type }) },
  );
}

export function delivery(caller: Graph, id: string): Promise<Delivery> {
  return ask(caller, `query ($id: ID!) { webhookDelivery(id: $id) { ${DELIVERY} } }`, { id }).then(listed<Delivery>);
}

/** An endpoint's deliveries, oldest first. */
export async function deliveries(caller: Graph, endpointId: string): Promise<Delivery[]> {
  const found = await ask(
    caller,
    `query ($id: ID!) { webhookEndpoint(id: $id) { deliveries(first: 250) { edges { node { ${DELIVERY} } } } } }`,
    { id: endpointId },
  );
  const shown = listed<{ deliveries: { edges: { node: Delivery }[] } }>(found);
  return shown.deliveries.edges.map(({ node }) => node).toReversed();
}

/** A delivery once it has got so far. */
export function once(caller: Graph, id: string, is: Partial<Delivery>): Promise<Delivery> {
  return eventually(() => delivery(caller, id), is);
}

let inTurn: Promise<unknown> = Promise.resolve();

/** Does the work of a schedule at once: workers look for it every two seconds. One follows the other, as in a worker. */
export async function runSchedule(world: Pick<World, 'app'>, queue: string): Promise<void> {
  inTurn = inTurn.catch(() => undefined).then(() => scheduledWork(world, queue));
  await inTurn;
}

/** Does the work of a schedule beside other calls, as workers do that take the job twice. */
export async function scheduledWork({ app }: Pick<World, 'app'>, queue: string): Promise<void> {
  const schedule = SCHEDULES.find(one => one.queue === queue);
  if (schedule === undefined) throw new Error(`There is no schedule ${queue}`);
  const { database, jobs, log, metrics, url } = app;
  const housekeeping = { database, jobs, log, metrics, publicUrl: url, retention: RETENTION };
  await schedule.work(housekeeping);
}

/** Has a worker do the work of a schedule, as the clock does, and waits until it is done. */
export async function sendSchedule(world: World, queue: string): Promise<void> {
  // Without data, as the clock sends it.
  const id = await withBoss(world, boss => boss.send(queue));
  const job = async () => (await world.pool.query('select state from pgboss.job where id = $1', [id])).rows[0];
  await eventually(job, { state: 'completed' });
}
