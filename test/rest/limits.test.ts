import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ENDPOINTS } from '../../src/http/rest/endpoints.ts';
import { figure } from '../support/metrics.ts';
import { WAREHOUSE } from '../support/platform-side.ts';
import { restClient } from '../support/rest-client.ts';
import { useSecondProcess } from '../support/second-process.ts';
import { PATIENTLY } from '../support/time.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { NOTHING, nameOf, requestFor } from './examples.ts';
import { send } from './raw-http.ts';

const world = useWorld({ RATE_LIMIT_READS: '6000', RATE_LIMIT_QUOTES: '1200', RATE_LIMIT_WRITES: '600' });
const second = useSecondProcess(world);

// A test that begins at the end of a minute would see two of them; both processes live in this one.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterAll(() => {
  vi.useRealTimers();
});

/** A company whose key has rates of its own. */
async function limited(rates: { reads?: number; quotes?: number; writes?: number }, scopes = ['all']) {
  const { companyId } = await world.administration.createCompany('Limited');
  const { apiKeyId, apiKey } = await world.administration.createKey({ companyId, label: 'Test', scopes, rates });
  const headers = { 'x-api-key': apiKey };
  return { companyId, apiKeyId, apiKey, headers, rest: restClient(world.app.url, headers) };
}

const policy = (answer: { headers: Headers }) => answer.headers.get('ratelimit-policy');
const remaining = (answer: { headers: Headers }) =>
  Number(/;r=(\d+);/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);

