import { builder } from '../../../../graphql/builder.ts';
import { enumType } from '../../../../graphql/enum-type.ts';
import { rawInputType } from '../../../../graphql/input-type.ts';
import {
  connectionOf,
  LIST_ARGS,
  listCost,
  listPage,
  PAGE_ARGS,
  pageById,
  pageCost,
} from '../../../../graphql/lists.ts';
import { bigintId, mutation, uuidId } from '../../../../graphql/mutation.ts';
import { bigintKey, integerKey, numberSought } from '../../../../graphql/node-id.ts';
import { numberedNode } from '../../../../graphql/nodes.ts';
import { idArg, lookUp, query } from '../../../../graphql/query.ts';
import {
  deliveryRange,
  replayDeliveriesInput,
  SINCE_DEPRECATED,
  sendTestEventInput,
} from '../endpoints/endpoint.input.ts';
import { DeliveryStatusRef, EventTypeRef, WebhookEndpointRef } from '../endpoints/endpoints.graphql.ts';
import { webhookEndpoint } from '../endpoints/endpoints.service.ts';
import { type AttemptRow, attemptsOf, type DeliveryRow, deliveryBody, deliveryById } from './deliveries.repository.ts';
import {
  countDeliveries,
  deliveriesPage,
  redeliver,
  replayDeliveries,
  sendTestEvent,
  webhookDelivery,
} from './deliveries.service.ts';
import type { AttemptOutcome } from './verdict.rules.ts';

const scope = 'webhooks:manage';
const authScopes = { scope } as const;

const Outcome = enumType<AttemptOutcome>('WebhookAttemptOutcome', 'The outcome of an attempt.', {
  delivered: 'The endpoint returned 2xx.',
  rejected: 'The endpoint returned another status. Redirects are not followed.',
  timeout: 'No response within 15 seconds.',
  connection_failed: 'The connection was refused, reset or lost.',
  tls_failed: 'The certificate or the TLS handshake failed.',
  unresolvable_host: 'The host name does not resolve.',
  blocked_address: 'The host leads to an address that is not public.',
  protocol_error: 'The response was not HTTP.',
  aborted: 'The service aborted the attempt: the endpoint was paused or deleted, or the service stopped.',
});

const Attempt = builder.objectRef<AttemptRow>('WebhookAttempt').implement({
  description: 'One request of a delivery. Attempts are kept for 30 days, unless the operator set another time.',
  fields: t => ({
    number: t.exposeInt('number', { description: 'Counts from 1.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When it was sent.' }),
    ...t.columns('Int', { durationMs: 'Milliseconds until the response, or until the attempt ended without one.' }),
    outcome: t.expose('outcome', { type: Outcome, description: 'The outcome.' }),
    responseStatus: t.exposeInt('status', {
      nullable: true,
      description: 'HTTP status. Null if there was no response.',
    }),
    responseBody: t.exposeString('answer', {
      nullable: true,
      description: 'The first 4 KiB of the body of the response.',
    }),
    nextAttemptAt: t.expose('nextAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the next attempt was planned. Null if there was none, or if it waits until the endpoint responds again.',
    }),
  }),
});

const Attempts = connectionOf(Attempt, { isCounted: false });
const BY_NUMBER = { keyOf: ({ number }: AttemptRow) => number };

