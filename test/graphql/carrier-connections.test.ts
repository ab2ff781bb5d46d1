import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { App } from '../../src/app.ts';
import { CARRIERS } from '../../src/domain/carriers/carriers.catalog.ts';
import { ALL_SCOPES } from '../../src/platform/scopes.ts';
import { newSecretsKey } from '../../src/platform/secrets/secret-box.ts';
import { flat, merchant } from '../rest/tariffs.ts';
import { ASKED, askedAt, CREDENTIALS, connectSandbox, useLoggedApp, useSandbox } from '../support/carriers.ts';
import { graphqlClient } from '../support/graphql-client.ts';
import { type Received, type Reply, useReceiver } from '../support/receiver.ts';
import { useSecondProcess } from '../support/second-process.ts';
import { type Caller, useWorld } from '../support/world.ts';
import {
  ask,
  connectCarrier,
  type Item,
  outcomes,
  recordEvents,
  shipment,
  times,
  unseen,
  upsertShipments,
} from './platform-side.ts';

const sandbox = useSandbox();
/** In front of the sandbox: it passes on what it is asked unless told otherwise. */
const receiver = useReceiver();
const world = useWorld(askedAt(receiver));
const logged = useLoggedApp(world, askedAt(receiver));
/** The same service with another SECRETS_KEY. */
const otherKey = useLoggedApp(world, Object.assign(askedAt(receiver), { SECRETS_KEY: newSecretsKey() }));
/** The same service without a sandbox. */
const withoutSandbox: Pick<App, 'url'> = useSecondProcess(world);

let database: pg.Client;
/** A company whose one connection nothing that is refused may change. */
const still = {} as { by: Caller; id: number };
beforeAll(async () => {
  database = new pg.Client({ connectionString: world.databaseUrl });
  await database.connect();
  still.by = await world.company();
  still.id = (
    await connect(still.by, { baseUrl: 'https://still.carrier.example', credentials: CREDENTIALS.BRT })
  ).carrierCompanyId;
});
afterAll(() => database?.end());

beforeEach(() => {
  receiver.clear();
  receiver.answer(atSandbox);
});

type Sent = Pick<Received, 'method' | 'path' | 'headers' | 'body'>;

async function atSandbox({ method, path, headers, body }: Sent): Promise<Reply> {
  const { host: _, connection: __, 'content-length': ___, ...kept } = headers as Record<string, string>;
  const sent = body.length > 0 ? { body: new Uint8Array(body) } : {};
  const response = await fetch(sandbox.url + path, { method, headers: kept, ...sent });
  const contentType = response.headers.get('content-type') ?? '';
  return { status: response.status, headers: { 'content-type': contentType }, body: await response.bytes() };
}

