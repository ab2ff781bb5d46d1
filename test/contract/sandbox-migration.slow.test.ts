import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, test } from 'vitest';
import { hashKey, makeKey } from '../../src/domain/access/key.rules.ts';
import { inProcess } from '../cli/in-process.ts';
import { answerOf, useProcesses } from '../cli/processes.ts';
import { update } from '../graphql/connection-calls.ts';
import { rotateSecret, sendTest } from '../jobs/webhooks.ts';
import { PALERMO, PARCEL } from '../rest/tariffs.ts';
import { furnishAll } from '../security/support/furnish.ts';
import { askedAt, CREDENTIALS, useSandbox } from '../support/carriers.ts';
import { graphqlClient } from '../support/graphql-client.ts';
import { note } from '../support/log-watch.ts';
import { migrations } from '../support/migrations.ts';
import { ask } from '../support/platform-side.ts';
import { REACHABLE, useReceiver } from '../support/receiver.ts';
import { restClient } from '../support/rest-client.ts';
import { type Caller, SECRETS_KEY, useWorld } from '../support/world.ts';

// The sandbox's part of a company becomes a company of its own. The service writes the rows; before the migration runs,
// they are marked as earlier versions marked them.

const sandbox = useSandbox();
const receiver = useReceiver();
const processes = useProcesses();
const world = useWorld(Object.assign(askedAt(sandbox), REACHABLE));

const MARKED = ['api_key', 'webhook_endpoint', 'tariff_simulation'];
/** They were there when the migration ran. */
const GONE = ['tariff_version', 'tariff_zone', 'tariff_place', 'tariff_band'];
const DEMO = 'de300000-0000-4000-8000-000000000001';

async function unmigrate(): Promise<void> {
  for (const table of MARKED)
    await world.pool.query(`alter table ${table} add column environment text not null default 'live'`);
  for (const table of GONE) await world.pool.query(`create table ${table} (company_id uuid, tariff_id integer)`);
}

async function migrate(): Promise<void> {
  const found = (await migrations()).find(({ name }) => name.endsWith('_sandboxes'));
  for (const statement of found?.statements ?? []) await world.pool.query(statement);
  for (const table of MARKED) await world.pool.query(`alter table ${table} drop column environment`);
  for (const table of GONE) await world.pool.query(`drop table ${table}`);
}

/** A key of the environment as its company's row had it. */
async function keyOf(companyId: string, environment: 'live' | 'sandbox'): Promise<Caller> {
  const apiKeyId = randomUUID();
  const apiKey = makeKey(apiKeyId, environment);
  note('issued', apiKey);
  await world.pool.query(
    `insert into api_key (company_id, id, secret_hash, last4, label, scopes, environment, created_at)
      select company_id, $2, $3, $4, 'Prova', scopes, $5, now() from api_key where company_id = $1 order by array_length(scopes, 1) desc limit 1`,
    [companyId, apiKeyId, hashKey(apiKey), apiKey.slice(-4), environment],
  );
  const clients = {
    rest: restClient(world.app.url, { 'x-api-key': apiKey }),
    graphql: graphqlClient(world.app.url, apiKey),
  };
  return { companyId, apiKeyId, apiKey, ...clients };
}

