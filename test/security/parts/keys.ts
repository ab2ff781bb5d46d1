import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { tenantOfCompany } from '../../../src/domain/account/access/access.service.ts';
import { makeKey } from '../../../src/domain/account/access/key.rules.ts';
import { suspendCompany } from '../../../src/domain/operations/companies/suspension.service.ts';
import { until } from '../../bench/until.ts';
import { open, type RawAnswer, send } from '../../rest/raw-http.ts';
import { EventReader } from '../../support/event-reader.ts';
import { BASE } from '../../support/rest-client.ts';
import type { Report } from '../report.ts';
import { Cases } from '../support/cases.ts';
import { checksums } from '../support/checksums.ts';
import { furnishAll } from '../support/furnish.ts';
import { everyOperation, type OperationRequest } from '../support/operations.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Service } from '../support/service.ts';
import { callerOf, type Key, type SecurityWorld, UNLIMITED } from '../support/world.ts';

const PART = 'keys';
const REJECTED = '401 (two that differ: 400), with the code alone; no row has changed';
const AT_ONCE = 8;
/** How long before its end a key is used that expires. */
const LAST_MS = 2_000;

type Headers = Record<string, string | string[]>;

/** A key that is not good, and the code with which it is rejected in each form of header. */
interface State {
  readonly name: string;
  readonly forms: Readonly<Record<string, Headers>>;
  readonly status: number;
  readonly code: string;
}

/** Every state of a key, in every form of header, against every operation. */
export async function run(world: SecurityWorld, report: Report): Promise<void> {
  const receiver = await startReceiver();
  // Without workers: no row changes by itself.
  const furnishing = await world.start(UNLIMITED);
  const owner = await world.company('Keys');
  const ids = await furnishAll(world, callerOf(owner, furnishing), receiver.url).finally(() => furnishing.stop());
  const service = await world.start({ ...UNLIMITED, ROLE: 'api' });
  try {
    const add = (name: string, { count, failed, failures }: Cases, bound: string) =>
      report.add({ part: PART, name, figures: `${count} cases, ${failed} failed`, bound, failures });
    const operations = everyOperation(ids);
    const states = await badStates(world, service, owner);
    const before = await checksums(world.database, owner.companyId);
    for (const state of states) add(state.name, await rejected(service, operations, state), REJECTED);
    const changed = new Cases();
    const after = await checksums(world.database, owner.companyId);
    // How much was asked before that is written down a moment later.
    before.delete('public.rate_use');
    for (const [table, sum] of before) changed.check(table, after.get(table) === sum, () => [sum, after.get(table)]);
    add('rows after all of that', changed, 'checksums of every table are as before');
    add('keys that make keys', await growing(world, service, owner), 'no more rights, no longer life, no more rates');
    const good = await goodKeys(world, service, owner);
    add('good keys, also rotated ones', await letIn(service, operations, good), 'every read is carried out');
    add('a key that expires in use', await expiring(world, service, owner), 'until then 200, from then on 401');
    add('a key that expires during its request', await slowRequest(world, service, owner), 'carried out whole, or 401');
    add('a key that expires during its stream', await stream(world, service, owner), 'the stream ends within 5 s');
  } finally {
    await service.stop();
    receiver.close();
  }
}

/** In either header, as programs write it. */
const inHeaders = (key: string): Record<string, Headers> => ({
  'x-api-key': { 'x-api-key': key },
  Bearer: { authorization: `Bearer ${key}` },
  bearer: { authorization: `bearer   ${key}` },
  'both headers': { 'x-api-key': key, authorization: `Bearer ${key}` },
});

