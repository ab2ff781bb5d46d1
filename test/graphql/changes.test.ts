import { describe, expect, test } from 'vitest';
import {
  ask,
  connectCarrier,
  type Item,
  recordEvents,
  refusal,
  shipment,
  times,
  upsertShipments,
} from '../support/platform-side.ts';
import { removeOld } from '../support/retention.ts';
import { type Caller, useWorld } from '../support/world.ts';

// The change log: every change of a company's shipments, numbered without a gap, for consumers that ask what changed since.

const world = useWorld({ ROLE: 'api', WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'true' });
interface Change {
  readonly __typename: string;
  readonly number: number;
  readonly shipment: { readonly trackingNumber: string } | null;
}

interface Page {
  readonly nodes: readonly Change[];
  readonly edges: readonly { readonly cursor: string }[];
  readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean };
  readonly cursor: string;
  readonly hasGap: boolean;
}

const CHANGES = `query ($after: String, $first: Int, $filter: ChangeFilter) {
  changes(after: $after, first: $first, filter: $filter) {
    nodes {
      __typename number shipment { trackingNumber }
      ... on ShipmentUpdated { fields }
      ... on ShipmentStatusChanged { statusCode previousStatusCode event { occurredAt } }
      ... on TrackingEventRecorded { event { occurredAt statusCode } }
    }
    edges { cursor }
    pageInfo { ...Position }
    cursor
    hasGap
  }
}
fragment Position on PageInfo { startCursor endCursor hasNextPage hasPreviousPage }`;

const changes = (caller: Pick<Caller, 'graphql'>, variables: Item = {}) => ask<Page>(caller, CHANGES, variables);

/** All changes after a cursor, and the cursor of the end. */
async function read(caller: Pick<Caller, 'graphql'>, after: string | null = null, variables: Item = {}) {
  const found: Change[] = [];
  let cursor = after;
  for (;;) {
    const page: Page = await changes(caller, { ...variables, after: cursor });
    found.push(...page.nodes);
    cursor = page.pageInfo.endCursor;
    if (!page.pageInfo.hasNextPage) return { found, cursor };
  }
}

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20) + minute * 60_000).toISOString();
const event = (trackingNumber: string, minute: number, statusCode: string): Item => ({
  trackingNumber,
  occurredAt: at(minute),
  statusCode,
});

async function company() {
  const caller = await world.company();
  return { caller, connection: await connectCarrier(caller) };
}