interface Connection {
  readonly carrierCompanyId: number;
  readonly carrierCode: string;
  readonly label: string;
  readonly isActive: boolean;
  readonly environment: 'live' | 'sandbox';
  readonly baseUrl: string | null;
  readonly hasCredentials: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const CONNECTION = 'carrierCompanyId carrierCode label isActive environment baseUrl hasCredentials createdAt updatedAt';
const CONNECT = `mutation ($input: ConnectCarrierInput!) { connectCarrier(input: $input) { ${CONNECTION} } }`;
const UPDATE = `mutation ($id: Int!, $input: UpdateCarrierConnectionInput!) {
  updateCarrierConnection(carrierCompanyId: $id, input: $input) { ${CONNECTION} }
}`;
const DISCONNECT = `mutation ($id: Int!) { disconnectCarrier(carrierCompanyId: $id) { ${CONNECTION} } }`;
const TEST = 'mutation ($id: Int!) { testCarrierConnection(carrierCompanyId: $id) }';
const LIST = `{ carriers { ${CONNECTION} } }`;

const connect = (by: Caller, input: Item = {}) =>
  ask<Connection>(by, CONNECT, { input: { carrierCode: 'BRT', label: 'Conto', ...input } });
const update = (by: Caller, id: number, input: Item) => ask<Connection>(by, UPDATE, { id, input });
const disconnect = (by: Caller, id: number) => ask<Connection>(by, DISCONNECT, { id });
const outcomeOf = (by: Caller, id: number) => ask<string>(by, TEST, { id });
const list = (by: Caller) => ask<Connection[]>(by, LIST);

/** A refusal as it matters: `validation_failed: /label required`; undefined where there was none. */
async function refusal({ graphql }: Pick<Caller, 'graphql'>, query: string, variables: Item) {
  const { data, errors } = await graphql(query, variables);
  if (!errors) return undefined;
  expect(Object.values(data ?? {}).filter(value => value !== null)).toEqual([]);
  const { code, errors: issues } = errors[0]?.extensions ?? {};
  return issues ? `${code}: ${issues.map(one => `${one.pointer} ${one.code}`).join(', ')}` : code;
}

/** The same in words: `/label required: must not be empty`. */
async function words({ graphql }: Pick<Caller, 'graphql'>, query: string, variables: Item) {
  const { errors } = await graphql(query, variables);
  return errors?.[0]?.extensions.errors?.map(({ pointer, code, message }) => `${pointer} ${code}: ${message}`);
}

const ADDRESS = { address: 'Via Libertà 12', city: 'Palermo', zip: '90139', provincia: 'PA' };

/** What an address check comes to: its code, or that of the refusal. */
async function check({ rest }: Pick<Caller, 'rest'>, carrierCompanyId: number): Promise<string> {
  return (await rest('POST', '/addresses/check-address', { carrierCompanyId, ...ADDRESS })).body.code;
}

async function boxOf(id: number): Promise<Buffer | null> {
  const { rows } = await database.query('select credentials from carrier_connection where id = $1', [id]);
  return rows[0]?.credentials;
}

const stillness = async () => ({ connections: await list(still.by), box: await boxOf(still.id) });

const setBox = (id: number, box: Buffer) =>
  database.query('update carrier_connection set credentials = $2 where id = $1', [id, box]);

/** Credentials that nobody's sandbox knows, one of each that the carrier asks for. */
function strange(carrierCode: string, mark = 'strange'): Record<string, string> {
  const { credentials = [] } = CARRIERS.find(({ code }) => code === carrierCode) ?? {};
  return Object.fromEntries(credentials.map(name => [name, `${mark}-${name}`]));
}

const NOBODYS = 2_000_000_000;
const nameOf = (carrierCode: string) => CARRIERS.find(({ code }) => code === carrierCode)?.name;
const UNSUPPORTED = CARRIERS.filter(({ credentials }) => credentials.length === 0).map(({ code }) => code);

describe('connectCarrier with credentials', () => {
  test.each(ASKED)('of %s takes all that it asks for, without the blanks around them', async code => {
    const by = await world.company();
    const credentials = Object.fromEntries(
      Object.entries(CREDENTIALS[code]).map(([name, text]) => [name, ` ${text} `]),
    );
    const made = await connect(by, { carrierCode: code.toLowerCase(), environment: 'sandbox', credentials });
    expect(made).toMatchObject({ carrierCode: code, environment: 'sandbox', hasCredentials: true, baseUrl: null });
    expect(await list(by)).toEqual([made]);
    expect(await outcomeOf(by, made.carrierCompanyId)).toBe('accepted');
  });

  test('is live, at the carrier’s own address and without credentials unless told', async () => {
    const by = await world.company();
    const expected = { environment: 'live', baseUrl: null, hasCredentials: false, isActive: true };
    expect(await connect(by)).toMatchObject(expected);
    expect(await connect(by, { environment: null, baseUrl: null, credentials: null })).toMatchObject(expected);
  });

  const LEFT_OUT = ASKED.flatMap(code => Object.keys(CREDENTIALS[code]).map(name => [code, name] as const));
  test.each(LEFT_OUT)('of %s needs the %s', async (carrierCode, name) => {
    const all = CREDENTIALS[carrierCode];
    const { [name]: _, ...some } = all;
    const message = `must be given: ${nameOf(carrierCode)} asks for ${Object.keys(all).join(', ')}`;
    for (const credentials of [some, { ...some, [name]: null }]) {
      const input = { carrierCode, label: 'x', credentials };
      expect(await words(still.by, CONNECT, { input })).toEqual([`/credentials/${name} required: ${message}`]);
    }
  });

  test.each(ASKED)('of %s takes no other’s', async carrierCode => {
    const asked = Object.keys(CREDENTIALS[carrierCode]);
    const all = Object.assign({}, ...Object.values(CREDENTIALS)) as Record<string, string>;
    const others = Object.keys(all).filter(name => !asked.includes(name));
    const message = `must be left out: ${nameOf(carrierCode)} asks for ${asked.join(', ')}`;
    const told = await words(still.by, CONNECT, { input: { carrierCode, label: 'x', credentials: all } });
    expect(told?.toSorted()).toEqual(others.map(name => `/credentials/${name} not_allowed: ${message}`).toSorted());
    // Null is nothing.
    const nulls = Object.fromEntries(others.map(name => [name, null]));
    const credentials = { ...CREDENTIALS[carrierCode], ...nulls };
    expect(await connect(await world.company(), { carrierCode, credentials })).toMatchObject({ hasCredentials: true });
  });

  test.each(UNSUPPORTED)('of %s, which has no interface, takes none', async carrierCode => {
    const message = `must be left out: the service knows no interface of ${nameOf(carrierCode)}`;
    for (const credentials of [{}, { userId: 'u', password: 'p' }]) {
      const input = { carrierCode, label: 'x', credentials };
      expect(await words(still.by, CONNECT, { input })).toEqual([`/credentials not_allowed: ${message}`]);
    }
  });

  test.each<[string, Item, string]>([
    ['that are empty', {}, '/credentials/userId required, /credentials/password required'],
    ['with a blank one', { userId: 'u', password: ' \t ' }, '/credentials/password required'],
    ['with an empty one', { userId: '', password: 'p' }, '/credentials/userId required'],
    ['with one too long', { userId: 'u', password: 'x'.repeat(501) }, '/credentials/password too_long'],
    ['with a line break', { userId: 'u', password: 'a\r\nb: c' }, '/credentials/password invalid_text'],
    ['with a NUL', { userId: 'u\u0000v', password: 'p' }, '/credentials/userId invalid_text'],
    ['with half a character', { userId: 'u', password: 'a\ud800b' }, '/credentials/password invalid_text'],
    ['with a number', { userId: 'u', password: 4711 }, '/credentials/password wrong_type'],
    ['with one nobody asks for', { userId: 'u', password: 'p', pin: '1' }, '/credentials/pin unknown_field'],
    [
      'with all of it',
      { userId: ' ', depot: 'XX' },
      '/credentials/userId required, /credentials/depot not_allowed, /credentials/password required',
    ],
  ])('refuses some %s', async (_what, credentials, wrong) => {
    const input = { carrierCode: 'BRT', label: 'x', credentials };
    expect(await refusal(still.by, CONNECT, { input })).toBe(`validation_failed: ${wrong}`);
    expect(await list(still.by)).toHaveLength(1);
  });

  test('takes one of five hundred characters', async () => {
    const by = await world.company();
    const credentials = { userId: 'ü'.repeat(500), password: '🔑'.repeat(500) };
    expect(await connect(by, { credentials })).toMatchObject({ hasCredentials: true });
  });

  test('tells all that is wrong at once', async () => {
    const by = await world.company();
    const input = { carrierCode: 'BRT', label: ' ', baseUrl: 'http://x.example', credentials: { userId: 'u' } };
    expect(await refusal(by, CONNECT, { input })).toBe(
      'validation_failed: /label required, /baseUrl https_required, /credentials/password required',
    );
  });

  test('refuses the sandbox where the service has none, and knows connections of it all the same', async () => {
    const by = await world.company();
    const there = { ...by, graphql: graphqlClient(withoutSandbox.url, by.apiKey) };
    const input = { carrierCode: 'BRT', label: 'x', environment: 'sandbox' };
    const message = 'must be live: this service has no sandbox';
    expect(await words(there, CONNECT, { input })).toEqual([`/environment not_allowed: ${message}`]);
    const id = await connectSandbox(by, 'BRT');
    expect(await list(there)).toMatchObject([{ carrierCompanyId: id, environment: 'sandbox' }]);
    expect(await outcomeOf(there, id)).toBe('unavailable');
    expect(receiver.requests).toEqual([]);
  });

  test('refuses an environment there is not', async () => {
    const by = await world.company();
    const input = { carrierCode: 'BRT', label: 'x', environment: 'test' };
    expect(await refusal(by, CONNECT, { input })).toBe('validation_failed: /environment not_allowed');
  });
});

const SLASHES = `https://carrier.example${'/'.repeat(100_000)}x`;

describe('A base address', () => {
  const TAKEN: [string, string][] = [
    ['https://test.carrier.example', 'https://test.carrier.example'],
    ['https://test.carrier.example/', 'https://test.carrier.example'],
    ['https://test.carrier.example/api/v1//', 'https://test.carrier.example/api/v1'],
    [' https://test.carrier.example:8443/api ', 'https://test.carrier.example:8443/api'],
    ['https://93.184.215.14/', 'https://93.184.215.14'],
    [`https://a.example/${'x'.repeat(2030)}`, `https://a.example/${'x'.repeat(2030)}`],
  ];
  test.each(TAKEN)('%s is taken, without a slash at its end', async (baseUrl, stored) => {
    const by = await world.company();
    const made = await connect(by, { baseUrl });
    expect(made.baseUrl).toBe(stored);
    const { carrierCompanyId: id } = await connect(by);
    expect((await update(by, id, { baseUrl })).baseUrl).toBe(stored);
    expect((await list(by)).map(one => one.baseUrl)).toEqual([stored, stored]);
    expect((await update(by, id, { label: 'Altro' })).baseUrl).toBe(stored);
    expect((await update(by, id, { baseUrl: null })).baseUrl).toBeNull();
  });

  const REFUSED: [string, string, string][] = [
    ['nothing', '', 'invalid_url'],
    ['a blank', '  ', 'invalid_url'],
    ['a word', 'carrier', 'invalid_url'],
    ['a host alone', 'test.carrier.example', 'invalid_url'],
    ['http', 'http://test.carrier.example', 'https_required'],
    ['another protocol', 'ftp://test.carrier.example', 'https_required'],
    ['a user', 'https://me:secret@test.carrier.example', 'user_info'],
    ['an empty user', 'https://@test.carrier.example', 'user_info'],
    ['a query', 'https://test.carrier.example/?key=1', 'invalid_url'],
    ['an empty query', 'https://test.carrier.example?', 'invalid_url'],
    ['a fragment', 'https://test.carrier.example/#x', 'fragment'],
    ['a line break', 'https://test.carrier\n.example', 'invalid_url'],
    ['port 0', 'https://test.carrier.example:0', 'invalid_port'],
    ['the machine itself', 'https://127.0.0.1', 'blocked_address'],
    ['the machine itself by name', 'https://localhost:8443', 'blocked_address'],
    ['the machine itself in hexadecimal', 'https://0x7f.1', 'blocked_address'],
    ['the machine itself in IPv6', 'https://[::1]', 'blocked_address'],
    ['a private address', 'https://10.0.0.8/api', 'blocked_address'],
    ['a cloud’s metadata', 'https://169.254.169.254', 'blocked_address'],
    ['a name of the network', 'https://carrier.internal', 'blocked_address'],
    ['2,049 characters', `https://a.example/${'x'.repeat(2031)}`, 'too_long'],
  ];
  test.each(REFUSED)('refuses %s', async (_what, baseUrl, code) => {
    const before = await stillness();
    const wrong = `validation_failed: /baseUrl ${code}`;
    expect(await refusal(still.by, CONNECT, { input: { carrierCode: 'BRT', label: 'x', baseUrl } })).toBe(wrong);
    expect(await refusal(still.by, UPDATE, { id: still.id, input: { label: 'Nuovo', baseUrl } })).toBe(wrong);
    expect(await stillness()).toEqual(before);
  });

  test('is not told in the refusal', async () => {
    const input = { carrierCode: 'BRT', label: 'x', baseUrl: 'https://me:geheim@test.carrier.example' };
    expect(JSON.stringify(await still.by.graphql(CONNECT, { input }))).not.toContain('geheim');
  });

  test('of a hundred thousand slashes is refused at once', async () => {
    const startMs = performance.now();
    const input = { baseUrl: SLASHES };
    expect(await refusal(still.by, UPDATE, { id: still.id, input })).toBe('validation_failed: /baseUrl too_long');
    expect(performance.now() - startMs).toBeLessThan(3_000);
  });

  test('is not for the sandbox', async () => {
    const by = await world.company();
    const input = { carrierCode: 'BRT', label: 'x', environment: 'sandbox', baseUrl: 'https://test.carrier.example' };
    expect(await refusal(by, CONNECT, { input })).toBe('validation_failed: /baseUrl not_allowed');
    const id = await connectSandbox(by, 'BRT', { baseUrl: null });
    const wrong = await refusal(by, UPDATE, { id, input: { baseUrl: input.baseUrl } });
    expect(wrong).toBe('validation_failed: /baseUrl not_allowed');
    expect((await update(by, id, { baseUrl: null })).baseUrl).toBeNull();
  });

  test('that leads to the machine itself after all is not connected to, and the sandbox is not asked in its place', async () => {
    const by = await world.company();
    const { carrierCompanyId: id } = await connect(by, { credentials: CREDENTIALS.BRT });
    const { port } = new URL(receiver.url);
    for (const baseUrl of [`https://127.0.0.1:${port}`, `https://localhost:${port}`, receiver.url]) {
      await database.query('update carrier_connection set base_url = $2 where id = $1', [id, baseUrl]);
      expect(await outcomeOf(by, id)).toBe('unavailable');
      expect(await check(by, id)).toBe('CARRIER_UNAVAILABLE');
    }
    expect(receiver.requests).toEqual([]);
  });
});

describe('updateCarrierConnection', () => {
  test.each<[string, Item, Item]>([
    ['the label', { label: ' Nuovo ' }, { label: 'Nuovo' }],
    ['whether it is used', { isActive: false }, { isActive: false }],
    ['the base address', { baseUrl: 'https://b.example/' }, { baseUrl: 'https://b.example' }],
    ['the base address to none', { baseUrl: null }, { baseUrl: null }],
    ['the credentials to none', { credentials: null }, { hasCredentials: false }],
    ['the credentials', { credentials: strange('BRT') }, {}],
    [
      'all at once',
      { label: 'N', isActive: false, baseUrl: null, credentials: null },
      { label: 'N', isActive: false, baseUrl: null, hasCredentials: false },
    ],
  ])('changes %s and nothing else', async (_what, input, changed) => {
    const by = await world.company();
    const baseUrl = 'https://a.example';
    const before = await connect(by, { baseUrl, credentials: CREDENTIALS.BRT });
    const other = await connect(by, { label: 'Altro', baseUrl, credentials: CREDENTIALS.BRT });
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(before.updatedAt));
    const after = await update(by, before.carrierCompanyId, input);
    expect(after).toEqual({ ...before, ...changed, updatedAt: expect.any(String) });
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect(await list(by)).toEqual([after, other]);
  });

  test('asks with the new credentials from then on, and never with the old', async () => {
    const by = await world.company();
    const id = await connectSandbox(by, 'DHL', { credentials: strange('DHL', 'old') });
    expect(await outcomeOf(by, id)).toBe('refused');
    expect(await check(by, id)).toBe('VERIFICATION_ERROR');
    receiver.clear();
    await update(by, id, { credentials: CREDENTIALS.DHL });
    expect(await outcomeOf(by, id)).toBe('accepted');
    // In another process of the service too.
    expect(await outcomeOf(logged.as(by), id)).toBe('accepted');
    const basic = `Basic ${Buffer.from('sandbox:sandbox').toString('base64')}`;
    expect(receiver.requests.map(({ headers }) => headers.authorization)).toEqual([basic, basic]);
  });

  test.each(['UPS', 'FEDEX'] as const)('asks %s for a new token with new credentials', async code => {
    const by = await world.company();
    const id = await connectSandbox(by, code);
    expect(await outcomeOf(by, id)).toBe('accepted');
    await update(by, id, { credentials: strange(code) });
    expect(await outcomeOf(by, id)).toBe('refused');
    await update(by, id, { credentials: CREDENTIALS[code] });
    expect(await outcomeOf(by, id)).toBe('accepted');
  });

  test('replaces credentials whole, and takes them away with null', async () => {
    const by = await world.company();
    const id = await connectSandbox(by, 'GLS');
    const { contractCode: _, ...some } = CREDENTIALS.GLS;
    const box = await boxOf(id);
    expect(await refusal(by, UPDATE, { id, input: { label: 'x', credentials: some } })).toBe(
      'validation_failed: /credentials/contractCode required',
    );
    expect(await boxOf(id)).toEqual(box);
    expect((await update(by, id, { credentials: null })).hasCredentials).toBe(false);
    expect(await boxOf(id)).toBeNull();
    expect(await outcomeOf(by, id)).toBe('no_credentials');
    expect(await check(by, id)).toBe('VERIFICATION_ERROR');
    expect(receiver.requests).toEqual([]);
    expect((await update(by, id, { credentials: CREDENTIALS.GLS })).hasCredentials).toBe(true);
    expect(await outcomeOf(by, id)).toBe('accepted');
  });

  test('stops asking while the connection is not active, and keeps its credentials', async () => {
    const by = await world.company();
    const id = await connectSandbox(by, 'BRT');
    expect(await update(by, id, { isActive: false })).toMatchObject({ isActive: false, hasCredentials: true });
    expect(await check(by, id)).toBe('CARRIER_UNAVAILABLE');
    expect(await outcomeOf(by, id)).toBe('inactive');
    expect(receiver.requests).toEqual([]);
    await update(by, id, { isActive: true });
    expect(await check(by, id)).toBe('ADDRESS_VALID');
  });

  test.each<[string, Item, string]>([
    ['nothing', {}, ' empty'],
    ['a label of null', { label: null }, '/label required'],
    ['a blank label', { label: ' ' }, '/label required'],
    ['a label too long', { label: 'x'.repeat(201) }, '/label too_long'],
    ['isActive of null', { isActive: null }, '/isActive required'],
    ['isActive that is a text', { isActive: 'no' }, '/isActive wrong_type'],
    ['half the credentials', { credentials: { userId: 'u' } }, '/credentials/password required'],
    ['empty credentials', { credentials: {} }, '/credentials/userId required, /credentials/password required'],
    [
      'another carrier’s',
      { credentials: { userId: 'u', password: 'p', depot: 'x' } },
      '/credentials/depot not_allowed',
    ],
    ['another carrier', { carrierCode: 'GLS' }, '/carrierCode unknown_field'],
    ['another environment', { environment: 'sandbox' }, '/environment unknown_field'],
    [
      'a good and two bad fields',
      { isActive: false, label: ' ', credentials: { password: ' ' } },
      '/label required, /credentials/password required, /credentials/userId required',
    ],
  ])('refuses %s, and changes nothing', async (_what, input, wrong) => {
    const before = await stillness();
    expect(await refusal(still.by, UPDATE, { id: still.id, input })).toBe(`validation_failed: ${wrong}`);
    expect(await stillness()).toEqual(before);
  });

  test('refuses credentials for a carrier without an interface, and takes null', async () => {
    const by = await world.company();
    const id = await connectCarrier(by, 'INPOST');
    const input = { credentials: { username: 'u', password: 'p' } };
    expect(await refusal(by, UPDATE, { id, input })).toBe('validation_failed: /credentials not_allowed');
    expect((await update(by, id, { credentials: null })).hasCredentials).toBe(false);
  });
});