const Delivery = builder.objectRef<DeliveryRow>('WebhookDelivery').implement({
  description: 'The delivery of an event to an endpoint.',
  fields: t => ({
    databaseId: t.expose('id', { type: 'Long', description: 'Number of the delivery.' }),
    endpoint: t.field({
      type: WebhookEndpointRef,
      description: 'The endpoint that receives it.',
      resolve: ({ endpointId }, _args, { tenant }) => webhookEndpoint(tenant, endpointId),
    }),
    ...t.columns('UUID', { eventId: 'The event, as receivers see it in `webhook-id`.' }),
    eventType: t.expose('eventType', { type: EventTypeRef, description: 'What happened.' }),
    sequence: t.exposeInt('sequence', { description: 'Counts the events of a shipment. 1 in a notice, 0 in a test.' }),
    ...t.nullableColumns('Int', {
      number:
        'Counts the deliveries of an endpoint that has a filter, from 1 without a gap, as the header `webhook-delivery-number` does. Null if the endpoint had no filter, and in a test.',
    }),
    body: t.string({
      description:
        'The body that is posted, byte for byte. Before its first attempt, a delivery to an endpoint with a selection shows the default body.',
      extensions: { countsText: true },
      // Counted before they are read, because the bodies of a page are read together.
      resolve: ({ id, bodySize }, _args, { tenant, work }) => {
        work.spendText(bodySize);
        return work.isOver ? work.never : deliveryBody(tenant, id);
      },
    }),
    status: t.expose('status', { type: DeliveryStatusRef, description: 'Its state.' }),
    attemptCount: t.exposeInt('attemptCount', { description: 'Number of attempts so far.' }),
    attempts: t.field({
      type: Attempts,
      description: 'Its attempts, first to last.',
      args: LIST_ARGS,
      complexity: listCost,
      resolve: ({ id }, args, { tenant }) =>
        listPage(args, integerKey, BY_NUMBER, page => attemptsOf(tenant, id, page)),
    }),
    ...t.columns('Boolean', { isHeldBack: 'Whether it waits until its endpoint is resumed or responds again.' }),
    ...t.nullableColumns('DateTime', {
      nextAttemptAt: 'When the next attempt is due.',
      deliveredAt: 'When the receiver accepted it.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
  }),
});

numberedNode(Delivery, authScopes.scope, deliveryById, bigintKey);

const Connection = connectionOf(Delivery);

builder.objectField(WebhookEndpointRef, 'deliveries', t =>
  t.field({
    type: Connection,
    description: 'Its deliveries, newest first, 50 a page unless `first` (at most 250) says otherwise.',
    args: {
      ...PAGE_ARGS,
      statuses: t.arg({ type: [DeliveryStatusRef], description: 'In one of these states.' }),
      createdAt: t.arg({ type: rawInputType(deliveryRange), description: 'Only those created in this time.' }),
      since: t.arg({
        type: 'DateTime',
        description: 'Only those created at this time or later.',
        deprecationReason: SINCE_DEPRECATED,
      }),
    },
    complexity: pageCost,
    resolve: ({ id }, args, { tenant }) => {
      const filter = { status: args.statuses ?? null, createdAt: args.createdAt, since: args.since };
      const count = () => countDeliveries(tenant, id, filter);
      return pageById(args, count, page => deliveriesPage(tenant, id, filter, page));
    },
  }),
);

query('webhookDelivery', {
  type: Delivery,
  nullable: true,
  description: 'One delivery. Null if the company has none with this id.',
  authScopes,
  args: idArg('Global id of the delivery.'),
  resolve: (_root, { id }, context) =>
    lookUp(context, () => webhookDelivery(context.tenant, String(numberSought('WebhookDelivery', id, bigintKey)))),
});

mutation('sendTestEvent', {
  description:
    'Sends an example to one endpoint, even if it does not subscribe to this event: an event, whose `sequence` is 0, or a notice.',
  scope,
  ids: { endpointId: uuidId('WebhookEndpoint', 'The webhook endpoint.') },
  fields: sendTestEventInput,
  payload: { webhookDelivery: { type: Delivery, description: 'The delivery of the example.' } },
  resolve: async ({ endpointId, type }, { tenant, jobs, publicUrl }) => ({
    webhookDelivery: await sendTestEvent(tenant, { jobs, publicUrl }, endpointId, type),
  }),
});

mutation('redeliver', {
  description:
    'Sends a delivery again, whatever its status is: with the same `webhook-id`, and with retries as for any other.',
  scope,
  ids: { deliveryId: bigintId('WebhookDelivery', 'The delivery.') },
  payload: { webhookDelivery: { type: Delivery, description: 'The delivery as it is now.' } },
  resolve: async ({ deliveryId }, { tenant, jobs }) => ({ webhookDelivery: await redeliver(tenant, jobs, deliveryId) }),
});

mutation('replayDeliveries', {
  description:
    'Sends every event of a time range to an endpoint, oldest first and at a limited pace: those that it received before, and those that it did not. At most 50,000. Test events are left out. Deliveries in progress continue. An endpoint for notices is sent those that it received before.',
  scope,
  ids: { endpointId: uuidId('WebhookEndpoint', 'The webhook endpoint.') },
  rawFields: replayDeliveriesInput,
  payload: { count: { type: 'Int', description: 'Deliveries that will be sent.' } },
  resolve: async (range, { tenant, jobs }) => ({ count: await replayDeliveries(tenant, jobs, range) }),
});
