import { beforeAll, describe, expect, test, vi } from 'vitest';
import { Fault } from '../../src/platform/fault.ts';
import { failureOf } from '../support/graphql-client.ts';
import { connectCarrier, WAREHOUSE } from '../support/platform-side.ts';
import { useSecondProcess } from '../support/second-process.ts';
import { type Caller, useWorld } from '../support/world.ts';

const world = useWorld({ ROLE: 'api' });
const second = useSecondProcess(world);
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
});

const CREATE =
  'mutation ($input: CreateWarehouseInput!) { createWarehouse(input: $input) { warehouse { id: databaseId name } userErrors { code pointer message } } }';
const BOTH = `mutation ($input: CreateWarehouseInput!) {
  createWarehouse(input: $input) { warehouse { id: databaseId } userErrors { code pointer message } }
  deleteWarehouse(input: { id: 2147483647 }) { warehouse { id: databaseId } userErrors { code pointer message } }
}`;

let keys = 0;
const newKey = () => `key-${++keys}`;
const warehouses = async () => (await caller.rest('GET', '/warehouses')).body.length as number;

async function post(key: string, query: string, input: object = WAREHOUSE, url = world.app.url, accept = '*/*') {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': caller.apiKey, 'content-type': 'application/json', 'idempotency-key': key, accept },
    body: JSON.stringify({ query, variables: { input } }),
  });
  const text = await response.text();
  return { status: response.status, text, replayed: response.headers.get('idempotent-replayed') };
}

const CREATE_ENDPOINT = `mutation ($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) { webhookEndpoint { id } userErrors { code } }
}`;