describe('The change log', () => {
  test('has the changes of shipments in the order in which they took effect', async () => {
    const { caller, connection } = await company();
    await upsertShipments(caller, [shipment(connection, 'A'), shipment(connection, 'B')]);
    await recordEvents(caller, [event('A', 20, 'in_transit'), event('A', 10, 'shipped')]);
    await recordEvents(caller, [event('A', 15, 'at_depot')]);
    await upsertShipments(caller, [shipment(connection, 'B', { weight: '2', labels: ['L1'], reference: 'r' })]);
    // A call that changes nothing does not count as a change.
    await upsertShipments(caller, [shipment(connection, 'B', { weight: '2' })]);
    await recordEvents(caller, [event('A', 15, 'at_depot'), event('unknown number', 1, 'shipped')]);
    const { found } = await read(caller);
    expect(found).toEqual([
      { __typename: 'ShipmentCreated', number: 1, shipment: { trackingNumber: 'A' } },
      { __typename: 'ShipmentCreated', number: 2, shipment: { trackingNumber: 'B' } },
      {
        __typename: 'ShipmentStatusChanged',
        number: 3,
        shipment: { trackingNumber: 'A' },
        statusCode: 'shipped',
        previousStatusCode: 'created',
        event: { occurredAt: at(10) },
      },
      {
        __typename: 'ShipmentStatusChanged',
        number: 4,
        shipment: { trackingNumber: 'A' },
        statusCode: 'in_transit',
        previousStatusCode: 'shipped',
        event: { occurredAt: at(20) },
      },
      {
        __typename: 'TrackingEventRecorded',
        number: 5,
        shipment: { trackingNumber: 'A' },
        event: { occurredAt: at(15), statusCode: 'at_depot' },
      },
      {
        __typename: 'ShipmentUpdated',
        number: 6,
        shipment: { trackingNumber: 'B' },
        fields: ['labels', 'reference', 'weight'],
      },
    ]);
  });

  test('gives equal results by pages of any size, and a cursor to continue from even if there is nothing new', async () => {
    const { caller, connection } = await company();
    await upsertShipments(
      caller,
      times(23, i => shipment(connection, `N${i}`)),
    );
    const all = (await read(caller)).found.map(({ number }) => number);
    expect(all).toEqual(times(23, i => i + 1));
    for (const first of [1, 5, 23, 1000]) {
      const { found, cursor } = await read(caller, null, { first });
      expect(found.map(({ number }) => number)).toEqual(all);
      const empty = await changes(caller, { after: cursor });
      expect(empty).toEqual({
        ...{ nodes: [], edges: [], hasGap: false, cursor },
        pageInfo: { startCursor: null, endCursor: cursor, hasNextPage: false, hasPreviousPage: true },
      });
    }
    const { edges } = await changes(caller, { first: 5 });
    expect((await changes(caller, { first: 1, after: edges[2]?.cursor })).nodes[0]?.number).toBe(4);
  });

  test('can be filtered, and continues after the changes that the filter has read', async () => {
    const { caller, connection } = await company();
    const { results } = await upsertShipments(caller, [shipment(connection, 'A'), shipment(connection, 'B')]);
    await recordEvents(caller, [event('A', 10, 'shipped'), event('B', 10, 'shipped'), event('B', 20, 'delivered')]);
    const numbers = async (filter: Item) => (await read(caller, null, { filter })).found.map(({ number }) => number);
    expect(await numbers({ kinds: ['status'] })).toEqual([3, 4, 5]);
    expect(await numbers({ statusCodes: ['delivered'] })).toEqual([5]);
    expect(await numbers({ shipmentIds: [Number(results[0]?.databaseId)] })).toEqual([1, 3]);
    expect(await numbers({ kinds: ['created'], statusCodes: ['delivered'] })).toEqual([]);
    const { cursor } = await read(caller);
    const none = await changes(caller, { filter: { kinds: ['related'] } });
    expect(none).toMatchObject({ cursor, pageInfo: { endCursor: cursor, hasNextPage: false }, hasGap: false });
  });

  test('has separate numbers for each company, and no changes of another one', async () => {
    const [one, other] = [await company(), await company()];
    const { results } = await upsertShipments(one.caller, [shipment(one.connection, 'A')]);
    await upsertShipments(other.caller, [shipment(other.connection, 'B')]);
    const { found, cursor } = await read(other.caller);
    expect(found).toEqual([{ __typename: 'ShipmentCreated', number: 1, shipment: { trackingNumber: 'B' } }]);
    expect((await read(one.caller, cursor)).found).toEqual([]);
    const filter = { shipmentIds: [Number(results[0]?.databaseId)] };
    expect((await read(other.caller, null, { filter })).found).toEqual([]);
  });

  test('requires the tracking scope, a valid cursor and a valid size', async () => {
    const { caller } = await company();
    const quotesOnly = await world.key(caller.companyId, ['shipments:quote']);
    expect(await refusal(quotesOnly, CHANGES)).toBe('insufficient_scope');
    expect(await refusal(caller, CHANGES, { after: 'x' })).toBe('validation_failed: /after invalid_cursor');
    expect(await refusal(caller, CHANGES, { first: 0 })).toBe('validation_failed: /first out_of_range');
    expect(await refusal(caller, CHANGES, { first: 1001 })).toBe('validation_failed: /first out_of_range');
  });

  test('states its oldest and latest changes, and where it ends', async () => {
    const { caller, connection } = await company();
    const LOG = '{ changeLog { oldest latest cursor } }';
    const empty = await ask<{ cursor: string }>(caller, LOG);
    expect(empty).toEqual({ oldest: null, latest: null, cursor: expect.any(String) });
    await upsertShipments(caller, [shipment(connection, 'A'), shipment(connection, 'B')]);
    expect(await ask(caller, LOG)).toEqual({ oldest: 1, latest: 2, cursor: expect.any(String) });
    expect((await read(caller, empty.cursor)).found).toHaveLength(2);
  });

  test('has the same numbers as the webhooks', async () => {
    const { caller, connection } = await company();
    await ask(
      caller,
      'mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { webhookEndpoint { id } } }',
      { input: { label: 'None', url: 'http://127.0.0.1:9/', events: ['tracking.*'] } },
    );
    await upsertShipments(caller, [shipment(connection, 'A')]);
    await recordEvents(caller, [event('A', 5, 'created'), event('A', 20, 'in_transit'), event('A', 10, 'shipped')]);
    const { rows } = await world.pool.query<{ body: string }>(
      'select body from webhook_event where company_id = $1 order by sequence',
      [caller.companyId],
    );
    const sent = rows.map(({ body }) => JSON.parse(body)).map(({ change, data }) => [change, data.event.timestamp]);
    expect(sent).toEqual([
      [3, at(10)],
      [4, at(20)],
    ]);
    const { found } = await read(caller, null, { filter: { kinds: ['status'] } });
    expect(found.map(({ number }) => number)).toEqual([3, 4]);
  });
});

