import { getNamedType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { flat, merchant } from '../rest/tariffs.ts';
import { globalId, keyOf } from '../support/global-id.ts';
import { feedOrders, feedShipments } from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

/** Ids as they are on the wire: the client of the other tests shows keys in their place. */

const world = useSharedWorld();
let caller: Caller;
let connection: number;
let shipment: number;
beforeAll(async () => {
  const shop = await merchant(await world.company(), flat(5));
  caller = shop.caller;
  [connection = 0] = shop.ids;
  await feedOrders(caller, { orderNumber: 'o' });
  [shipment = 0] = await feedShipments(caller, connection, { trackingNumber: 'n', orderNumber: 'o' });
});

async function send(query: string, variables: object = {}, apiKey = caller.apiKey) {
  const response = await fetch(`${world.app.url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  const { data, errors } = (await response.json()) as { data: any; errors?: unknown };
  expect(errors).toBeUndefined();
  return data;
}

const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));

describe('The schema', () => {
  const outputs = types.flatMap(type =>
    isObjectType(type) || isInterfaceType(type)
      ? Object.values(type.getFields()).map(field => ({ place: `${type.name}.${field.name}`, field }))
      : [],
  );
  const inputs = [
    ...types.flatMap(type =>
      isInputObjectType(type)
        ? Object.values(type.getFields()).map(field => ({ place: `${type.name}.${field.name}`, field }))
        : [],
    ),
    ...outputs.flatMap(({ place, field }) => field.args.map(arg => ({ place: `${place}(${arg.name})`, field: arg }))),
  ];

  test('has one name for each record, and no field or input `uuid` or `carrierCompanyId`', () => {
    const names = [...outputs, ...inputs].filter(({ field }) => /^(uuid|carrierCompanyIds?)$/.test(field.name));
    expect(names.map(({ place }) => place)).toEqual([]);
  });

  test('takes an `ID` in every input that names a record', () => {
    // Ids of others: of the marketplace, of a carrier, of a request.
    const foreign = /^(marketplaceOrderId|parcelId|requestId|clientId|trackClientId|userId|typeId)$/;
    const wrong = inputs.filter(
      ({ field }) => /Ids?$/.test(field.name) && !foreign.test(field.name) && getNamedType(field.type).name !== 'ID',
    );
    expect(wrong.map(({ place }) => place)).toEqual([]);
  });
});

describe('A carrier connection', () => {
  const queries: [what: string, query: string][] = [
    ['an argument', 'query ($id: ID!) { tariffRevisions(carrierConnectionId: $id) { totalCount } }'],
    ['a filter', 'query ($id: ID!) { shipments(filter: { carrierConnectionId: $id }) { totalCount } }'],
  ];
  test.each(queries)('can be named in %s by its global id, and by the number that REST shows', async (_, query) => {
    for (const id of [globalId('CarrierConnection', connection), connection, String(connection)]) {
      expect(Object.values(await send(query, { id }))).toEqual([{ totalCount: 1 }]);
    }
  });

  test('can be named in a batch by either id', async () => {
    const mutation = `mutation ($shipments: [ShipmentInput!]!) {
      upsertShipments(input: { shipments: $shipments }) { unchanged } }`;
    for (const carrierConnectionId of [globalId('CarrierConnection', connection), connection]) {
      const shipments = [{ carrierConnectionId, trackingNumber: 'n' }];
      expect(await send(mutation, { shipments })).toEqual({ upsertShipments: { unchanged: 1 } });
    }
  });

  test('is shown by its global id in other records', async () => {
    const { tariffs } = await send('{ tariffs { nodes { carrierConnectionId } } }');
    expect(tariffs.nodes[0]).toEqual({ carrierConnectionId: globalId('CarrierConnection', connection) });
    const { node } = await send('query ($id: ID!) { node(id: $id) { ... on CarrierConnection { databaseId } } }', {
      id: tariffs.nodes[0].carrierConnectionId,
    });
    expect(node).toEqual({ databaseId: connection });
  });
});

test('A change shows the global id of its shipment', async () => {
  const { changes } = await send(
    `query ($ids: [ID!]) { changes(filter: { shipmentIds: $ids }) { ... on ChangeConnection { nodes { shipmentId } } } }`,
    { ids: [shipment] },
  );
  expect(changes.nodes[0]).toEqual({ shipmentId: globalId('Shipment', shipment) });
});

test('A webhook endpoint has a global id, and is also found by the UUID that REST shows', async () => {
  const { body } = await caller.rest('POST', '/webhooks', {
    label: 'x',
    url: 'https://93.184.215.14/',
    events: ['tracking.*'],
  });
  const query = 'query ($id: ID!) { webhookEndpoint(id: $id) { id } }';
  const id = globalId('WebhookEndpoint', body.id);
  for (const named of [id, body.id]) expect(await send(query, { id: named })).toEqual({ webhookEndpoint: { id } });
});

test('A key can be changed by the id that `apiKey` shows, and by its id in the list of keys', async () => {
  const query = `mutation ($id: ID!) {
    updateApiKey(input: { id: $id, label: "x" }) { key { label } userErrors { message } }
    rotateApiKey(input: { id: $id, overlapHours: 1 }) { key { id } userErrors { message } }
    revokeApiKey(input: { id: $id }) { key { revokedAt } userErrors { message } }
  }`;
  const { createApiKey } = await send(
    'mutation { createApiKey(input: { label: "y", scopes: [ALL] }) { apiKey key { id } } }',
  );
  const { apiKey } = await send('{ apiKey { id } }', {}, createApiKey.apiKey);
  expect(apiKey.id).toBe(globalId('ApiKey', keyOf(createApiKey.key.id)));
  const changed = await send(query, { id: apiKey.id });
  expect(changed).toEqual({
    updateApiKey: { key: { label: 'x' }, userErrors: [] },
    rotateApiKey: { key: { id: expect.any(String) }, userErrors: [] },
    revokeApiKey: { key: { revokedAt: expect.any(String) }, userErrors: [] },
  });
  expect(await send(query, { id: changed.rotateApiKey.key.id })).toMatchObject({ revokeApiKey: { userErrors: [] } });
});
