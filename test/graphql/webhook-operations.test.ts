import { describe, expect, test } from 'vitest';
import { ALL_SCOPES } from '../../src/platform/scopes.ts';
import { failureOf } from '../support/graphql-client.ts';
import { ask, askNodes, type Item, NOTHING, refusal } from '../support/platform-side.ts';
import {
  BY_ID,
  byId,
  CREATE,
  DELETE,
  DELIVERIES,
  DELIVERY_BY_ID,
  type Delivery,
  ENDPOINTS,
  PAUSE,
  page,
  REDELIVER,
  REPLAY,
  RESUME,
  ROTATE,
  TEST,
  UPDATE,
  useWebhooks,
} from './webhook-calls.ts';

const { world, endpoint, still, stillness } = useWebhooks();

const STRANGERS = ['0', '-1', 'abc', '', '1.5', '９', '9'.repeat(30), '00000000-0000-4000-8000-000000000000'];

const UUID = /^[0-9a-f-]{36}$/i;
/** The error for an id that the company does not have, or that is not an id. */
const absent = (query: string, isReadable: boolean, id = 'id') => {
  if (!query.startsWith('mutation')) return NOTHING;
  return isReadable ? 'webhook_not_found' : `validation_failed: /${id} invalid_id`;
};

const RENAME = UPDATE.replace('$input: UpdateWebhookEndpointInput!', '$id: ID!').replace(
  'input: $input',
  'input: { id: $id, label: "N" }',
);

describe('The operation', () => {
  const RANGE = { since: '2020-01-01T00:00:00Z', until: '2099-01-01T00:00:00Z' };
  const BY_ENDPOINT: [string, string, Item][] = [
    ['webhookEndpoint', BY_ID, {}],
    ['deliveries', DELIVERIES, {}],
    ['updateWebhookEndpoint', RENAME, {}],
    ['deleteWebhookEndpoint', DELETE, {}],
    ['pauseWebhookEndpoint', PAUSE, {}],
    ['resumeWebhookEndpoint', RESUME, {}],
    ['rotateWebhookSecret', ROTATE, {}],
    ['sendTestEvent', TEST, {}],
    ['replayDeliveries', REPLAY, RANGE],
  ];
  const BY_DELIVERY: [string, string, Item][] = [
    ['webhookDelivery', DELIVERY_BY_ID, {}],
    ['redeliver', REDELIVER, {}],
  ];

  test.each([
    ['webhookEndpoints', ENDPOINTS, {}],
    ['createWebhookEndpoint', CREATE, { input: { label: 'x', url: 'https://93.184.215.14', events: ['tracking.*'] } }],
    ...BY_ENDPOINT,
    ...BY_DELIVERY,
  ] as [string, string, Item][])('%s requires webhooks:manage', async (_what, query, variables) => {
    const by = await world.company();
    const { id } = await endpoint(by);
    await ask(by, PAUSE, { id });
    const { id: deliveryId } = await ask<Delivery>(by, TEST, { id });
    const before = await byId(by, id);
    const other = await world.key(
      by.companyId,
      ALL_SCOPES.filter(scope => scope !== 'webhooks:manage'),
    );
    const which = query === REDELIVER || query === DELIVERY_BY_ID ? deliveryId : id;
    const { data, errors } = await other.graphql(query, { id: which, ...variables });
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'insufficient_scope',
      status: 403,
      requiredScope: 'webhooks:manage',
    });
    expect(Object.values(data ?? {}).filter(value => value !== null)).toEqual([]);
    expect(await byId(by, id)).toEqual(before);
    // And no other.
    const one = await world.key(by.companyId, ['webhooks:manage']);
    expect(failureOf(await one.graphql(query, { id: which, ...variables }))).toBeUndefined();
  });

  test.each(BY_ENDPOINT)('%s finds no endpoint of another company, and no unknown one', async (_what, query, args) => {
    const { id, stranger } = still;
    const before = await stillness();
    const name = query === TEST || query === REPLAY ? 'endpointId' : 'id';
    for (const one of [id, id.toUpperCase(), crypto.randomUUID(), ...STRANGERS]) {
      const expected = absent(query, UUID.test(one), name);
      expect([one, await refusal(stranger, query, { ...args, id: one })]).toEqual([one, expected]);
    }
    expect(await stillness()).toEqual(before);
    expect(await askNodes(stranger, ENDPOINTS)).toEqual([]);
  });

  test.each(BY_DELIVERY)('%s finds no delivery of another company, and no unknown one', async (_what, query) => {
    const { id, deliveryId, stranger } = still;
    const before = await stillness();
    for (const one of [deliveryId, `0${deliveryId}`, ` ${deliveryId}`, '999999999999999', id, ...STRANGERS]) {
      const id = query === REDELIVER ? 'deliveryId' : 'id';
      const expected = absent(query, one === deliveryId || /^-?\d{1,15}$/.test(one), id);
      expect([one, await refusal(stranger, query, { id: one })]).toEqual([one, expected]);
    }
    expect(await stillness()).toEqual(before);
  });

  test("deliveries shows only the company's own for a cursor of another company", async () => {
    const [by, stranger] = [await world.company(), await world.company()];
    const [ours, theirs] = [await endpoint(by), await endpoint(stranger)];
    for (const [caller, { id }] of [
      [by, ours],
      [stranger, theirs],
    ] as const) {
      await ask(caller, PAUSE, { id });
      await ask(caller, TEST, { id });
    }
    const { pageInfo } = await page(stranger, theirs.id);
    const { edges } = await page(by, ours.id, { after: pageInfo.endCursor });
    expect(edges.map(({ node }) => node.endpoint.id)).toEqual([ours.id]);
  });
});
