import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { createDatabase, dropDatabase, urlOf } from '../support/databases.ts';
import { startProcess } from '../support/second-process.ts';
import { useWorld } from '../support/world.ts';
import { connectCarrier, createWarehouse, feedShipments } from './feed.ts';

/** Stands for a replica that has not caught up: the same tables, with nothing in them. */
let behind = '';
beforeAll(async () => {
  behind = await createDatabase(inject('serverUrl'), inject('template'));
});
afterAll(() => dropDatabase(inject('serverUrl'), behind));

const world = useWorld({
  // Read once the database is there.
  get READ_DATABASE_URL() {
    return urlOf(inject('serverUrl'), behind);
  },
});

test('what bears to be a moment old is read from the replica, and all else from the database', async () => {
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

test('a connection to the replica that ends under a read is made again', async () => {
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
  await vi.waitFor(async () => expect((await other.query(end)).rowCount).toBe(1));
  expect((await underWay).status).toBe(503);
  await holder.end();
  await other.end();
  expect((await track()).status).toBe(404);
});

test.each([
  { behind: 'a pooler', isBehind: true },
  { behind: 'none', isBehind: false },
])('behind $behind statements are prepared only where a connection stays the same', async ({ isBehind }) => {
  const caller = await world.company();
  const app = await startProcess(world, {
    ...{ ROLE: 'api', DATABASE_POOL_SIZE: '2' },
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
