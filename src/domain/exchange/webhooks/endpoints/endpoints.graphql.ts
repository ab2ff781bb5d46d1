import { builder } from '../../../../graphql/builder.ts';
import { described, enumType } from '../../../../graphql/enum-type.ts';
import { connectionOf, LIST_ARGS, listCost, listPage } from '../../../../graphql/lists.ts';
import { lookUp } from '../../../../graphql/look-up.ts';
import { mutation, uuidId } from '../../../../graphql/mutation.ts';
import { RecordId, uuidKey, uuidSought } from '../../../../graphql/node-id.ts';
import { nodeType } from '../../../../graphql/nodes.ts';
import { registerBody } from '../../../../graphql/rest-bodies.ts';
import type { Issue } from '../../../../platform/fault.ts';
import { CarrierCodeRef } from '../../../shipping/carriers/carriers.graphql.ts';
import { StatusCodeRef } from '../../../shipping/tracking/tracking.graphql.ts';
import type { DeliveryStatus } from '../deliveries/verdict.rules.ts';
import { EVENT_TYPES, EVERY_EVENT, SUBSCRIPTIONS } from '../events/event.rules.ts';
import { EVERY_NOTICE, NOTICES } from '../notices/notice.rules.ts';
import { createWebhookBody, createWebhookInput, updateWebhookInput } from './endpoint.input.ts';
import { ENDPOINT_STATES, type EndpointState, MAX_ACTIVE, TOPICS } from './endpoint.rules.ts';
import type { EndpointFilter } from './endpoint-filter.rules.ts';
import { type EndpointRow, endpointById, type LastDelivery, listEndpoints } from './endpoints.repository.ts';
import {
  createEndpoint,
  deleteEndpoint,
  issuesOfSelection,
  keptEndpoints,
  pauseEndpoint,
  resumeEndpoint,
  rotateSecret,
  updateEndpoint,
  webhookEndpoint,
} from './endpoints.service.ts';

const scope = 'webhooks:manage';
const authScopes = { scope } as const;

export const DeliveryStatusRef = enumType('WebhookDeliveryStatus', {
  description: 'The state of a delivery.',
  values: {
    pending: { description: 'Not tried yet.' },
    retrying: { description: 'Attempts failed so far. There will be another.' },
    success: { description: 'The endpoint returned 2xx.' },
    failed: { description: 'Ten attempts failed, or the endpoint returned 410.' },
    cancelled: { description: 'Cancelled because its endpoint was deleted or disabled.' },
  } satisfies Record<DeliveryStatus, { description: string }>,
});

const eventValues: Readonly<Record<string, { readonly description: string }>> = Object.fromEntries(
  EVENT_TYPES.map(type => [type, { description: `\`${type}\` in REST and in the body of the event.` }]),
);

export const EventTypeRef = enumType<string>('WebhookEventType', {
  description: 'What an endpoint can receive. More may be added.',
  values: { ...eventValues, ...described(NOTICES) },
});

const SubscriptionRef = enumType<string>('WebhookSubscription', {
  description: 'What an endpoint can subscribe to.',
  values: {
    ...eventValues,
    [EVERY_EVENT]: { description: `Every event, including kinds that later versions add. \`${EVERY_EVENT}\` in REST.` },
  },
});

const NoticeSubscriptionRef = enumType<string>('NoticeSubscription', {
  description: 'What an endpoint for notices can subscribe to.',
  values: {
    ...described(NOTICES),
    [EVERY_NOTICE]: { description: 'Every notice, including kinds that later versions add.' },
  },
});

const TopicRef = enumType('WebhookTopic', {
  description: 'What an endpoint receives. An endpoint keeps its topic.',
  values: described(TOPICS),
});

const DisabledReason = enumType('WebhookDisabledReason', {
  description: 'Why an endpoint is no longer active.',
  values: {
    deleted: { description: 'It was deleted.' },
    gone: { description: 'It returned 410 Gone.' },
    failing: { description: 'All deliveries failed for five days.' },
  } satisfies Record<NonNullable<EndpointRow['disabledReason']>, { description: string }>,
});

const State = enumType('WebhookEndpointState', {
  description: 'The state of an endpoint.',
  values: {
    active: { description: ENDPOINT_STATES.active },
    paused: { description: ENDPOINT_STATES.paused },
    backing_off: { description: ENDPOINT_STATES.backing_off },
    catching_up: { description: ENDPOINT_STATES.catching_up },
    disabled: { description: ENDPOINT_STATES.disabled },
  } satisfies Record<EndpointState, { description: string }>,
});

