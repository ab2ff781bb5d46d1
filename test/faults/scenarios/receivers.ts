import { setTimeout } from 'node:timers/promises';
import { keyOf } from '../../support/global-id.ts';
import { query } from '../fault-tools.ts';
import type { Arena } from '../service/arena.ts';
import type { Scenario } from '../service/scenario.ts';
import { FAILURES, type Failure } from '../service/unreliable-server.ts';
import { WebhookReceiver } from '../service/webhooks.ts';

/** Receivers of webhooks fail, each in ways of its own, while another one takes everything. */

/** A company has ten active endpoints at most, and the load has some of them: each fails in two ways, one after the other. */
const RECEIVERS_COUNT = FAILURES.length / 2;
const FAILING_MS = 5_000;
/** An endpoint that failed is tried again after pauses that grow, so it hears of everything later than others. */
const LAST_WEBHOOK_MS = 30_000;
const LOOK_MS = 100;
const EVENTS = ['TRACKING_PICKUP_POINT', 'TRACKING_DELAY'] as const;
const STATUSES = ['PICKUP_POINT', 'DELAYED'];

interface Failing {
  readonly failures: readonly [Failure, Failure];
  readonly receiver: WebhookReceiver;
  readonly endpoint: string;
}

const CREATE = `mutation ($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) { webhookEndpoint { id } userErrors { code } } }`;
const DELETE = `mutation ($input: DeleteWebhookEndpointInput!) {
  deleteWebhookEndpoint(input: $input) { userErrors { code } } }`;

const KEPT = `select count(*)::integer as count from webhook_delivery where endpoint_id = $1 and status in ('pending', 'retrying')`;

let failing: Failing[] = [];

async function prepare({ load }: Arena): Promise<void> {
  load.resume();
  for (const [i, first] of FAILURES.slice(0, RECEIVERS_COUNT).entries()) {
    const failures = [first, FAILURES[RECEIVERS_COUNT + i] ?? first] as const;
    const receiver = await WebhookReceiver.start();
    const input = { label: failures.join(), url: receiver.url, events: EVENTS };
    const { body } = await load.client.acknowledged(load.client.graphql('createWebhookEndpoint', CREATE, { input }));
    failing.push({ failures, receiver, endpoint: body.data.createWebhookEndpoint.webhookEndpoint.id });
  }
  await load.pause();
  for (const { receiver } of failing) load.receivers.push({ receiver, statuses: STATUSES });
}

/**
 * Webhooks that a receiver did not get, although it works again, and that nothing will send. One that failed twice is
 * tried again after five minutes, which is longer than this waits: it must be kept for that.
 */
async function missed({ postgres }: Arena): Promise<string[]> {
  const until = performance.now() + LAST_WEBHOOK_MS;
  const areMissing = () => failing.some(({ receiver }) => receiver.missing > 0);
  while (areMissing() && performance.now() < until) await setTimeout(LOOK_MS);
  const found: string[] = [];
  for (const { failures, receiver, endpoint } of failing) {
    const [kept] = await query<{ count: number }>(postgres.url, KEPT, [keyOf(endpoint)]);
    const lost = receiver.missing - (kept?.count ?? 0);
    if (lost > 0) found.push(`the receiver that failed by "${failures.join('" and "')}" will not get ${lost} webhooks`);
  }
  return found;
}

async function tidy({ load }: Arena): Promise<void> {
  load.receivers.splice(0, load.receivers.length, ...load.receivers.filter(({ statuses }) => statuses === undefined));
  load.resume();
  for (const { endpoint, receiver } of failing) {
    const input = { id: endpoint };
    await load.client.acknowledged(load.client.graphql('deleteWebhookEndpoint', DELETE, { input }));
    receiver.close();
  }
  await load.pause();
  failing = [];
}

export const RECEIVERS: readonly Scenario[] = [
  {
    name: 'receivers fail in each way',
    allows: [],
    prepare,
    inflict: async () => {
      for (const turn of [0, 1] as const) {
        await Promise.all(failing.map(({ failures, receiver }) => receiver.fail(failures[turn])));
        await setTimeout(FAILING_MS);
      }
      await Promise.all(failing.map(({ receiver }) => receiver.fail(undefined)));
      return { kills: 0 };
    },
    check: missed,
    tidy,
  },
];
