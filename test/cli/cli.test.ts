import { readdir } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { newSecretsKey } from '../../src/platform/secrets/secret-box.ts';
import { brt } from '../../src/sandbox/brt-stand-in.ts';
import { askedAt, connectSandbox, useSandbox } from '../support/carriers.ts';
import { graphqlClient } from '../support/graphql-client.ts';
import { INSTANT } from '../support/instants.ts';
import { restClient } from '../support/rest-client.ts';
import { startProcess } from '../support/second-process.ts';
import { SECRETS_KEY, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Env, expectSentence, type Json, useProcesses } from './processes.ts';
import { get } from './service-calls.ts';

const processes = useProcesses();
const service = useWorld({ ROLE: 'api' });
let settings: Env;
beforeAll(async () => {
  settings = { DATABASE_URL: service.databaseUrl, SECRETS_KEY, DATA_DIR: await processes.dataDir() };
});

/** The one value of a command with `--json`. */
const answer = async (args: readonly string[]): Promise<Json> =>
  answerOf(await inProcess([...args, '--json'], settings));

const creatingKey = (companyId: string, scopes = 'all', ...more: string[]) => [
  'key',
  'create',
  '--company',
  companyId,
  '--label',
  'Prova',
  '--scopes',
  scopes,
  ...more,
];
const createKey = (...key: Parameters<typeof creatingKey>) => answer(creatingKey(...key));

