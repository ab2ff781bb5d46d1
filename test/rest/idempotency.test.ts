import { beforeAll, describe, expect, test } from 'vitest';
import { connectCarrier, WAREHOUSE } from '../support/platform-side.ts';
import { type Answer, restClient } from '../support/rest-client.ts';
import { removeOld } from '../support/retention.ts';
import { useSecondProcess } from '../support/second-process.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { importTariff, TARIFF } from './feed.ts';
import { send } from './raw-http.ts';

// By which it is known how long a request can be under way.
const world = useWorld({ ROLE: 'api', GRAPHQL_TIMEOUT_SECONDS: '15' });
const second = useSecondProcess(world);
const WEBHOOK = { label: 'Shop', url: 'https://8.8.8.8/hooks', events: ['tracking.*'] };
let caller: Caller;
let carrierCompanyId: number;
beforeAll(async () => {
  caller = await world.company();
  carrierCompanyId = await connectCarrier(caller, 'BRT', 'BRT');
  await importTariff(caller, carrierCompanyId, TARIFF);
});

let keys = 0;
const newKey = () => `key-${++keys}`;
const post = (path: string, body: unknown, idempotencyKey: string, by: Pick<Caller, 'rest'> = caller) =>
  by.rest('POST', path, body, { 'idempotency-key': idempotencyKey });
const replayed = ({ headers }: Answer) => headers.get('idempotent-replayed');
const warehouses = async (by = caller) => (await by.rest('GET', '/warehouses')).body.length as number;
const sql = (text: string, values: unknown[] = []) => world.app.database.pool.query(text, values);

const ADDRESS = { address: 'Via Roma 1', city: 'Milano', zip: '20121', provincia: 'MI' };

