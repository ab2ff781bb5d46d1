import { beforeAll, describe, expect, test } from 'vitest';
import { INSTANT } from '../support/instants.ts';
import { ask, connectCarrier, recordEvents, shipment, times, upsertShipments } from '../support/platform-side.ts';
import { type Caller, SECRETS_KEY, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Env, expectSentence, type Json, useProcesses } from './processes.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const DAY_MS = 86_400_000;

const processes = useProcesses();
// No worker: queued jobs stay.
const world = useWorld({ ROLE: 'api' });
let settings: Env;
beforeAll(async () => {
  settings = { DATA_DIR: await processes.dataDir(), DATABASE_URL: world.databaseUrl, SECRETS_KEY };
});

const run = (...args: string[]) => inProcess(['--json', ...args], settings);
const json = async (...args: string[]): Promise<Json> => answerOf(await run(...args));

async function endpoint(caller: Caller, events = ['tracking.*']): Promise<string> {
  const { id } = await ask<Json>(
    caller,
    'mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { webhookEndpoint { id } userErrors { code pointer message } } }',
    { input: { label: 'Prova', url: 'https://93.184.215.14', events } },
  );
  return id;
}

/** Shipments on their way, with webhooks to subscribers. */
async function onTheirWay(caller: Caller, numbers: readonly string[]): Promise<void> {
  const connection = await connectCarrier(caller);
  await upsertShipments(
    caller,
    numbers.map(number => shipment(connection, number)),
  );
  const occurredAt = new Date().toISOString();
  await recordEvents(
    caller,
    numbers.map(trackingNumber => ({ trackingNumber, occurredAt, statusCode: 'in_transit' })),
  );
}

describe.concurrent('`key rotate`', () => {
  test('issues a key like the old one, which continues to work until its time is over', async () => {
    const { companyId } = await world.company();
    const old = await world.key(companyId, ['health:read', 'warehouses:read']);
    const rotated = await json('key', 'rotate', '--company', companyId, '--key', old.apiKeyId);
    expect(rotated).toMatchObject({
      apiKey: expect.stringMatching(/^sk_live_/),
      key: { id: expect.any(String), expiresAt: null },
      oldKey: { id: old.apiKeyId, expiresAt: expect.stringMatching(INSTANT) },
    });
    const hours = (Date.parse(rotated.oldKey.expiresAt) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    const keys: Json[] = await json('key', 'list', '--company', companyId);
    expect(keys.find(({ id }) => id === rotated.key.id).scopes).toEqual(['HEALTH_READ', 'WAREHOUSES_READ']);
    expect((await old.rest('GET', '/health')).status).toBe(200);

    const last = await json('key', 'rotate', '--company', companyId, '--key', rotated.key.id, '--overlap-hours', '0');
    expect(Date.parse(last.oldKey.expiresAt)).toBeLessThanOrEqual(Date.now());
  });
});

describe('The commands for deliveries', () => {
  let caller: Caller;
  let endpoints: string[];
  beforeAll(async () => {
    caller = await world.company();
    endpoints = [await endpoint(caller), await endpoint(caller, ['tracking.in_transit'])];
    await onTheirWay(caller, ['W1', 'W2']);
  });

  const deliveries = (...options: string[]) => json('webhook', 'deliveries', '--company', caller.companyId, ...options);

  test('list the deliveries to an endpoint, newest first, and each with its attempts', async () => {
    const [one = ''] = endpoints;
    const all: Json[] = await deliveries('--endpoint', one);
    expect(all).toHaveLength(2);
    expect(all[0]).toEqual({
      databaseId: expect.any(Number),
      eventType: 'TRACKING_IN_TRANSIT',
      eventId: expect.any(String),
      status: 'PENDING',
      attemptCount: 0,
      createdAt: expect.stringMatching(INSTANT),
      nextAttemptAt: expect.toSatisfy(at => at === null || INSTANT.test(at)),
      deliveredAt: null,
    });
    expect(await deliveries('--endpoint', one, '--statuses', 'failed')).toEqual([]);
    await world.pool.query(
      `insert into webhook_attempt (company_id, delivery_id, number, started_at, duration_ms, outcome, status)
        values ($1, $2, 1, now(), 5, 'rejected', 503)`,
      [caller.companyId, all[0].databaseId],
    );
    const attempts = await json(
      'webhook',
      'attempts',
      '--company',
      caller.companyId,
      '--delivery',
      `${all[0].databaseId}`,
    );
    expect(attempts).toMatchObject([{ number: 1, outcome: 'REJECTED', responseStatus: 503 }]);
  });

  test('send an endpoint again what it never received, within a range', async () => {
    const late = await endpoint(caller);
    const replay = (from: string, to: string) =>
      json('webhook', 'replay', '--company', caller.companyId, '--endpoint', late, '--from', from, '--to', to);
    const day = (offset: number) => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);
    expect(await replay(day(-2), day(-1))).toEqual({ replayed: 0 });
    // From yesterday, in case the day has ended since the events.
    expect(await replay(day(-1), new Date(Date.now() + DAY_MS).toISOString())).toEqual({ replayed: 2 });
    expect(await deliveries('--endpoint', late)).toHaveLength(2);
  });

  const refusals = [
    { name: 'an endpoint of nobody', args: ['deliveries', '--endpoint', UNKNOWN], code: 1, says: /webhook/ },
    {
      name: 'a replay to an endpoint of nobody',
      args: ['replay', '--endpoint', UNKNOWN, '--from', '2026-01-01', '--to', '2026-01-02'],
      code: 1,
      says: /webhook/,
    },
    {
      name: 'a replay backwards',
      args: ['replay', '--endpoint', UNKNOWN, '--from', '2026-01-02', '--to', '2026-01-01'],
      code: 2,
      says: /^error: --to must be later than/,
    },
    {
      name: 'a replay of no day',
      args: ['replay', '--endpoint', UNKNOWN, '--from', '2026-02-30', '--to', '2026-03-01'],
      code: 2,
      says: /^error: --from must be/,
    },
  ];
  test.concurrent.each(refusals)('reject $name', async ({ args: [command = '', ...options], code, says }) => {
    const ended = await run('webhook', command, '--company', caller.companyId, ...options);
    expect(ended).toMatchObject({ code, stdout: '' });
    expectSentence(ended.stderr);
    expect(ended.stderr).toMatch(says);
  });
});

