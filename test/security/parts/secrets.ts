import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { credentialNames } from '../../../src/domain/shipping/carriers/account.rules.ts';
import { CARRIERS } from '../../../src/domain/shipping/carriers/carriers.catalog.ts';
import { startSandbox } from '../../../src/sandbox/stand-ins.ts';
import { until } from '../../bench/until.ts';
import { basic, operators } from '../../support/operators.ts';
import { WAREHOUSE } from '../../support/platform-side.ts';
import type { Caller } from '../../support/world.ts';
import type { Report } from '../report.ts';
import { Cases } from '../support/cases.ts';
import { startCollector } from '../support/collector.ts';
import { encodingsOf, Finder } from '../support/encodings.ts';
import { furnishAll } from '../support/furnish.ts';
import { argumentsForOne, documentOf, type Ids, rootFields, selectionOf } from '../support/sdl.ts';
import type { Service } from '../support/service.ts';
import { callerOf, type SecurityWorld, UNLIMITED } from '../support/world.ts';

const PART = 'secrets';
const ABSENT = 'none of the canaries is found, in any form';
const DEPTHS = [2, 1, 0];

/** A text that occurs nowhere by chance. */
const canary = () => `Canarino${randomBytes(12).toString('hex')}`;

/**
 * Values that may be nowhere, and values that belong into the database and the company's own responses, but not into
 * telemetry.
 */
interface Canaries {
  readonly secrets: Record<string, string>;
  readonly personal: Record<string, string>;
}

/** Plants texts wherever a secret or a person's data can be, and looks for them wherever they must not be. */
export async function run(world: SecurityWorld, report: Report): Promise<void> {
  const collector = await startCollector();
  const receiver = await startCollector();
  const sandbox = await startSandbox();
  const password = canary();
  const settings = { METRICS_TOKEN: canary(), OPS_USERS: operators({ ops: password }) };
  const service = await world.start({
    ...UNLIMITED,
    ...settings,
    LOG_LEVEL: 'trace',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    CARRIER_SANDBOX_URL: sandbox.url,
  });
  const canaries: Canaries = {
    secrets: { ...settings, 'the password of an operator': password, 'the key of secrets': world.secretsKey },
    personal: {},
  };
  const add = (name: string, { count, failed, failures }: Cases, size: number, bound = ABSENT) => {
    const figures = `${count} looked for in ${(size / 1024).toFixed(0)} KiB, ${failed} found`;
    report.add({ part: PART, name, figures, bound, failures });
  };
  try {
    const caller = callerOf(await world.company('Secrets'), service);
    const ids = await plant(world, service, caller, receiver.url, canaries);
    const secrets = new Finder(canaries.secrets);
    const all = new Finder({ ...canaries.secrets, ...canaries.personal });
    const look = (name: string, finder: Finder, text: string) => {
      const cases = new Cases();
      const found = finder.in(text);
      cases.count = finder.forms - found.length;
      for (const one of found) cases.check(name, false, () => one);
      cases.check('there is something to look through', text.length > 0, () => text.length);
      add(name, cases, text.length);
    };
    const eyes = new Cases();
    for (const [name, value] of Object.entries({ ...canaries.secrets, ...canaries.personal })) {
      for (const [form, text] of encodingsOf(value)) {
        eyes.check(`${name} ${form}`, all.in(`a ${text} b`).length > 0, () => 'is not found');
      }
    }
    add('every canary, where it is', eyes, 0, 'each is found in each form');
    look("answers to the company's own reads", secrets, await ownAnswers(caller, ids));
    look('answers that reject', all, await rejections(service, caller, canaries));
    const published = await publishedTexts(service);
    const credentials = new Cases();
    for (const [, found] of published.matchAll(CREDENTIAL)) credentials.check('published', false, () => found);
    credentials.check('there is something to look through', published.length > 0, () => published.length);
    add('contracts and guides', credentials, published.length, 'nothing that is formed as a key or a secret');
    const bearer = { authorization: `Bearer ${settings.METRICS_TOKEN}` };
    look('metrics', all, await textOf(`${service.url}/metrics`, bearer));
    const ops = basic('ops', password);
    look('dashboard of jobs', secrets, await dashboard(service, ops));
    look('all columns of the database', secrets, await dump(world));
    await brokenDatabase(world, caller);
    // Batches of traces go out every five seconds, and the rest when it stops.
    const log = await service.stopped();
    look('log, at trace', all, log);
    look('traces', all, collector.text);
  } finally {
    await service.kill();
    sandbox.close();
    collector.close();
    receiver.close();
  }
}

const CREATE_KEY =
  'mutation ($i: CreateApiKeyInput!) { createApiKey(input: $i) { apiKey key { id } userErrors { code pointer message } } }';
const ROTATE = 'mutation ($i: RotateApiKeyInput!) { rotateApiKey(input: $i) { apiKey } }';
const ROTATE_SECRET = 'mutation ($i: RotateWebhookSecretInput!) { rotateWebhookSecret(input: $i) { secret } }';
const CONNECT =
  'mutation ($i: ConnectCarrierInput!) { connectCarrier(input: $i) { carrierConnection { databaseId } userErrors { code pointer message } } }';
