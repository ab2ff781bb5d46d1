// Operations on webhook endpoints and their deliveries.
import { Webhook } from 'standardwebhooks';
import { beforeAll, expect, vi } from 'vitest';
import type { Delivery as JobsDelivery } from '../jobs/webhooks.ts';
import {
  ask,
  askNodes,
  connectCarrier,
  type Item,
  listed,
  outcomes,
  recordEvents,
  shipment,
  upsertShipments,
} from '../support/platform-side.ts';
import { REACHABLE, type Received, useReceiver } from '../support/receiver.ts';
import { type Caller, useWorld } from '../support/world.ts';

/** How long to wait for an event that is due soon. */
export const SOON = { timeout: 20_000 };

export interface Delivery extends JobsDelivery {
  readonly endpoint: { readonly id: string };
  readonly number: number | null;
  readonly createdAt: string;
}

export interface Endpoint {
  readonly id: string;
  readonly label: string;
  readonly url: string;
  readonly secretLast4: string;
  readonly events: readonly string[];
  readonly isActive: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly disabledAt: string | null;
  readonly disabledReason: string | null;
  readonly pausedAt: string | null;
  readonly failingSince: string | null;
  readonly state: string;
  readonly lastDelivery: { readonly status: string } | null;
}

export interface WithSecret {
  readonly webhookEndpoint: Endpoint;
  readonly secret: string;
}

export const DELIVERY = `id databaseId endpoint { id } eventId eventType sequence number body status attemptCount
  attempts { nodes { number startedAt durationMs outcome responseStatus responseBody nextAttemptAt } }
  isHeldBack nextAttemptAt deliveredAt createdAt`;
const ENDPOINT = `id label url secretLast4 events isActive createdAt updatedAt disabledAt disabledReason pausedAt failingSince
  state lastDelivery { status deliveredAt createdAt }`;