describe('A request that is sent again with its Idempotency-Key', () => {
  test.each([
    { what: 'a warehouse', path: '/warehouses', body: () => WAREHOUSE, status: 201 },
    { what: 'a webhook endpoint', path: '/webhooks', body: () => WEBHOOK, status: 201 },
  ])('gets the first response: $what', async ({ path, body, status }) => {
    const key = newKey();
    const first = await post(path, body(), key);
    const again = await post(path, body(), key);
    const elsewhere = await post(path, body(), key, { rest: restClient(second.url, { 'x-api-key': caller.apiKey }) });
    expect([first.status, replayed(first)]).toEqual([status, null]);
    for (const answer of [again, elsewhere]) {
      expect([answer.status, answer.text, replayed(answer)]).toEqual([status, first.text, 'true']);
      expect(answer.headers.get('content-type')).toBe(first.headers.get('content-type'));
      expect(answer.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    }
  });

  test('is carried out once, however many processes receive it at the same time', async () => {
    const before = await warehouses();
    const key = newKey();
    const clients = [world.app.url, second.url].map(url => ({ rest: restClient(url, { 'x-api-key': caller.apiKey }) }));
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => post('/warehouses', WAREHOUSE, key, clients[i % 2])),
    );
    expect(await warehouses()).toBe(before + 1);
    expect(answers.filter(answer => answer.status === 201 && replayed(answer) === null)).toHaveLength(1);
    for (const { status, body, headers } of answers) {
      if (status !== 201)
        expect([status, body.code, headers.get('retry-after')]).toEqual([409, 'idempotency_in_progress', '1']);
    }
  });

  /** Equal JSON, written in other ways. */
  const REWRITTEN = [
    { what: 'other spaces', text: JSON.stringify(WAREHOUSE, null, 2) },
    { what: 'other members first', text: JSON.stringify(Object.fromEntries(Object.entries(WAREHOUSE).reverse())) },
    { what: 'a number as 1.0', text: JSON.stringify(WAREHOUSE).replace('"typeId":1', '"typeId":1.0') },
    { what: 'a number as 10e-1', text: JSON.stringify(WAREHOUSE).replace('"typeId":1', '"typeId":10e-1') },
    { what: 'escapes', text: JSON.stringify(WAREHOUSE).replace('"city"', '"\\u0063ity"') },
  ];

  test.each(REWRITTEN)('may be written with $what', async ({ text }) => {
    expect(text).not.toBe(JSON.stringify(WAREHOUSE));
    const key = newKey();
    const first = await post('/warehouses', WAREHOUSE, key);
    const again = await post('/warehouses', text, key);
    expect([again.status, again.text, replayed(again)]).toEqual([201, first.text, 'true']);
  });

  test('is a different request if a list has another order', async () => {
    const key = newKey();
    const events = ['tracking.delay', 'tracking.delivered'];
    await post('/webhooks', { ...WEBHOOK, events }, key);
    const { status, body } = await post('/webhooks', { ...WEBHOOK, events: events.toReversed() }, key);
    expect([status, body.code]).toEqual([409, 'idempotency_key_reused']);
  });

  test('is carried out once in two orders at the same time, and neither is called another request', async () => {
    const before = await warehouses();
    const key = newKey();
    const bodies = [JSON.stringify(WAREHOUSE), ...REWRITTEN.map(({ text }) => text)];
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, i) => post('/warehouses', bodies[i % bodies.length], key)),
    );
    expect(await warehouses()).toBe(before + 1);
    for (const { status, body } of answers) {
      if (status !== 201) expect([status, body.code]).toEqual([409, 'idempotency_in_progress']);
    }
  });

  test('may not be a different request', async () => {
    const key = newKey();
    await post('/warehouses', WAREHOUSE, key);
    const before = await warehouses();
    const { status, body } = await post('/warehouses', { ...WAREHOUSE, name: 'Altro' }, key);
    expect([status, body.code]).toEqual([409, 'idempotency_key_reused']);
    expect(await warehouses()).toBe(before);
  });

  test.each([
    { what: 'a warehouse', path: '/warehouses', body: WAREHOUSE, wrong: { postalCode: '1' }, pointer: '/postalCode' },
    { what: 'a webhook endpoint', path: '/webhooks', body: WEBHOOK, wrong: { label: ' ' }, pointer: '/label' },
  ])('gets the errors of a different request before the reuse of its key: $what', async given => {
    const key = newKey();
    expect((await post(given.path, given.body, key)).status).toBe(201);
    const { status, body } = await post(given.path, { ...given.body, ...given.wrong }, key);
    expect([status, body.code]).toEqual([422, 'validation_failed']);
    expect(body.errors).toMatchObject([{ pointer: given.pointer }]);
  });

  test('is a request by itself at another address, and of another API key', async () => {
    const key = newKey();
    const colleague = await world.key(caller.companyId);
    const stranger = await world.company();
    const answers = [
      await post('/warehouses', WAREHOUSE, key),
      await post('/webhooks', WEBHOOK, key),
      await post('/warehouses', WAREHOUSE, key, colleague),
      await post('/warehouses', WAREHOUSE, key, stranger),
    ];
    expect(answers.map(answer => [answer.status, replayed(answer)])).toEqual(answers.map(() => [201, null]));
  });

  test.each([
    { what: 'not valid', body: { ...WAREHOUSE, typeId: 9 }, status: 422 },
    { what: 'not valid in what it means', body: { ...WAREHOUSE, postalCode: '2013' }, status: 422 },
    { what: 'not JSON', body: '{', status: 400 },
  ])('may be corrected if it was $what', async ({ body, status }) => {
    const key = newKey();
    expect((await post('/warehouses', body, key)).status).toBe(status);
    const corrected = await post('/warehouses', WAREHOUSE, key);
    expect([corrected.status, replayed(corrected)]).toEqual([201, null]);
  });

  test('is carried out if it failed the first time', async () => {
    const limited = await world.company();
    for (let i = 0; i < 10; i++) await post('/webhooks', WEBHOOK, newKey(), limited);
    const key = newKey();
    const refused = await post('/webhooks', WEBHOOK, key, limited);
    expect([refused.status, refused.body.code]).toEqual([409, 'webhook_limit_reached']);
    const again = await post('/webhooks', WEBHOOK, key, limited);
    expect([again.status, replayed(again)]).toEqual([409, null]);
    const [{ id }] = (await limited.rest('GET', '/webhooks')).body;
    expect((await limited.rest('DELETE', `/webhooks/${id}`)).status).toBe(200);
    const done = await post('/webhooks', WEBHOOK, key, limited);
    expect([done.status, replayed(done)]).toEqual([201, null]);
  });

  test('is still rejected if its API key has lost the right', async () => {
    const key = newKey();
    const colleague = await world.key(caller.companyId);
    await post('/warehouses', WAREHOUSE, key, colleague);
    await sql(`update api_key set scopes = '{health:read}' where id = $1`, [colleague.apiKeyId]);
    await expect.poll(async () => (await post('/warehouses', WAREHOUSE, key, colleague)).status).toBe(403);
  });
});

describe('A request that changes nothing', () => {
  const QUESTIONS = [
    { what: 'a quote', path: '/shipments/quote', body: () => ({ orderId: 2_147_483_647 }), status: 404 },
    {
      what: 'an address',
      path: '/addresses/check-address',
      body: () => ({ carrierCompanyId, ...ADDRESS }),
      status: 200,
    },
  ];

  test.each(QUESTIONS)('is carried out each time, also with another body: $what', async ({ path, body, status }) => {
    const key = newKey();
    for (let i = 0; i < 2; i++) {
      const answer = await post(path, body(), key);
      expect([answer.status, replayed(answer)]).toEqual([status, null]);
    }
    expect((await post(path, {}, key)).status).toBe(422);
    expect((await sql('select 1 from idempotent_request where idempotency_key = $1', [key])).rowCount).toBe(0);
  });

  test.each(QUESTIONS)('has its Idempotency-Key checked for its form: $what', async ({ path, body }) => {
    const answer = await post(path, body(), 'k'.repeat(256));
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_idempotency_key']);
  });
});