const TEST = 'mutation ($i: TestCarrierConnectionInput!) { testCarrierConnection(input: $i) { outcome } }';

async function plant(
  world: SecurityWorld,
  service: Service,
  caller: Caller,
  receiverUrl: string,
  { secrets, personal }: Canaries,
): Promise<Ids> {
  const graphql = async <Data>(query: string, i: object, headers: Record<string, string> = {}): Promise<Data> => {
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': caller.apiKey, ...headers },
      body: JSON.stringify({ query, variables: { i } }),
    });
    const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
    if (errors) throw new Error(`The canary is not planted: ${JSON.stringify(errors)}`);
    return data;
  };
  personal['texts of orders, shipments and events'] = canary();
  personal['the path of a webhook'] = canary();
  const ids = await furnishAll(world, caller, receiverUrl, personal['texts of orders, shipments and events']);
  secrets['the key in use'] = secretOf(caller.apiKey);
  const label = 'Canarino';
  const created = await graphql<{ createApiKey: { apiKey: string; key: { id: string } } }>(
    CREATE_KEY,
    { label, scopes: ['HEALTH_READ'] },
    // Stored responses contain the key.
    { 'idempotency-key': 'canary-1' },
  );
  secrets['a key created'] = secretOf(created.createApiKey.apiKey);
  const rotated = await graphql<{ rotateApiKey: { apiKey: string } }>(ROTATE, { id: created.createApiKey.key.id });
  secrets['a key rotated'] = secretOf(rotated.rotateApiKey.apiKey);
  const url = `${receiverUrl}/${personal['the path of a webhook']}?token=${personal['the path of a webhook']}`;
  const webhook = await caller.rest(
    'POST',
    '/webhooks',
    { label, url, events: ['tracking.*'] },
    { 'idempotency-key': 'canary-2' },
  );
  secrets['the secret of a webhook'] = webhook.body.secret.replace('whsec_', '');
  const again = await graphql<{ rotateWebhookSecret: { secret: string } }>(ROTATE_SECRET, { id: webhook.body.id });
  secrets['a secret rotated'] = again.rotateWebhookSecret.secret.replace('whsec_', '');
  for (const carrier of CARRIERS.filter(one => credentialNames(one).length > 0)) {
    const { code } = carrier;
    const account = Object.fromEntries(credentialNames(carrier).map(name => [name, canary()]));
    for (const [name, value] of Object.entries(account)) secrets[`${name} of ${code}`] = value;
    const input = { carrierCode: code, label, credentials: account };
    const { connectCarrier } = await graphql<{ connectCarrier: { carrierConnection: { databaseId: number } } }>(
      CONNECT,
      input,
    );
    // The sandbox refuses it; what it was asked with is in no trace.
    await graphql(TEST, { id: String(connectCarrier.carrierConnection.databaseId) });
  }
  await graphql('mutation ($i: SendTestEventInput!) { sendTestEvent(input: $i) { webhookDelivery { id } } }', {
    endpointId: webhook.body.id,
  });
  await until(
    async () => {
      const answer = await graphql<{ webhookEndpoint: { deliveries: { nodes: { attempts: { nodes: object[] } }[] } } }>(
        'query ($i: ID!) { webhookEndpoint(id: $i) { deliveries { nodes { attempts { nodes { outcome } } } } } }',
        webhook.body.id,
      );
      return answer.webhookEndpoint.deliveries.nodes[0]?.attempts.nodes.length ?? 0;
    },
    attempts => attempts > 0,
    { timeoutMs: 30_000 },
  );
  return ids;
}

/** The secret part of a key: its id is not secret. */
function secretOf(apiKey: string): string {
  return /_([0-9A-Za-z]{43})_[0-9a-f]{8}$/.exec(apiKey)?.[1] ?? apiKey;
}

/** All that a company can read of its own. */
async function ownAnswers(caller: Caller, ids: Ids): Promise<string> {
  const texts: string[] = [];
  for (const path of ['/warehouses', '/carriers', '/webhooks', '/health']) {
    const { text, headers } = await caller.rest('GET', path);
    texts.push(text, JSON.stringify([...headers]));
  }
  for (const field of rootFields('query')) {
    for (const depth of DEPTHS) {
      const { query, variables } = documentOf(
        'query',
        field,
        argumentsForOne(field, ids),
        selectionOf(field.type, depth, () => true),
      );
      const answer = await caller.graphql(query, variables);
      texts.push(JSON.stringify(answer));
      if (answer.errors?.[0]?.extensions.code !== 'graphql_too_complex') break;
    }
  }
  // All records, not only the first.
  const lists =
    '{ webhookEndpoints { nodes { id url label } } carrierConnections { nodes { databaseId label hasCredentials } } apiKeys { nodes { label last4 } } auditLog { nodes { __typename } } }';
  texts.push(JSON.stringify(await caller.graphql(lists)));
  return texts.join('\n');
}

