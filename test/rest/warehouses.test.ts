import { beforeAll, describe, expect, test } from 'vitest';
import { INSTANT, untilAfter } from '../support/instants.ts';
import {
  connectCarrier,
  createWarehouse,
  feedOrders,
  feedShipments,
  upsertOrders,
  WAREHOUSE,
} from '../support/platform-side.ts';
import { wrongFields } from '../support/rest-client.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { send, unnamed } from './raw-http.ts';
import { FIELDS, WRONG } from './warehouse-input.ts';

// A world of its own: the tests ask for warehouse 1, the first of its database.
const world = useWorld({ ROLE: 'api' });
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
  await createWarehouse(caller);
});

describe('The list of warehouses', () => {
  test('is empty for a company without warehouses', async () => {
    const { status, body } = await (await world.company()).rest('GET', '/warehouses');
    expect(status).toBe(200);
    expect(body).toEqual([]);
  });

  test('is by ascending id, whatever was changed since', async () => {
    const own = await world.company();
    const ids = [];
    for (const name of ['C', 'A', 'B']) ids.push(await createWarehouse(own, { name }));
    await own.rest('PATCH', `/warehouses/${ids[0]}`, { name: 'Z' });
    const { body } = await own.rest('GET', '/warehouses');
    expect(body.map(({ id, name }: { id: number; name: string }) => [id, name])).toEqual([
      [ids[0], 'Z'],
      [ids[1], 'A'],
      [ids[2], 'B'],
    ]);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });

  test('has the warehouse as it was created, and so has a single read', async () => {
    const own = await world.company();
    const created = await own.rest('POST', '/warehouses', WAREHOUSE);
    const { status, text } = await own.rest('GET', `/warehouses/${created.body.id}`);
    expect(status).toBe(200);
    expect(text).toBe(created.text);
    expect((await own.rest('GET', '/warehouses')).text).toBe(`[${created.text}]`);
  });
});

