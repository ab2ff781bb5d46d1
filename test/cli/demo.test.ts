import type pg from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { STATUS_LABELS } from '../../src/domain/tracking/status.rules.ts';
import { inProcess } from './in-process.ts';
import {
  answerOf,
  type Env,
  embeddedServer,
  type Json,
  type Service,
  stop,
  useProcesses,
  waiting,
} from './processes.ts';

const CHUNK = 10_000;

const processes = useProcesses();
let dataDir: string;
beforeAll(async () => {
  dataDir = await processes.dataDir();
});

const run = (args: readonly string[], env: Env = {}) =>
  processes.cli([...args, '--json'], { DATA_DIR: dataDir, ...env });
const json = async (args: readonly string[], env: Env = {}): Promise<Json> => answerOf(await run(args, env));

describe('demo --shipments', () => {
  let company: string;

  test('it grows the demo company, and asked again adds nothing', async () => {
    const { companyId, added } = await json(['demo', '--shipments', '2000']);
    company = companyId;
    expect(added).toBe(1_995);
    for (const count of ['2000', '10']) {
      const again = await inProcess(['--json', 'demo', '--shipments', count], { DATA_DIR: dataDir });
      expect(answerOf(again).added).toBe(0);
    }
  });

  test('what grew is tracked over REST', async () => {
    const service = await processes.service({ DATA_DIR: dataDir });
    const database = await connectToServer();
    const all = await inspect(database, company);
    expect(all).toEqual({ shipments: 2_000, orders: 1_999, withoutEvents: 0, wrongStatus: 0 });
    const { rows } = await database.query(
      `select distinct on (s.status_code) s.status_code as code, s.tracking_number as number, o.marketplace_order_number as "orderNumber",
        (select count(*)::int from tracking_event e where e.company_id = s.company_id and e.shipment_id = s.id) as events
      from shipment s join customer_order o on o.company_id = s.company_id and o.id = s.order_id
      where s.tracking_number like 'BULK%' order by s.status_code, s.id`,
    );
    expect(rows.length).toBeGreaterThan(2);
    for (const { code, number, orderNumber, events } of rows) {
      const response = await get(service, `/shipments/tracking/by-tracking-number/${number}`);
      expect(response.status).toBe(200);
      const record = (await response.json()) as Json;
      const status = STATUS_LABELS[code as keyof typeof STATUS_LABELS];
      expect(record).toMatchObject({ trackingNumber: number, status, marketplaceOrderNumber: orderNumber });
      expect(record.timeline).toHaveLength(events);
      expect(record.timeline.at(-1).label).toBe(status);
      const byOrder = await get(service, `/shipments/tracking/by-order-number/${orderNumber}`);
      expect(await byOrder.json()).toEqual([record]);
    }
    await stop(service);
  });

  test('killed half way it leaves whole chunks, and the same command completes it', async () => {
    const total = 32_000;
    const command = ['demo', '--shipments', String(total)];
    const killed = processes.startCli([...command, '--json'], { DATA_DIR: dataDir });
    const database = await vi.waitFor(connectToServer, { timeout: 10_000, interval: 20 });
    await vi.waitUntil(async () => (await shipments(database, company)) > 2_000, { timeout: 20_000, interval: 20 });
    killed.kill('SIGKILL');
    expect(await killed.ended()).toMatchObject({ signal: 'SIGKILL', stdout: '' });
    const left = await inspect(database, company);
    expect(left.shipments).toBeLessThan(total);
    expect((left.shipments - 2_000) % CHUNK).toBe(0);
    expect(left).toEqual({ shipments: left.shipments, orders: left.shipments - 1, withoutEvents: 0, wrongStatus: 0 });

    const { added } = await json(command);
    expect(added).toBeGreaterThan(0);
    expect((total - 2_000 - added) % CHUNK).toBe(0);
    const service = await processes.service({ DATA_DIR: dataDir });
    const whole = await inspect(await connectToServer(), company);
    expect(whole).toEqual({ shipments: total, orders: total - 1, withoutEvents: 0, wrongStatus: 0 });
    await stop(service);
  });
});

describe('two at the same moment', () => {
  const cases = [
    { name: 'make the demo company once', args: ['demo'], table: 'company', shipments: 5 },
    { name: 'grow the demo company once', args: ['demo', '--shipments', '50'], table: 'shipment', shipments: 50 },
  ];
  test.each(cases)('$name', async ({ args, table, shipments }) => {
    const env = { DATABASE_URL: await processes.database('migrated') };
    const database = await processes.connect(env.DATABASE_URL);
    if (table !== 'company') await json(['demo'], env);
    // Both are held where they have looked at what there is and begin to add to it.
    await database.query('begin');
    await database.query(`lock table ${table} in share mode`);
    const both = Promise.all([run(args, env), run(args, env)]);
    await vi.waitUntil(async () => (await waiting(database)) === 2, { timeout: 5_000, interval: 20 }).catch(() => {});
    await database.query('commit');
    const [one, other] = (await both).map(answerOf);
    expect(one.companyId).toBe(other.companyId);
    expect(await inspect(database, one.companyId)).toMatchObject({ shipments, withoutEvents: 0, wrongStatus: 0 });
    const { rows } = await database.query(`select (select count(*)::int from company) as companies,
      (select count(*)::int from warehouse) as warehouses, (select count(*)::int from carrier_connection) as connections`);
    expect(rows).toEqual([{ companies: 1, warehouses: 3, connections: 7 }]);
  });
});

function get({ url, apiKey }: Service, path: string): Promise<Response> {
  return fetch(`${url}/api/v1/integrations${path}`, { headers: { 'x-api-key': apiKey } });
}

/** To the embedded server that runs in the folder, past the service. */
async function connectToServer(): Promise<pg.Client> {
  const server = await embeddedServer(dataDir);
  if (!server) throw new Error('no server runs');
  return processes.connect(server.url);
}

async function shipments(database: pg.Client, companyId: string): Promise<number> {
  const { rows } = await database.query('select count(*)::int as count from shipment where company_id = $1', [
    companyId,
  ]);
  return rows[0]?.count;
}

/** How many there are, and how many of them are not as they should be. One has no events until its carrier was asked. */
async function inspect(database: pg.Client, companyId: string): Promise<Json> {
  const { rows } = await database.query(
    `select count(*)::int as shipments,
      (select count(*)::int from customer_order where company_id = $1) as orders,
      count(*) filter (where e.occurred_at is null and s.tracking_number not like 'WALK%')::int as "withoutEvents",
      count(*) filter (where e.occurred_at is not null and (s.status_code, s.status_at, s.delivered_at) is distinct from
        (e.status_code, e.occurred_at, case when e.status_code = 'delivered' then e.occurred_at end))::int as "wrongStatus"
    from shipment s
    left join lateral (
      select occurred_at, status_code from tracking_event
        where company_id = s.company_id and shipment_id = s.id order by occurred_at desc, id desc limit 1
    ) e on true
    where s.company_id = $1`,
    [companyId],
  );
  return rows[0];
}