/** Requests that are wrong in every way, with canaries in every place of a request. */
async function rejections({ url }: Service, caller: Caller, canaries: Canaries): Promise<string> {
  const texts: string[] = [];
  const base = `${url}/api/v1/integrations`;
  const good = { 'x-api-key': caller.apiKey };
  const json = { 'content-type': 'application/json' };
  const secret = caller.apiKey;
  const personal = Object.values(canaries.personal)[0] ?? '';
  const send = async (target: string, init: RequestInit = {}) => {
    const response = await fetch(target, init);
    texts.push(await response.text(), JSON.stringify([...response.headers]));
  };
  await send(`${base}/warehouses?api_key=${secret}`);
  await send(`${base}/warehouses`, { headers: { 'x-api-key': `${secret}0` } });
  await send(`${base}/warehouses`, { headers: { authorization: `Basic ${Buffer.from(secret).toString('base64')}` } });
  await send(`${base}/warehouses`, { headers: { cookie: `key=${secret}`, 'x-other': secret } });
  await send(`${base}/warehouses`, { headers: { ...good, authorization: `Bearer ${secret}0` } });
  await send(`${base}/warehouses`, { method: 'POST', headers: { ...good, ...json }, body: `{"name":"${secret}` });
  await send(`${base}/warehouses`, { method: 'POST', headers: { ...good, ...json }, body: `{"name":"${personal}",}` });
  await send(`${base}/warehouses`, {
    method: 'POST',
    headers: { ...good, ...json },
    body: JSON.stringify({ ...WAREHOUSE, country: 'ITALIA', postalCode: '1' }),
  });
  await send(`${url}/graphql`, {
    method: 'POST',
    headers: { ...good, ...json },
    body: JSON.stringify({ query: `{ a(` }),
  });
  await send(`${url}/graphql`, {
    method: 'POST',
    headers: { ...good, ...json },
    body: JSON.stringify({
      query: 'mutation ($i: ConnectCarrierInput!) { connectCarrier(input: $i) { __typename } }',
      variables: { i: { carrierCode: 'BRT', label: 1, credentials: { password: [secret] } } },
    }),
  });
  await send(`${url}/metrics`, { headers: { authorization: `Bearer ${secret}` } });
  await send(`${url}/ops/jobs`, {
    headers: { authorization: `Basic ${Buffer.from(`ops:${secret}`).toString('base64')}` },
  });
  return texts.join('\n');
}

/** A key with its checksum, or a secret of a webhook, as scanners for secrets know them. */
const CREDENTIAL =
  /(sk_(?:live|test)_[0-9a-f]{32}_[0-9A-Za-z]{43}_[0-9a-f]{8}|whsec_[A-Za-z0-9+/]{32}[A-Za-z0-9+/=]*)/g;

/** L7: what everybody can read. */
async function publishedTexts({ url }: Service): Promise<string> {
  const index = await textOf(`${url}/llms.txt`, {});
  const guides = [...index.matchAll(/\((?:https?:\/\/[^/)]+)?(\/docs\/[^)\s#]+)/g)].map(([, path]) => path);
  const paths = [
    '/openapi.json',
    '/schema.graphql',
    '/tariff.schema.json',
    '/docs',
    '/docs/reference',
    ...new Set(guides),
  ];
  const texts = await Promise.all(paths.map(path => fetch(url + path).then(response => response.text())));
  return [index, ...texts].join('\n');
}

async function textOf(url: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.text();
}

/** The first page of the dashboard, and the pages to which it links. */
async function dashboard({ url }: Service, headers: Record<string, string>): Promise<string> {
  const first = await textOf(`${url}/ops/jobs`, headers);
  const links = new Set([...first.matchAll(/href="(\/ops\/jobs[^"#]*)"/g)].map(([, path]) => path));
  const pages = await Promise.all([...links].map(path => fetch(url + path, { headers }).then(page => page.text())));
  return [first, ...pages].join('\n');
}

/** Every row of every table of every schema, as text; bytes are in hexadecimal. */
async function dump({ database }: SecurityWorld): Promise<string> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await database.pool.query<{ row: string }>(`select t::text as row from ${name} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

/** Statements that fail, of which PostgreSQL names the row. */
async function brokenDatabase({ database }: SecurityWorld, caller: Caller): Promise<void> {
  const { rows } = await database.pool.query<{ address: string }>(
    'select address from warehouse where company_id = $1 limit 1',
    [caller.companyId],
  );
  await database.pool.query('alter table warehouse add constraint broken check (length(address) < 5) not valid');
  const { status } = await fetchJson(caller, { ...WAREHOUSE, address: rows[0]?.address });
  await database.pool.query('alter table warehouse drop constraint broken');
  if (status !== 500) throw new Error(`The broken database answered ${status}`);
  await setTimeout(100);
}

function fetchJson(caller: Caller, body: object): Promise<{ status: number }> {
  return caller.rest('POST', '/warehouses', body);
}
