import { once } from 'node:events';
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { makeSecret, signature, signingKey, verify } from '../../src/domain/exchange/webhooks/secrets/secret.rules.ts';
import { INSTANT } from '../support/instants.ts';
import { freePort } from '../support/ports.ts';
import { REACHABLE } from '../support/receiver.ts';
import { SECRETS_KEY, useWorld } from '../support/world.ts';
import { curl } from './curl.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Ended, type Env, expectSentence, type Json, useProcesses } from './processes.ts';
import { useListener } from './webhook-listener.ts';

const world = useWorld(REACHABLE);
const processes = useProcesses();
const given = useListener(world, processes);
const { listening, listen, endpoints, endpoint, testEvent, delivery } = given;
let settings: Env;
beforeAll(async () => {
  const DATA_DIR = await processes.dataDir();
  settings = { DATA_DIR, DATABASE_URL: world.databaseUrl, SECRETS_KEY };
});

const others: App[] = [];
afterAll(async () => {
  for (const app of others) await app.stop();
});

/** Another process of the service over the same database, which only answers requests. */
async function other(env: Env): Promise<App> {
  const { databaseUrl } = world;
  const needed = { PORT: '0', ROLE: 'api', LOG_LEVEL: 'silent', DATABASE_POOL_SIZE: '2', SECRETS_KEY };
  const app = await createApp({ ...readConfig({ ...needed, ...env }), databaseUrl }, world.app.log);
  others.push(app);
  return app;
}

/** Runs the command, which is rejected. */
function refused(args: readonly string[] = [], to: { apiKey?: string; url?: string } = {}): Promise<Ended> {
  return inProcess(listening(args, to), given.nowhere);
}

const run = async (args: readonly string[], env: Env = {}): Promise<Json> =>
  answerOf(await inProcess([...args, '--json'], { ...settings, ...env }));

const delivered = (id: string, status: string) =>
  vi.waitUntil(async () => (await delivery(id)).status === status, { timeout: 10_000, interval: 30 });

describe('The verifier of webhooks', () => {
  const secret = makeSecret();
  const body = '{"perché":"sì"}';
  const at = new Date('2026-11-21T10:00:00Z');
  const seconds = at.getTime() / 1000;
  const signed = (secrets: readonly string[], timestamp = seconds) => ({
    'webhook-id': 'evt',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature(secrets.map(signingKey), 'evt', timestamp, body),
  });

  test('accepts signed webhooks, including those that the library of Standard Webhooks signs', () => {
    expect(verify(secret, signed([secret]), body, at)).toBe(true);
    const headers = { ...signed([]), 'webhook-signature': new Webhook(secret).sign('evt', at, body) };
    expect(verify(secret, headers, body, at)).toBe(true);
  });

  test('accepts one valid signature among several', () => {
    expect(verify(secret, signed([makeSecret(), secret]), body, at)).toBe(true);
    expect(verify(secret, signed([makeSecret(), makeSecret()]), body, at)).toBe(false);
  });

  test('accepts clocks that differ by up to five minutes', () => {
    const isTaken = (offset: number) => verify(secret, signed([secret], seconds + offset), body, at);
    expect([-301, -300, 300, 301].map(isTaken)).toEqual([false, true, true, false]);
  });

  test.each([
    ['another body', {}, '{"perché":"no"}'],
    ['another id', { 'webhook-id': 'other' }, body],
    ['another time', { 'webhook-timestamp': String(seconds + 1) }, body],
    ['no id', { 'webhook-id': undefined }, body],
    ['no time', { 'webhook-timestamp': undefined }, body],
    ['a time that is none', { 'webhook-timestamp': 'now' }, body],
    ['no signature', { 'webhook-signature': undefined }, body],
    ['an empty signature', { 'webhook-signature': '' }, body],
    ['the start of a signature', { 'webhook-signature': signed([secret])['webhook-signature'].slice(0, -1) }, body],
    ['another version', { 'webhook-signature': signed([secret])['webhook-signature'].replace('v1', 'v2') }, body],
  ])('rejects %s', (_what, headers, sent) => {
    expect(verify(secret, { ...signed([secret]), ...headers }, sent, at)).toBe(false);
  });
});

