import { builder } from '../../../../graphql/builder.ts';
import { enumType } from '../../../../graphql/enum-type.ts';
import { connectionOf, LIST_ARGS, listCost, listPage } from '../../../../graphql/lists.ts';
import { mutation, uuidId } from '../../../../graphql/mutation.ts';
import { RecordId, uuidKey, uuidSought } from '../../../../graphql/node-id.ts';
import { nodeType } from '../../../../graphql/nodes.ts';
import { idArg, lookUp, query } from '../../../../graphql/query.ts';
import { registerBody } from '../../../../graphql/rest-bodies.ts';
import type { Issue } from '../../../../platform/fault.ts';
import { CarrierCodeRef } from '../../../shipping/carriers/carriers.graphql.ts';
import { StatusCodeRef } from '../../../shipping/tracking/tracking.graphql.ts';
import type { DeliveryStatus } from '../deliveries/verdict.rules.ts';
import { EVENT_TYPES, EVERY_EVENT, SUBSCRIPTIONS } from '../events/event.rules.ts';
import { EVERY_NOTICE, NOTICES } from '../notices/notice.rules.ts';
import { createWebhookBody, createWebhookInput, updateWebhookInput } from './endpoint.input.ts';
import { ENDPOINT_STATES, MAX_ACTIVE, TOPICS } from './endpoint.rules.ts';
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

export const DeliveryStatusRef = enumType<DeliveryStatus>('WebhookDeliveryStatus', 'The state of a delivery.', {
  pending: 'Not tried yet.',
  retrying: 'Attempts failed so far. There will be another.',
  success: 'The endpoint returned 2xx.',
  failed: 'Ten attempts failed, or the endpoint returned 410.',
  cancelled: 'Cancelled because its endpoint was deleted or disabled.',
});

const eventValues: Readonly<Record<string, string>> = Object.fromEntries(
  EVENT_TYPES.map(type => [type, `\`${type}\` in REST and in the body of the event.`]),
);

export const EventTypeRef = enumType<string>('WebhookEventType', 'What an endpoint can receive. More may be added.', {
  ...eventValues,
  ...NOTICES,
});

const SubscriptionRef = enumType<string>('WebhookSubscription', 'What an endpoint can subscribe to.', {
  ...eventValues,
  [EVERY_EVENT]: `Every event, including kinds that later versions add. \`${EVERY_EVENT}\` in REST.`,
});

const NoticeSubscriptionRef = enumType<string>('NoticeSubscription', 'What an endpoint for notices can subscribe to.', {
  ...NOTICES,
  [EVERY_NOTICE]: 'Every notice, including kinds that later versions add.',
});

const TopicRef = enumType('WebhookTopic', 'What an endpoint receives. An endpoint keeps its topic.', TOPICS);

const DisabledReason = enumType<NonNullable<EndpointRow['disabledReason']>>(
  'WebhookDisabledReason',
  'Why an endpoint is no longer active.',
  { deleted: 'It was deleted.', gone: 'It returned 410 Gone.', failing: 'All deliveries failed for five days.' },
);

const State = enumType('WebhookEndpointState', 'The state of an endpoint.', ENDPOINT_STATES);

const LastDeliveryRef = builder.objectRef<LastDelivery>('WebhookLastDelivery').implement({
  description: 'The most recent delivery of an endpoint.',
  fields: t => ({
    status: t.expose('status', { type: DeliveryStatusRef, description: 'Its state.' }),
    ...t.nullableColumns('DateTime', { deliveredAt: 'When the receiver accepted it.' }),
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
    carriers: t.nullable(
      [CarrierCodeRef],
      'Events of shipments with one of these carriers.',
      ({ carriers }) => carriers && [...carriers],
    ),
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
    statusCodes: t.nullable(
      [StatusCodeRef],
      'Events that leave the shipment in one of these states.',
      ({ statuses }) => statuses && [...statuses],
    ),
    metadata: t.nullable(
      [MetadataConditionRef],
      'Events of shipments whose metadata meets each of these conditions.',
      ({ metadata }) => metadata && [...metadata],
    ),
  }),
});

const SelectionErrorRef = builder.objectRef<Omit<Issue, 'path'>>('WebhookSelectionError').implement({
  description: 'An error in a selection.',
  fields: t => ({
    code: t.exposeString('code', { description: 'Stable code.' }),
    message: t.string({ description: 'What is wrong.', resolve: ({ message }) => `The selection ${message}.` }),
    ...t.nullableColumns('Int', { line: 'The line, from 1.', column: 'The column, from 1.' }),
  }),
});

export const WebhookEndpointRef = builder.objectRef<EndpointRow>('WebhookEndpoint').implement({
  description: 'An endpoint of the company that receives tracking events.',
  fields: t => ({
    ...t.columns('String', { label: "The company's name for it.", secretLast4: 'Last four characters of its secret.' }),
    url: t.expose('url', { type: 'URL', description: 'The address that events are posted to, in ASCII.' }),
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
    ...t.nullableColumns(FilterRef, { filter: 'The filter that selects among these events. Null for all of them.' }),
    ...t.nullableColumns('String', {
      selection: 'The selection on `WebhookEvent` that payloads have as `data`. Null for the tracking record.',
    }),
    selectionErrors: t.value(
      [SelectionErrorRef],
      'Why its selection can no longer be used, after an upgrade of the service. Payloads then have `errors` in place of data. Empty otherwise.',
      async ({ selection }) =>
        selection === null ? [] : [...(await issuesOfSelection(selection, { isStored: true }))],
    ),
    isActive: t.exposeBoolean('isActive', { description: 'False after it was deleted or disabled.' }),
    ...t.columns('DateTime', { createdAt: 'Creation time.', updatedAt: 'Last update time.' }),
    ...t.nullableColumns('DateTime', {
      disabledAt: 'When it was deleted or disabled.',
      pausedAt: 'When it was paused. Null if it is not paused.',
      failingSince:
        'When the first of its current failures in a row happened. After five days with failures only, the endpoint is disabled.',
    }),
    ...t.nullableColumns(LastDeliveryRef, { lastDelivery: 'The most recent delivery. Null before the first.' }),
    ...t.nullableColumns(DisabledReason, { disabledReason: 'Why it was disabled.' }),
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

query('webhookEndpoints', {
  type: EndpointsConnection,
  description: "The company's webhook endpoints, newest first, including those that are no longer active.",
  authScopes,
  args: LIST_ARGS,
  complexity: listCost,
  resolve: (_root, args, { tenant }) => {
    const rows = { keyOf: ({ id }: EndpointRow) => id, count: () => keptEndpoints(tenant, 'tracking') };
    return listPage(args, uuidKey, rows, page => listEndpoints(tenant, 'tracking', page));
  },
});

query('webhookEndpoint', {
  type: WebhookEndpointRef,
  nullable: true,
  description: 'One webhook endpoint, of any topic. Null if the company has none with this id.',
  authScopes,
  args: idArg('Global id of the endpoint, or the UUID that REST shows as its `id`.'),
  resolve: (_root, { id }, context) =>
    lookUp(context, () => webhookEndpoint(context.tenant, uuidSought('WebhookEndpoint', id))),
});

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