describe('disconnectCarrier', () => {
  test('answers the connection as it is then, and forgets its credentials', async () => {
    const by = await world.company();
    const before = await connect(by, { baseUrl: 'https://a.example', credentials: CREDENTIALS.BRT });
    const { carrierCompanyId: id } = before;
    expect(await disconnect(by, id)).toEqual({
      ...before,
      isActive: false,
      baseUrl: null,
      hasCredentials: false,
      updatedAt: expect.any(String),
    });
    expect(await boxOf(id)).toBeNull();
  });

  test('takes it off every list, and it is no longer known', async () => {
    const by = await world.company();
    const id = await connectSandbox(by, 'BRT');
    const stays = await connectSandbox(by, 'GLS');
    await disconnect(by, id);
    expect((await by.rest('GET', '/carriers')).body).toMatchObject([{ carrierCompanyId: stays }]);
    expect(await list(by)).toMatchObject([{ carrierCompanyId: stays }]);
    expect(await check(by, id)).toBe('carrier_connection_not_found');
    for (const [, query, variables] of ABOUT_ONE) {
      expect(await refusal(by, query, { id, ...variables })).toBe('carrier_connection_not_found');
    }
    expect(receiver.requests).toEqual([]);
    // What is left is as it was.
    expect(await check(by, stays)).toBe('ADDRESS_VALID');
  });

  test('of one that is not active, or has no interface, is the same', async () => {
    const by = await world.company();
    for (const input of [{ isActive: false }, { carrierCode: 'POSTE' }]) {
      const { carrierCompanyId: id } = await connect(by, input);
      await disconnect(by, id);
      expect(await refusal(by, DISCONNECT, { id })).toBe('carrier_connection_not_found');
    }
    expect(await list(by)).toEqual([]);
  });

  test('takes it out of quotes at once, and its tariff can not be replaced', async () => {
    const { caller, ids, quote } = await merchant(await world.company(), flat(5), flat(7));
    const [gone = 0, stays = 0] = ids;
    expect((await quote()).body.map((item: Item) => item.carrierCompanyId)).toEqual([gone, stays]);
    await disconnect(caller, gone);
    expect((await quote()).body.map((item: Item) => item.carrierCompanyId)).toEqual([stays]);
    expect((await quote({ carrierCompanyIds: [gone] })).body).toMatchObject({ warning: true });
    const importing = 'mutation ($input: ImportTariffInput!) { importTariff(input: $input) { id } }';
    const input = { carrierCompanyId: gone, tariff: flat(6) };
    expect(await refusal(caller, importing, { input })).toBe('carrier_connection_not_found');
    await disconnect(caller, stays);
    expect((await quote()).body).toMatchObject({ warning: true, code: 'NO_CARRIERS_CONNECTED' });
  });

  test('leaves its shipments as they are: found, told of and filtered by', async () => {
    const by = await world.company();
    const id = await connectSandbox(by, 'GLS');
    await upsertShipments(by, [shipment(id, 'KEPT1', { related: [{ trackingNumber: 'KEPT2', type: 'return' }] })]);
    await upsertShipments(by, [shipment(id, 'KEPT2')]);
    const path = '/shipments/tracking/by-tracking-number/KEPT1';
    const before = (await by.rest('GET', path)).body;
    expect(before).toMatchObject({
      carrier: { name: 'GLS Italy' },
      relatedShipments: [{ trackingNumber: 'KEPT2', carrierName: 'GLS Italy' }],
    });
    await disconnect(by, id);
    expect((await by.rest('GET', path)).body).toEqual(before);
    const query = `query ($id: Int!) {
      shipments(filter: { carrierCompanyId: $id }) {
        edges { node { trackingNumber carrier { code name } carrierConnection { ${CONNECTION} carrierName } } }
      }
    }`;
    const carrierConnection = {
      carrierCompanyId: id,
      carrierCode: 'GLS',
      carrierName: 'GLS Italy',
      label: 'Sandbox GLS',
      isActive: false,
      hasCredentials: false,
    };
    const { edges } = await ask<{ edges: { node: Item }[] }>(by, query, { id });
    expect(edges.map(({ node }) => node)).toMatchObject(
      ['KEPT2', 'KEPT1'].map(trackingNumber => ({
        trackingNumber,
        carrier: { code: 'GLS', name: 'GLS Italy' },
        carrierConnection,
      })),
    );
  });

  test('still has events recorded for them, and follows them no more', async () => {
    const by = await world.company();
    const id = await connectSandbox(by, 'BRT');
    await upsertShipments(by, [shipment(id, 'LATE')]);
    const polls = async () =>
      (await database.query('select 1 from tracking_poll where carrier_connection_id = $1', [id])).rowCount;
    expect(await polls()).toBe(1);
    await disconnect(by, id);
    expect(await polls()).toBe(0);
    const event = { trackingNumber: 'LATE', description: 'CONSEGNATA', carrierStatusCode: '704' };
    const recorded = await recordEvents(by, [
      { ...event, timestamp: '2026-11-20T09:00:00Z' },
      { ...event, timestamp: '2026-11-20T10:00:00Z', carrierCompanyId: id },
    ]);
    expect(outcomes(recorded)).toEqual(['created', 'created']);
    const { body } = await by.rest('GET', '/shipments/tracking/by-tracking-number/LATE');
    expect(body).toMatchObject({ status: 'Consegnata', timeline: [{}, {}] });
    expect(await polls()).toBe(0);
  });

  test('takes no shipment any more, neither new nor known', async () => {
    const by = await world.company();
    const [id, stays] = [await connectSandbox(by, 'BRT'), await connectSandbox(by, 'BRT')];
    await upsertShipments(by, [shipment(id, 'KNOWN')]);
    await disconnect(by, id);
    const batch = [shipment(id, 'NEW'), shipment(id, 'KNOWN', { parcelNumber: 2 }), shipment(stays, 'OTHER')];
    const { results } = await upsertShipments(by, batch);
    expect(results.map(({ outcome, code, pointer }) => [outcome, code, pointer])).toEqual([
      ['rejected', 'carrier_connection_not_found', '/0/carrierCompanyId'],
      ['rejected', 'carrier_connection_not_found', '/1/carrierCompanyId'],
      ['created', null, null],
    ]);
    expect((await upsertShipments(by, [shipment(NOBODYS, 'NEW')])).results[0]).toEqual(results[0]);
  });

  test('and connecting again makes another, with the same account', async () => {
    const by = await world.company();
    const id = await connectSandbox(by, 'BRT');
    await upsertShipments(by, [shipment(id, 'AGAIN')]);
    await disconnect(by, id);
    const again = await connectSandbox(by, 'BRT');
    expect(again).toBeGreaterThan(id);
    expect(outcomes(await upsertShipments(by, [shipment(again, 'AGAIN')]))).toEqual(['created']);
  });
});