describe.concurrent('`webhook listen`', () => {
  test('prints a line for each delivery, and marks those that are forged', async () => {
    const listener = listen();
    const [, id = '', url = ''] = await listener.said(/^Webhook endpoint (\S+), listening on (\S+) /m);
    const [line] = await listener.said(/^curl .+$/m);
    expect(await endpoint(id)).toMatchObject({ url, label: 'cli webhook listen', events: ['tracking.*'] });

    expect(await (await curl(line)).json()).toMatchObject({
      data: { sendTestEvent: { webhookDelivery: { status: 'PENDING' }, userErrors: [] } },
    });
    await listener.said(/^\S+Z {2}verified {2}tracking\.in_transit {2}#0 {2}084000000000000 {2}In transito\n/m);

    const forged = { type: 'tracking.\u001b[31mdelivered', sequence: 7, data: { trackingNumber: 'X1', status: null } };
    const headers = {
      'webhook-id': 'evt',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': signature(
        [signingKey(makeSecret())],
        'evt',
        Math.floor(Date.now() / 1000),
        JSON.stringify(forged),
      ),
    };
    expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify(forged) })).status).toBe(400);
    await listener.said(/^\S+Z {2}NOT VERIFIED {2}tracking\.\?\[31mdelivered {2}#7 {2}X1 {2}–\n/m);
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) })).status).toBe(413);
    expect((await fetch(url)).status).toBe(400);

    listener.kill('SIGTERM');
    const { code, stdout, stderr } = await listener.ended();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.match(/ verified /g)).toHaveLength(1);
    expect(stdout.match(/ NOT VERIFIED /g)).toHaveLength(3);
    expect(await endpoint(id)).toMatchObject({ isActive: false, lastDelivery: { status: 'success' } });
  });

  const refusals: { name: string; of: () => Promise<Ended>; says: RegExp }[] = [
    {
      name: 'a service that sends no webhooks to this machine',
      of: async () => refused([], { url: (await other({ WEBHOOK_ALLOW_HTTP: 'true' })).url }),
      says: /blocked_address.* WEBHOOK_ALLOW_PRIVATE=127\.0\.0\.0\/8 WEBHOOK_ALLOW_HTTP=true/,
    },
    {
      name: 'a service that sends nothing in the clear',
      of: async () => refused([], { url: (await other({})).url }),
      says: /https_required.* WEBHOOK_ALLOW_PRIVATE=127\.0\.0\.0\/8 WEBHOOK_ALLOW_HTTP=true/,
    },
    { name: 'an unknown key', of: async () => refused([], { apiKey: 'sk_live_none' }), says: /\(invalid_api_key\)/ },
    {
      name: 'a key that may not',
      of: async () => refused([], { apiKey: (await world.company(['health:read'])).apiKey }),
      says: /\(insufficient_scope\)/,
    },
    {
      name: 'an event that is none',
      of: async () => refused(['--events', 'tracking.lost']),
      says: /--events 0 .*delay/,
    },
    {
      name: 'a service out of reach',
      of: async () => refused([], { url: `http://127.0.0.1:${await freePort()}` }),
      says: /can't be reached \(ECONNREFUSED\)/,
    },
    {
      name: 'another server',
      of: async () => {
        const server = createServer((_request, response) => response.end('It works!'));
        return refused([], { url: `http://127.0.0.1:${await processes.listen(server)}` });
      },
      says: /not a Shipping Integrations API/,
    },
    {
      name: 'a port in use',
      of: async () => refused(['--port', String(await processes.listen())]),
      says: /EADDRINUSE.*--port/,
    },
  ];
  test.each(refusals)('rejects $name in a sentence', async ({ of, says }) => {
    const { code, stdout, stderr } = await of();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expectSentence(stderr);
    expect(stderr).toMatch(says);
  });
});

describe('For operators', () => {
  let id: string;
  let statuses: number[] = [];
  beforeAll(async () => {
    const server = createServer(async (request, response) => {
      await once(request.resume(), 'end');
      // A failed delivery is not tried again while the test reads it.
      response.writeHead(statuses.shift() ?? 204, { 'retry-after': '3600' }).end();
    });
    const url = `http://127.0.0.1:${await processes.listen(server)}/`;
    const created = await given.caller.rest('POST', '/webhooks', { label: 'Prova', url, events: ['tracking.delay'] });
    id = created.body.id;
  });

  const resume = () =>
    given.caller.graphql(
      'mutation ($id: ID!) { resumeWebhookEndpoint(input: { id: $id }) { webhookEndpoint { id } userErrors { code pointer message } } }',
      { id },
    );

  test('`webhook redrive` sends failed deliveries again', async () => {
    const given: string[] = [];
    for (let i = 0; i < 2; i++) {
      statuses = [410];
      const deliveryId = await testEvent(id);
      await delivered(deliveryId, 'failed');
      given.push(deliveryId);
      await resume();
    }
    const states = async () => (await Promise.all(given.map(delivery))).map(({ status }) => status);
    expect(await run(['webhook', 'redrive', '--limit', '1'])).toEqual({ redriven: 1 });
    await delivered(given[0] ?? '', 'success');
    expect(await states()).toEqual(['success', 'failed']);
    expect(await run(['webhook', 'redrive'])).toEqual({ redriven: 1 });
    await delivered(given[1] ?? '', 'success');
    expect((await delivery(given[1] ?? '')).attemptCount).toBe(2);
  });

  test('`webhook list` shows the state of the endpoints of one company', async () => {
    statuses = [500];
    await delivered(await testEvent(id), 'retrying');
    const neighbour = await world.company();
    const [list, none, table] = await Promise.all([
      run(['webhook', 'list', '--company', given.caller.companyId]),
      run(['webhook', 'list', '--company', neighbour.companyId]),
      inProcess(['webhook', 'list', '--company', given.caller.companyId], settings),
    ]);
    const known = await endpoints();
    expect(list.map((one: Json) => one.id)).toEqual(known.map(one => one.id));
    expect(list[0]).toEqual({
      id,
      label: 'Prova',
      url: known[0].url,
      topic: 'TRACKING',
      events: ['TRACKING_DELAY'],
      filter: null,
      selection: null,
      state: expect.stringMatching(/^(ACTIVE|CATCHING_UP)$/),
      failingSince: expect.stringMatching(INSTANT),
      lastDelivery: { status: 'RETRYING', createdAt: expect.stringMatching(INSTANT) },
    });
    expect(none).toEqual([]);
    expect(list.slice(1).map(({ state }: Json) => state)).toEqual(known.slice(1).map(() => 'DISABLED'));
    expect(table.stdout).toContain(id);
    expect(JSON.stringify(list)).not.toContain('secret');
  });

  test('`secrets key` prints a key without a database', async () => {
    const [plain, json] = await Promise.all([
      inProcess(['secrets', 'key'], given.nowhere),
      run(['secrets', 'key'], given.nowhere),
    ]);
    expect(plain).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^[\w+/]{43}=\n$/) });
    expect(readConfig({ SECRETS_KEY: plain.stdout.trim() }).secretsKey).toBe(plain.stdout.trim());
    expect(json.secretsKey).toMatch(/^[\w+/]{43}=$/);
    expect(json.secretsKey).not.toBe(plain.stdout.trim());
  });
});