async function badStates(world: SecurityWorld, service: Service, owner: Key): Promise<State[]> {
  const { apiKey, companyId } = owner;
  const invalid = (name: string, key: string): State => {
    return { name, forms: inHeaders(key), status: 401, code: 'invalid_api_key' };
  };
  const used = async (key: Key) => {
    await send(service.url, { path: `${BASE}/health`, headers: { 'x-api-key': key.apiKey } });
    return key;
  };
  const change = (text: string, id: string) => world.database.pool.query(text, [id]);
  const revoked = await world.key(companyId, ['all']);
  await change('update api_key set revoked_at = now() where id = $1', revoked.apiKeyId);
  const revokedInUse = await used(await world.key(companyId, ['all']));
  await mutate(service, owner, 'revokeApiKey', { id: revokedInUse.apiKeyId });
  const expired = await world.key(companyId, ['all']);
  await change(`update api_key set expires_at = now() - interval '1 second' where id = $1`, expired.apiKeyId);
  const rotated = await used(await world.key(companyId, ['all']));
  await mutate(service, owner, 'rotateApiKey', { id: rotated.apiKeyId, overlapHours: 0 });
  const deleted = await world.company('Deleted');
  await change('delete from api_key where company_id = $1', deleted.companyId);
  const suspended = await used(await world.company('Suspended'));
  await suspendCompany(await tenantOfCompany(world.database, suspended.companyId));
  await until(
    async () => Promise.all([revokedInUse, rotated, suspended].map(key => statusOf(service, key.apiKey))),
    statuses => statuses.every(status => status === 401),
  );
  const swapped = apiKey.slice(0, -1) + (apiKey.endsWith('0') ? '1' : '0');
  const other = makeKey(randomUUID(), 'live');
  return [
    {
      name: 'no key',
      status: 401,
      code: 'missing_credentials',
      forms: {
        'no header': {},
        'empty headers': { 'x-api-key': '', authorization: 'Bearer' },
        Basic: { authorization: `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}` },
        'another scheme': { authorization: `Token ${apiKey}` },
        'no scheme': { authorization: apiKey },
        'a cookie': { cookie: `x-api-key=${apiKey}; authorization=Bearer ${apiKey}` },
        'other headers': { 'api-key': apiKey, 'proxy-authorization': `Bearer ${apiKey}`, 'x-api_key': apiKey },
      },
    },
    { name: 'malformed', status: 401, code: 'invalid_api_key', forms: malformed(apiKey) },
    invalid('wrong checksum', swapped),
    invalid('unknown, with a right checksum', other),
    invalid('known id, another secret', makeKey(owner.apiKeyId, 'live')),
    invalid('revoked before its first use', revoked.apiKey),
    invalid('revoked while in use', revokedInUse.apiKey),
    invalid('expired', expired.apiKey),
    invalid('rotated, overlap over', rotated.apiKey),
    invalid('of a deleted company', deleted.apiKey),
    invalid('of a suspended company, in use', suspended.apiKey),
    {
      name: 'two keys that differ',
      status: 400,
      code: 'conflicting_credentials',
      forms: {
        'good and another': { 'x-api-key': apiKey, authorization: `Bearer ${other}` },
        'another and good': { 'x-api-key': other, authorization: `Bearer ${apiKey}` },
      },
    },
    {
      name: 'a header twice',
      status: 400,
      code: 'malformed_request',
      forms: {
        'x-api-key twice': { 'x-api-key': [apiKey, other] },
        'x-api-key twice, the other way round': { 'x-api-key': [other, apiKey] },
        'Authorization twice': { authorization: [`Bearer ${apiKey}`, `Bearer ${other}`] },
        'Authorization twice, alike': { authorization: [`Bearer ${apiKey}`, `Bearer ${apiKey}`] },
      },
    },
  ];
}

function malformed(apiKey: string): Record<string, Headers> {
  const keys = {
    ...{
      'a word': 'secret',
      'its prefix': 'sk_test_',
      'half of it': apiKey.slice(0, 40),
      'one too many': `${apiKey}0`,
    },
    ...{ 'a blank inside': `${apiKey.slice(0, 20)} ${apiKey.slice(20)}`, quoted: `"${apiKey}"` },
    ...{ 'in upper case': apiKey.toUpperCase(), 'beyond ASCII': `${apiKey}é`, twice: `${apiKey}, ${apiKey}` },
    '4,000 characters': 'x'.repeat(4_000),
    'another prefix': apiKey.replace(/^sk_\w+?_/, 'sk_'),
    'the prefix of the other environment': apiKey.replace('sk_test_', 'sk_live_'),
  };
  const forms = Object.entries(keys).flatMap(([name, key]) =>
    Object.entries(inHeaders(key)).map(([form, headers]) => [`${name}, ${form}`, headers] as const),
  );
  return Object.fromEntries(forms);
}

async function mutate({ url }: Service, owner: Key, field: string, input: object): Promise<string | undefined> {
  const type = `${field[0]?.toUpperCase()}${field.slice(1)}Input`;
  const selection = field === 'rotateApiKey' ? 'apiKey' : '__typename';
  const answer = await send(url, {
    method: 'POST',
    path: '/graphql',
    headers: { 'x-api-key': owner.apiKey, 'content-type': 'application/json' },
    chunks: [
      JSON.stringify({
        query: `mutation ($i: ${type}!) { ${field}(input: $i) { ${selection} } }`,
        variables: { i: input },
      }),
    ],
  });
  if (answer.body.errors) throw new Error(`${field} failed: ${answer.text}`);
  return answer.body.data[field].apiKey;
}

