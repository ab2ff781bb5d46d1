import type pg from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { STATUS_LABELS } from '../../src/domain/shipping/tracking/status.rules.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Env, type Json, stop, useProcesses, waiting } from './processes.ts';
import { get } from './service-calls.ts';

const CHUNK = 10_000;
/** The shipments of a new demo company. Two of them share an order. */
const SHIPMENTS = 85;

const processes = useProcesses();

const run = (args: readonly string[], env: Env) => processes.cli([...args, '--json'], env);
const json = async (args: readonly string[], env: Env): Promise<Json> => answerOf(await run(args, env));

describe('`demo --shipments`', () => {
  let company: string;
  let env: Env;
  let database: pg.Client;
  beforeAll(async () => {
    env = { DATA_DIR: await processes.dataDir(), DATABASE_URL: await processes.database('migrated') };
    database = await processes.connect(env.DATABASE_URL ?? '');
  });

  test('adds to the demo company, and adds nothing when it is repeated', async () => {
    const { companyId, added } = await json(['demo', '--shipments', '2000'], env);
    company = companyId;
    expect(added).toBe(2_000 - SHIPMENTS);
    for (const count of ['2000', '10']) {
      const again = await inProcess(['--json', 'demo', '--shipments', count], env);
      expect(answerOf(again).added).toBe(0);
    }
  });

  test('makes shipments that are tracked over REST', async () => {
    const service = await processes.service(env);
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

  test('leaves whole chunks when it is killed half way, and completes them when it is repeated', async () => {
    const total = 22_000;
    const command = ['demo', '--shipments', String(total)];
    const killed = processes.startCli([...command, '--json'], env);
    await vi.waitUntil(async () => (await shipments(database, company)) > 2_000, { timeout: 20_000, interval: 20 });
    killed.kill('SIGKILL');
    expect(await killed.ended()).toMatchObject({ signal: 'SIGKILL', stdout: '' });
    const left = await inspect(database, company);
    expect(left.shipments).toBeLessThan(total);
    expect((left.shipments - 2_000) % CHUNK).toBe(0);
    expect(left).toEqual({ shipments: left.shipments, orders: left.shipments - 1, withoutEvents: 0, wrongStatus: 0 });

    const { added } = await json(command, env);
    expect(added).toBeGreaterThan(0);
    expect((total - 2_000 - added) % CHUNK).toBe(0);
    const whole = await inspect(database, company);
    expect(whole).toEqual({ shipments: total, orders: total - 1, withoutEvents: 0, wrongStatus: 0 });
  });
});

describe('Two commands at the same moment', () => {
  const cases = [
    { name: 'make the demo company once', args: ['demo'], table: 'company', shipments: SHIPMENTS },
    { name: 'grow the demo company once', args: ['demo', '--shipments', '120'], table: 'shipment', shipments: 120 },
  ];
  test.each(cases)('$name', async ({ args, table, shipments }) => {
    const env = { DATA_DIR: await processes.dataDir(), DATABASE_URL: await processes.database('migrated') };
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
    expect(rows).toEqual([{ companies: 2, warehouses: 3, connections: 7 }]);
  });
});

test('A demo company whose carrier was disconnected, or lost its credentials, starts again as it is', async () => {
  const env = { DATA_DIR: await processes.dataDir(), DATABASE_URL: await processes.database('migrated') };
  const { companyId, apiKey } = await json(['demo'], env);
  const database = await processes.connect(env.DATABASE_URL);
  const connections = async () =>
    (
      await database.query(
        'select id, disconnected_at, credentials from carrier_connection where company_id = $1 order by id',
        [companyId],
      )
    ).rows;
  await database.query(
    `update carrier_connection set disconnected_at = now(), is_active = false, credentials = null
      where company_id = $1 and carrier_code = 'BRT'`,
    [companyId],
  );
  await database.query(
    `update carrier_connection set credentials = null where company_id = $1 and carrier_code = 'GLS'`,
    [companyId],
  );
  const left = await connections();
  expect(await json(['demo'], env)).toMatchObject({ companyId, apiKey });
  expect(await connections()).toEqual(left);
});

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