test('Stored responses are sealed', async () => {
  const { body } = await post('/webhooks', WEBHOOK, newKey());
  const { rows } = await sql(
    `select encode(answer, 'escape') as answer, idempotent_request::text as row from idempotent_request where answer is not null`,
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { answer, row } of rows) {
    for (const text of [answer, row]) expect(text).not.toMatch(/whsec|Milano|label|postalCode/);
    expect(answer).not.toContain(body.secret);
  }
});

test.each([
  ['empty', ''],
  ['of 256 characters', 'k'.repeat(256)],
  ['with a blank', 'a b'],
  ['beyond ASCII', 'chiav\u00e9'],
])('An Idempotency-Key that is %s is rejected', async (_what, key) => {
  const headers = { 'x-api-key': caller.apiKey, 'content-type': 'application/json', 'idempotency-key': key };
  const { status, body } = await send(world.app.url, {
    method: 'POST',
    path: '/api/v1/integrations/warehouses',
    headers,
    chunks: [JSON.stringify(WAREHOUSE)],
  });
  expect([status, body.code]).toEqual([400, 'invalid_idempotency_key']);
});

test.each(['!', '~', 'k'.repeat(255), '{"a":1}'])('An Idempotency-Key may be %s', async key => {
  expect((await post('/warehouses', WAREHOUSE, key)).status).toBe(201);
});

test('Other methods ignore the Idempotency-Key', async () => {
  const headers = { 'idempotency-key': 'not allowed in a POST' };
  const answer = await caller.rest('GET', '/warehouses', undefined, headers);
  expect([answer.status, replayed(answer)]).toEqual([200, null]);
});

describe('After a process died', () => {
  /** Leaves the request as a process would that died so long ago. */
  async function interrupted(tookEffect: boolean, ago: string) {
    const key = newKey();
    await post('/warehouses', WAREHOUSE, key);
    await sql(
      `update idempotent_request set answer = null, took_effect = $2, claimed_at = now() - $3::interval where idempotency_key = $1`,
      [key, tookEffect, ago],
    );
    return { key, before: await warehouses() };
  }

  // 15 seconds for its document, and ten more.
  test.each([
    { ago: '1 second', retryAfter: '1' },
    { ago: '5 seconds', retryAfter: '20' },
    { ago: '20 seconds', retryAfter: '5' },
  ])(
    'a request that may be under way is in progress, and Retry-After says how long: $ago',
    async ({ ago, retryAfter }) => {
      const { key, before } = await interrupted(false, ago);
      const { status, body, headers } = await post('/warehouses', WAREHOUSE, key);
      expect([status, body.code, await warehouses()]).toEqual([409, 'idempotency_in_progress', before]);
      expect(Math.abs(Number(headers.get('retry-after')) - Number(retryAfter))).toBeLessThan(2);
    },
  );

  test('a request without effect is carried out, once it can no longer be under way', async () => {
    const { key, before } = await interrupted(false, '25 seconds');
    const { status } = await post('/warehouses', WAREHOUSE, key);
    expect([status, await warehouses()]).toEqual([201, before + 1]);
  });

  test('a request that took effect is never carried out again', async () => {
    const { key, before } = await interrupted(true, '25 seconds');
    const { status, body } = await post('/warehouses', WAREHOUSE, key);
    expect([status, body.code, await warehouses()]).toEqual([409, 'idempotency_answer_lost', before]);
    expect(body.detail).toContain('The request was carried out, but its response is lost.');
  });

  test('a process that only slept does not carry out what another has taken over', async () => {
    const key = newKey();
    const before = await warehouses();
    const holder = await world.app.database.pool.connect();
    await holder.query('begin');
    await holder.query('lock table warehouse in share mode');
    const slow = post('/warehouses', WAREHOUSE, key);
    await expect
      .poll(async () => (await sql('select 1 from idempotent_request where idempotency_key = $1', [key])).rowCount)
      .toBe(1);
    await sql('update idempotent_request set claim = gen_random_uuid() where idempotency_key = $1', [key]);
    await holder.query('rollback');
    holder.release();
    expect([(await slow).status, await warehouses()]).toEqual([409, before]);
  });
});

test('After 24 hours an Idempotency-Key is forgotten', async () => {
  const key = newKey();
  await post('/warehouses', WAREHOUSE, key);
  await sql(`update idempotent_request set claimed_at = now() - interval '24 hours 1 second'`);
  const again = await post('/warehouses', WAREHOUSE, key);
  expect([again.status, replayed(again)]).toEqual([201, null]);
  await removeOld(world);
  const { rows } = await sql('select idempotency_key from idempotent_request');
  expect(rows).toEqual([{ idempotency_key: key }]);
});
