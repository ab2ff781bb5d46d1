import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { growCompany } from '../../src/demo/growth.ts';
import { AccessAdministration } from '../../src/domain/account/access/access.service.ts';
import { CALL_SCANS, type CallScan } from '../../src/domain/shipping/carriers/calls/carrier-calls.repository.ts';
import { ORDER_SCANS, type OrderScan } from '../../src/domain/shipping/orders/lists/order-list.rules.ts';
import { SHIPMENT_SCANS, type ShipmentScan } from '../../src/domain/shipping/tracking/lists/shipment-list.rules.ts';
import { Database } from '../../src/platform/database/database.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import { createDatabase, dropDatabase, urlOf } from '../support/databases.ts';
import { allStatements } from '../support/declared-statements.ts';

/**
 * The plans of lists, by whatever filter: a statement has one plan, whose values PostgreSQL does not see. Each scans its
 * index, and reads no table of many rows in another way than by keys.
 */

const SHIPMENTS = 2_000;
/** Tables of many rows; of connections a company has a handful. */
const LARGE = new Set(['carrier_call', 'shipment', 'customer_order', 'shipment_label', 'tracking_event']);

const SHIPMENT_INDEXES: Readonly<Record<ShipmentScan, readonly string[]>> = {
  id: ['shipment_pkey'],
  status: ['shipment_by_status'],
  connection: ['shipment_by_connection'],
  created: ['shipment_by_created'],
  updated: ['shipment_by_updated'],
  delivered: ['shipment_by_delivered'],
  expected: ['shipment_by_expected'],
  silent: ['shipment_silent'],
  tracking_numbers: ['shipment_by_number'],
  order_number: ['customer_order_company_id_order_number_key', 'shipment_by_order'],
  text: [
    'shipment_by_number',
    'shipment_by_parcel_id',
    'shipment_by_reference',
    'shipment_label_by_tracking_key',
    'customer_order_company_id_order_number_key',
    'customer_order_by_marketplace_number',
    'customer_order_by_marketplace_id',
    'shipment_by_order',
  ],
};
const ORDER_INDEXES: Readonly<Record<OrderScan, readonly string[]>> = {
  id: ['customer_order_pkey'],
  marketplace: ['customer_order_of_marketplace'],
  created: ['customer_order_by_created'],
  updated: ['customer_order_by_updated'],
  number: ['customer_order_company_id_order_number_key'],
  marketplace_number: ['customer_order_by_marketplace_number'],
  tracking_numbers: ['shipment_by_number'],
  text: [
    'customer_order_company_id_order_number_key',
    'customer_order_by_marketplace_number',
    'customer_order_by_marketplace_id',
    'shipment_by_number',
  ],
};

const CALL_INDEXES: Readonly<Record<CallScan, readonly string[]>> = {
  request: ['carrier_call_by_request'],
  connection: ['carrier_call_by_connection'],
  outcome: ['carrier_call_by_outcome'],
  time: ['carrier_call_by_time'],
};

const scans = [
  ...SHIPMENT_SCANS.map(scan => ({ of: 'shipments', scan, indexes: SHIPMENT_INDEXES[scan] })),
  ...ORDER_SCANS.map(scan => ({ of: 'orders', scan, indexes: ORDER_INDEXES[scan] })),
  ...CALL_SCANS.map(scan => ({ of: 'carrier-calls', scan, indexes: CALL_INDEXES[scan] })),
];
const texts = new Map((await allStatements()).map(({ name, text }) => [name, text]));

let name: string;
let client: pg.Client;
beforeAll(async () => {
  name = await createDatabase(inject('serverUrl'), inject('template'));
  const url = urlOf(inject('serverUrl'), name);
  const database = await Database.connect(databaseOptions(url, 2), createMetrics(), createLog('silent'));
  const { companyId } = await new AccessAdministration(database).createCompany('Plans');
  await database.pool.query(
    `insert into warehouse (company_id, name, type_id, address, postal_code, city, state, country)
      values ($1, 'W', 2, 'Via Po 1', '10121', 'Torino', 'TO', 'IT')`,
    [companyId],
  );
  await database.pool.query(
    `insert into carrier_connection (company_id, carrier_code, label, is_active) select $1, 'BRT', 'L' || n, true from generate_series(1, 3) n`,
    [companyId],
  );
  await growCompany(database, companyId, SHIPMENTS);
  await database.close();
  client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('analyze');
  await client.query('set plan_cache_mode = force_generic_plan');
  // Two thousand rows are read whole and sorted sooner than they are scanned; ten million are not.
  await client.query('set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off');
});
afterAll(async () => {
  await client?.end();
  await dropDatabase(inject('serverUrl'), name);
});

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Alias?: string;
  readonly Plans?: readonly Plan[];
}

/** A node of a plan, and those that it is within, from the nearest on. */
interface Placed {
  readonly node: Plan;
  readonly outer: readonly Plan[];
}

const placedIn = (node: Plan, outer: readonly Plan[] = []): Placed[] => [
  { node, outer },
  ...(node.Plans ?? []).flatMap(inner => placedIn(inner, [node, ...outer])),
];

async function planOf(statement: string): Promise<Plan> {
  const text = texts.get(statement);
  if (text === undefined) throw new Error(`There is no statement ${statement}`);
  await client.query(`prepare listed as ${text}`);
  try {
    const { rows } = await client.query<{ types: string[] }>(
      `select parameter_types::text[] as types from pg_prepared_statements where name = 'listed'`,
    );
    const nulls = (rows[0]?.types ?? []).map(type => `null::${type}`).join(', ');
    const explained = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (format json) execute listed(${nulls})`,
    );
    return explained.rows[0]?.['QUERY PLAN'][0].Plan as Plan;
  } finally {
    await client.query('deallocate listed');
  }
}

/** Scans no index of the table, but from numbers to its rows. */
const OF_NUMBERS: ReadonlySet<string> = new Set([
  'tracking_numbers',
  'order_number',
  'number',
  'marketplace_number',
  'request',
  'text',
]);

/** The node that takes rows from a scan: a limit, or a sort before it. */
const nearest = (outer: readonly Plan[]) =>
  outer.find(node => /Limit|Sort|Aggregate/.test(node['Node Type']))?.['Node Type'];

describe.each(scans)('A list of $of by $scan', ({ of, scan, indexes }) => {
  test.each([`${of}-by-${scan}-asc`, `${of}-by-${scan}-desc`, `count-${of}-by-${scan}`])(
    'is read along its index: %s',
    async statement => {
      const scans = placedIn(await planOf(statement)).filter(({ node }) => LARGE.has(node['Relation Name'] ?? ''));
      for (const { node } of scans) {
        expect(node['Node Type']).toMatch(/^Index (Only )?Scan$/);
        expect(node['Index Cond']).toMatch(/company_id = /);
      }
      const used = scans.map(({ node }) => node['Index Name']);
      expect(used).toEqual(expect.arrayContaining([...indexes]));
      // Scanned rows are taken in their order, up to the limit: a sort would read all rows.
      const scanned = scans.filter(({ node, outer }) => node.Alias === 'r' && nearest(outer) === 'Limit');
      if (OF_NUMBERS.has(scan)) expect(scans.length).toBeGreaterThan(0);
      else expect(scanned.map(({ node }) => node['Index Name'])).toEqual(indexes);
    },
  );
});
