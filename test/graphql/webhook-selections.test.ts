import { beforeAll, describe, expect, test, vi } from 'vitest';
import { withClient } from '../support/databases.ts';
import { figure } from '../support/metrics.ts';
import {
  ask,
  createWarehouse,
  type Item,
  order,
  shipment,
  times,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import type { Received } from '../support/receiver.ts';
import { statementsOf } from '../support/statements.ts';
import type { Caller } from '../support/world.ts';
import {
  CREATE,
  deliveries,
  idOf,
  PAUSE,
  REDELIVER,
  RESUME,
  record,
  SOON,
  TEST,
  told,
  UPDATE,
  useWebhooks,
  verifies,
} from './webhook-calls.ts';

// The payloads of an endpoint with a selection.

const { world, endpoint, company } = useWebhooks();

/** A company with a shipment `n` of an order, both with metadata. */
async function shop() {
  const { by, brt } = await company();
  const warehouseId = await createWarehouse(by);
  const fields = { marketplace: 'Amazon', metadata: { channel: 'b2b' }, warehouseId };
  await upsertOrders(by, [order('O1', { ...fields, codAmount: '4.7' })]);
  await upsertShipments(by, [shipment(brt, 'n', { orderNumber: 'O1', weight: '1.50', metadata: { team: 'nord' } })]);
  return { by, brt };
}

describe('A payload', () => {
  const ALL = `{
    eventId type recordedAt sequence number statusCode previousStatusCode
    event { occurredAt statusLabel }
    shipment { trackingNumber statusLabel statusCode weight metadata { key value } order { orderNumber codAmount metadata { key value } } timeline { nodes { statusCode } } }
  }`;

  test('has the selected fields of the event in its envelope, and an ordinary signature', async () => {
    const { by } = await shop();
    const { id, secret, sent } = await endpoint(by, { selection: ALL });
    await record(by, told('n', 1, 'shipped'));
    const [request] = await sent(1);
    if (!request) throw new Error('Nothing came');
    const { data, ...envelope } = request.json;
    expect(envelope).toEqual({
      id: idOf(request),
      type: 'tracking.order_shipped',
      timestamp: expect.any(String),
      sequence: 1,
      change: 2,
    });
    expect(data).toEqual({
      eventId: envelope.id,
      type: 'TRACKING_ORDER_SHIPPED',
      recordedAt: envelope.timestamp,
      sequence: 1,
      number: 2,
      statusCode: 'SHIPPED',
      previousStatusCode: 'CREATED',
      event: { occurredAt: '2026-11-21T09:01:00.000Z', statusLabel: 'Spedita' },
      shipment: {
        trackingNumber: 'n',
        statusLabel: 'Spedita',
        statusCode: 'SHIPPED',
        weight: '1.5',
        metadata: [{ key: 'team', value: 'nord' }],
        order: { orderNumber: 'O1', codAmount: '4.70', metadata: [{ key: 'channel', value: 'b2b' }] },
        timeline: { nodes: [{ statusCode: 'SHIPPED' }] },
      },
    });
    expect(verifies(request, secret)).toBe(true);
    const [made] = await deliveries(by, id);
    expect(made?.body).toBe(request.body.toString());
  });

  test('names each step of one batch, and shows the shipment at the time of sending', async () => {
    const { by } = await shop();
    const selection =
      '{ number statusCode previousStatusCode event { occurredAt } shipment { statusCode timeline { nodes { statusCode } } } }';
    const { sent } = await endpoint(by, { selection });
    await record(by, told('n', 2, 'delivered'), told('n', 1, 'shipped'));
    const data = (await sent(2)).map(({ json }) => json.data).sort((a, b) => a.number - b.number);
    const steps = ['SHIPPED', 'DELIVERED'];
    expect(data).toEqual(
      steps.map((statusCode, i) => ({
        number: expect.any(Number),
        statusCode,
        previousStatusCode: ['CREATED', 'SHIPPED'][i],
        event: { occurredAt: `2026-11-21T09:0${i + 1}:00.000Z` },
        shipment: { statusCode: 'DELIVERED', timeline: { nodes: steps.map(step => ({ statusCode: step })) } },
      })),
    );
  });

  test('is rendered once, so that later attempts and a redelivery have the same bytes, whatever has changed', async () => {
    const { by } = await shop();
    const { id, sent } = await endpoint(by, { selection: '{ shipment { order { metadata { key value } } } }' });
    await record(by, told('n', 1, 'shipped'));
    const [request] = await sent(1);
    await upsertOrders(by, [order('O1', { metadata: { channel: 'changed' } })]);
    await ask(by, UPDATE, { input: { id, selection: '{ type }' } });
    const [made] = await deliveries(by, id);
    expect(made?.body).toBe(request?.body.toString());
    expect(JSON.parse(made?.body ?? '').data).toEqual({
      shipment: { order: { metadata: [{ key: 'channel', value: 'b2b' }] } },
    });
    await ask(by, REDELIVER, { id: made?.id });
    const [, again] = await sent(2);
    expect(again?.body.toString()).toBe(request?.body.toString());
  });

  test('follows the selection of its endpoint at the time of the first attempt', async () => {
    const { by } = await shop();
    const { id, sent } = await endpoint(by, { selection: '{ type }' });
    await ask(by, PAUSE, { id });
    await record(by, told('n', 1, 'shipped'));
    await upsertOrders(by, [order('O1', { metadata: { channel: 'later' } })]);
    await ask(by, UPDATE, { input: { id, selection: '{ shipment { order { metadata { key value } } } }' } });
    await ask(by, RESUME, { id });
    expect((await sent(1))[0]?.json.data).toEqual({
      shipment: { order: { metadata: [{ key: 'channel', value: 'later' }] } },
    });
  });

  test('of an endpoint without a selection is the record, whatever other endpoints select', async () => {
    const { by } = await shop();
    const [plain, own] = [await endpoint(by), await endpoint(by, { selection: '{ type }' })];
    await record(by, told('n', 1, 'shipped'));
    const [[record1], [selected]] = await Promise.all([plain.sent(1), own.sent(1)]);
    const { body } = await by.rest('GET', '/shipments/tracking/by-tracking-number/n');
    const { statusCode: _, previousStatusCode: __, event: ___, ...data } = (record1 as Received).json.data;
    expect(data).toEqual(body);
    expect(selected?.json.data).toEqual({ type: 'TRACKING_ORDER_SHIPPED' });
    expect(selected?.json.id).toBe(record1?.json.id);
  });

  test('is the record again after the selection was removed', async () => {
    const { by } = await shop();
    const { id, sent } = await endpoint(by, { selection: '{ type }' });
    await ask(by, UPDATE, { input: { id, selection: null } });
    await record(by, told('n', 1, 'shipped'));
    expect((await sent(1))[0]?.json.data.trackingNumber).toBe('n');
  });

  test('of a test event has the example', async () => {
    const { by } = await shop();
    const { id, sent } = await endpoint(by, {
      selection: '{ sequence number shipment { trackingNumber order { orderNumber } } }',
    });
    await ask(by, TEST, { id, type: 'tracking.delivered' });
    expect((await sent(1))[0]?.json).toMatchObject({
      type: 'tracking.delivered',
      data: { sequence: 0, number: null, shipment: { trackingNumber: '084000000000000', order: null } },
    });
  });

  test('has the records of its company, even if another company uses the same numbers', async () => {
    const shops = await Promise.all(times(2, () => shop()));
    const selection = '{ shipment { id order { id shipments(first: 5) { nodes { trackingNumber order { id } } } } } }';
    const ends = await Promise.all(shops.map(({ by }) => endpoint(by, { selection })));
    await Promise.all(shops.map(({ by }) => record(by, told('n', 1, 'shipped'))));
    for (const [i, { by }] of shops.entries()) {
      const own = await ask<{ id: string }>(by, '{ order(by: { orderNumber: "O1" }) { id } }');
      const [request] = (await ends[i]?.sent(1)) ?? [];
      expect(request?.json.data.shipment.order).toEqual({
        id: own.id,
        shipments: { nodes: [{ trackingNumber: 'n', order: { id: own.id } }] },
      });
    }
  });
});

describe('A selection', () => {
  let by: Caller;
  beforeAll(async () => {
    by = await world.company();
  });
  const errorsOf = async (selection: string) => {
    const input = { label: 'x', url: 'https://93.184.215.14/', events: ['tracking.*'], selection };
    const query = CREATE.replace(
      'userErrors { code pointer message }',
      'userErrors { code pointer message line column }',
    );
    const { data } = await by.graphql<Record<string, { userErrors: Item[] }>>(query, { input });
    return data.createWebhookEndpoint?.userErrors ?? [];
  };

  const deep = (levels: number): string =>
    levels === 0 ? 'trackingNumber' : `order { shipments(first: 1) { nodes { ${deep(levels - 1)} } } }`;
  const wrong: [what: string, selection: string, code: string, says: RegExp, place: [number, number] | null][] = [
    ['empty', '', 'invalid_selection', /Syntax Error/, [1, 1]],
    ['that ends too early', '{ shipment {', 'invalid_selection', /Syntax Error/, [1, 13]],
    [
      'of an unknown field',
      '{\n  shipment { foo }\n}',
      'invalid_selection',
      /Shipment has no field foo; allowed are .*trackingNumber.* \(line 2, column 14\)/,
      [2, 14],
    ],
    ['of a record without fields', '{ shipment }', 'invalid_selection', /selection of subfields/, [1, 3]],
    [
      'of a warehouse, which needs another scope',
      '{ shipment { warehouse { name } } }',
      'invalid_selection',
      /shows only to keys with warehouses:read its field warehouse; allowed are /,
      [1, 14],
    ],
    [
      "of a carrier's account",
      '{ shipment { carrierConnection { baseUrl hasCredentials } } }',
      'invalid_selection',
      /carriers:read/,
      [1, 14],
    ],
    [
      'of the schema',
      '{ __schema { types { name } } }',
      'invalid_selection',
      /WebhookEvent has no field __schema/,
      [1, 3],
    ],
    [
      'of all companies',
      '{ shipments { nodes { id } } }',
      'invalid_selection',
      /WebhookEvent has no field shipments/,
      [1, 3],
    ],
    [
      'that is a mutation',
      'mutation { deleteWarehouse }',
      'invalid_selection',
      /one selection without variables/,
      null,
    ],
    [
      'with variables',
      'query ($n: Int) { shipment { timeline(last: $n) { nodes { statusLabel } } } }',
      'invalid_selection',
      /without variables/,
      null,
    ],
    ['twice', 'query a { type } query b { type }', 'invalid_selection', /one selection/, null],
    ['too deep', `{ shipment { ${deep(2)} } }`, 'too_deep', /at most 6 levels deep, but nests them 8/, null],
    [
      'too costly',
      '{ shipment { timeline(last: 1000) { nodes { statusLabel } } } }',
      'too_complex',
      /cost at most 500 units, but costs \d+/,
      null,
    ],
    ['too long', `{ type ${' '.repeat(4_000)} }`, 'too_long', /at most 4000 characters/, null],
  ];
  test.each(wrong)('is rejected: %s', async (_what, selection, code, says, place) => {
    const [first, ...others] = await errorsOf(selection);
    expect(first).toMatchObject({
      code,
      pointer: '/selection',
      message: expect.stringMatching(says),
      line: place?.[0] ?? null,
      column: place?.[1] ?? null,
    });
    expect(others.map(({ pointer }) => pointer)).toEqual(others.map(() => '/selection'));
  });

  test('is accepted at each limit', async () => {
    for (const selection of [
      `{ shipment { ${deep(1)} } }`,
      '{ shipment { timeline(last: 240) { nodes { statusLabel } } } }',
    ]) {
      expect(await errorsOf(selection)).toEqual([]);
    }
  });
});

/** Changes the stored selection behind the back of the service, as an upgrade may change which selections are valid. */
const store = (id: string, selection: string) =>
  withClient(world.ownerUrl, client =>
    client.query('update webhook_endpoint set selection = $2 where id = $1', [id, selection]),
  );

/** Does something while a column is away, which makes the statement of orders fail, and no other. */
const withoutOrders = <Result>(work: () => Promise<Result>): Promise<Result> =>
  withClient(world.ownerUrl, async client => {
    await client.query('alter table customer_order rename column insurance_amount to renamed');
    try {
      return await work();
    } finally {
      await client.query('alter table customer_order rename column renamed to insurance_amount');
    }
  });

describe('A payload whose selection cannot be shown', () => {
  test('has the reason if the selection is no longer valid, and the endpoint shows the reason too', async () => {
    const { by } = await shop();
    const [plain, own] = [await endpoint(by), await endpoint(by, { selection: '{ type }' })];
    await store(own.id, '{ shipment { gone } }');
    await record(by, told('n', 1, 'shipped'));
    const [[ofPlain], [ofOwn]] = await Promise.all([plain.sent(1), own.sent(1)]);
    expect(ofPlain?.json.data.trackingNumber).toBe('n');
    expect(ofOwn?.json).toMatchObject({
      id: ofPlain?.json.id,
      sequence: 1,
      data: null,
      errors: [{ code: 'invalid_selection', message: expect.stringContaining('Shipment has no field gone'), path: [] }],
    });
    const { selectionErrors } = await ask<Item>(
      by,
      'query ($id: ID!) { webhookEndpoint(id: $id) { selectionErrors { code message line column } } }',
      { id: own.id },
    );
    expect(selectionErrors).toEqual([
      {
        code: 'invalid_selection',
        message: expect.stringContaining('Shipment has no field gone'),
        line: 1,
        column: 14,
      },
    ]);
  });

  test('is complete if the selection is longer than a new one may be since an upgrade', async () => {
    const { by } = await shop();
    const { id, sent } = await endpoint(by, { selection: '{ type }' });
    const long = `{ ${'at: recordedAt '.repeat(480)}}`;
    await store(id, long);
    await record(by, told('n', 1, 'shipped'));
    expect((await sent(1))[0]?.json).toMatchObject({ data: { at: expect.any(String) } });
    const query = 'query ($id: ID!) { webhookEndpoint(id: $id) { selectionErrors { message } } }';
    expect(await ask<Item>(by, query, { id })).toEqual({ selectionErrors: [] });
    const { data } = await by.graphql(UPDATE, { input: { id, selection: `{ ${'a:type '.repeat(480)}}` } });
    expect(data).toMatchObject({ updateWebhookEndpoint: { userErrors: [{ code: 'invalid_selection' }] } });
  });

  test('has an error for a failed statement, beside all other fields', async () => {
    const { by } = await shop();
    const { sent, id } = await endpoint(by, {
      selection: '{ type shipment { trackingNumber order { orderNumber } } }',
    });
    const [request] = await withoutOrders(async () => {
      await record(by, told('n', 1, 'shipped'));
      return sent(1);
    });
    expect(request?.json).toMatchObject({
      type: 'tracking.order_shipped',
      data: { type: 'TRACKING_ORDER_SHIPPED', shipment: { trackingNumber: 'n', order: null } },
      errors: [{ code: 'internal_error', path: ['shipment', 'order'] }],
    });
    expect(JSON.stringify(request?.json.errors)).not.toContain('insurance');
    await record(by, told('n', 2, 'delivered'));
    const [, next] = await sent(2);
    expect(next?.json).not.toHaveProperty('errors');
    expect(await deliveries(by, id)).toHaveLength(2);
  });

  test('is limited in size', async () => {
    const { by, brt } = await shop();
    const metadata = Object.fromEntries(times(20, i => [`k${i}`, '"'.repeat(500)] as [string, string]));
    await upsertOrders(by, [order('O2', { metadata })]);
    await upsertShipments(
      by,
      times(30, i => shipment(brt, `m${i}`, { orderNumber: 'O2', metadata })),
    );
    const selection = '{ type shipment { order { shipments(first: 20) { nodes { metadata { key value } } } } } }';
    const { sent } = await endpoint(by, { selection });
    await record(by, told('m0', 1, 'shipped'));
    expect((await sent(1))[0]?.json).toMatchObject({ data: null, errors: [{ code: 'too_long', path: [] }] });
  });
});

test('The recording of events takes no longer, and stores everything, whatever endpoints select', async () => {
  const { by, brt } = await company();
  const metadata = Object.fromEntries(times(20, i => [`k${i}`, 'x'.repeat(500)] as [string, string]));
  const count = 300;
  await upsertShipments(
    by,
    times(count, i => shipment(brt, `s${i}`, { metadata })),
  );
  const selection = `{ shipment { ${times(20, i => `a${i}: metadata { key value }`).join(' ')} } }`;
  const ends = await Promise.all(times(10, () => endpoint(by, { selection })));
  // Their payloads would be 750 MB. Nothing is sent here.
  for (const { id } of ends) await ask(by, PAUSE, { id });
  await record(by, ...times(count, i => told(`s${i}`, 1, 'shipped')));
  for (const { id } of ends) {
    const { deliveries: made } = await ask<Item>(
      by,
      'query ($id: ID!) { webhookEndpoint(id: $id) { deliveries(first: 1) { totalCount } } }',
      { id },
    );
    expect(made).toEqual({ totalCount: count });
  }
});

test('A company renders one payload at a time, however many events and endpoints wait', async () => {
  const { by, brt } = await company();
  const numbers = times(5, i => `w${i}`);
  await upsertShipments(
    by,
    numbers.map(number => shipment(brt, number)),
  );
  const selection = '{ shipment { carrierEstimates { receivedAt } } }';
  const ends = await Promise.all(times(3, () => endpoint(by, { selection })));
  const payloads = numbers.length * ends.length;
  const statements = await statementsOf(world, () =>
    withClient(world.ownerUrl, async client => {
      // Payloads wait for the estimates, which recording does not read.
      await client.query('begin; lock table shipment_estimate');
      await record(by, ...numbers.map(number => told(number, 1, 'shipped')));
      const inFlight = () => figure(world.app.metrics, 'shipping_webhook_deliveries_in_flight');
      await vi.waitFor(async () => expect(await inFlight()).toBe(payloads), SOON);
      await client.query('rollback');
      for (const { sent } of ends) await sent(numbers.length);
    }),
  );
  // Payloads that are rendered together read their estimates together.
  expect(statements.filter(name => name === 'shipment-estimates')).toHaveLength(payloads);
});

test('The metrics and the log show payloads that differ from the selection of their endpoint', async () => {
  const { by } = await shop();
  const ends = await Promise.all(
    ['{ type }', '{ shipment { order { orderNumber } } }'].map(selection => endpoint(by, { selection })),
  );
  const [invalid, unreadable] = ends.map(({ id }) => id);
  const failures = (reason: string) =>
    figure(world.app.metrics, `shipping_webhook_selection_failures_total{reason="${reason}"}`);
  const before = [await failures('invalid'), await failures('unreadable')];
  const warn = vi.spyOn(world.app.log, 'warn');
  await store(invalid ?? '', '{ gone }');
  await withoutOrders(async () => {
    await record(by, told('n', 2, 'delivered'), told('n', 1, 'shipped'));
    await Promise.all(ends.map(({ sent }) => sent(2)));
  });
  expect([await failures('invalid'), await failures('unreadable')]).toEqual(before.map(count => count + 2));
  const { companyId } = by;
  const path = ['shipment', 'order'];
  // One line each, though two payloads failed.
  const lines = warn.mock.calls.filter(([, message]) => message === 'webhook selection failed').map(([line]) => line);
  expect(lines).toHaveLength(2);
  const noField = expect.stringContaining('WebhookEvent has no field gone');
  const noColumn = expect.stringContaining('insurance_amount');
  expect(lines).toContainEqual({ companyId, endpointId: invalid, failure: 'invalid', reason: noField });
  expect(lines).toContainEqual(
    expect.objectContaining({ companyId, endpointId: unreadable, failure: 'unreadable', path, reason: noColumn }),
  );
  warn.mockRestore();
});
