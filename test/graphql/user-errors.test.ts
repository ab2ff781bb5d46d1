import { readFile } from 'node:fs/promises';
import { buildSchema, type GraphQLObjectType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from '../support/graphql-client.ts';
import {
  ask,
  connectCarrier,
  createWarehouse,
  order,
  shipment,
  times,
  upsertOrders,
} from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let caller: Caller;
let stranger: Caller;
beforeAll(async () => {
  caller = await world.company();
  stranger = await world.company();
});

const ERRORS = 'userErrors { code pointer message }';
const UPDATE = `mutation ($input: UpdateWarehouseInput!) { updateWarehouse(input: $input) { warehouse { id: databaseId name } ${ERRORS} } }`;
const DELETE = `mutation ($id: ID!) { deleteWarehouse(input: { id: $id }) { warehouse { id: databaseId } ${ERRORS} } }`;
const CONNECT = `mutation ($input: ConnectCarrierInput!) { connectCarrier(input: $input) { carrierConnection { label } ${ERRORS} } }`;
const WAREHOUSES = '{ warehouses { nodes { id: databaseId name postalCode updatedAt } } }';
const NEVER = 2_000_000_000;
const NOT_FOUND = {
  code: 'warehouse_not_found',
  pointer: '/id',
  message: 'The company has no warehouse with this id.',
};

const sdl = buildSchema(await readFile(new URL('../../schema/schema.graphql', import.meta.url), 'utf8'));
const MUTATIONS = Object.values(sdl.getMutationType()?.getFields() ?? {});

describe('The mutation', () => {
  test.each(MUTATIONS)('$name takes one input and returns a payload', ({ name, args, type }) => {
    const typeName = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    expect(args.map(arg => `${arg.name}: ${arg.type}`)).toEqual([`input: ${typeName}Input!`]);
    expect(String(type)).toBe(`${typeName}Payload`);
    const { userErrors, ...results } = (type as GraphQLObjectType).getFields();
    expect(String(userErrors?.type)).toBe('[UserError!]!');
    expect(Object.keys(results)).not.toEqual([]);
    // Null where there are errors.
    for (const result of Object.values(results)) expect(String(result.type)).not.toMatch(/!$/);
  });
});

describe('Among the errors of a payload', () => {
  test('is an id that names nothing, or a record of another company', async () => {
    const foreign = await createWarehouse(stranger);
    for (const id of [NEVER, foreign, String(foreign)]) {
      expect(await caller.graphql(DELETE, { id })).toEqual({
        status: 200,
        data: { deleteWarehouse: { warehouse: null, userErrors: [NOT_FOUND] } },
      });
    }
    expect(await ask<{ nodes: object[] }>(stranger, WAREHOUSES)).toMatchObject({ nodes: [{ id: foreign }] });
  });

  test('are all errors of an input, including its ids, in sentences', async () => {
    const { data, errors } = await caller.graphql(UPDATE, { input: { id: 'x', name: ' ', typeId: 9 } });
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      updateWarehouse: {
        warehouse: null,
        userErrors: [
          {
            code: 'invalid_id',
            pointer: '/id',
            message: 'The field id must be an id of the type Warehouse, or its number.',
          },
          { code: 'required', pointer: '/name', message: 'The field name must not be empty.' },
          { code: 'not_allowed', pointer: '/typeId', message: 'The field typeId must be 1, 2, 3 or 4.' },
        ],
      },
    });
  });

  test('are errors of nested services, with pointers into the input', async () => {
    const input = { carrierCode: 'BRT', label: ' ', credentials: { userId: 'u' } };
    expect(failureOf(await caller.graphql(CONNECT, { input }))?.errors).toMatchObject([
      { code: 'required', pointer: '/label' },
      { code: 'required', pointer: '/credentials/password' },
    ]);
  });

  test.each([
    ['upsertOrders', 'orders', 'OrderInput', (i: number) => order(`long-${i}`)],
    ['upsertShipments', 'shipments', 'ShipmentInput', (i: number) => shipment(1, `long-${i}`)],
    [
      'recordTrackingEvents',
      'events',
      'TrackingEventInput',
      (i: number) => ({ trackingNumber: `long-${i}`, occurredAt: '2026-11-20T08:00:00Z', statusCode: 'HELD' }),
    ],
  ])('is one for %s with a batch of 1,001, which belongs to no item', async (field, name, type, item) => {
    const query = `mutation ($items: [${type}!]!) { ${field}(input: { ${name}: $items }) { results { id } ${ERRORS} } }`;
    const { data } = await caller.graphql(query, { items: times(1001, item) });
    expect(data).toMatchObject({
      [field]: { results: null, userErrors: [{ code: 'too_many', pointer: `/${name}` }] },
    });
  });

  test('are the records that refer to the record to be deleted', async () => {
    const by = await world.company();
    const id = await createWarehouse(by);
    await upsertOrders(by, [order('o-1', { warehouseId: id })]);
    const message = 'The warehouse is still referenced by 1 orders and 0 shipments.';
    expect((await by.graphql(DELETE, { id })).data).toEqual({
      deleteWarehouse: { warehouse: null, userErrors: [{ code: 'warehouse_in_use', pointer: null, message }] },
    });
  });

  test('is a limit that is reached', async () => {
    const by = await world.company();
    const create = `mutation { createWebhookEndpoint(input: {
      label: "x", url: "https://93.184.215.14", events: [TRACKING_ALL] }) { webhookEndpoint { id } secret ${ERRORS} } }`;
    for (const _ of times(10, () => 0)) await ask(by, create);
    expect((await by.graphql(create)).data).toMatchObject({
      createWebhookEndpoint: {
        webhookEndpoint: null,
        secret: null,
        userErrors: [{ code: 'webhook_limit_reached', pointer: null }],
      },
    });
  });
});