describe('A company with things of its sandbox', () => {
  type Ids = Awaited<ReturnType<typeof furnishAll>>;
  const made = {} as { live: Caller; sandbox: Caller; kept: Ids; moved: Ids; secret: string };
  beforeAll(async () => {
    made.live = await world.company();
    const { companyId } = made.live;
    const database = { database: world.app.database };
    made.kept = await furnishAll(database, made.live, receiver.url, 'Vivo');
    made.moved = await furnishAll(database, made.live, receiver.url, 'Prova');
    const { moved } = made;
    made.secret = (await rotateSecret(made.live, moved.endpoint)).secret;
    await unmigrate();
    await world.pool.query(`update webhook_endpoint set environment = 'sandbox' where id = any($1::uuid[])`, [
      [moved.endpoint, moved.noticeEndpoint],
    ]);
    await world.pool.query(`update tariff_simulation set environment = 'sandbox' where company_id = $1 and id = $2`, [
      companyId,
      moved.simulation,
    ]);
    await world.pool.query(`update carrier_connection set environment = 'sandbox' where company_id = $1 and id = $2`, [
      companyId,
      moved.connection,
    ]);
    await update(made.live, moved.connection, { credentials: CREDENTIALS.BRT });
    made.sandbox = await keyOf(companyId, 'sandbox');
    await migrate();
  });

  test('has them in a company of its own, which its sandbox keys open', async () => {
    const { body } = await made.sandbox.rest('GET', '/health');
    expect(body.companyId).not.toBe(made.live.companyId);
    const { rows } = await world.pool.query('select name, sandbox_of from company where id = $1', [body.companyId]);
    expect(rows).toEqual([{ name: expect.stringMatching(/ \(sandbox\)$/), sandbox_of: made.live.companyId }]);
  });

  const ALL = `{
    carrierConnections { nodes { id: databaseId } }
    shipments(first: 3) { nodes { trackingNumber timeline { nodes { description } } orderNumber } }
    orders(first: 3) { nodes { orderNumber recipient { companyName } } }
    tariffs { nodes { id: databaseId } }
    tariffSimulations { nodes { id: databaseId } }
    savedQuotes { nodes { id: databaseId } }
    carrierInvoices { nodes { id: databaseId } }
    carrierReferences { nodes { name } }
    webhookEndpoints(first: 3) { nodes { uuid: id deliveries(first: 3) { nodes { status attempts { nodes { outcome } } } } } }
  }`;

  test('shows them to sandbox keys with their ids, and no longer to live keys', async () => {
    const { live, kept, moved } = made;
    for (const [by, own, other] of [
      [made.sandbox, moved, kept],
      [live, kept, moved],
    ] as const) {
      expect((await by.rest('GET', '/carriers')).body).toMatchObject([{ carrierCompanyId: own.connection }]);
      const found = (number: string) => by.rest('GET', `/shipments/tracking/by-tracking-number/${number}`);
      expect((await found(own.trackingNumber)).status).toBe(200);
      expect((await found(other.trackingNumber)).status).toBe(404);
      const { data, errors } = await by.graphql<Record<string, { nodes: readonly object[] }>>(ALL);
      expect(errors).toBeUndefined();
      expect(data.shipments?.nodes).toHaveLength(2);
      expect(data.tariffs?.nodes).toEqual([{ id: own.tariff }]);
      expect(data.tariffSimulations?.nodes).toEqual([{ id: own.simulation }]);
      expect(data.savedQuotes?.nodes).toEqual([{ id: own.savedQuote }]);
      expect(data.carrierInvoices?.nodes).toEqual([{ id: own.invoice }]);
      expect(data.webhookEndpoints?.nodes).toMatchObject([
        { uuid: own.endpoint, deliveries: { nodes: [{ status: 'success', attempts: { nodes: [{}] } }] } },
      ]);
    }
  });

  test('has the orders and warehouses of its shipments in both', async () => {
    const { live, moved } = made;
    const ORDER =
      'query ($n: String!) { order(by: { orderNumber: $n }) { databaseId warehouse { databaseId } shipments { totalCount } } }';
    const order = (by: Caller) => ask<object>(by, ORDER, { n: moved.orderNumber });
    const same = { databaseId: moved.order, warehouse: { databaseId: moved.warehouse } };
    expect(await order(made.sandbox)).toEqual({ ...same, shipments: { totalCount: 1 } });
    expect(await order(live)).toEqual({ ...same, shipments: { totalCount: 0 } });
  });

  test('has its tariffs priced, its carriers asked and its webhooks signed as before', async () => {
    const by = made.sandbox;
    const { moved } = made;
    const shipment = { warehouseId: moved.warehouse, destination: PALERMO, parcels: [PARCEL] };
    expect((await by.rest('POST', '/shipments/quote', shipment)).body).toMatchObject([
      { carrierCompanyId: moved.connection },
    ]);
    const TEST =
      'mutation ($id: ID!) { testCarrierConnection(input: { id: $id }) { outcome userErrors { code pointer message } } }';
    expect(await ask(by, TEST, { id: moved.connection })).toBe('accepted');
    receiver.clear();
    await sendTest(by, moved.endpoint);
    const [sent] = await receiver.waitFor(1);
    const headers = sent?.headers as Record<string, string>;
    expect(() => new Webhook(made.secret).verify(String(sent?.body), headers)).not.toThrow();
  });

  test('has its change log and its audit trail as they were', async () => {
    const { rows } = await world.pool.query(
      `select count(*)::integer as count, max(number)::integer as last from tracking_change where company_id = $1`,
      [made.live.companyId],
    );
    expect(rows[0].count).toBe(rows[0].last);
    const settings = { DATABASE_URL: world.databaseUrl, SECRETS_KEY, DATA_DIR: await processes.dataDir() };
    const { stdout } = await inProcess(['--json', 'doctor'], settings);
    const audit = (JSON.parse(stdout) as { check: string; status: string }[]).find(({ check }) => check === 'audit');
    expect(audit).toMatchObject({ status: 'ok' });
    // The changes that a reader has from the earlier log.
    const CHANGES = 'query ($after: String) { changes(after: $after) { hasGap } }';
    expect(await ask(made.sandbox, CHANGES, { after: made.moved.changeCursor })).toEqual({
      hasGap: true,
    });
  });

  test('stays as it is when the migration runs again', async () => {
    const counted = async () =>
      (
        await world.pool.query(
          'select count(*)::integer as companies, (select count(*) from shipment) as shipments from company',
        )
      ).rows;
    const before = await counted();
    await unmigrate();
    await migrate();
    expect(await counted()).toEqual(before);
  });
});

test('The demo company of before becomes a sandbox with its id, and its live keys open an empty company', async () => {
  const company = await world.administration.createCompany('Demo', DEMO);
  const live = await world.key(company.companyId);
  await live.rest('POST', '/warehouses', {
    name: 'Magazzino',
    typeId: 1,
    address: 'Via Mecenate 84',
    postalCode: '20138',
    city: 'Milano',
    state: 'MI',
    country: 'IT',
  });
  await unmigrate();
  await migrate();
  const settings = {
    DATABASE_URL: world.databaseUrl,
    SECRETS_KEY,
    DATA_DIR: await processes.dataDir(),
    ...askedAt(sandbox),
  };
  const { companyId, apiKey } = answerOf(await inProcess(['--json', 'demo'], settings));
  expect([companyId, apiKey.slice(0, 8)]).toEqual([DEMO, 'sk_test_']);
  note('issued', apiKey);
  const { body } = await restClient(world.app.url, { 'x-api-key': apiKey })('GET', '/carriers');
  expect(body).toHaveLength(7);
  await expect
    .poll(async () => (await live.rest('GET', '/health')).body.companyId)
    .toBe('de300000-0000-4000-8000-000000000000');
  expect((await live.rest('GET', '/warehouses')).body).toEqual([]);
});
