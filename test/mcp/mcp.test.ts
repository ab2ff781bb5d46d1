import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';
import { TOOLS } from '../../src/http/mcp/tools.ts';
import type { Scope } from '../../src/platform/scopes.ts';
import { useLoggedApp } from '../support/carriers.ts';
import { figure } from '../support/metrics.ts';
import { connectCarrier, createWarehouse, feedOrders, feedShipments } from '../support/platform-side.ts';
import { useSecondProcess } from '../support/second-process.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { assistantOf } from './assistant.ts';

const world = useWorld({ ROLE: 'api' });
const second = useSecondProcess(world);
const logged = useLoggedApp(world);

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

/** A request as no client of the SDK would send it. */
function post({ apiKey }: Pick<Caller, 'apiKey'>, body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${world.app.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-api-key': apiKey,
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

const call = (name: string, given: object) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: given },
});

/** Arguments of each tool that name something of nobody. */
const ANYTHING: Readonly<Record<string, Record<string, unknown>>> = {
  quote_shipment: { input: { shipment: { orderId: 1 } } },
  explain_price: { input: { shipment: { orderId: 1 } } },
  track_by_number: { trackingNumber: 'X1' },
  track_by_order_number: { orderNumber: 'X1' },
  list_changed_shipments: { updatedSince: '2026-01-01T00:00:00Z' },
  check_address: {
    input: { carrierConnectionId: 1, address: 'Via Roma 1', city: 'Milano', zip: '20121', provincia: 'MI' },
  },
  simulate_tariffs: { input: { period: { from: '2026-10-01', to: '2026-10-31' } } },
  get_simulation: { id: '1' },
  list_invoice_findings: { id: '1' },
  save_quote: { input: { carrierConnectionId: '1', quote: { shipment: { orderId: 1 } } } },
};