async function statusOf({ url }: Service, apiKey: string): Promise<number> {
  const { status } = await send(url, { path: `${BASE}/warehouses`, headers: { 'x-api-key': apiKey } });
  return status;
}

async function rejected(service: Service, operations: readonly OperationRequest[], state: State): Promise<Cases> {
  const cases = new Cases();
  await everywhere(service, operations, state.forms, (what, { method }, answer) => {
    const { status, text, body } = answer;
    const code = body?.code ?? body?.errors?.[0]?.extensions?.code;
    const isRight = status === state.status && (method === 'HEAD' ? text === '' : code === state.code && !body.data);
    cases.check(what, isRight && !text.includes('sk_'), () => ({ status, text }));
    cases.check(
      `${what}: WWW-Authenticate`,
      (answer.headers['www-authenticate'] === 'Bearer') === (status === 401),
      () => answer.headers,
    );
  });
  return cases;
}

async function goodKeys(world: SecurityWorld, service: Service, owner: Key): Promise<Record<string, string>> {
  const { apiKey, apiKeyId } = await world.key(owner.companyId, ['all']);
  const successor = await mutate(service, owner, 'rotateApiKey', { id: apiKeyId, overlapHours: 1 });
  return { good: owner.apiKey, 'rotated, within the overlap': apiKey, 'its successor': successor ?? '' };
}

async function letIn(
  service: Service,
  operations: readonly OperationRequest[],
  keys: Readonly<Record<string, string>>,
): Promise<Cases> {
  const cases = new Cases();
  const forms = Object.entries(keys).flatMap(([name, key]) =>
    Object.entries(inHeaders(key)).map(([form, headers]) => [`${name} as ${form}`, headers] as const),
  );
  const reads = operations.filter(({ isRead }) => isRead);
  await everywhere(service, reads, Object.fromEntries(forms), (what, _operation, { status, text }) =>
    // Errors of the arguments of an operation are not about the key.
    cases.check(what, ![400, 401, 403].includes(status) && status < 500 && !text.includes('insufficient'), () => text),
  );
  return cases;
}

/** L1: what a key can get through another one that it creates, or take from one that may do more. */
async function growing(world: SecurityWorld, service: Service, { companyId, apiKeyId }: Key): Promise<Cases> {
  const cases = new Cases();
  const small = await world.key(companyId, ['keys:manage', 'health:read']);
  await world.database.pool.query(
    `update api_key set expires_at = now() + interval '1 hour', rates = '{"reads": 5}' where id = $1`,
    [small.apiKeyId],
  );
  const { graphql } = callerOf(small, service);
  const create =
    'mutation ($i: CreateApiKeyInput!) { createApiKey(input: $i) { apiKey key { id expiresAt rates { reads } } userErrors { code } } }';
  const outcome = async (query: string, input: object) => {
    const { data, errors } = await graphql<Record<string, Made | null>>(query, { i: input });
    const [made] = Object.values(data ?? {});
    return { made, code: errors?.[0]?.extensions.code ?? made?.userErrors?.[0]?.code };
  };
  const label = 'Grown';
  const more = await outcome(create, { label, scopes: ['WAREHOUSES_READ'] });
  cases.check('a scope that it has not', more.code !== undefined, () => more);
  const longer = await outcome(create, { label, scopes: ['HEALTH_READ'], expiresAt: '2099-01-01T00:00:00Z' });
  cases.check('a key that lives longer', longer.code !== undefined, () => longer);
  const forever = await outcome(create, { label, scopes: ['HEALTH_READ'], expiresAt: null });
  const end = forever.made?.key?.expiresAt;
  const isShort = forever.code !== undefined || (end != null && Date.parse(end) <= Date.now() + 3_600_000);
  cases.check('a key without an end', isShort, () => forever);
  const revoke = 'mutation ($i: RevokeApiKeyInput!) { revokeApiKey(input: $i) { userErrors { code } } }';
  const revoked = await outcome(revoke, { id: apiKeyId });
  cases.check('revoking one that may do more', revoked.code !== undefined, () => revoked);
  const children: string[] = [];
  for (let i = 0; i < 3; i++) {
    const { made } = await outcome(create, { label: `${label} ${i}`, scopes: ['HEALTH_READ'] });
    if (made?.apiKey) children.push(made.apiKey);
  }
  cases.check('children', children.length === 3, () => children.length);
  let served = 0;
  for (const apiKey of [...children, ...children, ...children, ...children]) {
    const { status } = await send(service.url, { path: `${BASE}/health`, headers: { 'x-api-key': apiKey } });
    if (status === 200) served++;
  }
  cases.check('reads of all children in a minute', served <= 10, () => served);
  return cases;
}