describe('While the service runs', () => {
  let companyId: string;
  let apiKeyId: string;

  test('`company create` returns an id that `company list` shows', async () => {
    const created = await answer(['company', 'create', '--name', '  Spedizioni ']);
    expect(created).toEqual({ companyId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    companyId = created.companyId;
    const list = await answer(['company', 'list']);
    expect(list.at(-1)).toEqual({
      companyId,
      name: 'Spedizioni',
      createdAt: expect.stringMatching(INSTANT),
      suspendedAt: null,
      sandboxOf: null,
    });
  });

  test('`key create` returns the key, and `key list` does not', async () => {
    const { apiKey, key } = await answer(creatingKey(companyId, 'all'));
    expect(apiKey).toMatch(/^sk_live_[0-9A-Za-z_]+$/);
    apiKeyId = key.id;
    const { code, stdout, stderr } = await inProcess(['--json', 'key', 'list', '--company', companyId], settings);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain(apiKey);
    expect(JSON.parse(stdout)).toEqual([
      {
        id: apiKeyId,
        label: 'Prova',
        last4: apiKey.slice(-4),
        scopes: expect.arrayContaining(['HEALTH_READ', 'KEYS_MANAGE']),
        environment: 'LIVE',
        rates: { reads: null, quotes: null, writes: null, cost: null },
        createdAt: expect.stringMatching(INSTANT),
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: null,
      },
    ]);
  });

  test('a table shortens a long list, and CSV has all of it', async () => {
    const list = async (...form: string[]) =>
      (await inProcess([...form, 'key', 'list', '--company', companyId], settings)).stdout;
    expect(await list()).toContain('… (');
    const csv = await list('--csv');
    expect(csv).toContain('AUDIT_READ');
    expect(csv).not.toContain('…');
  });

  test('`key update` changes only what it names, and `none` returns to the rates of the service', async () => {
    const update = (...options: string[]) =>
      answer(['key', 'update', '--company', companyId, '--key', apiKeyId, ...options]);
    const updated = { id: apiKeyId, label: 'Prova 2', rates: { reads: 900_000, quotes: 5, writes: null, cost: null } };
    const options = ['--label', 'Prova 2', '--rate-reads', '900000', '--rate-quotes', '5'];
    expect(await update(...options)).toMatchObject(updated);
    expect(await update('--rate-quotes', 'none')).toMatchObject({ rates: { ...updated.rates, quotes: null } });
  });

  test('`key revoke` keeps the first time when it is repeated', async () => {
    const revoke = () => answer(['key', 'revoke', '--yes', '--company', companyId, '--key', apiKeyId]);
    const first = await revoke();
    expect(first).toMatchObject({ id: apiKeyId, revokedAt: expect.stringMatching(INSTANT) });
    expect(await revoke()).toEqual(first);
  });

  test('`demo` makes the demo company once, and returns its key', async () => {
    const made = await answer(['demo']);
    expect(made).toEqual({ companyId: expect.any(String), apiKey: expect.stringMatching(/^sk_test_/), added: 0 });
    expect(await answer(['demo'])).toEqual(made);
    expect((await health(made.apiKey)).status).toBe(200);
  });

  test('`demo --shipments` adds to the demo company, and adds nothing when it is repeated', async () => {
    expect(await answer(['demo', '--shipments', '140'])).toMatchObject({ added: 55 });
    for (const count of ['140', '10']) expect(await answer(['demo', '--shipments', count])).toMatchObject({ added: 0 });
  });

  test('`migrate` has nothing left to do', async () => {
    const env = { ...settings, DATABASE_URL: service.ownerUrl };
    const upToDate = `up to date, version ${packageJson.version}`;
    const { code, stdout } = await inProcess(['migrate'], env);
    expect([code, stdout]).toEqual([0, `Nothing to do: the database is ${upToDate}.\n`]);
    const role = new URL(service.databaseUrl).username;
    const granted = await inProcess(['migrate', '--grant', role], env);
    expect([granted.code, granted.stdout]).toEqual([0, `database  ${upToDate}\ngranted   ${role}\n`]);
  });
});

describe('`migrate`', () => {
  test('brings an empty database up to date, once, and records the version that did so', async () => {
    const env = { DATABASE_URL: await processes.database('empty') };
    const files = await readdir(new URL('../../schema/migrations', import.meta.url));
    expect(answerOf(await inProcess(['migrate', '--json'], env))).toEqual({
      migrations: files.map(file => file.replace(/\.ts$/, '')).toSorted(),
    });
    expect(answerOf(await inProcess(['migrate', '--json'], env))).toEqual({ migrations: [] });
    const { rows } = await (await processes.connect(env.DATABASE_URL)).query('select version from migrated_version');
    expect(rows).toEqual([{ version: packageJson.version }]);
  });
});

describe('`secrets rotate`', () => {
  const [OLD_KEY, NEW_KEY] = [newSecretsKey(), newSecretsKey()];
  const sandbox = useSandbox({ carriers: [brt] });
  const world = useWorld(Object.assign(askedAt(sandbox), { SECRETS_KEY: `${OLD_KEY},${NEW_KEY}` }));

  test('encrypts everything again, or nothing at all without the right key', async () => {
    const companies = [await world.sandbox(), await world.sandbox()];
    const connections = await Promise.all(companies.map(async by => ({ by, id: await connectSandbox(by, 'BRT') })));
    const [first] = companies;
    await first?.graphql(`mutation {
      connectCarrier(input: { carrierCode: BRT, label: "Without credentials" }) { carrierConnection { databaseId } userErrors { code pointer message } }
      createWebhookEndpoint(input: { label: "x", url: "https://93.184.215.14", events: [TRACKING_ALL] }) { webhookEndpoint { id } userErrors { code pointer message } }
    }`);
    const idempotent = { 'idempotency-key': 'K' };
    const webhook = { label: 'Shop', url: 'https://93.184.215.14', events: ['tracking.*'] };
    const kept = await first?.rest('POST', '/webhooks', webhook, idempotent);
    const database = await processes.connect(world.databaseUrl);
    const boxes = async () => (await database.query('select id, credentials from carrier_connection order by id')).rows;
    const before = await boxes();
    const rotate = (SECRETS_KEY: string) =>
      inProcess(['secrets', 'rotate', '--json'], { DATABASE_URL: world.databaseUrl, SECRETS_KEY });

    const refused = await rotate(newSecretsKey());
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expectSentence(refused.stderr);
    expect(await boxes()).toEqual(before);

    // Beside them the webhooks', and the request that is kept in two forms with its answer.
    expect(answerOf(await rotate(`${NEW_KEY},${OLD_KEY}`))).toEqual({
      secrets: 6,
      resealed: 6,
      unreadable: 0,
    });
    expect(answerOf(await rotate(NEW_KEY))).toEqual({ secrets: 6, resealed: 0, unreadable: 0 });
    expect((await boxes()).map(({ credentials }) => credentials === null)).toEqual([false, false, true]);

    const withNewKey = await startProcess(world, { ROLE: 'api', SECRETS_KEY: NEW_KEY, ...askedAt(sandbox) });
    try {
      for (const { by, id } of connections) {
        const test =
          'mutation ($id: ID!) { testCarrierConnection(input: { id: $id }) { outcome userErrors { code pointer message } } }';
        const { data } = await graphqlClient(withNewKey.url, by.apiKey)(test, { id });
        expect(data).toEqual({ testCarrierConnection: { outcome: 'accepted', userErrors: [] } });
      }
      const rest = restClient(withNewKey.url, { 'x-api-key': first?.apiKey ?? '' });
      const again = await rest('POST', '/webhooks', webhook, idempotent);
      expect([again.headers.get('idempotent-replayed'), again.text]).toEqual(['true', kept?.text]);
    } finally {
      await withNewKey.stop();
    }
  });
});

describe('Beside a running service', () => {
  let companyId: string;
  beforeAll(async () => {
    ({ companyId } = await answer(['company', 'create', '--name', 'Accanto']));
  });

  test('a new key works at once, with its scopes and no others', async () => {
    const {
      apiKey,
      key: { id: apiKeyId },
    } = await createKey(companyId, ' health:read , warehouses:read');
    const response = await health(apiKey);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ companyId, apiKeyId, scopes: ['health:read', 'warehouses:read'] });
    expect((await get({ url: service.app.url, apiKey }, '/carriers')).status).toBe(403);
  });

  const expiries = [
    { given: '2098-01-31', expiresAt: '2098-01-31T00:00:00.000Z' },
    { given: '2098-01-31T09:30:00+02:00', expiresAt: '2098-01-31T07:30:00.000Z' },
  ];
  test.each(expiries)('`--expires $given` means $expiresAt', async ({ given, expiresAt }) => {
    const { apiKey, key } = await createKey(companyId, 'all', '--expires', given);
    expect(key).toMatchObject({ expiresAt });
    expect((await health(apiKey)).status).toBe(200);
  });

  test('`key create --environment sandbox` issues a key of the sandbox, as `key list` says', async () => {
    const { apiKey, key } = await createKey(companyId, 'all', '--environment', 'sandbox');
    expect(apiKey).toMatch(/^sk_test_/);
    const companies = await answer(['company', 'list']);
    const place = companies.findIndex((company: Json) => company.companyId === companyId);
    const sandbox = companies[place + 1];
    expect(sandbox).toMatchObject({ sandboxOf: companyId });
    expect(await createKey(sandbox.companyId, 'all')).toMatchObject({ apiKey: expect.stringMatching(/^sk_test_/) });
    const keys = await answer(['key', 'list', '--company', companyId, '--environment', 'sandbox']);
    expect(keys.find(({ id }: Json) => id === key.id)).toMatchObject({ environment: 'SANDBOX' });
    expect((await health(apiKey)).status).toBe(200);
  });

  // With --json it is one JSON value, as in the tests above.
  describe('a table shows the result of', () => {
    const cases: { command: string; options?: string[]; shows: RegExp[] }[] = [
      { command: 'company create', options: ['--yes', '--name', 'Tavola'], shows: [/^companyId {2}[0-9a-f-]{36}$/m] },
      { command: 'company list', shows: [/companyId .* name .* createdAt/, /│ Accanto +│/] },
      {
        command: 'key create',
        options: ['--company', 'COMPANY', '--label', 'L', '--scopes', 'all'],
        shows: [/^apiKey +sk_live_\w+$/m, /^key\.id +[0-9a-f-]{36}$/m, /^This is the only copy of the key/m],
      },
      {
        command: 'key list',
        options: ['--company', 'COMPANY'],
        shows: [/id .* label .* scopes/, /│ [A-Z_]+, [A-Z_]+, [A-Z_]+, … \(17\) +│/],
      },
      {
        command: 'key update',
        options: ['--company', 'COMPANY', '--key', 'KEY', '--rate-reads', '7', '--rate-writes', '8'],
        shows: [/^id +[0-9a-f-]{36}$/m, /^rates\.reads +7$/m, /^rates\.writes +8$/m],
      },
      {
        command: 'key revoke',
        options: ['--yes', '--company', 'COMPANY', '--key', 'KEY'],
        shows: [/^id +[0-9a-f-]{36}$/m, /^revokedAt +\d{4}-/m],
      },
      { command: 'demo', shows: [/^apiKey +sk_test_\w+$/m, /^added +0$/m] },
    ];
    test.each(cases)('$command', async ({ command, options = [], shows }) => {
      const apiKeyId = options.includes('KEY') ? (await createKey(companyId)).key.id : '';
      const given = options.map(option => option.replace('COMPANY', companyId).replace('KEY', apiKeyId));
      const { code, stdout, stderr } = await inProcess([...command.split(' '), ...given], settings);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      for (const part of shows) expect(stdout).toMatch(part);
      expect(() => JSON.parse(stdout)).toThrow();
    });
  });
});

function health(apiKey: string): Promise<Response> {
  return get({ url: service.app.url, apiKey }, '/health');
}