describe('A document that is sent again with its Idempotency-Key', () => {
  test.each(['application/json', 'application/graphql-response+json'])('is executed once, as %s', async accept => {
    const before = await warehouses();
    const key = newKey();
    const first = await post(key, CREATE, WAREHOUSE, world.app.url, accept);
    const again = await post(key, CREATE, WAREHOUSE, second.url, accept);
    expect([first.status, first.replayed]).toEqual([200, null]);
    expect(JSON.parse(first.text).data.createWarehouse.warehouse.name).toBe(WAREHOUSE.name);
    expect(again).toEqual({ ...first, replayed: 'true' });
    expect(await warehouses()).toBe(before + 1);
  });

  test('is executed once, however many times it is sent at once', async () => {
    const before = await warehouses();
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(key, CREATE)));
    for (const { status, text } of answers) {
      if (status === 409) expect(JSON.parse(text).errors[0].extensions.code).toBe('idempotency_in_progress');
      else expect(status).toBe(200);
    }
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(await warehouses()).toBe(before + 1);
  });

  test('is rejected with another document or other variables', async () => {
    const key = newKey();
    await post(key, CREATE);
    for (const other of [await post(key, BOTH), await post(key, CREATE, { ...WAREHOUSE, name: 'Other' })]) {
      expect(other.status).toBe(409);
      expect(JSON.parse(other.text).errors[0].extensions.code).toBe('idempotency_key_reused');
    }
  });

  test('can have its members, and the members of its variables, in another order', async () => {
    const before = await warehouses();
    const key = newKey();
    const first = await post(key, CREATE);
    const input = Object.fromEntries(Object.entries(WAREHOUSE).reverse());
    const response = await fetch(`${second.url}/graphql`, {
      method: 'POST',
      headers: { 'x-api-key': caller.apiKey, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ variables: { input }, extensions: {}, operationName: null, query: CREATE }),
    });
    expect([await response.text(), response.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect(await warehouses()).toBe(before + 1);
  });

  test('can be corrected if nothing took effect', async () => {
    const key = newKey();
    const refused = await post(key, CREATE, { ...WAREHOUSE, country: 'XX' });
    expect(failureOf(JSON.parse(refused.text))?.code).toBe('validation_failed');
    expect(failureOf(JSON.parse((await post(key, CREATE)).text))).toBeUndefined();
  });

  test.each(['text/event-stream', 'text/plain'])(
    'can be corrected after a rejection, also if %s was requested',
    async accept => {
      const key = newKey();
      const [refused, again] = [
        await post(key, BOTH.replace(/createWarehouse.*/, ''), WAREHOUSE, world.app.url, accept),
        await post(key, BOTH.replace(/createWarehouse.*/, ''), WAREHOUSE, world.app.url, accept),
      ];
      expect(refused.text).not.toContain('"data":{');
      expect([refused.replayed, again.replayed]).toEqual([null, null]);
    },
  );

  test('is executed again if it only reads', async () => {
    const key = newKey();
    const read = () => post(key, '{ warehouses(first: 1) { nodes { name } } }');
    expect([(await read()).replayed, (await read()).replayed]).toEqual([null, null]);
  });

  test('is executed again if its mutations change nothing', async () => {
    const id = await connectCarrier(caller, 'BRT', 'BRT', false);
    const testing = `mutation { testCarrierConnection(input: { id: ${id} }) { outcome userErrors { code pointer message } } }`;
    const key = newKey();
    const outcome = async () => {
      const { text, replayed } = await post(key, testing);
      return [JSON.parse(text).data.testCarrierConnection.outcome, replayed];
    };
    expect(await outcome()).toEqual(['INACTIVE', null]);
    const activate = `mutation { updateCarrierConnection(input: { id: ${id}, isActive: true }) { carrierConnection { isActive } userErrors { code pointer message } } }`;
    expect(failureOf(await caller.graphql(activate))).toBeUndefined();
    expect(await outcome()).toEqual(['NO_CREDENTIALS', null]);
  });

  test('is executed once if one of its mutations changes something', async () => {
    const before = await warehouses();
    const id = await connectCarrier(caller);
    const key = newKey();
    const both = CREATE.replace(
      '{ createWarehouse',
      `{ testCarrierConnection(input: { id: ${id} }) { outcome userErrors { code pointer message } } createWarehouse`,
    );
    expect((await post(key, both)).replayed).toBeNull();
    expect((await post(key, both)).replayed).toBe('true');
    expect(await warehouses()).toBe(before + 1);
  });

  test('gets the first response again if only some of it took effect', async () => {
    const before = await warehouses();
    const key = newKey();
    const first = await post(key, BOTH);
    expect(JSON.parse(first.text).data.deleteWarehouse.userErrors).toMatchObject([{ code: 'WAREHOUSE_NOT_FOUND' }]);
    expect(await post(key, BOTH)).toEqual({ ...first, replayed: 'true' });
    expect(await warehouses()).toBe(before + 1);
  });

  test('is not reported as unavailable again and again if it took effect before', async () => {
    const key = newKey();
    const { database } = world.app;
    const read = database.rows.bind(database);
    const reads = vi.spyOn(database, 'rows').mockImplementation(async (statement, ...values) => {
      if (statement.name === 'webhook-endpoint-by-id') throw new Fault('unavailable');
      return read(statement, ...values);
    });
    const endpoint = { label: 'Once', url: 'https://93.184.216.34/', events: ['TRACKING_ALL'] };
    const first = await post(key, CREATE_ENDPOINT, endpoint);
    reads.mockRestore();
    expect(JSON.parse(first.text).errors[0].extensions.code).toBe('unavailable');
    const second = JSON.parse((await post(key, CREATE_ENDPOINT, endpoint)).text);
    expect(second.code ?? second.errors[0].extensions.code).toBe('idempotency_in_progress');
    // Once it can no longer be in progress.
    const passed = `update idempotent_request set claimed_at = now() - interval '1 hour' where idempotency_key = $1`;
    await database.pool.query(passed, [key]);
    const third = JSON.parse((await post(key, CREATE_ENDPOINT, endpoint)).text);
    expect(third.code ?? third.errors[0].extensions.code).toBe('idempotency_answer_lost');
    expect((await caller.rest('GET', '/webhooks')).body).toHaveLength(1);
  });
});

test('An invalid Idempotency-Key is rejected', async () => {
  const { status, text } = await post('x'.repeat(256), CREATE);
  expect([status, JSON.parse(text).errors[0].extensions.code]).toEqual([400, 'invalid_idempotency_key']);
});
