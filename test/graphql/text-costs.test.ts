import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { withClient } from '../support/databases.ts';
import {
  ask,
  connectCarrier,
  order,
  RECIPIENT,
  RECORD_EVENTS,
  shipment,
  times,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { CREATE } from './webhook-calls.ts';

// The cost of a response grows with its texts, however often a document repeats them.

const world = useWorld({ ROLE: 'api' });
// A test that begins at the end of a minute would see two of them.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterAll(() => {
  vi.useRealTimers();
});

const CHARACTERS_PER_UNIT = 32;
const SHIPMENTS = 10;

/** A company with ten shipments of an order, whose texts are as long as they may be, or short. */
async function shop(isLong: boolean): Promise<Caller> {
  const by = await world.company();
  const carrier = await connectCarrier(by);
  const text = (characters: number) => 'x'.repeat(isLong ? characters : 1);
  const metadata = Object.fromEntries(times(20, i => [`k${i}`, text(500)] as [string, string]));
  await upsertOrders(by, [order('O', { metadata })]);
  const recipient = { ...RECIPIENT, address: text(200) };
  await upsertShipments(
    by,
    times(SHIPMENTS, i => shipment(carrier, `s${i}`, { orderNumber: 'O', recipient, metadata })),
  );
  const at = new Date().toISOString();
  const event = { trackingNumber: 's0', statusCode: 'SHIPPED', occurredAt: at };
  await by.graphql(RECORD_EVENTS, { input: [{ ...event, description: text(500), note: text(500) }] });
  return by;
}

const METADATA = 20 * 499;
const PAIRS = 'metadata { key value }';
const each = (fields: string) => `{ shipments(first: ${SHIPMENTS}) { nodes { ${fields} } } }`;
const aliases = (field: string, count = 24) => times(count, i => `a${i}: ${field}`).join(' ');

/** Sends a document, and says what its company has left to spend in this minute. */
async function asked(by: Caller, query: string, variables: object = {}) {
  const response = await fetch(`${world.app.url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': by.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const left = Number(/"cost";r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]);
  return { left, ...((await response.json()) as { errors?: { extensions: object }[] }) };
}

describe('A response', () => {
  let long: Caller;
  let short: Caller;
  beforeAll(async () => {
    [long, short] = [await shop(true), await shop(false)];
  });
  const costOf = async (by: Caller, query: string) => {
    const before = await asked(by, '{ __typename }');
    const after = await asked(by, query);
    expect([before.errors, after.errors]).toEqual([undefined, undefined]);
    return before.left - after.left;
  };

  const one = (fields: string) => `{ trackingByNumber(trackingNumber: "s0") { ${fields} } }`;
  test.each<[what: string, query: string, characters: number]>([
    ['metadata', one(PAIRS), METADATA],
    ['metadata under aliases', one(aliases(PAIRS)), 24 * METADATA],
    ['metadata in a list', each(PAIRS), SHIPMENTS * METADATA],
    ['metadata under aliases in a list', each(aliases(PAIRS)), SHIPMENTS * 24 * METADATA],
    ['metadata of an order that each of a list leads to', each(`order { ${PAIRS} }`), SHIPMENTS * METADATA],
    ['texts of a recipient', each('recipient { address }'), SHIPMENTS * 199],
    ['texts of a recipient under aliases', each(`recipient { ${aliases('address')} }`), SHIPMENTS * 24 * 199],
    ['texts of an event', one('timeline(last: 5) { nodes { description note } }'), 2 * 499],
    ['texts of an event under aliases', one(aliases('timeline(last: 5) { nodes { note } }')), 24 * 499],
  ])('is charged for %s', async (_what, query, characters) => {
    const more = (await costOf(long, query)) - (await costOf(short, query));
    expect(more).toBeGreaterThan((characters / CHARACTERS_PER_UNIT) * 0.9);
  });

  test('is charged for long aliases, which are repeated in each object of a list', async () => {
    const alias = 'x'.repeat(10_000);
    const more = (await costOf(short, each(`${alias}: weight`))) - (await costOf(short, each('weight')));
    expect(more).toBeGreaterThan((SHIPMENTS * alias.length) / CHARACTERS_PER_UNIT);
  });
});

test('A read that is rejected for the size of its bodies is charged at most the maximum cost of a request', async () => {
  const by = await world.company();
  const input = { label: 'x', url: 'https://93.184.215.14/', events: ['TRACKING_ALL'] };
  const { webhookEndpoint } = await ask<{ webhookEndpoint: { id: string } }>(by, CREATE, { input });
  await withClient(world.ownerUrl, client =>
    client.query(
      `with made as (insert into webhook_event (company_id, id, type, sequence, body)
          select $1, gen_random_uuid(), 'tracking.in_transit', 0, $3 from generate_series(1, 100) returning company_id, id)
        insert into webhook_delivery (company_id, event_id, endpoint_id, parked, status)
          select company_id, id, $2, false, 'success' from made`,
      [by.companyId, webhookEndpoint.id, 'x'.repeat(250_000)],
    ),
  );
  const BODIES = 'query ($id: ID!) { webhookEndpoint(id: $id) { deliveries(first: 100) { nodes { body } } } }';
  const before = await asked(by, '{ __typename }');
  const rejected = await asked(by, BODIES, { id: webhookEndpoint.id });
  expect(rejected.errors?.[0]?.extensions).toMatchObject({ code: 'request_too_expensive', limit: 200_000 });
  expect(before.left - rejected.left).toBeLessThanOrEqual(200_010);
});