describe('While many requests write at once', () => {
  test('a reader that continues from its cursor misses nothing and sees nothing twice', async () => {
    const { caller, connection } = await company();
    const numbers = times(8, i => `W${i}`);
    let isWriting = true;
    const reading = (async () => {
      const seen: number[] = [];
      let cursor: string | null = null;
      for (let isLast = false; ; ) {
        const part: Awaited<ReturnType<typeof read>> = await read(caller, cursor, { first: 7 });
        seen.push(...part.found.map(({ number }) => number));
        cursor = part.cursor;
        if (isLast) return seen;
        isLast = !isWriting;
      }
    })();
    const writers = numbers.map(async (number, writer) => {
      await upsertShipments(caller, [shipment(connection, number)]);
      for (let turn = 1; turn <= 12; turn++) {
        await recordEvents(caller, [event(number, turn, turn % 2 ? 'in_transit' : 'at_depot')]);
        if (turn % 3 === writer % 3) await upsertShipments(caller, [shipment(connection, number, { weight: turn })]);
        // One that is rolled back: it waits for what others hold, and then fails.
        if (turn % 4 === 0) await fail(caller, number);
      }
    });
    await Promise.all(writers);
    isWriting = false;
    const seen = await reading;
    expect(seen).toEqual(times(seen.length, i => i + 1));
    // A shipment, its events, and the changes of its weight.
    expect(seen).toHaveLength(8 * (1 + 12 + 4));
  });

  /** Takes numbers in a transaction of its own, and gives them back. */
  async function fail({ companyId }: Caller, number: string): Promise<void> {
    const client = await world.pool.connect();
    try {
      await client.query('begin');
      await client.query('select 1 from shipment where company_id = $1 and tracking_number = $2 for update', [
        companyId,
        number,
      ]);
      await client.query('update tracking_change_count set last = last + 3 where company_id = $1', [companyId]);
      await client.query('rollback');
    } finally {
      client.release();
    }
  }
});

describe('An expired change', () => {
  test('is deleted, and a cursor before it has a gap, after which a reader continues at the end of the log', async () => {
    const { caller, connection } = await company();
    const early = (await changes(caller)).pageInfo.endCursor;
    await upsertShipments(caller, [shipment(connection, 'A'), shipment(connection, 'B'), shipment(connection, 'C')]);
    const { edges } = await changes(caller);
    await world.pool.query(
      "update tracking_change set at = now() - interval '91 days' where company_id = $1 and number <= 2",
      [caller.companyId],
    );
    expect(await removeOld(world, { table: 'tracking_change' })).toEqual({ tracking_change: 2 });
    expect(await removeOld(world, { table: 'tracking_change' })).toEqual({ tracking_change: 0 });
    const { cursor: end } = await ask<{ cursor: string }>(caller, '{ changeLog { cursor } }');
    const gap = await changes(caller, { after: early });
    expect(gap).toMatchObject({ nodes: [], edges: [], cursor: end, hasGap: true, pageInfo: { hasNextPage: false } });
    expect(await changes(caller, { after: edges[0]?.cursor })).toEqual(gap);
    expect(await changes(caller, { after: gap.cursor })).toMatchObject({ nodes: [], hasGap: false });
    // Nothing is missing after the last that was deleted.
    expect((await changes(caller, { after: edges[1]?.cursor })).nodes).toEqual([
      expect.objectContaining({ number: 3 }),
    ]);
    expect((await changes(caller)).nodes).toEqual([expect.objectContaining({ number: 3 })]);
    expect(await ask(caller, '{ changeLog { oldest latest } }')).toEqual({ oldest: 3, latest: 3 });
    await recordEvents(caller, [event('A', 10, 'shipped')]);
    expect((await changes(caller)).nodes).toHaveLength(2);
  });
});
