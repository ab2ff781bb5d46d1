import { request } from 'node:http';
import { expect, test, vi } from 'vitest';
import { whileLocked } from '../graphql/locked-tables.ts';
import { WAREHOUSE } from '../support/platform-side.ts';
import { PATIENTLY } from '../support/time.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const GRAPHQL = { query: '{ warehouses { nodes { name } } }' };
const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'list_carriers', arguments: {} },
};
const CREATE = 'mutation ($input: CreateWarehouseInput!) { createWarehouse(input: $input) { warehouse { id } } }';

test.each<[what: string, path: string, body?: object, table?: string]>([
  ['REST', '/api/v1/integrations/warehouses'],
  ['GraphQL', '/graphql', GRAPHQL],
  ['a mutation', '/graphql', { query: CREATE, variables: { input: WAREHOUSE } }],
  ['a mutation with a key', '/graphql#idem', { query: CREATE, variables: { input: WAREHOUSE } }],
  [
    'a batch',
    '/graphql',
    {
      query:
        'mutation { upsertOrders(input: { orders: [{ orderNumber: "1", recipient: { address: "a", postalCode: "20121", city: "Milano" } }] }) { created } }',
    },
    'customer_order',
  ],
  ['a tool of an assistant', '/mcp', CALL, 'carrier_connection'],
])(
  'A caller of %s that hangs up before the response is logged at debug alone',
  async (_what, path, body, table = 'warehouse') => {
    const { apiKey } = await world.company();
    const failures = [
      vi.spyOn(world.app.log, 'error'),
      vi.spyOn(world.app.log, 'warn'),
      vi.spyOn(world.app.log, 'info'),
    ];
    const lines = vi.spyOn(world.app.log, 'debug');
    await whileLocked(world.app, table, async () => {
      const { hostname, port } = new URL(world.app.url);
      const headers = {
        'x-api-key': apiKey,
        'content-type': 'application/json',
        ...(path.endsWith('idem') && { 'idempotency-key': 'one' }),
      };
      const sent = request({ hostname, port, path, method: body ? 'POST' : 'GET', headers });
      sent.on('error', () => undefined);
      sent.end(body && JSON.stringify(body));
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await vi.waitFor(async () => expect((await world.pool.query(waiting)).rowCount).toBe(1), PATIENTLY);
      sent.destroy();
      await vi.waitFor(() => expect(lines.mock.calls.map(([, message]) => message)).toContain('request'), PATIENTLY);
    });
    expect(failures.flatMap(({ mock }) => mock.calls)).toEqual([]);
    vi.restoreAllMocks();
  },
);