const ABOUT_ONE: [what: string, query: string, variables: Item][] = [
  ['updates', UPDATE, { input: { label: 'N', isActive: false, credentials: null } }],
  ['disconnects', DISCONNECT, {}],
  ['tests', TEST, {}],
];

const HTML = { headers: { 'content-type': 'text/html' }, body: '<!DOCTYPE html><html><body>Hi</body></html>' };

describe('testCarrierConnection', () => {
  test.each(ASKED)('says of %s that it takes the credentials, or refuses them', async code => {
    const by = await world.company();
    const [right, wrong] = [
      await connectSandbox(by, code),
      await connectSandbox(by, code, { credentials: strange(code) }),
    ];
    expect([await outcomeOf(by, right), await outcomeOf(by, wrong)]).toEqual(['accepted', 'refused']);
    expect(new Set(receiver.requests.map(({ path }) => path.split('/')[1]))).toEqual(new Set([code.toLowerCase()]));
  });

  test.each<[string, Reply, string]>([
    ['a page', HTML, 'unreadable'],
    ['half an answer', { headers: { 'content-type': 'application/json' }, body: '{"a": [' }, 'unreadable'],
    ['nothing', {}, 'unreadable'],
    ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example' } }, 'unreadable'],
    ['that nothing is there', { status: 410 }, 'unreadable'],
    ['that it is forbidden', { status: 403 }, 'refused'],
    ['too many requests', { status: 429 }, 'unavailable'],
    ['when to ask again', { status: 429, headers: { 'retry-after': '60' } }, 'unavailable'],
    ['a fault of its own', { status: 500 }, 'unavailable'],
    ['that it is away', { status: 503, ...HTML }, 'unavailable'],
    ['by hanging up', { destroy: true }, 'unavailable'],
  ])('says what %s comes to at every carrier', async (_what, reply, outcome) => {
    const by = await world.company();
    receiver.answer(reply);
    for (const code of ASKED) {
      const id = await connectSandbox(by, code);
      expect([code, await outcomeOf(by, id)]).toEqual([code, outcome]);
    }
  });

  // By the last digits of a postal code: not found, and invalid.
  test.each(['90192', '90193'])(
    'does not take for the carrier who does not know the middle of Milan (%s)',
    async zip => {
      const by = await world.company();
      const elsewhere = (text: string) => text.replaceAll('20121', zip);
      receiver.answer(({ method, path, headers, body }) =>
        atSandbox({ method, path: elsewhere(path), headers, body: Buffer.from(elsewhere(`${body}`)) }),
      );
      for (const code of ASKED) {
        expect([code, await outcomeOf(by, await connectSandbox(by, code))]).toEqual([code, 'unreadable']);
      }
      expect(receiver.requests.filter(({ path, body }) => `${path}${body}`.includes('20121'))).toHaveLength(
        ASKED.length,
      );
    },
  );

  test('asks nobody without credentials, without activity, or without an interface', async () => {
    const by = await world.company();
    const { carrierCompanyId: bare } = await connect(by, { environment: 'sandbox' });
    const idle = await connectSandbox(by, 'BRT', { isActive: false });
    const { carrierCompanyId: both } = await connect(by, { environment: 'sandbox', isActive: false });
    expect(await outcomeOf(by, bare)).toBe('no_credentials');
    expect(await outcomeOf(by, idle)).toBe('inactive');
    expect(await outcomeOf(by, both)).toBe('inactive');
    for (const carrierCode of UNSUPPORTED) {
      for (const isActive of [true, false]) {
        const { carrierCompanyId: id } = await connect(by, { carrierCode, environment: 'sandbox', isActive });
        expect([carrierCode, await outcomeOf(by, id)]).toEqual([carrierCode, 'unsupported']);
      }
    }
    expect(receiver.requests).toEqual([]);
  });
});

