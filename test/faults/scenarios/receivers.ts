import { setTimeout } from 'node:timers/promises';
import type { Arena } from '../service/arena.ts';
import type { Scenario } from '../service/scenario.ts';
import { FAILURES } from '../service/unreliable-server.ts';
import { WebhookReceiver } from '../service/webhooks.ts';

/** Receivers of webhooks fail, each in a way of its own, while another one takes everything. */

const FAILING_MS = 8_000;
/** An endpoint that failed is tried again after pauses that grow, so it hears of everything later than others. */
const LAST_WEBHOOK_MS = 90_000;
const LOOK_MS = 100;
const EVENTS = ['TRACKING_PICKUP_POINT', 'TRACKING_DELAY'] as const;
const STATUSES = ['PICKUP_POINT', 'DELAYED'];

interface Failing {
  readonly failure: (typeof FAILURES)[number];
  readonly receiver: WebhookReceiver;
  readonly endpoint: string;
}

const CREATE = `mutation ($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) { webhookEndpoint { uuid } userErrors { code } } }`;
const DELETE = `mutation ($input: DeleteWebhookEndpointInput!) {
  deleteWebhookEndpoint(input: $input) { userErrors { code } } }`;

let failing: Failing[] = [];

async function prepare({ load }: Arena): Promise<void> {
  load.resume();
  for (const failure of FAILURES) {
    const receiver = await WebhookReceiver.start();
    const input = { label: failure, url: receiver.url, events: EVENTS };
    const { body } = await load.client.acknowledged(load.client.graphql('createWebhookEndpoint', CREATE, { input }));
    failing.push({ failure, receiver, endpoint: body.data.createWebhookEndpoint.webhookEndpoint.uuid });
  }
  await load.pause();
  for (const { receiver } of failing) load.receivers.push({ receiver, statuses: STATUSES });
}

/** Webhooks that a receiver did not get, although it works again. */
async function missed(): Promise<string[]> {
  const until = performance.now() + LAST_WEBHOOK_MS;
  const areMissing = () => failing.some(({ receiver }) => receiver.missing > 0);
  while (areMissing() && performance.now() < until) await setTimeout(LOOK_MS);
  return failing
    .filter(({ receiver }) => receiver.missing > 0)
    .map(
      ({ failure, receiver }) => `the receiver that failed by "${failure}" did not get ${receiver.missing} webhooks`,
    );
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
      await Promise.all(failing.map(({ failure, receiver }) => receiver.fail(failure)));
      await setTimeout(FAILING_MS);
      await Promise.all(failing.map(({ receiver }) => receiver.fail(undefined)));
      return { kills: 0 };
    },
    check: missed,
    tidy,
  },
];