describe('The MCP endpoint', () => {
  test('rejects a request without a key, or with an unknown key, as REST does', async () => {
    const url = `${world.app.url}/mcp`;
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const without = await fetch(url, { method: 'POST', headers, body: JSON.stringify(INITIALIZE) });
    expect([without.status, without.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await without.json()).toMatchObject({ code: 'missing_credentials', instance: '/mcp' });
    await expect(assistantOf(world.app.url, { apiKey: 'sk_live_unknown' })).rejects.toThrow('invalid_api_key');
  });

  test('lists the tools that the scopes of a key allow, and calls no others', async () => {
    const scopes: readonly Scope[] = ['shipments:tracking', 'addresses:check'];
    const assistant = await assistantOf(world.app.url, await world.company(scopes));
    const { tools } = await assistant.client.listTools();
    const allowed = TOOLS.filter(({ scope }) => scopes.includes(scope)).map(({ name }) => name);
    expect(tools.map(({ name }) => name)).toEqual(allowed);
    for (const { name, scope } of TOOLS.filter(({ name }) => !allowed.includes(name))) {
      expect(await assistant.problem(name, ANYTHING[name])).toMatchObject({
        code: 'insufficient_scope',
        status: 403,
        requiredScope: scope,
      });
    }
  });

  test.each(TOOLS)('requires no other scope for $name than its row states', async ({ name, scope }) => {
    const assistant = await assistantOf(world.app.url, await world.company([scope]));
    const { tools } = await assistant.client.listTools();
    const { required = [] } = tools.find(tool => tool.name === name)?.inputSchema ?? {};
    // Without them the graph would reject the call before it looks at any scope.
    expect(Object.keys(ANYTHING[name] ?? {}), `Add ${name} to ANYTHING`).toEqual(expect.arrayContaining(required));
    const { content } = await assistant.client.callTool({ name, arguments: ANYTHING[name] ?? {} });
    expect(JSON.stringify(content)).not.toContain('insufficient_scope');
  });
});

describe('The origin of a web page', () => {
  test('must be the service or one of CORS_ORIGINS, and is absent from clients that are not browsers', async () => {
    const caller = await world.company();
    const statusFrom = async (origin?: string) =>
      (await post(caller, INITIALIZE, origin === undefined ? {} : { origin })).status;
    expect(await statusFrom()).toBe(200);
    expect(await statusFrom(new URL(world.app.url).origin)).toBe(200);
    for (const origin of ['https://evil.example', 'null', `${world.app.url}.evil.example`, 'http://localhost:1']) {
      expect([origin, await statusFrom(origin)]).toEqual([origin, 403]);
    }
    // Before the key is looked at, but the rates of a known key are shown.
    const unknown = await post({ apiKey: 'sk_live_unknown' }, INITIALIZE, { origin: 'https://evil.example' });
    expect([unknown.status, (await unknown.json()).code]).toEqual([403, 'origin_not_allowed']);
    const known = await post(caller, INITIALIZE, { origin: 'https://evil.example' });
    expect(known.headers.get('ratelimit')).toContain('r=');
  });
});

test('The data of another company do not exist for an assistant', async () => {
  const owner = await world.company();
  const connection = await connectCarrier(owner);
  await createWarehouse(owner);
  const [orderId] = await feedOrders(owner, { orderNumber: 'OWN', marketplaceOrderNumber: 'OWN' });
  await feedShipments(owner, connection, { trackingNumber: 'OWN', orderNumber: 'OWN' });
  const own = await assistantOf(world.app.url, owner);
  expect(await own.ask('track_by_number', { trackingNumber: 'OWN' })).toMatchObject({
    trackingByNumber: { trackingNumber: 'OWN' },
  });
  const outsider = await assistantOf(world.app.url, await world.company());
  const of = (trackingNumber: string) => outsider.problem('track_by_number', { trackingNumber });
  const [forbidden, absent] = [await of('OWN'), await of('NEVER')];
  expect({ ...forbidden, requestId: '' }).toEqual({ ...absent, requestId: '' });
  expect(forbidden.code).toBe('shipment_not_found');
  expect(await outsider.problem('quote_shipment', { input: { shipment: { orderId } } })).toMatchObject({
    code: 'order_not_found',
  });
  expect(await outsider.ask('list_carriers')).toEqual({ carrierConnections: { nodes: [] } });
  const changed = await outsider.ask('list_changed_shipments', { updatedSince: '2026-01-01T00:00:00Z' });
  expect(changed).toMatchObject({ shipments: { nodes: [], totalCount: 0 } });
});

describe('For wrong input, the MCP endpoint', () => {
  test('returns a result with the errors of the operation, each with its pointer', async () => {
    const assistant = await assistantOf(world.app.url, await world.company());
    const parcel = { weight: 'heavy', length: 1, width: 1, height: 1 };
    const input = { shipment: { parcels: { warehouseId: 'x', parcels: [parcel] } } };
    const problem = await assistant.problem('quote_shipment', { input });
    expect(problem).toMatchObject({ code: 'validation_failed', status: 422, instance: '/mcp' });
    const codes = Object.fromEntries((problem.errors ?? []).map(({ pointer, code }) => [pointer, code]));
    expect(codes).toMatchObject({
      '/shipment/parcels/warehouseId': 'invalid_id',
      '/shipment/parcels/parcels/0/weight': 'invalid_decimal',
    });
    expect(await assistant.problem('list_late_shipments', { carriers: ['XYZ'] })).toMatchObject({
      errors: [{ pointer: '/carriers/0', code: 'not_allowed' }],
    });
  });

  test('rejects an argument that the tool does not have, instead of ignoring it', async () => {
    const assistant = await assistantOf(world.app.url, await world.company());
    expect(await assistant.problem('list_late_shipments', { carrier: 'BRT' })).toMatchObject({
      code: 'validation_failed',
      errors: [
        { pointer: '/carrier', code: 'unknown_field', message: expect.stringContaining('carriers, first, after') },
      ],
    });
  });

  test('returns a protocol error for an unknown tool', async () => {
    const assistant = await assistantOf(world.app.url, await world.company());
    await expect(assistant.client.callTool({ name: 'cancel_shipment' })).rejects.toMatchObject({
      code: ErrorCode.InvalidParams,
      message: expect.stringContaining('cancel_shipment'),
    });
  });

  test.each([['x'], [[]], [null]])(
    'returns the JSON-RPC code for invalid parameters if the arguments are %j',
    async given => {
      const message = { ...call('list_carriers', {}), params: { name: 'list_carriers', arguments: given } };
      const response = await post(await world.company(), message);
      expect([response.status, await response.json()]).toMatchObject([
        200,
        { id: 7, error: { code: ErrorCode.InvalidParams, message: expect.stringContaining('arguments') } },
      ]);
    },
  );

  test.each([5, 'page2'])(
    'returns the JSON-RPC code for invalid parameters for the page %j of the list of tools',
    async cursor => {
      const message = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: { cursor } };
      const response = await post(await world.company(), message);
      expect([response.status, await response.json()]).toMatchObject([
        200,
        { id: 7, error: { code: ErrorCode.InvalidParams } },
      ]);
    },
  );

  test('rejects a body that is not one message', async () => {
    const caller = await world.company();
    const wrong = [[INITIALIZE, call('list_carriers', {})], { hello: true }, { ...INITIALIZE, params: 'x' }, 'text'];
    for (const body of wrong) {
      const response = await post(caller, body);
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { jsonrpc: '2.0', id: null, error: { code: ErrorCode.InvalidRequest } },
      ]);
    }
    const text = await post(caller, INITIALIZE, { 'content-type': 'text/plain' });
    expect([text.status, (await text.json()).code]).toEqual([415, 'unsupported_media_type']);
    const large = await post(caller, call('track_by_number', { trackingNumber: 'x'.repeat(300_000) }));
    expect([large.status, (await large.json()).code]).toEqual([413, 'body_too_large']);
    const html = await post(caller, INITIALIZE, { accept: 'text/html' });
    expect(html.status).toBe(406);
    const version = await post(caller, call('list_carriers', {}), { 'mcp-protocol-version': '1999-01-01' });
    expect(version.status).toBe(400);
  });
});

