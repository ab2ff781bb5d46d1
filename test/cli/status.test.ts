import { beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { insertCarrierCalls } from '../support/carrier-calls.ts';
import { askedAt, connectSandbox, useSandbox } from '../support/carriers.ts';
import { operators } from '../support/operators.ts';
import { feedShipments } from '../support/platform-side.ts';
import { REACHABLE } from '../support/receiver.ts';
import { type Caller, SECRETS_KEY, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Env, type Json, useProcesses } from './processes.ts';

const PASSWORD = 'password-of-the-operators';
const processes = useProcesses();
const sandbox = useSandbox();
// Without a worker, whose jobs would change the output.
const world = useWorld(
  Object.assign(askedAt(sandbox), { ROLE: 'api', OPS_USERS: operators({ ops: PASSWORD }), ...REACHABLE }),
);
// One in which nothing happens.
const quiet = useWorld({ ROLE: 'api' });

let settings: Env;
let caller: Caller;
let endpointId: string;

/** A company with a failing endpoint and its backlog, a connection that is refused, and shipments that are late. */
beforeAll(async () => {
  settings = { DATA_DIR: await processes.dataDir(), DATABASE_URL: world.databaseUrl, SECRETS_KEY };
  caller = await world.sandbox();
  const [gls, brt] = [await connectSandbox(caller, 'GLS'), await connectSandbox(caller, 'BRT')];
  await insertCarrierCalls(world.pool, caller.companyId, [gls, brt]);
  await world.pool.query("update carrier_call set outcome = 'refused' where carrier_connection_id = $1", [brt]);
  await feedShipments(caller, gls, ...['L 1', 'L 2', 'L 3'].map(trackingNumber => ({ trackingNumber })));
  await world.pool.query("update tracking_poll set due_at = now() - interval '3 hours'");
  for (const label of ['Negozio <b>rotto</b>', 'Altro']) {
    const { body } = await caller.rest('POST', '/webhooks', {
      label,
      url: 'http://127.0.0.1:9/x',
      events: ['tracking.*'],
    });
    endpointId ??= body.id;
  }
  const query = `mutation ($input: RecordTrackingEventsInput!) { recordTrackingEvents(input: $input) { created userErrors { code pointer message } } }`;
  const events = ['in_transit', 'delivered'].map(statusCode => ({
    trackingNumber: 'L1',
    statusCode: statusCode.toUpperCase(),
    occurredAt: new Date().toISOString(),
  }));
  await caller.graphql(query, { input: { events } });
  await world.pool.query(
    "update webhook_endpoint set breaker = 'open', probe_after = now() + interval '1 hour', failing_since = now() - interval '2 days' where id = $1",
    [endpointId],
  );
  await world.pool.query('update webhook_delivery set parked = true where endpoint_id = $1', [endpointId]);
  await world.pool.query("delete from pgboss.job where name = 'webhooks.deliver' and data ->> 'endpointId' = $1", [
    endpointId,
  ]);
});

/** The addresses that a page loads. */
const assetsOf = (html: string) =>
  Array.from(html.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g), ([, path = '']) => path);

const authorization = (password: string) => ({
  authorization: `Basic ${Buffer.from(`ops:${password}`).toString('base64')}`,
});

const statusNow = async (): Promise<Json> => answerOf(await inProcess(['--json', 'status'], settings));