describe('A change of a warehouse', () => {
  const CHANGES = {
    name: 'Altro nome',
    typeId: 3,
    address: 'Via Argine 313',
    postalCode: '80147',
    city: 'Napoli',
    state: 'NA',
    country: 'SM',
  };

  test.each(FIELDS)('replaces %s alone, and nothing else', async field => {
    const { body: before } = await caller.rest('POST', '/warehouses', {
      ...WAREHOUSE,
      // San Marino's postal codes are Italian ones.
      postalCode: '47890',
    });
    untilAfter(before.updatedAt);
    const change = { [field]: field === 'postalCode' ? '47895' : CHANGES[field] };
    const { status, body } = await caller.rest('PATCH', `/warehouses/${before.id}`, change);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      ...change,
      ...(field === 'typeId' && { isPrincipal: false, warehouseType: { id: 3, name: 'Drop Shipping' } }),
      updatedAt: expect.stringMatching(INSTANT),
    });
    expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect((await caller.rest('GET', `/warehouses/${before.id}`)).body).toEqual(body);
  });

  test('replaces all fields at once, trimmed and in upper case', async () => {
    const id = await createWarehouse(caller);
    const { body } = await caller.rest('PATCH', `/warehouses/${id}`, {
      name: ' Nuovo ',
      typeId: 4,
      address: ' Hauptstraße 5 ',
      postalCode: ' 10827 ',
      city: ' Berlin ',
      state: ' BE ',
      country: 'de',
    });
    expect(body).toMatchObject({
      name: 'Nuovo',
      typeId: 4,
      address: 'Hauptstraße 5',
      postalCode: '10827',
      city: 'Berlin',
      state: 'BE',
      country: 'DE',
    });
  });

  test.each(WRONG)('is rejected with $name', async ({ change, wrong }) => {
    const id = await createWarehouse(caller);
    const before = (await caller.rest('GET', `/warehouses/${id}`)).text;
    expect(wrongFields(await caller.rest('PATCH', `/warehouses/${id}`, change))).toEqual(wrong.toSorted());
    expect((await caller.rest('GET', `/warehouses/${id}`)).text).toBe(before);
  });

  test.each([
    { name: 'an empty object', body: '{}', wrong: [['', 'empty']] },
    { name: 'null', body: 'null', wrong: [['', 'wrong_type']] },
    { name: 'a list', body: '[{"name":"x"}]', wrong: [['', 'wrong_type']] },
    { name: 'a text', body: '"name"', wrong: [['', 'wrong_type']] },
    { name: 'a number', body: '1', wrong: [['', 'wrong_type']] },
    { name: '__proto__', body: '{"__proto__":{"name":"x"}}', wrong: [['/__proto__', 'unknown_field']] },
  ])('is rejected as $name', async ({ body, wrong }) => {
    const id = await createWarehouse(caller);
    expect(wrongFields(await caller.rest('PATCH', `/warehouses/${id}`, body))).toEqual(wrong);
  });

  test.each([
    { from: ['IT', '20138'], change: { postalCode: 'EC1A 1BB' }, wrong: '/postalCode' },
    { from: ['IT', '20138'], change: { postalCode: '2013' }, wrong: '/postalCode' },
    { from: ['IT', '20138'], change: { country: 'GB' }, wrong: '/country' },
    { from: ['GB', 'EC1A 1BB'], change: { country: 'IT' }, wrong: '/country' },
    { from: ['GB', 'EC1A 1BB'], change: { postalCode: '20138' }, wrong: '/postalCode' },
    { from: ['GH', 'anything'], change: { country: 'IT' }, wrong: '/country' },
    { from: ['IT', '20138'], change: { country: 'GB', postalCode: '20138' }, wrong: '/postalCode' },
  ])('is rejected: $change of an address $from, as it would be after it', async ({ from, change, wrong }) => {
    const [country, postalCode] = from;
    const id = await createWarehouse(caller, { country, postalCode });
    const answer = await caller.rest('PATCH', `/warehouses/${id}`, { city: 'Altrove', ...change });
    expect(wrongFields(answer)).toEqual([[wrong, 'invalid_postal_code']]);
    expect((await caller.rest('GET', `/warehouses/${id}`)).body).toMatchObject({ country, postalCode, city: 'Milano' });
  });

  test('with a country is rejected if the postal code does not fit it', async () => {
    const id = await createWarehouse(caller, { country: 'AT', postalCode: '1010' });
    const { body } = await caller.rest('PATCH', `/warehouses/${id}`, { country: 'IT' });
    expect(body.detail).toBe(
      'The field country must be sent together with `postalCode`, which must have the form of a postal code of IT (five digits). The warehouse has 1010.',
    );
  });

  test.each([
    { from: ['IT', '20138'], change: { country: 'DE' } },
    { from: ['IT', '20138'], change: { country: 'GB', postalCode: 'EC1A 1BB' } },
    { from: ['GB', 'EC1A 1BB'], change: { country: 'GH' } },
    { from: ['GH', 'anything'], change: { postalCode: 'else' } },
    { from: ['GH', '20138'], change: { country: 'IT' } },
  ])('is accepted: $change of an address $from', async ({ from, change }) => {
    const [country, postalCode] = from;
    const id = await createWarehouse(caller, { country, postalCode });
    const { status, body } = await caller.rest('PATCH', `/warehouses/${id}`, change);
    expect(status).toBe(200);
    expect(body).toMatchObject({ country, postalCode, ...change });
  });

  test('and another at the same time are both kept', async () => {
    const id = await createWarehouse(caller);
    await Promise.all([
      caller.rest('PATCH', `/warehouses/${id}`, { name: 'Insieme' }),
      caller.rest('PATCH', `/warehouses/${id}`, { city: 'Lodi' }),
    ]);
    expect((await caller.rest('GET', `/warehouses/${id}`)).body).toMatchObject({ name: 'Insieme', city: 'Lodi' });
  });
});