describe('The commands for queues', () => {
  test('count the jobs of each queue, and send dead letters back', async () => {
    const url = await processes.database('migrated');
    const database = await processes.connect(url);
    await database.query(`
      insert into pgboss.job (name, state, start_after) values ('webhooks.deliver', 'created', now() - interval '1 hour'),
        ('webhooks.deliver', 'retry', now() + interval '1 hour'), ('webhooks.deliver', 'active', now());
      insert into pgboss.job (name, data, source_name, source_created_on, created_on)
        select 'webhooks.dead', jsonb_build_object('n', n), 'webhooks.deliver', now(), now() + n * interval '1 ms'
          from generate_series(1, 3) n`);
    const on = async (...args: string[]) =>
      answerOf(await inProcess(['--json', 'queue', ...args], { ...settings, DATABASE_URL: url }));
    const states = async () => {
      const list: Json[] = await on('list');
      expect(list.map(({ queue }) => queue)).toEqual(list.map(({ queue }) => queue).toSorted());
      return (name: string) => list.find(({ queue }) => queue === name);
    };
    const found = await states();
    expect(found('webhooks.deliver')).toEqual({
      queue: 'webhooks.deliver',
      due: 1,
      later: 1,
      active: 1,
      completed: 0,
      failed: 0,
      oldestDue: expect.stringMatching(INSTANT),
      deadLetter: 'webhooks.dead',
      deadLetterOf: null,
    });
    expect(found('webhooks.dead')).toMatchObject({ due: 3, deadLetterOf: 'webhooks.deliver' });
    expect(found('tracking.poll')).toMatchObject({ due: 0, oldestDue: null, deadLetter: null });

    expect(await on('redrive', '--queue', 'webhooks.dead', '--limit', '2')).toEqual({ redriven: 2 });
    const left = await states();
    expect([left('webhooks.deliver').due, left('webhooks.dead').due]).toEqual([3, 1]);
    const { rows } = await database.query(`select data from pgboss.job where name = 'webhooks.dead'`);
    expect(rows).toEqual([{ data: { n: 3 } }]);

    const refused = await run('queue', 'redrive', '--queue', 'webhooks.deliver');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^error: --queue must be a dead-letter queue: .*webhooks\.dead/);
  });
});

describe('`retention run`', () => {
  test('deletes rows older than `--days`, except unfinished deliveries', async () => {
    const url = await processes.database('migrated');
    const database = await processes.connect(url);
    const company = UNKNOWN;
    const ids = times(3, i => `'00000000-0000-4000-8000-00000000000${i}'`);
    await database.query(`
      insert into company (id, name) values ('${company}', 'X');
      insert into webhook_event (company_id, id, type, sequence, body, created_at)
        select '${company}', id, 'tracking.delay', 0, '{}', now() - days * interval '1 day'
          from (values (${ids[0]}::uuid, 1), (${ids[1]}::uuid, 20), (${ids[2]}::uuid, 40)) event (id, days);
      insert into api_key (company_id, id, secret_hash, last4, label, scopes)
        values ('${company}', ${ids[0]}, decode(repeat('00', 32), 'hex'), 'xxxx', 'X', '{}');
      insert into idempotent_request (company_id, api_key_id, route, idempotency_key, claim, request, claimed_at)
        select '${company}', ${ids[0]}, 'route', hours, ${ids[0]}, '', now() - hours * interval '1 hour'
          from generate_series(23, 25, 2) hours`);
    const on = async (...days: string[]) =>
      answerOf(await inProcess(['--json', 'retention', 'run', '--yes', ...days], { ...settings, DATABASE_URL: url }));
    const removed = (webhookDays: number, events: number, requests: number) => [
      { table: 'idempotent_request', keptDays: 1, rows: requests },
      { table: 'webhook_attempt', keptDays: webhookDays, rows: 0 },
      { table: 'webhook_event', keptDays: webhookDays, rows: events },
      { table: 'carrier_call', keptDays: 7, rows: 0 },
      { table: 'tracking_change', keptDays: 90, rows: 0 },
      { table: 'new_carrier_code', keptDays: 30, rows: 0 },
      { table: 'tariff_simulation', keptDays: 30, rows: 0 },
      { table: 'shipment', keptDays: 730, rows: 0 },
      { table: 'tracking_event', keptDays: 0, rows: 0 },
    ];
    expect(await on('--days', '50')).toEqual(removed(50, 0, 1));
    expect(await on()).toEqual(removed(30, 1, 0));
    expect(await on('--days', '10')).toEqual(removed(10, 1, 0));
    const left = await database.query('select from webhook_event union all select from idempotent_request');
    expect(left.rowCount).toBe(2);
  });
});