test('A mutation that returns errors writes nothing', async () => {
  const by = await world.company();
  const id = await createWarehouse(by);
  const before = await ask(by, WAREHOUSES);
  // Its country is known only once it is read.
  const failure = failureOf(await by.graphql(UPDATE, { input: { id, name: 'Nuovo', postalCode: '1' } }));
  expect(failure?.errors).toMatchObject([{ code: 'invalid_postal_code', pointer: '/postalCode' }]);
  expect(await ask(by, WAREHOUSES)).toEqual(before);
});

test('A mutation that returns errors does not affect the others of its document', async () => {
  const by = await world.company();
  const id = await createWarehouse(by);
  const { data } = await by.graphql(
    `mutation ($id: ID!) {
      a: deleteWarehouse(input: { id: ${NEVER} }) { warehouse { id: databaseId } ${ERRORS} }
      b: deleteWarehouse(input: { id: $id }) { warehouse { id: databaseId } ${ERRORS} }
    }`,
    { id },
  );
  expect(data).toEqual({
    a: { warehouse: null, userErrors: [NOT_FOUND] },
    b: { warehouse: { id }, userErrors: [] },
  });
});

describe('Among the errors of the response', () => {
  test('is a missing scope, whatever the input is', async () => {
    const reader = await world.key(caller.companyId, ['warehouses:read']);
    const answer = await reader.graphql(UPDATE, { input: { id: NEVER, name: ' ' } });
    expect(answer.data).toEqual({ updateWarehouse: null });
    expect(answer.errors).toMatchObject([
      { path: ['updateWarehouse'], extensions: { code: 'insufficient_scope', requiredScope: 'warehouses:update' } },
    ]);
  });

  test('is a value of the wrong type in a variable, with all other errors, in sentences', async () => {
    const { data, errors } = await caller.graphql(UPDATE, { input: { id: NEVER, name: 5, typeId: 9 } });
    expect(data ?? null).toBeNull();
    expect(errors).toMatchObject([
      {
        message: 'The field name must be a string. `errors` has 1 more. Nothing was stored.',
        extensions: { code: 'validation_failed', errors: [{ pointer: '/name' }, { pointer: '/typeId' }] },
      },
    ]);
  });
});

test('A call that returned errors is not kept for its Idempotency-Key, and can be corrected', async () => {
  const by = await world.company();
  const connection = await connectCarrier(by);
  const send = async (id: number) => {
    const response = await fetch(`${world.app.url}/graphql`, {
      method: 'POST',
      headers: { 'x-api-key': by.apiKey, 'content-type': 'application/json', 'idempotency-key': 'corrected' },
      body: JSON.stringify({
        query: `mutation ($id: ID!) { disconnectCarrier(input: { id: $id }) { carrierConnection { label } ${ERRORS} } }`,
        variables: { id },
      }),
    });
    const { data } = await response.json();
    return [data.disconnectCarrier.userErrors.length, response.headers.get('idempotent-replayed')];
  };
  expect([await send(NEVER), await send(NEVER)]).toEqual([
    [1, null],
    [1, null],
  ]);
  expect([await send(connection), await send(connection)]).toEqual([
    [0, null],
    [0, 'true'],
  ]);
});

describe('REST', () => {
  test('returns the same errors as problems, with the fields of the body, to which the id in the path does not belong', async () => {
    const id = await createWarehouse(caller);
    const { status, body } = await caller.rest('PATCH', `/warehouses/${id}`, { id, name: ' ' });
    expect([status, body.code]).toEqual([422, 'validation_failed']);
    expect(body.errors).toEqual([
      {
        pointer: '/id',
        code: 'unknown_field',
        message: 'is not a known field; allowed are address, city, country, name, postalCode, state, typeId',
      },
      { pointer: '/name', code: 'required', message: 'must not be empty' },
    ]);
    expect((await caller.rest('PATCH', `/warehouses/${id}`, {})).body.errors).toEqual([
      {
        pointer: '',
        code: 'empty',
        message: 'must have at least one of name, typeId, address, postalCode, city, state, country',
      },
    ]);
  });

  test('returns the status 404 for an id that names nothing, and for an invalid one', async () => {
    for (const path of ['/warehouses/2000000000', '/warehouses/x', '/webhooks/x']) {
      const { status, body } = await caller.rest('DELETE', path);
      expect([path, status, body.code]).toEqual([path, 404, expect.stringMatching(/_not_found$/)]);
    }
  });
});