describe('Another company', () => {
  test.each(ABOUT_ONE)('%s nothing: it is told what it is told of one that never was', async (_what, query, args) => {
    const [by, stranger] = [await world.company(), await world.company()];
    const id = await connectSandbox(by, 'BRT');
    const disconnected = await connectSandbox(by, 'GLS');
    await disconnect(by, disconnected);
    const before = [await list(by), await boxOf(id)];
    const told = async (one: number) => {
      const { errors, ...rest } = await stranger.graphql(query, { id: one, ...args });
      return {
        ...rest,
        errors: errors?.map(error => ({ ...error, extensions: { ...error.extensions, requestId: '' } })),
      };
    };
    const absent = await told(NOBODYS);
    expect(absent.errors).toMatchObject([{ extensions: { code: 'carrier_connection_not_found', status: 404 } }]);
    for (const one of [id, disconnected, 0, -1]) expect(await told(one)).toEqual(absent);
    expect([await list(by), await boxOf(id)]).toEqual(before);
    expect(receiver.requests).toEqual([]);
  });

  test('checks no address with it', async () => {
    const [by, stranger] = [await world.company(), await world.company()];
    const id = await connectSandbox(by, 'BRT');
    expect(await check(stranger, id)).toBe('carrier_connection_not_found');
    expect(receiver.requests).toEqual([]);
  });
});

