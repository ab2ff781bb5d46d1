import { LIST_ARGS, listCost, listPage } from '../../../../graphql/lists.ts';
import { mutation } from '../../../../graphql/mutation.ts';
import { uuidKey } from '../../../../graphql/node-id.ts';
import { query } from '../../../../graphql/query.ts';
import { MAX_ACTIVE } from '../endpoints/endpoint.rules.ts';
import { asItIsNow, EndpointsConnection, ids, SECRET, WebhookEndpointRef } from '../endpoints/endpoints.graphql.ts';
import { type EndpointRow, listEndpoints } from '../endpoints/endpoints.repository.ts';
import { deleteEndpoint, keptEndpoints } from '../endpoints/endpoints.service.ts';
import { createNoticeInput, updateNoticeInput } from './notice-endpoint.input.ts';
import { createNoticeEndpoint, updateNoticeEndpoint } from './notice-endpoints.service.ts';

// The fields that endpoints of both topics share (read, pause, resume, secret, deliveries) are in
// `endpoints.graphql.ts`.

const scope = 'webhooks:manage';

query('noticeEndpoints', {
  type: EndpointsConnection,
  description:
    "The company's endpoints for notices, newest first, including those that are no longer active. `webhookEndpoints` has those for tracking events.",
  authScopes: { scope },
  args: LIST_ARGS,
  complexity: listCost,
  resolve: (_root, args, { tenant }) => {
    const rows = { keyOf: ({ id }: EndpointRow) => id, count: () => keptEndpoints(tenant, 'notices') };
    return listPage(args, uuidKey, rows, page => listEndpoints(tenant, 'notices', page));
  },
});

mutation('createNoticeEndpoint', {
  description: `Creates an endpoint for notices and returns its secret, only this once. \`WEBHOOK_LIMIT_REACHED\` if the company has ${MAX_ACTIVE} active endpoints for notices, or as many as it may have together with deleted ones that are still kept.`,
  scope,
  rawFields: createNoticeInput,
  payload: { webhookEndpoint: { type: WebhookEndpointRef, description: 'The new endpoint.' }, secret: SECRET },
  resolve: async (fields, { tenant, webhooks, caps }) => {
    const created = await createNoticeEndpoint(tenant, webhooks, caps, fields);
    return { webhookEndpoint: created, secret: created.secret };
  },
});

mutation('updateNoticeEndpoint', {
  description: 'Changes the fields of an endpoint for notices that are sent. A new address is tried at once.',
  scope,
  ids,
  rawFields: updateNoticeInput,
  payload: asItIsNow,
  resolve: async ({ id, ...fields }, { tenant, jobs, webhooks }) => ({
    webhookEndpoint: await updateNoticeEndpoint(tenant, jobs, webhooks, id, fields),
  }),
});

mutation('deleteNoticeEndpoint', {
  description:
    'Deactivates an endpoint for notices permanently. Nothing more is sent: waiting deliveries are cancelled, and attempts in progress are aborted. Its deliveries can still be read.',
  scope,
  ids,
  payload: asItIsNow,
  resolve: async ({ id }, { tenant, jobs }) => ({
    webhookEndpoint: await deleteEndpoint(tenant, jobs, { id, topic: 'notices' }),
  }),
});