describe('The command `status`', () => {
  test('shows processes, endpoints, backlog, connections, late shipments and queues', async () => {
    const status = await statusNow();
    expect(status.processes).toEqual([
      {
        role: 'api',
        process: expect.stringContaining(`${process.pid}@`),
        worksJobs: false,
        connectedSince: expect.any(Number),
      },
    ]);
    expect(status.endpoints.byState).toEqual({ active: 1, backing_off: 1, catching_up: 0, disabled: 0, paused: 0 });
    const { rows } = await world.pool.query('select probe_after from webhook_endpoint where id = $1', [endpointId]);
    const deliveries = { expected: 2, delivered: 0, failed: 0, waiting: 2 };
    const nextDueAt = rows[0]?.probe_after.getTime();
    const failing = { endpointId, companyId: caller.companyId, state: 'backing_off', heldBack: 2 };
    expect(status.endpoints.waiting).toEqual([expect.objectContaining({ ...failing, deliveries, nextDueAt })]);
    expect(status.backlog).toEqual([
      {
        companyId: caller.companyId,
        company: expect.any(String),
        due: { count: 2, isExact: true },
        oldestSeconds: expect.any(Number),
        heldBack: { count: 2, isExact: true },
      },
    ]);
    expect(status.connections).toMatchObject([
      { carrierCode: 'BRT', outcome: 'refused', connections: 1 },
      { carrierCode: 'GLS', outcome: 'answered', connections: 1 },
    ]);
    expect(status.lateShipments).toEqual({ count: 2, isExact: true, oldestDueAt: expect.any(Number) });
    expect(status.queues.map(({ queue }: Json) => queue)).toEqual(
      expect.arrayContaining(['tracking.poll', 'webhooks.deliver']),
    );
  });

  test('prints sentences and tables, with a mark before what needs attention', async () => {
    const { stdout, code } = await inProcess(['status'], settings);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^! Processes: 1 process is connected\. None works jobs/m);
    expect(stdout).toMatch(/^! Webhook endpoints: 1 active, 0 paused, 1 backing off, 0 catching up, 0 disabled\.$/m);
    expect(stdout).toMatch(/Negozio <b>rotto<\/b> +│ backing off │ 2 d +│ 2 +│ 0 +│ 0 +│ 2 +│ in 59 min/);
    expect(stdout).toContain('Backlog of webhooks: 2 due, 2 held back, 0 to be tried later.');
    expect(stdout).toContain('! Carrier connections: 2 connections with credentials. The latest call of 1 failed.');
    expect(stdout).toMatch(/^! Shipments behind their schedule: 2 shipments .*, the oldest 3 h/m);
  });

  test('shows when a delayed delivery is due, and what became of the others, though its endpoint is active', async () => {
    const { rows } = await world.pool.query<{ id: string; endpoint: string }>(
      'select id::text, endpoint_id as endpoint from webhook_delivery where endpoint_id <> $1 order by id',
      [endpointId],
    );
    const [done, later] = rows;
    const job = `name = 'webhooks.deliver' and data ->> 'deliveryId' = $1`;
    await world.pool.query(`update pgboss.job set start_after = now() + interval '1 day' where ${job}`, [done?.id]);
    await world.pool.query(`update webhook_delivery set status = 'success' where id = $1`, [done?.id]);
    await world.pool.query(`update pgboss.job set start_after = now() + interval '270 s' where ${job}`, [later?.id]);
    await world.pool.query(`update webhook_delivery set status = 'retrying' where id = $1`, [later?.id]);
    const { at, endpoints } = await statusNow();
    const found = endpoints.waiting.find((one: Json) => one.endpointId === later?.endpoint);
    expect(found).toMatchObject({
      ...{ label: 'Altro', state: 'active', failingSince: null, heldBack: 0 },
      deliveries: { expected: 2, delivered: 1, failed: 0, waiting: 1 },
    });
    expect(Math.abs(found.nextDueAt - Date.parse(at) - 270_000)).toBeLessThan(20_000);
    const { stdout } = await inProcess(['status'], settings);
    expect(stdout).toMatch(/Altro +│ active +│ +│ 2 +│ 1 +│ 0 +│ 1 +│ in 4 min/);
    await world.pool.query(`update pgboss.job set start_after = now() where name = 'webhooks.deliver'`);
    await world.pool.query(`update webhook_delivery set status = 'pending'`);
  });

  test('marks jobs that have failed, except deliveries, which fail because of their receivers', async () => {
    const jobs = async () => /^.*Jobs:.*$/m.exec((await inProcess(['status'], settings)).stdout)?.[0];
    const fail = (queue: string) =>
      world.pool.query('update pgboss.queue set failed_count = failed_count + 3 where name = $1', [queue]);
    await fail('webhooks.deliver');
    expect(await jobs()).toMatch(/^Jobs: .* 3 have failed/);
    await fail('tracking.claim');
    expect(await jobs()).toMatch(/^! Jobs: .* 6 have failed/);
    await world.pool.query('update pgboss.queue set failed_count = 0');
  });

  test('counts delayed deliveries, though no company has a backlog', async () => {
    const env = { ...settings, DATABASE_URL: quiet.databaseUrl };
    const backlog = async () => /Backlog of webhooks: .*/.exec((await inProcess(['status'], env)).stdout)?.[0];
    expect(await backlog()).toBe('Backlog of webhooks: No delivery waits.');
    await quiet.pool.query("update pgboss.queue set deferred_count = 2 where name = 'webhooks.deliver'");
    expect(await backlog()).toBe('Backlog of webhooks: 0 due, 0 held back, 2 to be tried later.');
  });
});

describe('The page at /ops', () => {
  test('shows the same to callers with the password, and escapes texts of companies', async () => {
    for (const headers of [{}, authorization('something-else')]) {
      const refused = await fetch(`${world.app.url}/ops`, { headers });
      expect([refused.status, await refused.text()]).toEqual([401, 'Unauthorized']);
      expect(refused.headers.get('www-authenticate')).toMatch(/^Basic /);
    }
    const response = await fetch(`${world.app.url}/ops`, { headers: authorization(PASSWORD) });
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'/,
    );
    const html = await response.text();
    expect(html).toContain('Negozio &lt;b&gt;rotto&lt;/b&gt;');
    expect(html).toContain('2 shipments have waited for their carrier');
    expect(html).toContain('href="/ops/jobs"');
    expect(html).toContain(`<footer class="version">Version ${packageJson.version}</footer>`);
    const assets = assetsOf(html);
    expect(assets.length).toBeGreaterThan(4);
    for (const path of assets) expect((await fetch(world.app.url + path)).status).toBe(200);
  });
});
