import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DEMO_COMPANY_ID } from '../../src/demo/demo-company.ts';
import { openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import type { EventExample, Example } from '../../src/http/rest/examples.ts';
import { type Demo, startDemo } from '../support/demo-process.ts';
import { CALLS, EVENTS, REFUSALS, SHIPMENT, type Step, UNSHIPPED } from './calls.ts';
import { FAULTS } from './faults.ts';

// `npm run schema:examples` starts the service with a new demo company, makes the calls of calls.ts and writes what it
// was answered, ids and times as they are, to schema/examples/. `npm run schema:write` then puts it into the contract.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = join(ROOT, 'schema/examples');
/** Where callers of the service that is recorded reach it, as far as answers tell. */
const PUBLIC_URL = 'https://shipping.example.com';
const BASE = '/api/v1/integrations';
/** Texts that scanners for secrets would report in a published document. */
const SECRET = /whsec_[A-Za-z0-9+/]{32,}=*/g;

const demo = await startDemo(undefined, {
  LOG_LEVEL: 'error',
  PUBLIC_URL,
  WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
  WEBHOOK_ALLOW_HTTP: 'true',
  // The limits of a company are recorded too, which takes more requests than a key may make.
  RATE_LIMIT_WRITES: '100000',
});
try {
  await record(demo);
} finally {
  await demo.stop();
}

/** A key of the demo company that can do next to nothing, once a minute. */
async function weakKey({ env }: Demo): Promise<string> {
  const args = [
    'key',
    'create',
    '--company',
    DEMO_COMPANY_ID,
    '--label',
    'Weak',
    '--scopes',
    'health:read',
    '--rate-reads',
    '1',
    '--json',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, ['src/cli.ts', ...args], { cwd: ROOT, env });
  return (JSON.parse(stdout) as { apiKey: string }).apiKey;
}

async function record(demo: Demo): Promise<void> {
  const { url, apiKey } = demo;
  const ask = async ({ method, path, parameters = {}, request, headers }: Step) => {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(parameters[name] ?? ''));
    const given = {
      'x-api-key': apiKey,
      ...(request !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    };
    const response = await fetch(url + BASE + filled, {
      method,
      headers: Object.entries(given).filter(([, value]) => value !== ''),
      ...(request !== undefined && { body: typeof request === 'string' ? request : JSON.stringify(request) }),
    });
    const body = await response.text();
    const etag = response.headers.get('etag') ?? undefined;
    return { status: response.status, body: body === '' ? undefined : JSON.parse(body), etag };
  };
  const graphql = async (query: string, variables: object) => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data: unknown; errors?: unknown };
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  };

  const files: Record<string, unknown> = {};
  /** Ids that earlier answers gave. */
  const known: Record<string, string | number> = { weakKey: await weakKey(demo) };
  for (const { operation, name, summary, keep, ...call } of CALLS) {
    const step = call.step(known);
    const { status, body, etag } = await ask(step);
    if (status >= 300) throw new Error(`${operation} ${name} answered ${status}: ${JSON.stringify(body)}`);
    if (keep) known[keep] = body.id;
    const example: Example = { summary, parameters: step.parameters, request: step.request, response: body, etag };
    files[operation] = { ...(files[operation] as object), [name]: example };
  }
  await graphql(
    'mutation ($input: [OrderInput!]!) { upsertOrders(input: { orders: $input }) { results { id } userErrors { code pointer message } } }',
    { input: [UNSHIPPED] },
  );
  const problems: Record<string, unknown> = {};
  const rejections: Record<string, Record<string, unknown>> = {};
  for (const { code, operation, step } of REFUSALS) {
    // Once more where the minute is over in which the weak key may read once.
    const first = await ask(step(known));
    const { body } = first.body?.code === code ? first : await ask(step(known));
    if (body?.code !== code) throw new Error(`${code}: ${JSON.stringify(body)}`);
    if (operation === undefined) problems[code] = body;
    else rejections[operation] = { ...rejections[operation], [code]: body };
  }
  files.events = await recordEvents(ask, graphql);
  Object.assign(problems, await recordFaults(demo));
  files.problems = problems;
  files.rejections = rejections;
  await mkdir(FOLDER, { recursive: true });
  for (const [name, value] of Object.entries(files)) {
    const text = JSON.stringify(value, null, 2).replaceAll(SECRET, 'whsec_EXAMPLE');
    await writeFile(join(FOLDER, `${name}.json`), `${text}\n`);
  }
  process.stdout.write(`Written: ${Object.keys(files).length} files in schema/examples/. Next: npm run schema:write\n`);
}

/** Responses of a broken service, and of a company that has reached its limits. */
async function recordFaults({ env, ...place }: Demo): Promise<Record<string, unknown>> {
  const session = await openEmbeddedPostgres({ dataDir: env.DATA_DIR ?? '', as: 'tool' });
  const { url: databaseUrl } = session;
  await session.close();
  const problems: Record<string, unknown> = {};
  for (const [code, provoke] of Object.entries(FAULTS)) {
    const problem = await provoke({ ...place, databaseUrl });
    if (problem.code !== code) throw new Error(`${code}: ${JSON.stringify(problem)}`);
    problems[code] = problem;
  }
  return problems;
}

/** Moves a shipment through every state that fires an event, and takes the posted bodies. */
async function recordEvents(
  ask: (step: Step) => Promise<{ body: unknown }>,
  graphql: (query: string, variables: object) => Promise<unknown>,
): Promise<Record<string, EventExample>> {
  const received: Record<string, EventExample> = {};
  const all = Promise.withResolvers<void>();
  const receiver = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as { type: string };
    received[body.type] = { headers: webhookHeaders(request.headers), body };
    response.end();
    if (Object.keys(received).length === EVENTS.length) all.resolve();
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const { port } = receiver.address() as AddressInfo;
  const endpoint = { label: 'Recorder', url: `http://127.0.0.1:${port}/`, events: ['tracking.*'] };
  await ask({ method: 'POST', path: '/webhooks', request: endpoint });
  await graphql(
    'mutation ($input: [ShipmentInput!]!) { upsertShipments(input: { shipments: $input }) { results { id } userErrors { code pointer message } } }',
    {
      input: [SHIPMENT],
    },
  );
  const now = Date.now();
  for (const [i, event] of EVENTS.entries()) {
    const occurredAt = new Date(now - (EVENTS.length - i) * 3_600_000).toISOString();
    const input = [{ trackingNumber: SHIPMENT.trackingNumber, occurredAt, ...event }];
    await graphql(
      'mutation ($input: [TrackingEventInput!]!) { recordTrackingEvents(input: { events: $input }) { results { outcome } userErrors { code pointer message } } }',
      {
        input,
      },
    );
  }
  await all.promise;
  receiver.close();
  return Object.fromEntries(Object.entries(received).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function webhookHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'));
  return Object.fromEntries(entries) as Record<string, string>;
}