const LastDeliveryRef = builder.objectRef<LastDelivery>('WebhookLastDelivery').implement({
  description: 'The most recent delivery of an endpoint.',
  fields: t => ({
    status: t.expose('status', { type: DeliveryStatusRef, description: 'Its state.' }),
    deliveredAt: t.expose('deliveredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the receiver accepted it.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
  }),
});

const MetadataConditionRef = builder
  .objectRef<{ readonly key: string; readonly values: readonly string[] }>('WebhookMetadataCondition')
  .implement({
    description: 'A key of the metadata, and its values.',
    fields: t => ({
      key: t.exposeString('key', { description: 'The key.' }),
      values: t.stringList({ description: 'One of these values.', resolve: ({ values }) => [...values] }),
    }),
  });

const FilterRef = builder.objectRef<EndpointFilter>('WebhookFilter').implement({
  description:
    'The events that an endpoint receives, among the kinds to which it subscribes. Fields that are null set no condition.',
  fields: t => ({
    carriers: t.field({
      type: [CarrierCodeRef],
      nullable: true,
      description: 'Events of shipments with one of these carriers.',
      resolve: ({ carriers }) => carriers && [...carriers],
    }),
    warehouseIds: t.idList({
      nullable: true,
      description: 'Events of shipments that leave from one of these warehouses.',
      resolve: ({ warehouses }) => warehouses?.map(id => new RecordId('Warehouse', id)),
    }),
    marketplaces: t.stringList({
      nullable: true,
      description: 'Events of shipments whose order came from one of these marketplaces.',
      resolve: ({ marketplaces }) => marketplaces && [...marketplaces],
    }),
    statusCodes: t.field({
      type: [StatusCodeRef],
      nullable: true,
      description: 'Events that leave the shipment in one of these states.',
      resolve: ({ statuses }) => statuses && [...statuses],
    }),
    metadata: t.field({
      type: [MetadataConditionRef],
      nullable: true,
      description: 'Events of shipments whose metadata meets each of these conditions.',
      resolve: ({ metadata }) => metadata && [...metadata],
    }),
  }),
});

const SelectionErrorRef = builder.objectRef<Omit<Issue, 'path'>>('WebhookSelectionError').implement({
  description: 'An error in a selection.',
  fields: t => ({
    code: t.exposeString('code', { description: 'Stable code.' }),
    message: t.string({ description: 'What is wrong.', resolve: ({ message }) => `The selection ${message}.` }),
    line: t.exposeInt('line', { nullable: true, description: 'The line, from 1.' }),
    column: t.exposeInt('column', { nullable: true, description: 'The column, from 1.' }),
  }),
});

export const WebhookEndpointRef = builder.objectRef<EndpointRow>('WebhookEndpoint').implement({
  description: 'An endpoint of the company that receives tracking events.',
  fields: t => ({
    label: t.exposeString('label', { description: "The company's name for it." }),
    url: t.expose('url', { type: 'URL', description: 'The address that events are posted to, in ASCII.' }),
    secretLast4: t.exposeString('secretLast4', { description: 'Last four characters of its secret.' }),
    topic: t.expose('topic', { type: TopicRef, description: 'The kind of events that it receives.' }),
    events: t.field({
      type: [SubscriptionRef],
      description: `The events that it receives: ${SUBSCRIPTIONS.join(', ')}. Empty if its topic is \`NOTICES\`.`,
      extensions: { openapi: { description: `The events that it receives: ${SUBSCRIPTIONS.join(', ')}.` } },
      resolve: ({ topic, events }) => (topic === 'tracking' ? [...events] : []),
    }),
    notices: t.field({
      type: [NoticeSubscriptionRef],
      description: 'The notices that it receives. Empty if its topic is `TRACKING`.',
      resolve: ({ topic, events }) => (topic === 'notices' ? [...events] : []),
    }),
    allCompanies: t.exposeBoolean('allCompanies', {
      description:
        'Whether it receives the notices of all companies. Only the operator of the service can create such an endpoint.',
    }),
    filter: t.expose('filter', {
      type: FilterRef,
      nullable: true,
      description: 'The filter that selects among these events. Null for all of them.',
    }),
    selection: t.exposeString('selection', {
      nullable: true,
      description: 'The selection on `WebhookEvent` that payloads have as `data`. Null for the tracking record.',
    }),
    selectionErrors: t.field({
      type: [SelectionErrorRef],
      description:
        'Why its selection can no longer be used, after an upgrade of the service. Payloads then have `errors` in place of data. Empty otherwise.',
      resolve: async ({ selection }) =>
        selection === null ? [] : [...(await issuesOfSelection(selection, { isStored: true }))],
    }),
    isActive: t.exposeBoolean('isActive', { description: 'False after it was deleted or disabled.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Last update time.' }),
    disabledAt: t.expose('disabledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was deleted or disabled.',
    }),
    lastDelivery: t.expose('lastDelivery', {
      type: LastDeliveryRef,
      nullable: true,
      description: 'The most recent delivery. Null before the first.',
    }),
    disabledReason: t.expose('disabledReason', {
      type: DisabledReason,
      nullable: true,
      description: 'Why it was disabled.',
    }),
    pausedAt: t.expose('pausedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was paused. Null if it is not paused.',
    }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the first of its current failures in a row happened. After five days with failures only, the endpoint is disabled.',
    }),
    state: t.expose('state', { type: State, description: 'Its state.' }),
  }),
});

