import { randomBytes } from 'node:crypto';
import type { Database } from '../../../src/platform/database/database.ts';
import type { Report } from '../report.ts';
import { Cases } from '../support/cases.ts';
import { furnishAll } from '../support/furnish.ts';
import { startReceiver } from '../support/receiver.ts';
import { nodeIds, referencesTo } from '../support/references.ts';
import { callerOf, type SecurityWorld, UNLIMITED } from '../support/world.ts';
import { UNCAPPED, Walk } from './tenants.ts';

const PART = 'sandbox';
const BOUND = 'equal to the answer for what never existed, and nothing of live connections in it';
/** In every text of the live company but those of its orders and warehouses. */
const MARK = `Zanzibar${randomBytes(6).toString('hex')}`;
/** A company has them once, whatever its key. */
const SHARED = new Set(['warehouse', 'order', 'orderNumber', 'marketplace', 'marketplaceOrderNumber', 'orderCursor']);
const SHARED_NODES = new Set(['Warehouse', 'Order', 'Marketplace', 'CarrierReference', 'ApiKey', 'AuditEntry']);
/** Ids of live and of sandbox things are of one kind each. */
const APART = `select setval(pg_get_serial_sequence(quote_ident(table_name), 'id'), 10_000_000 * row_number() over (order by table_name))
  from information_schema.columns where table_schema = 'public' and column_name = 'id' and is_identity = 'YES'`;

/** The newest call to a carrier is of the live connection. It is not made, since nobody is to be asked outside of this machine. */
const CALL = `insert into carrier_call
    (company_id, carrier_connection_id, at, purpose, is_token_request, method, address, outcome, duration_ms, request_headers)
  values ($1, $2, now() + interval '1 day', 'tracking_poll', false, 'GET', 'https://carrier.example/', 'unavailable', 1, '{}')`;

/** A sandbox key asks for everything that its own company has at live connections, by every reference that the API takes. */
export async function run(world: SecurityWorld, report: Report): Promise<void> {
  const receiver = await startReceiver();
  const live = await world.company('Company');
  const sandbox = await world.key(live.companyId, ['all'], 'sandbox');
  const furnishing = await world.start(UNLIMITED);
  const { own, theirs, nodes } = await (async () => {
    try {
      const own = await furnishAll(world, callerOf(sandbox, furnishing), receiver.url, 'Proprio');
      await world.database.pool.query(APART);
      const theirs = await furnishAll(world, callerOf(live, furnishing), receiver.url, MARK, 'live');
      await world.database.pool.query(CALL, [live.companyId, theirs.connection]);
      return { own, theirs, nodes: await nodeIds(callerOf(live, furnishing), theirs) };
    } finally {
      await furnishing.stop();
    }
  })();
  const service = await world.start({ ...UNLIMITED, ...UNCAPPED, ROLE: 'api' });
  try {
    const before = await liveRows(world.database, live.companyId);
    const secrets = [MARK, live.apiKeyId, live.apiKey];
    const ofLive = new Map([...nodes].filter(([type]) => !SHARED_NODES.has(type)));
    const notShared = Object.fromEntries(Object.entries(theirs).filter(([name]) => !SHARED.has(name))) as typeof theirs;
    const references = referencesTo(notShared, ofLive);
    const walk = new Walk(service, callerOf(sandbox, service), own, theirs, references, secrets);
    const add = (name: string, { count, failed, failures }: Cases, bound = BOUND) =>
      report.add({ part: PART, name, figures: `${count} cases, ${failed} failed`, bound, failures });
    add('REST rows', await walk.restRows());
    add('everything of its own', await walk.own());
    add('references inside', await walk.nested());
    add('references of queries', await walk.roots('query'));
    add('references of subscriptions', await walk.roots('subscription'));
    add('references of mutations', await walk.roots('mutation'));
    add('results of mutations', await walk.payloads());
    const changed = new Cases();
    const after = await liveRows(world.database, live.companyId);
    for (const [table, rows] of before) changed.check(table, after.get(table) === rows, () => [rows, after.get(table)]);
    add('rows of live connections', changed, 'are as before');
  } finally {
    await service.stop();
    receiver.close();
  }
}

/** What each column that leads to something live must lead to. Written anew here, and not as the service does it. */
const LIVE: Readonly<Record<string, string>> = {
  carrier_connection_id: `select id::text from carrier_connection where company_id = $1 and environment = 'live'`,
  shipment_id: `select s.id::text from shipment s join carrier_connection c using (company_id)
    where s.company_id = $1 and c.id = s.carrier_connection_id and c.environment = 'live'`,
  tariff_id: `select t.id::text from tariff t join carrier_connection c using (company_id)
    where t.company_id = $1 and c.id = t.carrier_connection_id and c.environment = 'live'`,
  invoice_id: `select i.id::text from carrier_invoice i join carrier_connection c using (company_id)
    where i.company_id = $1 and c.id = i.carrier_connection_id and c.environment = 'live'`,
  endpoint_id: `select id::text from webhook_endpoint where company_id = $1 and environment = 'live'`,
  environment: `select 'live'`,
};

/** The live rows of a company, by table and by the column that says so. */
async function liveRows({ pool }: Database, companyId: string): Promise<Map<string, string>> {
  const { rows: columns } = await pool.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and column_name = any($1) order by 1, 2`,
    [Object.keys(LIVE)],
  );
  const found = new Map<string, string>();
  for (const { table, column } of columns) {
    // When a key was used changes with each request.
    const { rows } = await pool.query<{ rows: string }>(
      `select coalesce(string_agg((to_jsonb(t) - 'last_used_at')::text, e'\\n' order by to_jsonb(t)::text), '') as rows from ${table} t
        where t.company_id = $1 and t.${column}::text in (${LIVE[column]})`,
      [companyId],
    );
    found.set(`${table} by ${column}`, rows[0]?.rows ?? '');
  }
  return found;
}
