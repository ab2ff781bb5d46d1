import type { CommandRow } from './command-row.ts';

/** Webhook endpoints of each topic, and their deliveries. */

const ENDPOINT = '5a3c1a52-6d0b-4a5e-8f0e-0d9a4b7c1e33';

const fields = 'id label url topic state failingSince lastDelivery { status createdAt }';
const Endpoint = `fragment Endpoint on WebhookEndpoint {
  ${fields} events filter { carriers warehouseIds marketplaces statusCodes metadata { key values } } selection
}`;
const Notice = `fragment Notice on WebhookEndpoint { ${fields} notices allCompanies }`;

const NAMES = {
  'input.id': 'endpoint',
  'input.endpointId': 'endpoint',
  'input.type': 'event',
  'input.filter.warehouseIds': 'warehouses',
  'input.filter.statusCodes': 'statuses',
};
const FILES = { 'input.selection': 'text' } as const;
const ONLY_COPY = 'This is the only copy of the secret: keep it now, it is not shown again.';

/** A command that changes one endpoint, of any topic. */
const change = (name: string, mutation: string, purpose: string, more: Partial<CommandRow> = {}): CommandRow => ({
  name,
  purpose,
  operation: `mutation ($endpoint: ID!) { ${mutation}(input: { id: $endpoint }) { webhookEndpoint { ${fields} } } }`,
  examples: [`--endpoint ${ENDPOINT}`],
  ...more,
});

export const WEBHOOK_COMMANDS: readonly CommandRow[] = [
  {
    name: 'webhook create',
    purpose: 'create a webhook endpoint of a company and print its secret, this once',
    operation: `mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { secret webhookEndpoint { ...Endpoint } } } ${Endpoint}`,
    names: NAMES,
    files: FILES,
    note: ONLY_COPY,
    opensSecrets: true,
    examples: [
      '--label Shop --url https://shop.example.com/hooks --events tracking.delivered --carriers BRT',
      '--label B2B --url https://shop.example.com/b2b --events "tracking.*" --metadata b2b.json',
    ],
  },
  {
    name: 'webhook update',
    purpose:
      'change a webhook endpoint; options that are left out change nothing, and conditions replace the whole filter',
    operation: `mutation ($input: UpdateWebhookEndpointInput!) { updateWebhookEndpoint(input: $input) { webhookEndpoint { ...Endpoint } } } ${Endpoint}`,
    names: NAMES,
    files: FILES,
    removable: ['selection'],
    examples: [`--endpoint ${ENDPOINT} --selection payload.graphql`],
  },
  {
    name: 'webhook remove-filter',
    purpose: 'have a webhook endpoint receive its events of all shipments',
    operation: `mutation ($endpoint: ID!) { updateWebhookEndpoint(input: { id: $endpoint, filter: null }) { webhookEndpoint { ...Endpoint } } } ${Endpoint}`,
    examples: [`--endpoint ${ENDPOINT}`],
  },
  change('webhook pause', 'pauseWebhookEndpoint', 'hold the deliveries of a webhook endpoint back until it is resumed'),
  change(
    'webhook resume',
    'resumeWebhookEndpoint',
    'send the deliveries of a paused or disabled webhook endpoint again',
  ),
  {
    name: 'webhook rotate-secret',
    purpose: 'give a webhook endpoint a new secret and print it, this once',
    operation:
      'mutation ($input: RotateWebhookSecretInput!) { rotateWebhookSecret(input: $input) { secret webhookEndpoint { id label } } }',
    names: NAMES,
    note: ONLY_COPY,
    opensSecrets: true,
    examples: [`--endpoint ${ENDPOINT}`],
  },
  change(
    'webhook delete',
    'deleteWebhookEndpoint',
    'deactivate a webhook endpoint for good; its deliveries can still be read',
    {
      confirm: 'The endpoint will be deactivated for good, and what waits for it is cancelled.',
    },
  ),
  {
    name: 'webhook test',
    purpose: 'send an endpoint an example event, and print it',
    operation: `mutation ($input: SendTestEventInput!) {
      sendTestEvent(input: $input) { webhookDelivery { databaseId eventId eventType status body } }
    }`,
    names: NAMES,
    examples: [`--endpoint ${ENDPOINT} --event tracking.delivered`],
  },
  {
    name: 'webhook list',
    purpose: 'list the webhook endpoints of a company, newest first',
    operation: `query ($first: Int = 100, $after: String) {
      webhookEndpoints(first: $first, after: $after) { nodes { ...Endpoint } pageInfo { hasNextPage endCursor } }
    } ${Endpoint}`,
    examples: [''],
  },
  {
    name: 'webhook deliveries',
    purpose: 'list the deliveries to an endpoint with the outcome of their latest attempt, newest first',
    operation: `query ($endpoint: ID!, $statuses: [WebhookDeliveryStatus!], $createdAt: DateTimeRange, $first: Int = 50, $after: String) {
      webhookEndpoint(id: $endpoint) {
        deliveries(statuses: $statuses, createdAt: $createdAt, first: $first, after: $after) {
          nodes { databaseId eventType eventId status attemptCount createdAt nextAttemptAt deliveredAt }
          pageInfo { hasNextPage endCursor }
        }
      }
    }`,
    examples: [`--endpoint ${ENDPOINT} --statuses failed`],
  },
  {
    name: 'webhook attempts',
    purpose: 'list the attempts of one delivery, with the status and the body of each response',
    operation: `query ($delivery: ID!, $first: Int = 100, $after: String) {
      webhookDelivery(id: $delivery) {
        attempts(first: $first, after: $after) {
          nodes { number startedAt durationMs outcome responseStatus responseBody nextAttemptAt }
          pageInfo { hasNextPage endCursor }
        }
      }
    }`,
    examples: ['--delivery 4711'],
  },
  {
    name: 'webhook replay',
    purpose:
      'send an endpoint every event of a time range again, also those that it never received, and print how many',
    operation: 'mutation ($input: ReplayDeliveriesInput!) { replayDeliveries(input: $input) { replayed: count } }',
    names: NAMES,
    examples: [`--endpoint ${ENDPOINT} --from 2026-11-01 --to 2026-11-02`],
  },
  {
    name: 'notice list',
    purpose: 'list the endpoints for notices of a company, newest first',
    operation: `query ($first: Int = 100, $after: String) {
      noticeEndpoints(first: $first, after: $after) { nodes { ...Notice } pageInfo { hasNextPage endCursor } }
    } ${Notice}`,
    examples: [''],
  },
  {
    name: 'notice update',
    purpose: 'change an endpoint for notices; options that are left out change nothing',
    operation: `mutation ($input: UpdateNoticeEndpointInput!) { updateNoticeEndpoint(input: $input) { webhookEndpoint { ...Notice } } } ${Notice}`,
    names: NAMES,
    examples: [`--endpoint ${ENDPOINT} --notices notice.key_expiring`],
  },
  change('notice delete', 'deleteNoticeEndpoint', 'deactivate an endpoint for notices for good', {
    confirm: 'The endpoint will be deactivated for good, and what waits for it is cancelled.',
  }),
];