describe('Scopes', () => {
  const MANAGED: [string, string, Item][] = [
    ['connectCarrier', CONNECT, { input: { carrierCode: 'BRT', label: 'x' } }],
    ['updateCarrierConnection', UPDATE, { input: { label: 'Nuovo' } }],
    ['testCarrierConnection', TEST, {}],
    ['disconnectCarrier', DISCONNECT, {}],
  ];
  test.each(MANAGED)('%s needs carriers:manage, and no other', async (_what, query, variables) => {
    const by = await world.company();
    const id = await connectSandbox(by, 'BRT');
    const before = await list(by);
    const others = ALL_SCOPES.filter(scope => scope !== 'carriers:manage');
    const { data, errors } = await (await world.key(by.companyId, others)).graphql(query, { id, ...variables });
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'insufficient_scope',
      status: 403,
      requiredScope: 'carriers:manage',
    });
    expect(Object.values(data ?? {}).filter(value => value !== null)).toEqual([]);
    expect(await list(by)).toEqual(before);
    expect(receiver.requests).toEqual([]);
    const one = await world.key(by.companyId, ['carriers:manage']);
    expect((await one.graphql(query, { id, ...variables })).errors).toBeUndefined();
  });

  test('carriers:read shows how a connection is asked; carriers:manage alone does not', async () => {
    const by = await world.company();
    await connect(by, { label: 'Prova', baseUrl: 'https://a.example', credentials: CREDENTIALS.BRT });
    await connect(by, { label: 'Sandbox', environment: 'sandbox' });
    const reader = await world.key(by.companyId, ['carriers:read']);
    expect(await list(reader)).toMatchObject([
      { label: 'Prova', environment: 'live', baseUrl: 'https://a.example', hasCredentials: true },
      { label: 'Sandbox', environment: 'sandbox', baseUrl: null, hasCredentials: false },
    ]);
    const manager = await world.key(by.companyId, ['carriers:manage']);
    expect(await refusal(manager, LIST, {})).toBe('insufficient_scope');
  });
});