nodeType(WebhookEndpointRef, {
  scope,
  keyOf: ({ id }) => id,
  openapi: { format: 'uuid', description: 'Endpoint identifier, a UUID.' },
  readKey: uuidKey,
  find: (id, { tenant }) => endpointById(tenant, id),
});

export const EndpointsConnection = connectionOf(WebhookEndpointRef);

builder.queryFields(t => ({
  webhookEndpoints: t.field({
    type: EndpointsConnection,
    description: "The company's webhook endpoints, newest first, including those that are no longer active.",
    authScopes,
    args: LIST_ARGS,
    complexity: listCost,
    resolve: (_root, args, { tenant }) => {
      const rows = { keyOf: ({ id }: EndpointRow) => id, count: () => keptEndpoints(tenant, 'tracking') };
      return listPage(args, uuidKey, rows, page => listEndpoints(tenant, 'tracking', page));
    },
  }),
  webhookEndpoint: t.field({
    type: WebhookEndpointRef,
    nullable: true,
    description: 'One webhook endpoint, of any topic. Null if the company has none with this id.',
    authScopes,
    args: {
      id: t.arg.id({
        required: true,
        description: 'Global id of the endpoint, or the UUID that REST shows as its `id`.',
      }),
    },
    resolve: (_root, { id }, context) =>
      lookUp(context, () => webhookEndpoint(context.tenant, uuidSought('WebhookEndpoint', id))),
  }),
}));

export const SECRET = {
  type: 'String',
  description:
    'Signs its webhooks (Standard Webhooks 1.0.0): `whsec_` and base64 of 32 bytes. It is shown only this once.',
} as const;
export const ids = { id: uuidId('WebhookEndpoint', 'The webhook endpoint.') };
export const asItIsNow = { webhookEndpoint: { type: WebhookEndpointRef, description: 'The endpoint as it is now.' } };

registerBody('CreateWebhookEndpointInput', { schema: createWebhookBody, isReadByService: true });

mutation('createWebhookEndpoint', {
  description: `Creates a webhook endpoint and returns its secret, only this once. \`WEBHOOK_LIMIT_REACHED\` if the company has ${MAX_ACTIVE} active endpoints, or as many as it may have together with deleted ones that are still kept.`,
  scope,
  rawFields: createWebhookInput,
  payload: { webhookEndpoint: { type: WebhookEndpointRef, description: 'The new endpoint.' }, secret: SECRET },
  resolve: async (fields, { tenant, webhooks, caps }) => {
    const created = await createEndpoint(tenant, webhooks, caps, fields);
    return { webhookEndpoint: created, secret: created.secret };
  },
});

mutation('updateWebhookEndpoint', {
  description: 'Changes the fields of an endpoint for tracking events that are sent. A new address is tried at once.',
  scope,
  ids,
  rawFields: updateWebhookInput,
  payload: asItIsNow,
  resolve: async ({ id, ...fields }, { tenant, jobs, webhooks }) => ({
    webhookEndpoint: await updateEndpoint(tenant, jobs, webhooks, id, fields),
  }),
});

mutation('deleteWebhookEndpoint', {
  description:
    'Deactivates a webhook endpoint permanently. Nothing more is sent: waiting deliveries are cancelled, and attempts in progress are aborted. Its deliveries can still be read.',
  scope,
  ids,
  payload: asItIsNow,
  resolve: async ({ id }, { tenant, jobs }) => ({
    webhookEndpoint: await deleteEndpoint(tenant, jobs, { id, topic: 'tracking' }),
  }),
});

mutation('pauseWebhookEndpoint', {
  description: 'Holds deliveries back until the endpoint is resumed. None is lost.',
  scope,
  ids,
  payload: asItIsNow,
  resolve: async ({ id }, { tenant, jobs }) => ({ webhookEndpoint: await pauseEndpoint(tenant, jobs, id) }),
});

mutation('resumeWebhookEndpoint', {
  description:
    'Sends the deliveries that were held back, oldest first. It also activates an endpoint that the service disabled, if the company has fewer than ten active ones of its topic.',
  scope,
  ids,
  payload: asItIsNow,
  resolve: async ({ id }, { tenant, jobs }) => ({ webhookEndpoint: await resumeEndpoint(tenant, jobs, id) }),
});

mutation('rotateWebhookSecret', {
  description:
    'Gives the endpoint a new secret, which is shown only this once. For 24 hours, webhooks are signed with both secrets.',
  scope,
  ids,
  payload: { ...asItIsNow, secret: SECRET },
  resolve: async ({ id }, { tenant, webhooks }) => {
    const rotated = await rotateSecret(tenant, webhooks, id);
    return { webhookEndpoint: rotated, secret: rotated.secret };
  },
});