describe('A call of a tool', () => {
  async function limited(rates: { reads?: number; quotes?: number; writes?: number }): Promise<Pick<Caller, 'apiKey'>> {
    const { companyId } = await world.administration.createCompany('Limited');
    return world.administration.createKey({ companyId, label: 'Test', scopes: ['all'], rates });
  }

  test('counts in the rate class of its operation, and its response has the rates', async () => {
    const { apiKey } = await limited({ reads: 50, quotes: 40, writes: 30 });
    const policyOf = async (name: string, given: object) =>
      (await post({ apiKey }, call(name, given))).headers.get('ratelimit-policy');
    expect(await policyOf('list_carriers', {})).toContain('"reads";q=50');
    expect(await policyOf('quote_shipment', ANYTHING.quote_shipment ?? {})).toContain('"quotes";q=40');
    expect(await policyOf('save_quote', ANYTHING.save_quote ?? {})).toContain('"writes";q=30');
  });

  test('beyond a rate returns a result that says when to call again', async () => {
    const assistant = await assistantOf(world.app.url, await limited({ quotes: 1 }));
    const given = ANYTHING.quote_shipment;
    // A third call may be in the next minute, and two of three are not.
    const problems = [
      await assistant.problem('quote_shipment', given),
      await assistant.problem('quote_shipment', given),
      await assistant.problem('quote_shipment', given),
    ];
    const rejected = problems.find(({ code }) => code === 'rate_limited');
    expect(rejected).toMatchObject({
      status: 429,
      detail: expect.stringMatching(/: 1 in a minute\. Send .* s\.$/),
    });
  });

  test('is rejected for a page that is too long, with the maximum in the error', async () => {
    const assistant = await assistantOf(world.app.url, await world.company());
    expect(await assistant.problem('list_late_shipments', { first: 251 })).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/first', message: expect.stringContaining('250') }],
    });
  });
});

describe('Over HTTP', () => {
  test('a client that accepts any type, or JSON alone, receives JSON', async () => {
    const caller = await world.company();
    for (const accept of ['*/*', 'application/json', 'application/*']) {
      const response = await post(caller, call('list_carriers', {}), { accept });
      expect([accept, response.status, response.headers.get('content-type')]).toEqual([
        accept,
        200,
        'application/json; charset=utf-8',
      ]);
    }
  });

  test('a notification is accepted without a body', async () => {
    const response = await post(await world.company(), { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([202, null, '']);
  });
});

describe('The MCP service', () => {
  test('keeps no session, so that any process can handle a message', async () => {
    const caller = await world.company();
    const response = await post(caller, call('list_carriers', {}));
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: { content: [{ type: 'text', text: '{"carrierConnections":{"nodes":[]}}' }], isError: false },
    });
    const assistant = await assistantOf(second.url, caller);
    expect(await assistant.ask('list_carriers')).toEqual({ carrierConnections: { nodes: [] } });
    expect(assistant.client.getServerVersion()).toMatchObject({ name: 'shipping-integrations-api' });
    expect(assistant.client.getInstructions()).toContain('Nothing here prints a label');
  });

  test('sends nothing without a request, and rejects GET and DELETE', async () => {
    const { apiKey } = await world.company();
    for (const method of ['GET', 'DELETE']) {
      const headers = { 'x-api-key': apiKey, accept: 'text/event-stream' };
      const { status, headers: sent } = await fetch(`${world.app.url}/mcp`, { method, headers });
      expect([status, sent.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test('logs each request, and why a call failed', async () => {
    const { apiKey, apiKeyId } = await world.company();
    const assistant = await assistantOf(logged.app.url, { apiKey });
    const { requestId } = await assistant.problem('track_by_number', { trackingNumber: 'NEVER' });
    const line = () =>
      logged
        .log()
        .split('\n')
        .find(one => one.includes(requestId)) ?? '{}';
    await expect
      .poll(() => JSON.parse(line()))
      .toMatchObject({
        ...{ method: 'POST', route: '/mcp', status: 200, apiKeyId, userErrors: ['shipment_not_found'] },
      });
  });

  test('counts requests under their route', async () => {
    const assistant = await assistantOf(world.app.url, await world.company());
    const series = 'shipping_http_request_duration_seconds_count{route="/mcp",method="POST",status="200"}';
    const before = await figure(world.app.metrics, series);
    await assistant.ask('list_carriers');
    expect(await figure(world.app.metrics, series)).toBe(before + 1);
  });
});