describe('The deletion of a warehouse', () => {
  test('returns 204 without a body, and the warehouse is gone permanently', async () => {
    const id = await createWarehouse(caller);
    const { status, text, headers } = await caller.rest('DELETE', `/warehouses/${id}`);
    expect(status).toBe(204);
    expect(text).toBe('');
    expect(headers.get('content-type')).toBeNull();
    for (const [method, body] of [['DELETE'], ['GET'], ['PATCH', { name: 'x' }]] as const) {
      const again = await caller.rest(method, `/warehouses/${id}`, body);
      expect([again.status, again.body.code]).toEqual([404, 'warehouse_not_found']);
    }
    const { body: list } = await caller.rest('GET', '/warehouses');
    expect(list.map((one: { id: number }) => one.id)).not.toContain(id);
    expect(await createWarehouse(caller)).toBeGreaterThan(id);
  });

  test.each([
    { orders: 2, shipments: 0 },
    { orders: 0, shipments: 1 },
    { orders: 1, shipments: 3 },
  ])('is rejected while $orders orders and $shipments shipments refer to it, and nothing is lost', async counts => {
    const own = await world.company();
    const carrierCompanyId = await connectCarrier(own);
    const warehouseId = await createWarehouse(own);
    const other = await createWarehouse(own);
    const numbers = (n: number, prefix: string) => Array.from({ length: n }, (_, i) => `${prefix}${i}`);
    const orders = numbers(counts.orders, 'O');
    const shipments = numbers(counts.shipments, 'S');
    await feedOrders(own, { orderNumber: 'ELSEWHERE', warehouseId: other });
    await feedOrders(own, ...orders.map(orderNumber => ({ orderNumber, warehouseId })));
    await feedShipments(own, carrierCompanyId, ...shipments.map(trackingNumber => ({ trackingNumber, warehouseId })), {
      trackingNumber: 'ELSEWHERE',
      warehouseId: other,
    });
    const before = (await own.rest('GET', '/warehouses')).text;

    const { status, body } = await own.rest('DELETE', `/warehouses/${warehouseId}`);
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'warehouse_in_use', ...counts });

    expect((await own.rest('GET', '/warehouses')).text).toBe(before);
    const { data } = await own.graphql<{
      orders: { edges: { node: { orderNumber: string; warehouse: { id: number } } }[] };
      shipments: { edges: { node: { trackingNumber: string; warehouse: { id: number } } }[] };
    }>(`{
      orders { edges { node { orderNumber warehouse { id: databaseId } } } }
      shipments { edges { node { trackingNumber warehouse { id: databaseId } } } }
    }`);
    const there = (edges: { node: { warehouse: { id: number } } }[]) =>
      edges.filter(({ node }) => node.warehouse.id === warehouseId).length;
    expect([there(data.orders.edges), there(data.shipments.edges)]).toEqual([counts.orders, counts.shipments]);
  });

  test('works once nothing refers to it', async () => {
    const own = await world.company();
    const warehouseId = await createWarehouse(own);
    await feedOrders(own, { orderNumber: 'O1', warehouseId });
    expect((await own.rest('DELETE', `/warehouses/${warehouseId}`)).status).toBe(409);
    await feedOrders(own, { orderNumber: 'O1', warehouseId: null });
    expect((await own.rest('DELETE', `/warehouses/${warehouseId}`)).status).toBe(204);
  });

  test('and an order at the same moment never leave an order without its warehouse', async () => {
    const own = await world.company();
    for (let round = 0; round < 8; round++) {
      const warehouseId = await createWarehouse(own);
      const [removal, { results }] = await Promise.all([
        own.rest('DELETE', `/warehouses/${warehouseId}`),
        upsertOrders(own, [
          {
            orderNumber: `O${round}`,
            warehouseId,
            recipient: { address: 'Via Roma 1', postalCode: '00185', city: 'Roma' },
          },
        ]),
      ]);
      const [result] = results;
      if (removal.status === 204) expect(result).toMatchObject({ outcome: 'rejected', code: 'warehouse_not_found' });
      else expect([removal.status, result?.outcome]).toEqual([409, 'created']);
    }
  });
});

describe('A malformed id gets the same response as one that never existed:', () => {
  const MALFORMED = [
    'abc',
    '0',
    '-1',
    '+1',
    '01',
    '1.5',
    '1.0',
    '1e3',
    '0x1',
    '1,2',
    '2147483648',
    '99999999999',
    '9'.repeat(400),
    '%00',
    '1%00',
    '%201',
    '1%20',
    '%zz',
    '%D9%A1', // ١
    '%EF%BC%91', // １
    '%F0%9F%93%A6',
    '%2F',
    '1%2F2',
    'null',
    'NaN',
    "1'--",
  ];
  const METHODS = [['GET'], ['PATCH', '{"name":"x"}'], ['DELETE']] as const;

  test.each(MALFORMED)('%s', async id => {
    // So that a lenient reader of 1, ١ or 1.5 would find something.
    const headers = { 'x-api-key': caller.apiKey };
    for (const [method, body] of METHODS) {
      const options = {
        method,
        headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
        chunks: body ? [body] : [],
      };
      const never = await send(world.app.url, { ...options, path: '/api/v1/integrations/warehouses/2147483647' });
      const malformed = await send(world.app.url, { ...options, path: `/api/v1/integrations/warehouses/${id}` });
      expect(never.status).toBe(404);
      expect(never.body.code).toBe('warehouse_not_found');
      expect(unnamed(malformed)).toEqual(unnamed(never));
      expect(malformed.body.instance).toBe(`/api/v1/integrations/warehouses/${id}`);
    }
  });

  test('though warehouse 1 exists, so that a lenient reader of 01, ١ or 1e0 would find it', async () => {
    const { status, body } = await caller.rest('GET', '/warehouses/1');
    expect([status, body.id]).toEqual([200, 1]);
  });
});