describe('Credentials', () => {
  test.each(ASKED)(
    'of %s are in no answer, no error, no metric and no log, whatever the carrier does with them',
    async code => {
      const secrets = strange(code, `GEHEIM${code}`);
      const said: string[] = [];
      const by = logged.as(await world.company());
      const graphql = async (query: string, variables: Item) => {
        const answer = await by.graphql<Record<string, { carrierCompanyId: number } | null>>(unseen(query), variables);
        said.push(JSON.stringify(answer));
        return answer;
      };
      const input = { carrierCode: code, label: 'Conto', environment: 'sandbox', credentials: secrets };
      const { data } = await graphql(CONNECT, { input });
      const id = data.connectCarrier?.carrierCompanyId ?? 0;
      expect(id).toBeGreaterThan(0);

      // What is refused for any of its fields.
      const [first = '', mark = ''] = Object.entries(secrets)[0] ?? [];
      const twisted: Item[] = [
        { ...secrets, [first]: `${mark}\nx` },
        { ...secrets, [first]: mark.repeat(100) },
        { ...secrets, [first]: [mark] },
        { ...secrets, [first]: { [mark]: mark } },
        { ...secrets, pin: mark },
        { [first]: mark },
        ...ASKED.map(other => strange(other, `GEHEIM${code}`)),
      ];
      for (const credentials of twisted) {
        await graphql(CONNECT, { input: { ...input, label: ' ', credentials } });
        await graphql(UPDATE, { id, input: { label: ' ', credentials } });
      }
      await graphql(UPDATE, { id: NOBODYS, input: { credentials: secrets } });
      await graphql(CONNECT, { input: { ...input, credentials: mark } });

      const echo = ({ method, path, headers, body }: Received) =>
        `${method} ${path} ${JSON.stringify(headers)} ${body}`;
      const echoes: ((request: Received) => Reply)[] = [
        request => ({ status: 200, body: echo(request) }),
        request => ({ status: 400, body: JSON.stringify({ message: echo(request), errors: [echo(request)] }) }),
        request => ({ status: 401, body: echo(request), headers: { 'www-authenticate': echo(request) } }),
        request => ({ status: 302, headers: { location: `${receiver.url}${request.path}` } }),
        request => ({ status: 500, body: echo(request) }),
        () => ({ destroy: true }),
      ];
      for (const answer of echoes) {
        receiver.clear();
        receiver.answer(answer);
        await graphql(TEST, { id });
        said.push((await by.rest('POST', '/addresses/check-address', { carrierCompanyId: id, ...ADDRESS })).text);
        expect(receiver.requests.length).toBeGreaterThan(0);
      }
      await graphql(LIST, {});
      said.push((await by.rest('GET', '/carriers')).text);
      await graphql(DISCONNECT, { id });

      const basic = Buffer.from(`:${Object.values(secrets).at(-1)}`)
        .toString('base64')
        .slice(4, -4);
      const all = [...said, logged.log(), await logged.app.metrics.registry.metrics()];
      expect(logged.log()).toContain('"msg":"carrier asked"');
      for (const text of all) {
        expect(text).not.toContain(`GEHEIM${code}`);
        expect(text).not.toContain(basic);
        expect(text).not.toContain(ADDRESS.address);
      }
    },
  );

  test('are sealed where they are kept: a box each time, in which nothing can be read', async () => {
    const by = await world.company();
    const id = await connectSandbox(by, 'GLS', { credentials: strange('GLS', 'GEHEIM') });
    const box = await boxOf(id);
    for (const encoding of ['latin1', 'utf16le', 'hex', 'base64'] as const) {
      const text = box?.toString(encoding) ?? '';
      for (const part of ['GEHEIM', 'password', Buffer.from('GEHEIM').toString('hex'), 'R0VIRUlN']) {
        expect(text).not.toContain(part);
      }
    }
    await update(by, id, { credentials: strange('GLS', 'GEHEIM') });
    expect((await boxOf(id))?.equals(box ?? Buffer.alloc(0))).toBe(false);
    const { rows } = await database.query(
      'select to_jsonb(c) - $2::text as row from carrier_connection c where id = $1',
      [id, 'credentials'],
    );
    expect(JSON.stringify(rows)).not.toContain('GEHEIM');
  });

  const boxes: [string, (box: Buffer) => Buffer][] = [
    ['nothing', () => Buffer.alloc(0)],
    ['one byte', () => Buffer.from([1])],
    ['half of itself', box => box.subarray(0, box.length / 2)],
    ['itself with a byte changed', box => Buffer.concat([box.subarray(0, -1), Buffer.from([(box.at(-1) ?? 0) ^ 1])])],
    ['a text', () => Buffer.from('{"userId":"sandbox","password":"sandbox"}')],
  ];
  test.each(boxes)('whose box is %s can not be used, and can be replaced', async (_what, spoil) => {
    const by = await world.company();
    const id = await connectSandbox(by, 'BRT');
    await setBox(id, spoil((await boxOf(id)) ?? Buffer.alloc(0)));
    expect(await check(by, id)).toBe('VERIFICATION_ERROR');
    expect(await outcomeOf(by, id)).toBe('no_credentials');
    expect(await list(by)).toMatchObject([{ hasCredentials: true }]);
    expect(receiver.requests).toEqual([]);
    await update(by, id, { credentials: CREDENTIALS.BRT });
    expect(await outcomeOf(by, id)).toBe('accepted');
  });

  test('do not open in the row of another connection, of the company or of another', async () => {
    const [by, stranger] = [await world.company(), await world.company()];
    const id = await connectSandbox(by, 'BRT');
    const box = (await boxOf(id)) ?? Buffer.alloc(0);
    for (const thief of [by, stranger]) {
      const own = await connectSandbox(thief, 'BRT', { credentials: strange('BRT') });
      await setBox(own, box);
      expect(await check(thief, own)).toBe('VERIFICATION_ERROR');
      expect(await outcomeOf(thief, own)).toBe('no_credentials');
    }
    expect(receiver.requests).toEqual([]);
    expect(await check(by, id)).toBe('ADDRESS_VALID');
  });

  test('do not open without the key they were sealed with: the rest goes on, and new ones can be given', async () => {
    const by = await world.company();
    const there = otherKey.as(by);
    const id = await connectSandbox(by, 'BRT');
    expect(await check(there, id)).toBe('VERIFICATION_ERROR');
    expect(await outcomeOf(there, id)).toBe('no_credentials');
    expect(receiver.requests).toEqual([]);
    expect(otherKey.log()).toContain(`"carrierCompanyId":${id}`);
    expect(await list(there)).toMatchObject([{ carrierCompanyId: id, hasCredentials: true }]);
    expect((await update(there, id, { label: 'Altro' })).label).toBe('Altro');
    // Still those of before.
    expect(await check(by, id)).toBe('ADDRESS_VALID');
    await update(there, id, { credentials: CREDENTIALS.BRT });
    expect(await check(there, id)).toBe('ADDRESS_VALID');
    expect(await check(by, id)).toBe('VERIFICATION_ERROR');
    await disconnect(by, id);
    expect(await boxOf(id)).toBeNull();
  });
});