describe('Every response has the rate:', () => {
  let caller: Caller;
  beforeAll(async () => {
    caller = await world.company();
  });

  const RATES = { reads: 6000, quotes: 1200, writes: 600 };
  const COST = 1_000_000_000;
  const QUESTIONS = ['quoteShipment', 'checkAddress'];
  test.each(ENDPOINTS.map(endpoint => ({ name: nameOf(endpoint), endpoint })))('$name', async ({ endpoint }) => {
    const { method, path, body } = requestFor(endpoint, NOTHING);
    const { headers } = await caller.rest(method, path, body);
    const rateClass = method === 'GET' ? 'reads' : QUESTIONS.includes(endpoint.operation) ? 'quotes' : 'writes';
    const seconds = '([1-9]|[1-5]\\d|60)';
    expect(headers.get('ratelimit-policy')).toBe(`"${rateClass}";q=${RATES[rateClass]};w=60, "cost";q=${COST};w=60`);
    expect(headers.get('ratelimit')).toMatch(
      new RegExp(`^"${rateClass}";r=\\d+;t=${seconds}, "cost";r=\\d+;t=${seconds}$`),
    );
  });

  test.each([
    ['{ apiKey { label } }', 'reads'],
    [
      'query { warehouses { nodes { id: databaseId } } carriers: carrierConnections { nodes { carrierCode } } }',
      'reads',
    ],
    ['{ checkAddress(input: {}) { code } }', 'quotes'],
    [
      '{ apiKey { label } ...Prices } fragment Prices on Query { quoteShipment(input: { shipment: { orderId: 1 } }) { __typename } }',
      'quotes',
    ],
    ['{ ... { ... on Query { again: quoteShipment(input: { shipment: { orderId: 1 } }) { __typename } } } }', 'quotes'],
    [
      'mutation { deleteWarehouse(input: { id: 2147483647 }) { warehouse { id: databaseId } userErrors { code pointer message } } }',
      'writes',
    ],
    ['fragment Loop on Query { ...Loop } query { ...Loop }', 'reads'],
    ['{', 'reads'],
  ])('of GraphQL: %s', async (query, rateClass) => {
    const options = { headers: { 'x-api-key': caller.apiKey, 'content-type': 'application/json' } };
    const posted = await fetch(`${world.app.url}/graphql`, {
      ...options,
      method: 'POST',
      body: JSON.stringify({ query }),
    });
    const got = await fetch(`${world.app.url}/graphql?query=${encodeURIComponent(query)}`, options);
    expect([policy(posted), policy(got)]).toEqual(Array(2).fill(expect.stringContaining(`"${rateClass}";`)));
  });

  test.each([
    { what: 'an empty operation name', before: { operationName: '' } },
    {
      what: 'the name of another text',
      before: {
        operationName:
          'A\nmutation W { revokeApiKey(input: { id: "x" }) { key { label } userErrors { code pointer message } } }',
      },
    },
  ])('of a mutation, whatever was asked with $what before', async ({ before }) => {
    const query = `mutation W { revokeApiKey(input: { id: "${randomUUID()}" }) { key { label } userErrors { code pointer message } } }`;
    const ask = (body: object) =>
      fetch(`${world.app.url}/graphql`, {
        method: 'POST',
        headers: { 'x-api-key': caller.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await ask({ query, ...before });
    expect(policy(await ask({ query }))).toContain('"writes";');
  });

  test.each([
    ['GET', '/nowhere', 404, 'reads'],
    ['GET', '/api/v1/integrations/nowhere', 404, 'reads'],
    ['DELETE', '/api/v1/integrations/warehouses/1/nothing', 404, 'writes'],
    ['PUT', '/api/v1/integrations/warehouses', 405, 'writes'],
    ['POST', '/api/v1/integrations/health', 405, 'writes'],
    ['GET', '/mcp', 405, 'reads'],
    ['PATCH', '/graphql', 405, 'writes'],
    ['GET', '/api/v1/integrations/health', 417, 'reads'],
  ])('of %s %s, which is a %s before the key is read', async (method, path, status, rateClass) => {
    const expecting: Record<string, string> = status === 417 ? { expect: 'zzz' } : {};
    const ask = (headers: Record<string, string>) =>
      send(world.app.url, { method, path, headers: { ...expecting, ...headers } });
    const answer = await ask({ authorization: `Bearer ${caller.apiKey}` });
    expect([answer.status, answer.headers['ratelimit-policy']]).toEqual([
      status,
      expect.stringContaining(`"${rateClass}";q=`),
    ]);
    expect(answer.headers.ratelimit).toContain(`"${rateClass}";r=`);
    for (const headers of [{}, { 'x-api-key': `${caller.apiKey}x` }]) {
      const unknown = await ask(headers as Record<string, string>);
      expect([unknown.status, unknown.headers.ratelimit]).toEqual([status, undefined]);
    }
  });

  test('of a query with a parameter that is given twice, which is rejected', async () => {
    const query =
      'query A { quoteShipment(input: { shipment: { orderId: 1 } }) { __typename } } query B { apiKey { label } }';
    const path = `/graphql?operationName=A&operationName=B&query=${encodeURIComponent(query)}`;
    const answer = await fetch(world.app.url + path, { headers: { 'x-api-key': caller.apiKey } });
    expect([answer.status, policy(answer)]).toEqual([400, expect.stringContaining('"reads";')]);
    expect((await answer.json()).errors[0].message).toBe('The parameter `operationName` must be given once.');
  });

  test('of a rejection for a missing scope too, which costs nothing', async () => {
    const { rest } = await limited({ writes: 5 }, ['warehouses:read']);
    for (let i = 0; i < 3; i++) {
      const answer = await rest('POST', '/warehouses', WAREHOUSE);
      expect([answer.status, remaining(answer)]).toEqual([403, 5]);
    }
  });
});

describe('A key beyond its rate', () => {
  const start = Date.now();
  beforeEach(() => {
    vi.setSystemTime(start - (start % 60_000) + 600_000 + 18_500);
  });

  test('is rejected until the next minute, by class, and no other key with it', async () => {
    const { rest, headers, companyId } = await limited({ reads: 3, writes: 2 });
    const answers = [];
    for (let i = 0; i < 5; i++) answers.push(await rest('GET', '/warehouses'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(answers.map(remaining)).toEqual([2, 1, 0, 0, 0]);
    const refused = answers[4];
    expect(refused?.headers.get('retry-after')).toBe('42');
    expect(refused?.headers.get('ratelimit')).toMatch(/^"reads";r=0;t=42, "cost";r=\d+;t=42$/);
    expect(refused?.body).toMatchObject({
      code: 'rate_limited',
      detail: 'The key has reached its limit for reads: 3 in a minute. Send the request again in 42 s.',
    });

    expect((await rest('POST', '/warehouses', WAREHOUSE)).status).toBe(201);
    expect((await (await world.key(companyId)).rest('GET', '/warehouses')).status).toBe(200);
    const graphql = await fetch(`${world.app.url}/graphql?query={apiKey{label}}`, { headers });
    expect([graphql.status, graphql.headers.get('retry-after')]).toEqual([429, '42']);
    expect((await graphql.json()).errors[0].extensions).toMatchObject({ code: 'rate_limited', status: 429 });

    vi.setSystemTime(Date.now() + 41_600);
    const answer = await rest('GET', '/warehouses');
    expect([answer.status, remaining(answer)]).toEqual([200, 2]);
  });

  test('receives the remaining rate at its rejection, although the next minute begins before the response', async () => {
    const { rest } = await limited({ reads: 1 });
    await rest('GET', '/warehouses');
    const rejections = () => figure(world.app.metrics, 'shipping_rate_limited_total{rate_class="reads"}');
    const before = await rejections();
    const refused = rest('GET', '/warehouses');
    await expect.poll(rejections, { interval: 5 }).toBe(before + 1);
    vi.setSystemTime(Date.now() + 41_600);
    expect((await refused).headers.get('ratelimit')).toMatch(/^"reads";r=0;t=42,/);
  });

  const WRONG: readonly { name: string; headers: Record<string, string>; body: string }[] = [
    { name: 'a wrong media type', headers: { 'content-type': 'text/plain' }, body: 'x' },
    { name: 'broken JSON', headers: { 'content-type': 'application/json' }, body: '{' },
    { name: 'a body that is not valid', headers: { 'content-type': 'application/json' }, body: '{}' },
    { name: 'a bad Idempotency-Key', headers: { 'idempotency-key': '' }, body: '{}' },
  ];
  test.each(WRONG)('is rejected for its rate before $name', async ({ headers, body }) => {
    const { apiKey } = await limited({ writes: 1 });
    const path = '/api/v1/integrations/warehouses';
    const ask = () =>
      send(world.app.url, { method: 'POST', path, headers: { 'x-api-key': apiKey, ...headers }, chunks: [body] });
    const statuses = [(await ask()).status, (await ask()).status];
    expect(statuses).toEqual([expect.any(Number), 429]);
    expect([400, 415, 422]).toContain(statuses[0]);
  });

  test('is rejected for a missing scope or an unknown route before its rate', async () => {
    const { rest } = await limited({ reads: 1 }, ['warehouses:read']);
    for (const path of ['/warehouses', '/warehouses']) await rest('GET', path);
    expect((await rest('GET', '/carriers')).status).toBe(403);
    expect((await rest('GET', '/nowhere')).status).toBe(404);
  });

  test('is rejected by all processes together: each of the others lets through a twentieth too much at most', async () => {
    const { rest, headers } = await limited({ reads: 40 });
    const other = restClient(second.url, headers);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => (i % 2 ? other : rest)('GET', '/warehouses')),
    );
    const passed = answers.filter(({ status }) => status === 200).length;
    expect(passed).toBeGreaterThanOrEqual(40);
    expect(passed).toBeLessThanOrEqual(42);
    for (const one of [rest, other]) expect((await one('GET', '/warehouses')).status).toBe(429);
  });

  test('is rejected all the same while processes cannot communicate, for however long', async () => {
    const { rest } = await limited({ reads: 4 });
    const holder = await world.app.database.pool.connect();
    await holder.query('begin; lock table rate_use');
    try {
      const statuses: number[] = [];
      for (let i = 0; i < 6; i++) statuses.push((await rest('GET', '/warehouses')).status);
      expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
      const { rest: another } = await limited({ reads: 3 });
      const later: number[] = [];
      for (let i = 0; i < 4; i++) {
        vi.setSystemTime(Date.now() + 2_000);
        later.push((await another('GET', '/warehouses')).status);
      }
      expect(later).toEqual([200, 200, 200, 429]);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
  });

  test('gets other rates on every process when they are changed', async () => {
    const { rest, headers, apiKeyId } = await limited({ reads: 1 });
    const processes = [rest, restClient(second.url, headers)];
    expect((await rest('GET', '/warehouses')).status).toBe(200);
    for (const one of processes)
      await vi.waitFor(async () => expect((await one('GET', '/warehouses')).status).toBe(429), PATIENTLY);
    await world.administration.updateKey(apiKeyId, { label: 'Raised', rates: { reads: 100 } });
    for (const one of processes) {
      await vi.waitFor(async () => {
        const { status, body } = await one('GET', '/health');
        expect([status, body.label]).toEqual([200, 'Raised']);
      }, PATIENTLY);
    }
    await world.administration.updateKey(apiKeyId, { rates: { reads: 2 } });
    for (const one of processes)
      await vi.waitFor(async () => expect((await one('GET', '/health')).status).toBe(429), PATIENTLY);
  });
});

test('A key keeps its rates when it is rotated', async () => {
  const { companyId } = await limited({ quotes: 7 });
  const [key] = await world.administration.keys(companyId);
  const { apiKey } = await world.administration.rotateKey({ apiKeyId: key?.apiKeyId ?? '' });
  const answer = await restClient(world.app.url, { 'x-api-key': apiKey })('POST', '/shipments/quote', { orderId: 1 });
  expect(policy(answer)).toContain('"quotes";q=7;w=60');
});

test.each([0, -1, 1.5, 1_000_000_001])('A key cannot have a rate of %s', async reads => {
  await expect(limited({ reads })).rejects.toMatchObject({
    options: { issues: [{ path: ['rates', 'reads'], message: expect.stringContaining('1000000000') }] },
  });
});
