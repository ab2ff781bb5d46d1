import { describe, expect, test } from 'vitest';
import { askNodes, type Item } from '../support/platform-side.ts';
import { type Reply, reply, useGraph } from './graph-calls.ts';

const given = useGraph();
const { get, post, world } = given;

/** The error in a response to a rejection, which has the form of the graph even if the graph was never asked. */
function told({ body }: Pick<Reply, 'body'>): Item | undefined {
  return body?.errors?.[0]?.extensions;
}

describe('Over HTTP', () => {
  test('a query can be sent by GET', async () => {
    for (let i = 0; i < 4; i++) {
      expect((await get(given.caller, { query: '{ apiKey { authScheme } }' })).body).toEqual({
        data: { apiKey: { authScheme: 'X_API_KEY' } },
      });
    }
  });

  test('a query by GET can have variables and an operation name', async () => {
    const query = `query Other { apiKey { ok } } query Wanted($number: String!) { trackingByNumber(trackingNumber: $number) { trackingNumber } }`;
    const { body } = await get(given.caller, { query, operationName: 'Wanted', variables: '{"number":"MUL N.1"}' });
    expect(body).toEqual({ data: { trackingByNumber: { trackingNumber: 'n1' } } });
  });

  test('a mutation by GET is rejected', async () => {
    const mutation =
      'mutation { createWarehouse(input: { name: "GET", typeId: 1, address: "a", postalCode: "20121", city: "c", state: "MI", country: "IT" }) { warehouse { id: databaseId } userErrors { code pointer message } } }';
    // Not even one that is compiled already, or hides behind a query.
    const both = `query Q { apiKey { ok } } ${mutation.replace('mutation', 'mutation M')}`;
    for (let i = 0; i < 4; i++) await post(given.caller, { query: both, operationName: 'Q' });
    const asked: Record<string, string>[] = [{ query: mutation }, { query: both, operationName: 'M' }];
    for (const params of asked) {
      const { status, headers, body } = await get(given.caller, params);
      expect([status, headers.get('allow')]).toEqual([405, 'POST']);
      expect(body.errors).toMatchObject([{ extensions: { code: 'method_not_allowed', status: 405 } }]);
    }
    const names = await askNodes<{ name: string }>(given.caller, '{ warehouses { nodes { name } } }');
    expect(names).not.toContainEqual({ name: 'GET' });
  });

  const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

  test.each([[''], ['?query={apiKey{ok}}'], ['?query={']])(
    'a browser gets GraphiQL for %j, without a key',
    async search => {
      const response = await fetch(`${world.app.url}/graphql${search}`, { headers: BROWSER });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^text\/html/);
      expect(response.headers.get('vary')).toMatch(/\baccept\b/);
      const page = await response.text();
      expect(page).toContain('<title>GraphiQL · Shipping Integrations API</title>');
      expect(page).toMatch(/<meta name="viewport"/);
      expect(page.length).toBeLessThan(50_000);
    },
  );

  test('GraphiQL loads only from this host, has no inline script, and its files can be cached forever', async () => {
    const response = await fetch(`${world.app.url}/graphql`, { headers: BROWSER });
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/);
    const page = await response.text();
    expect(page).not.toMatch(/<script(?![^>]* src=)[^>]*>/);
    const addresses = [...page.matchAll(/<(?:script|link|img|iframe)\b[^>]* (?:src|href)="([^"]*)"/g)].map(
      ([, url]) => url,
    );
    expect(addresses.filter(address => !address?.startsWith('/docs/assets/'))).toEqual([]);
    const bundle = addresses.find(address => address?.includes('graphiql-bundle.js'));
    const asset = await fetch(`${world.app.url}${bundle}`, { headers: { 'accept-encoding': 'br' } });
    expect(Object.fromEntries(asset.headers)).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      etag: expect.any(String),
    });
    await asset.arrayBuffer();
  });

  test('a GET that accepts JSON runs its document, even if it accepts HTML too', async () => {
    const { apiKey } = await world.company();
    const response = await fetch(`${world.app.url}/graphql?query={apiKey{ok}}`, {
      headers: { accept: 'application/json, text/html;q=0.5', 'x-api-key': apiKey },
    });
    expect(await response.json()).toMatchObject({ data: { apiKey: { ok: true } } });
  });

  test.each([
    ['POST', '', {}],
    ['POST', '', { accept: 'text/html' }],
    ['GET', '', {}],
    ['GET', '', { accept: 'application/json' }],
    ['GET', '?query={apiKey{ok}}', {}],
    ['POST', '', { 'x-api-key': 'sk_live_x' }],
    ['POST', '', { authorization: 'Basic eDp5' }],
  ])('%s%s with %j is unauthenticated and gets 401', async (method, search, headers) => {
    const {
      status,
      headers: answered,
      body,
    } = await reply(
      fetch(`${world.app.url}/graphql${search}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers } as Record<string, string>,
        body: method === 'POST' ? '{"query":"{ __typename }"}' : undefined,
      }),
    );
    expect(status).toBe(401);
    expect(answered.get('www-authenticate')).toBe('Bearer');
    expect(told({ body })).toMatchObject({
      code: 'x-api-key' in headers ? 'invalid_api_key' : 'missing_credentials',
      status: 401,
      requestId: answered.get('x-request-id'),
    });
  });

  const LIMIT = 4 * 1024 * 1024;

  test('a body of 4 MiB is read, and a body with one byte more is rejected', async () => {
    const ofSize = (bytes: number) => {
      const body = JSON.stringify({ query: '{ apiKey { ok } }', variables: { padding: '' } });
      return body.replace('""', `"${'x'.repeat(bytes - body.length)}"`);
    };
    expect((await post(given.caller, ofSize(LIMIT))).status).toBe(200);
    const { status, body } = await post(given.caller, ofSize(LIMIT + 1));
    expect(status).toBe(413);
    expect(told({ body })).toMatchObject({ code: 'body_too_large', status: 413, maxBytes: LIMIT });
  });

  describe('the hash of a document', () => {
    const persistedQuery = { version: 1, sha256Hash: 'a'.repeat(64) };

    test('alone gets the response that Apollo expects of a service without persisted queries', async () => {
      const variables = { number: '1' };
      const posted = await post(given.caller, JSON.stringify({ variables, extensions: { persistedQuery } }));
      const asked = await get(given.caller, { extensions: JSON.stringify({ persistedQuery }) });
      for (const { status, body } of [posted, asked]) {
        const [error] = body.errors ?? [];
        expect([status, error?.message]).toEqual([200, 'PersistedQueryNotSupported']);
        expect(error?.extensions.code).toBe('PERSISTED_QUERY_NOT_SUPPORTED');
      }
    });

    test('with the document is accepted, and a request without a key is rejected', async () => {
      const whole = { query: '{ apiKey { ok } }', extensions: { persistedQuery } };
      expect((await post(given.caller, JSON.stringify(whole))).body).toEqual({ data: { apiKey: { ok: true } } });
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ extensions: { persistedQuery } });
      expect((await fetch(`${world.app.url}/graphql`, { method: 'POST', headers, body })).status).toBe(401);
    });
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('%s is rejected as a method', async method => {
    const { status, headers, body } = await reply(
      fetch(`${world.app.url}/graphql`, { method, headers: { 'x-api-key': given.caller.apiKey } }),
    );
    expect([status, told({ body })?.code]).toEqual([405, 'method_not_allowed']);
    expect(headers.get('allow')).toMatch(/GET.*POST/);
  });
});