describe('At once', () => {
  test('updates of different fields all hold', async () => {
    const by = await world.company();
    for (const round of times(3, i => i)) {
      const id = await connectSandbox(by, 'DHL', { credentials: strange('DHL'), isActive: false });
      await Promise.all([
        update(by, id, { label: `Conto ${round}` }),
        update(by, id, { credentials: CREDENTIALS.DHL }),
        update(logged.as(by), id, { isActive: true }),
      ]);
      expect((await list(by)).at(-1)).toMatchObject({ label: `Conto ${round}`, isActive: true, hasCredentials: true });
      expect(await outcomeOf(by, id)).toBe('accepted');
    }
  });

  test('updates of the same fields leave one of them, whole', async () => {
    const by = await world.company();
    const id = await connectSandbox(by, 'DHL');
    await Promise.all(times(12, i => update(i % 2 ? by : logged.as(by), id, { label: `${i}`, credentials: pair(i) })));
    const [{ label } = { label: '' }] = await list(by);
    await outcomeOf(by, id);
    const [request] = await receiver.waitFor(1);
    const { username, password } = pair(Number(label));
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);
  });

  const pair = (i: number) => ({ username: `user${i}`, password: `password${i}` });

  test('a change while it is disconnected is made before it or refused after it, and none brings it back', async () => {
    const by = await world.company();
    for (const _ of times(4, i => i)) {
      const id = await connectSandbox(by, 'BRT');
      const input = { label: 'Nuovo', isActive: true, credentials: CREDENTIALS.BRT };
      const told = await Promise.all([
        refusal(by, UPDATE, { id, input }),
        refusal(logged.as(by), DISCONNECT, { id }),
        refusal(by, DISCONNECT, { id }),
        refusal(logged.as(by), UPDATE, { id, input }),
      ]);
      expect(new Set([undefined, 'carrier_connection_not_found', ...told]).size).toBe(2);
      // One of the two ended it.
      expect([told[1], told[2]].filter(code => code === undefined)).toHaveLength(1);
      expect(await boxOf(id)).toBeNull();
      expect(await refusal(by, UPDATE, { id, input })).toBe('carrier_connection_not_found');
    }
    expect(await list(by)).toEqual([]);
  });

  test('shipments while it is disconnected are created or refused, and none is followed', async () => {
    const by = await world.company();
    for (const round of times(4, i => i)) {
      const id = await connectSandbox(by, 'BRT');
      const feed = (to: Caller, name: string) =>
        upsertShipments(
          to,
          times(20, i => shipment(id, `RACE${round}${name}${i}`)),
        );
      const [one, , other] = await Promise.all([feed(by, 'a'), disconnect(by, id), feed(logged.as(by), 'b')]);
      for (const batch of [one, other]) expect(['created', 'rejected']).toContain([...new Set(outcomes(batch))].join());
      const { rowCount } = await database.query('select 1 from tracking_poll where carrier_connection_id = $1', [id]);
      expect(rowCount).toBe(0);
    }
  });

  test('questions while the credentials change are asked with either, never with a mixture', async () => {
    const by = await world.company();
    const id = await connectSandbox(by, 'DHL', { credentials: pair(0) });
    await Promise.all(
      times(20, i => (i % 4 === 0 ? update(by, id, { credentials: pair(i) }) : check(logged.as(by), id))),
    );
    const pairs = new Set(times(20, i => `user${i}:password${i}`));
    const sent = receiver.requests.map(({ headers }) => `${headers.authorization}`.replace('Basic ', ''));
    expect(sent.length).toBeGreaterThan(0);
    for (const text of sent) expect(pairs).toContain(Buffer.from(text, 'base64').toString());
  });
});

test.each([
  ['a number for a text', 'password: 87654321'],
  ['a list for a text', 'password: [87654321]'],
])('A credential written into the document as %s is not repeated by the refusal', async (_what, literal) => {
  const by = await world.company();
  const { errors } = await by.graphql(
    `mutation { connectCarrier(input: { carrierCode: "BRT", label: "x", credentials: { userId: "u", ${literal} } }) { carrierCompanyId } }`,
  );
  expect(errors).toMatchObject([{ extensions: { code: 'graphql_invalid' } }]);
  expect(JSON.stringify(errors)).not.toContain('87654321');
});
