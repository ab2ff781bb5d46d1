import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { App } from '../../src/app.ts';
import { documentOf, rootFields, selectionOf } from '../security/support/sdl.ts';
import { createDatabase, dropDatabase, urlOf } from '../support/databases.ts';
import { EventReader } from '../support/event-reader.ts';
import { graphqlClient } from '../support/graphql-client.ts';
import { connectCarrier, createWarehouse, feedEvents, feedShipments } from '../support/platform-side.ts';
import { startProcess } from '../support/second-process.ts';
import { PATIENTLY } from '../support/time.ts';
import { useWorld } from '../support/world.ts';

/** Stands for a replica that has not caught up: the same tables, with nothing in them. */
let behind = '';
beforeAll(async () => {
  behind = await createDatabase(inject('serverUrl'), inject('template'));
});
afterAll(() => dropDatabase(inject('serverUrl'), behind));

/** For documents that ask for everything. */
const GRAPHQL_MAX_COST = '1000000';

const world = useWorld({
  GRAPHQL_MAX_COST,
  // Read once the database is there.
  get READ_DATABASE_URL() {
    return urlOf(inject('serverUrl'), behind);
  },
});

test('Reads that may be a moment old use the replica, and all others the database', async () => {
  const caller = await world.company();
  const connection = await connectCarrier(caller, 'BRT', 'BRT');
  await feedShipments(caller, connection, { trackingNumber: 'REPLICA1' });
  const warehouse = await createWarehouse(caller, {});
  expect((await caller.rest('GET', `/warehouses/${warehouse}`)).status).toBe(200);
  expect((await caller.rest('GET', '/carriers')).body).toHaveLength(1);
  expect((await caller.rest('GET', '/shipments/tracking/by-tracking-number/REPLICA1')).status).toBe(404);
  const { data } = await caller.graphql('{ shipments(first: 1) { edges { node { trackingNumber } } } }');
  expect(data).toEqual({ shipments: { edges: [] } });
});

interface Shown {
  readonly changes: { readonly nodes: readonly { readonly shipment: { readonly trackingNumber: string } }[] };
  readonly changeLog: { readonly cursor: string };
  readonly shipments: { readonly totalCount: number };
}

/** Asks for changes with all that can be read of their shipments. */
function deepChanges(kind: 'query' | 'subscription') {
  const field = rootFields(kind).find(({ name }) => name === 'changes');
  if (field === undefined) throw new Error('There are no changes');
  const selection = selectionOf(field.type, 3, ({ name }) => name !== 'edges');
  return documentOf(kind, field, { first: 3 }, selection);
}

describe('With a replica that is behind', () => {
  const withPrimaryOnly: App[] = [];
  afterEach(() => Promise.all(withPrimaryOnly.splice(0).map(app => app.stop())));

  async function company() {
    const caller = await world.company();
    const connection = await connectCarrier(caller, 'BRT', 'BRT');
    await feedShipments(
      caller,
      connection,
      { trackingNumber: 'BEHIND1' },
      { trackingNumber: 'BEHIND2', relatedShipments: [{ trackingNumber: 'BEHIND1', type: 'parent' }] },
    );
    await feedEvents(caller, {
      trackingNumber: 'BEHIND2',
      occurredAt: new Date().toISOString(),
      statusCode: 'shipped',
    });
    return caller;
  }

  test('changes and live changes are read from the database, with all that belongs to their shipments', async () => {
    const caller = await company();
    const only = await startProcess(world, { ROLE: 'api', GRAPHQL_MAX_COST });
    withPrimaryOnly.push(only);
    const { query, variables } = deepChanges('query');
    const live = deepChanges('subscription');
    const readBy = async ({ url }: { readonly url: string }) => {
      const polled = await graphqlClient(url, caller.apiKey)<Shown>(query, variables);
      const reader = await EventReader.open({ url, apiKey: caller.apiKey, ...live });
      const [watched] = await reader.until(({ length }) => length > 0);
      reader.close();
      // Links lead to the process that was asked.
      return { polled, text: JSON.stringify([polled, watched]).replaceAll(url, 'http://…') };
    };
    const [expected, shown] = [await readBy(only), await readBy(world.app)];
    expect(expected.polled.errors).toBeUndefined();
    const numbers = expected.polled.data.changes.nodes.map(({ shipment }) => shipment.trackingNumber);
    expect(numbers).toEqual(['BEHIND1', 'BEHIND2', 'BEHIND2']);
    expect(JSON.parse(shown.text)).toEqual(JSON.parse(expected.text));
  });

  test('a consumer that takes the cursor and then lists its shipments receives those that the list lacks', async () => {
    const caller = await company();
    const { changeLog, shipments } = (await caller.graphql<Shown>('{ changeLog { cursor } shipments { totalCount } }'))
      .data;
    expect(shipments.totalCount).toBe(0);
    const { changes } = (
      await caller.graphql<Shown>(
        'query ($after: String) { changes(after: $after) { nodes { shipment { trackingNumber } } } }',
        { after: changeLog.cursor },
      )
    ).data;
    expect(changes.nodes).toContainEqual({ shipment: { trackingNumber: 'BEHIND1' } });
  });
});

test('A connection to the replica that ends during a read is made again', async () => {
  const caller = await world.company();
  const track = () => caller.rest('GET', '/shipments/tracking/by-tracking-number/REPLICA2');
  const holder = new pg.Client({ connectionString: urlOf(inject('serverUrl'), behind) });
  await holder.connect();
  await holder.query('begin');
  await holder.query('lock table shipment');
  const underWay = track();
  const other = new pg.Client({ connectionString: urlOf(inject('serverUrl'), behind) });
  await other.connect();
  const end = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await vi.waitFor(async () => expect((await other.query(end)).rowCount).toBe(1), PATIENTLY);
  expect((await underWay).status).toBe(503);
  await holder.end();
  await other.end();
  expect((await track()).status).toBe(404);
});

test.each([
  { behind: 'a pooler', isBehind: true },
  { behind: 'none', isBehind: false },
])('Behind $behind statements are prepared only where a connection stays the same', async ({ isBehind }) => {
  const caller = await world.company();
  const app = await startProcess(world, {
    ROLE: 'api',
    DATABASE_POOL_SIZE: '2',
    ...(isBehind && { DATABASE_DIRECT_URL: world.databaseUrl }),
  });
  try {
    const answer = await fetch(`${app.url}/api/v1/integrations/warehouses`, {
      headers: { 'x-api-key': caller.apiKey },
    });
    expect([answer.status, await answer.json()]).toEqual([200, []]);
    const clients = await Promise.all([app.database.pool.connect(), app.database.pool.connect()]);
    const prepared = await Promise.all(clients.map(client => client.query('select name from pg_prepared_statements')));
    for (const client of clients) client.release();
    const names = prepared.flatMap(({ rows }) => rows.map(({ name }) => name));
    expect(names.includes('warehouses')).toBe(!isBehind);
  } finally {
    await app.stop();
  }
});