export const CREATE = `mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { webhookEndpoint { ${ENDPOINT} } secret userErrors { code pointer message } } }`;
export const UPDATE = `mutation ($input: UpdateWebhookEndpointInput!) { updateWebhookEndpoint(input: $input) { webhookEndpoint { ${ENDPOINT} } userErrors { code pointer message } } }`;
export const DELETE = `mutation ($id: ID!) { deleteWebhookEndpoint(input: { id: $id }) { webhookEndpoint { ${ENDPOINT} } userErrors { code pointer message } } }`;
export const PAUSE = `mutation ($id: ID!) { pauseWebhookEndpoint(input: { id: $id }) { webhookEndpoint { ${ENDPOINT} } userErrors { code pointer message } } }`;
export const RESUME = `mutation ($id: ID!) { resumeWebhookEndpoint(input: { id: $id }) { webhookEndpoint { ${ENDPOINT} } userErrors { code pointer message } } }`;
export const ROTATE = `mutation ($id: ID!) { rotateWebhookSecret(input: { id: $id }) { webhookEndpoint { ${ENDPOINT} } secret userErrors { code pointer message } } }`;
export const TEST = `mutation ($id: ID!, $type: WebhookEventType) { sendTestEvent(input: { endpointId: $id, type: $type }) { webhookDelivery { ${DELIVERY} } userErrors { code pointer message } } }`;
export const REDELIVER = `mutation ($id: ID!) { redeliver(input: { deliveryId: $id }) { webhookDelivery { ${DELIVERY} } userErrors { code pointer message } } }`;
export const REPLAY = `mutation ($id: ID!, $since: DateTime!, $until: DateTime!, $events: [WebhookSubscription!]) {
  replayDeliveries(input: { endpointId: $id, since: $since, until: $until, events: $events }) { count userErrors { code pointer message } }
}`;
export const ENDPOINTS = `{ webhookEndpoints { nodes { ${ENDPOINT} } } }`;
export const BY_ID = `query ($id: ID!) { webhookEndpoint(id: $id) { ${ENDPOINT} } }`;
export const DELIVERY_BY_ID = `query ($id: ID!) { webhookDelivery(id: $id) { ${DELIVERY} } }`;
export const DELIVERIES = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String,
    $status: [WebhookDeliveryStatus!], $since: DateTime) {
  webhookEndpoint(id: $id) {
    deliveries(first: $first, after: $after, last: $last, before: $before, statuses: $status, since: $since) {
      edges { cursor node { ${DELIVERY} } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
}`;

export const byId = (by: Caller, id: string) => ask<Endpoint>(by, BY_ID, { id });
export const delivery = (by: Caller, id: string) => ask(by, DELIVERY_BY_ID, { id }).then(listed<Delivery>);

export interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: Delivery }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

export async function page(by: Caller, id: string, args: Item = {}): Promise<Page> {
  return listed<{ deliveries: Page }>(await ask(by, DELIVERIES, { id, ...args })).deliveries;
}

/** Deliveries of an endpoint, oldest first. */
export async function deliveries(by: Caller, id: string, args: Item = {}): Promise<Delivery[]> {
  return (await page(by, id, { first: 250, ...args })).edges.map(({ node }) => node).toReversed();
}

/** A delivery once it is in a state. */
export function settled(by: Caller, id: string, status = 'success'): Promise<Delivery> {
  return vi.waitUntil(async () => {
    const one = await delivery(by, id);
    return one.status === status && one;
  }, SOON);
}

/** Minute `minute` of an hour. */
export const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 9, minute)).toISOString();

export const told = (trackingNumber: string, minute: number, statusCode: string, fields: Item = {}): Item => ({
  trackingNumber,
  occurredAt: at(minute),
  statusCode,
  ...fields,
});

/** New shipments that are shipped, in one batch. */
export async function ship(by: Caller, connection: number, ...numbers: string[]) {
  expect(
    outcomes(
      await upsertShipments(
        by,
        numbers.map(number => shipment(connection, number)),
      ),
    ),
  ).not.toContain('rejected');
  await record(by, ...numbers.map(number => told(number, 0, 'shipped')));
}

export async function record(by: Caller, ...events: Item[]) {
  expect(outcomes(await recordEvents(by, events))).toEqual(events.map(() => 'created'));
}

/** The rest of a delivery's body: its shipment. */
export const numberOf = ({ body }: Delivery) => JSON.parse(body).data.trackingNumber as string;
export const idOf = ({ headers }: Received) => headers['webhook-id'];

/** Whether a request was signed with a secret, by the published library. */
export function verifies({ body, headers }: Received, secret: string): boolean {
  try {
    new Webhook(secret).verify(body.toString(), headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

/** A world whose webhooks are received, with an endpoint that no test touches. */
export function useWebhooks() {
  const world = useWorld(REACHABLE);
  const receiver = useReceiver();

  let paths = 0;

  /** An endpoint of a company, at a path of its own; it receives everything unless `fields` restrict it. */
  async function endpoint(by: Caller, fields: Item = {}) {
    const path = `/${++paths}`;
    const input = { label: 'Gestionale', url: receiver.url + path, events: ['tracking.*'], ...fields };
    const { webhookEndpoint, secret } = await ask<WithSecret>(by, CREATE, { input });
    /** The first `n` requests it was sent, once they are there. */
    const sent = (n: number) => receiver.waitFor(n, request => request.path === path);
    const count = () => receiver.requests.filter(request => request.path === path).length;
    return { ...webhookEndpoint, secret, path, sent, count };
  }

  /** A company with a carrier. */
  async function company() {
    const by = await world.company();
    return { by, brt: await connectCarrier(by) };
  }

  /** A company whose one endpoint is paused, with a delivery that is held back: for what must change nothing. */
  const still = {} as { by: Caller; stranger: Caller; id: string; deliveryId: string };
  beforeAll(async () => {
    const { by, brt } = await company();
    const { id } = await endpoint(by);
    await ask(by, PAUSE, { id });
    await ship(by, brt, 'n');
    const [made] = await deliveries(by, id);
    Object.assign(still, { by, stranger: await world.company(), id, deliveryId: made?.id });
  });

  /** All there is of it. */
  async function stillness() {
    const { by, id } = still;
    return [await askNodes<Endpoint>(by, ENDPOINTS), await deliveries(by, id)];
  }

  return {
    world,
    receiver,
    endpoint,
    company,
    still,
    stillness,
  };
}