interface Made {
  readonly apiKey?: string;
  readonly key?: { readonly expiresAt: string | null };
  readonly userErrors?: readonly { readonly code: string }[];
}

/** Every operation with every form of header, some at a time. */
async function everywhere(
  { url }: Service,
  operations: readonly OperationRequest[],
  forms: Readonly<Record<string, Headers>>,
  see: (what: string, operation: OperationRequest, answer: RawAnswer) => void,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const left = Object.entries(forms)
    .flatMap(([form, headers]) => operations.map(operation => ({ form, headers, operation })))
    .values();
  const worker = async () => {
    for (const { form, headers, operation } of left) {
      const { name, method, path, body } = operation;
      const all = {
        ...operation.headers,
        ...headers,
        ...(body && { 'content-length': String(Buffer.byteLength(body)) }),
      };
      const answer = await send(url, { method, path, headers: all, chunks: body ? [body] : [], agent });
      see(`${name}, ${form}`, operation, answer);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  agent.destroy();
}

/** A key that expires in a while, by the database's clock, which is this machine's. */
async function expiringKey(world: SecurityWorld, { companyId }: Key): Promise<{ apiKey: string; endsAt: number }> {
  const { apiKey, apiKeyId } = await world.key(companyId, ['all']);
  const endsAt = Date.now() + LAST_MS;
  await world.database.pool.query('update api_key set expires_at = $2 where id = $1', [apiKeyId, new Date(endsAt)]);
  return { apiKey, endsAt };
}

async function expiring(world: SecurityWorld, service: Service, owner: Key): Promise<Cases> {
  const cases = new Cases();
  const { apiKey, endsAt } = await expiringKey(world, owner);
  while (Date.now() < endsAt + 1_000) {
    const askedAt = Date.now();
    const status = await statusOf(service, apiKey);
    const answeredAt = Date.now();
    const allowed = [...(askedAt < endsAt ? [200] : []), ...(answeredAt >= endsAt ? [401] : [])];
    cases.check(`${askedAt - endsAt} ms after its end`, allowed.includes(status), () => status);
  }
  return cases;
}

/** The body comes after the key's end, of a write and of a GraphQL document. */
async function slowRequest(world: SecurityWorld, service: Service, owner: Key): Promise<Cases> {
  const cases = new Cases();
  const { apiKey, endsAt } = await expiringKey(world, owner);
  const label = `Late ${randomUUID()}`;
  const bodies = {
    [`${BASE}/webhooks`]: { label, url: 'http://127.0.0.1:9/', events: ['tracking.*'] },
    '/graphql': { query: `mutation { createApiKey(input: { label: "${label}", scopes: [HEALTH_READ] }) { apiKey } }` },
  };
  for (const [path, value] of Object.entries(bodies)) {
    const body = JSON.stringify(value);
    const socket = open(service.url);
    const chunks: Buffer[] = [];
    socket.on('data', chunk => chunks.push(chunk)).on('error', () => undefined);
    const closed = new Promise(resolve => socket.on('close', resolve));
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Api-Key: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    await new Promise(resolve => setTimeout(resolve, Math.max(0, endsAt + 300 - Date.now())));
    socket.write(body.slice(5));
    await closed;
    const text = Buffer.concat(chunks).toString();
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
    const table = path === '/graphql' ? 'api_key' : 'webhook_endpoint';
    const { rows } = await world.database.pool.query(`select from ${table} where company_id = $1 and label = $2`, [
      ...[owner.companyId, label],
    ]);
    const isWhole = (status === 200 || status === 201) && rows.length === 1;
    cases.check(path, isWhole || (status === 401 && rows.length === 0), () => [text, rows.length]);
    cases.check(`${path} afterwards`, (await statusOf(service, apiKey)) === 401, () => null);
  }
  return cases;
}

async function stream(world: SecurityWorld, service: Service, owner: Key): Promise<Cases> {
  const cases = new Cases();
  const { apiKey, endsAt } = await expiringKey(world, owner);
  const query = 'subscription { changes { pageInfo { endCursor } } }';
  const reader = await EventReader.open({ url: service.url, apiKey, query });
  await until(
    async () => reader.isEnded,
    isEnded => isEnded,
    { timeoutMs: 20_000 },
  ).finally(() => reader.close());
  const late = Date.now() - endsAt;
  cases.check('a stream of changes', late >= 0 && late <= 5_000, () => `it ended ${late} ms after the key`);
  return cases;
}
