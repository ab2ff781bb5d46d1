import pg from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { resultOf } from '../support/graphql-client.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
});

describe('A request', () => {
  test.each([
    ['items that are none', Array.from({ length: 200_000 }, () => 0)],
    ['items of unknown fields', Array.from({ length: 2_000 }, (_, i) => ({ [`x${i}`]: 1 }))],
    [
      'one item of very many unknown fields',
      [Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`x${i}`, 1]))],
    ],
  ])('with %s is answered with at most a hundred errors', async (_, input) => {
    const query =
      'mutation ($input: [OrderInput!]!) { upsertOrders(input: { orders: $input }) { created userErrors { code pointer message } } }';
    const { errors } = await caller.graphql(query, { input });
    expect(errors?.[0]?.extensions.code).toBe('validation_failed');
    expect(errors?.[0]?.extensions.errors).toHaveLength(100);
  });

  test('with more values than the service reads is rejected as too large, however short its body is', async () => {
    const query =
      'mutation ($input: [OrderInput!]!) { upsertOrders(input: { orders: $input }) { created userErrors { code pointer message } } }';
    const { status, errors } = await caller.graphql(query, { input: Array.from({ length: 260_000 }, () => 0) });
    expect([status, errors?.[0]?.extensions]).toEqual([
      413,
      expect.objectContaining({ code: 'body_too_large', maxValues: 250_000 }),
    ]);
  });

  test('with fragments that multiply is interpreted and not compiled, however often it is sent', async () => {
    const aliased = (field: string) => Array.from({ length: 100 }, (_, i) => `f${i}: ${field}`).join(' ');
    const query = `{ shipments(first: 1) { edges { node { ...A } } } }
      fragment A on Shipment { ${aliased('carrier { ...B }')} } fragment B on Carrier { ${aliased('name')} }`;
    for (let i = 0; i < 5; i++) {
      expect(await caller.graphql(query)).toEqual({ status: 200, data: { shipments: { edges: [] } } });
    }
  });

  test('with fragments that multiply exponentially is rejected', async () => {
    const spread = (i: number) =>
      `{ a: order { shipments { nodes { ...F${i} } } } b: order { shipments { nodes { ...F${i} } } } }`;
    const fragments = Array.from({ length: 20 }, (_, i) => `fragment F${i} on Shipment ${spread(i + 1)}`);
    const query = `{ shipments { edges { node { ...F0 } } } } ${fragments.join(' ')} fragment F20 on Shipment { id: databaseId }`;
    const { errors } = await caller.graphql(query);
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['graphql_too_deep']);
  });
});

test('A stored value that the schema does not allow is an internal error over REST, interpreted and compiled', async () => {
  const connected = await caller.graphql(
    'mutation { connectCarrier(input: {carrierCode: BRT, label: "BRT"}) { carrierConnection { databaseId } userErrors { code pointer message } } }',
  );
  const recipient = { address: 'Via Roma 1', postalCode: '20121', city: 'Milano' };
  const { databaseId: carrierConnectionId } = resultOf<{ databaseId: number }>(connected);
  await caller.graphql(
    'mutation ($input: [ShipmentInput!]!) { upsertShipments(input: { shipments: $input }) { created userErrors { code pointer message } } }',
    {
      input: [{ carrierConnectionId, trackingNumber: 'ODD1', recipient }],
    },
  );
  // As a later version may write it, of which this one knows nothing.
  const client = new pg.Client({ connectionString: world.ownerUrl });
  await client.connect();
  await client.query(`update shipment set status_code = 'teleported' where company_id = $1`, [caller.companyId]);
  await client.end();

  const logged = vi.spyOn(world.app.log, 'error');
  const { status, body } = await caller.rest('GET', '/shipments/tracking/by-tracking-number/ODD1');
  expect([status, body.code]).toEqual([500, 'internal_error']);
  // The caller learns nothing of the inside, and the operator finds it by the id of the request.
  expect(JSON.stringify(body)).not.toContain('statusLabel');
  const lines = logged.mock.calls.filter(([, message]) => message === 'request failed');
  const reason = expect.stringContaining('Shipment.statusLabel');
  expect(lines).toEqual([[expect.objectContaining({ requestId: body.requestId, reason }), 'request failed']]);
  logged.mockRestore();
  for (let i = 0; i < 5; i++) {
    const { errors } = await caller.graphql('{ trackingByNumber(trackingNumber: "ODD1") { statusCode } }');
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'internal_error', status: 500 });
    expect(JSON.stringify(errors)).not.toContain('teleported');
  }
});
