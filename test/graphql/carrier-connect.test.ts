import { describe, expect, test } from 'vitest';
import type { App } from '../../src/app.ts';
import { CARRIERS, carrierOf } from '../../src/domain/shipping/carriers/carriers.catalog.ts';
import { type Asked, CONNECTED, CREDENTIALS, connectSandbox, type Followed } from '../support/carriers.ts';
import { failureOf, graphqlClient } from '../support/graphql-client.ts';
import { type Item, refusal } from '../support/platform-side.ts';
import { useSecondProcess } from '../support/second-process.ts';
import type { Caller } from '../support/world.ts';
import {
  CONNECT,
  check,
  connect,
  list,
  outcomeOf,
  UNSUPPORTED,
  UPDATE,
  update,
  useConnections,
} from './connection-calls.ts';

const given = useConnections();
const { world, still, receiver, stillness } = given;

/** The service without a sandbox. */
const withoutSandbox: Pick<App, 'url'> = useSecondProcess(world);

/** The errors in words: `/label required: must not be empty`. Each is a sentence that begins with the field. */
async function words({ graphql }: Pick<Caller, 'graphql'>, query: string, variables: Item) {
  const failure = failureOf(await graphql(query, variables));
  return failure?.errors?.map(({ pointer, code, message }) => {
    const [, words] = /^The field \S+ (.*)\.$/.exec(message) ?? [];
    return `${pointer} ${code}: ${words}`;
  });
}
const nameOf = (carrierCode: string) => CARRIERS.find(({ code }) => code === carrierCode)?.name;

describe('connectCarrier', () => {
  test.each(CONNECTED)('takes all credentials of %s, without the blanks around them', async code => {
    const by = await world.sandbox();
    const credentials = Object.fromEntries(
      Object.entries(CREDENTIALS[code]).map(([name, text]) => [name, ` ${text} `]),
    );
    const made = await connect(by, { carrierCode: code, credentials });
    expect(made).toMatchObject({ carrierCode: code, environment: 'sandbox', hasCredentials: true, baseUrl: null });
    expect(await list(by)).toEqual([made]);
    expect(await outcomeOf(by, made.databaseId)).toBe('accepted');
  });

  test('takes the longest refresh token that Login with Amazon issues', async () => {
    const by = await world.company();
    const credentials = { ...CREDENTIALS.AMAZON, refreshToken: `Atzr|${'I'.repeat(2_043)}` };
    expect(await connect(by, { carrierCode: 'AMAZON', credentials })).toMatchObject({ hasCredentials: true });
    const input = {
      carrierCode: 'AMAZON',
      label: 'x',
      credentials: { ...credentials, refreshToken: 'I'.repeat(2_049) },
    };
    expect(await words(still.by, CONNECT, { input })).toEqual([
      expect.stringMatching(/^\/credentials\/refreshToken .*2048/),
    ]);
  });

  test('with a live key connects a live account, at the carrier’s own address and without credentials by default', async () => {
    const by = await world.company();
    const expected = { environment: 'live', baseUrl: null, hasCredentials: false, isActive: true };
    expect(await connect(by)).toMatchObject(expected);
    expect(await connect(by, { environment: 'live', baseUrl: null, credentials: null })).toMatchObject(expected);
  });

  /** The credentials that each carrier asks for, in the words of the errors. */
  const ASKS: Readonly<Record<Asked | Followed, string>> = {
    GLS: 'depot, contractCode for tracking, and depot, clientCode, password for the check of addresses',
    BRT: 'userId, password for tracking, and userId, password, depot, clientCode for the check of addresses',
    DHL: 'username, password',
    UPS: 'clientId, clientSecret',
    FEDEX: 'trackClientId, trackClientSecret for tracking, and clientId, clientSecret for the check of addresses',
    POSTE: 'clientId, clientSecret, and takes scope, tokenPrefix',
    SDA: 'clientId, clientSecret, and takes scope, tokenPrefix',
    AMAZON: 'clientId, clientSecret, refreshToken, and takes region',
  };

  test.each<[Asked | Followed, string, Item]>([
    ['GLS', 'contractCode', { depot: 'XX' }],
    ['GLS', 'depot', { contractCode: 'c' }],
    ['GLS', 'password', { depot: 'XX', clientCode: 'c' }],
    ['GLS', 'clientCode', { depot: 'XX', contractCode: 'c', password: 'p' }],
    ['BRT', 'userId', { password: 'p' }],
    ['BRT', 'password', { userId: 'u' }],
    ['BRT', 'depot', { userId: 'u', password: 'p', clientCode: '1' }],
    ['BRT', 'clientCode', { userId: 'u', password: 'p', depot: '1' }],
    ['DHL', 'username', { password: 'p' }],
    ['DHL', 'password', { username: 'u' }],
    ['UPS', 'clientId', { clientSecret: 's' }],
    ['UPS', 'clientSecret', { clientId: 'i' }],
    ['FEDEX', 'clientSecret', { clientId: 'i' }],
    ['FEDEX', 'clientId', { clientSecret: 's', trackClientId: 'i', trackClientSecret: 's' }],
    ['FEDEX', 'trackClientId', { trackClientSecret: 's' }],
    ['FEDEX', 'trackClientSecret', { clientId: 'i', clientSecret: 's', trackClientId: 'i' }],
    ['POSTE', 'clientSecret', { clientId: 'i' }],
    ['POSTE', 'clientId', { clientSecret: 's', scope: 'x', tokenPrefix: 'none' }],
    ['AMAZON', 'refreshToken', { clientId: 'i', clientSecret: 's', region: 'IT' }],
  ])('for %s requires the %s beside the other credentials of its service', async (carrierCode, name, some) => {
    const message = `must be given: ${nameOf(carrierCode)} asks for ${ASKS[carrierCode]}`;
    for (const credentials of [some, { ...some, [name]: null }]) {
      const input = { carrierCode, label: 'x', credentials };
      expect(await words(still.by, CONNECT, { input })).toEqual([`/credentials/${name} required: ${message}`]);
    }
  });

  test.each(CONNECTED)('for %s rejects credentials of other carriers', async carrierCode => {
    const { settings = {} } = carrierOf(carrierCode);
    const asked = [...Object.keys(CREDENTIALS[carrierCode]), ...Object.keys(settings)];
    const all = Object.assign({}, ...Object.values(CREDENTIALS)) as Record<string, string>;
    const others = Object.keys(all).filter(name => !asked.includes(name));
    const message = `must be left out: ${nameOf(carrierCode)} asks for ${ASKS[carrierCode]}`;
    const told = await words(still.by, CONNECT, { input: { carrierCode, label: 'x', credentials: all } });
    expect(told?.toSorted()).toEqual(others.map(name => `/credentials/${name} not_allowed: ${message}`).toSorted());
    // Null is nothing.
    const nulls = Object.fromEntries(others.map(name => [name, null]));
    const credentials = { ...CREDENTIALS[carrierCode], ...nulls };
    expect(await connect(await world.company(), { carrierCode, credentials })).toMatchObject({ hasCredentials: true });
  });

  test.each<[Asked | Followed, Item, string[]]>([
    ['POSTE', { clientId: 'i', clientSecret: 's' }, ['tracking']],
    ['SDA', CREDENTIALS.SDA, ['tracking']],
    ['AMAZON', { ...CREDENTIALS.AMAZON, region: 'JP' }, ['tracking']],
    ['BRT', { userId: 'u', password: 'p' }, ['tracking']],
    ['GLS', { depot: 'XX', contractCode: 'c' }, ['tracking']],
    ['GLS', { depot: 'XX', clientCode: 'c', password: 'p' }, ['address_check']],
    ['FEDEX', { trackClientId: 'i', trackClientSecret: 's' }, ['tracking']],
    ['FEDEX', { clientId: 'i', clientSecret: 's' }, ['address_check']],
    ['FEDEX', CREDENTIALS.FEDEX, ['tracking', 'address_check']],
  ])(
    'with credentials of %s for one service adds the capability of that service alone',
    async (carrierCode, credentials, asked) => {
      const by = await world.company();
      await connect(by, { carrierCode, credentials });
      const questions = ['tracking', 'address_check'];
      const [listed] = (await by.rest('GET', '/carriers')).body;
      expect(listed.capabilities.filter((one: string) => questions.includes(one))).toEqual(asked);
    },
  );

  test.each([
    ['POSTE', { clientId: 'i', clientSecret: 's', tokenPrefix: 'bearer' }, 'tokenPrefix', 'none, Bearer'],
    ['AMAZON', { ...CREDENTIALS.AMAZON, region: 'EU' }, 'region', 'IT, ES, FR, UK, US, IN, UAE, SA, EG, JP'],
  ])(
    'with credentials of %s rejects values of a setting that the carrier does not know',
    async (carrierCode, credentials, setting, values) => {
      const told = await words(still.by, CONNECT, { input: { carrierCode, label: 'x', credentials } });
      expect(told).toEqual([`/credentials/${setting} not_allowed: must be one of ${values}`]);
    },
  );

  test.each([{}, { clientId: 'i', clientSecret: 's' }])(
    'rejects credentials for InPost, which needs none: %j',
    async given => {
      const input = { carrierCode: 'INPOST', label: 'x', credentials: given };
      const message = 'must be left out: InPost asks for none';
      expect(await words(still.by, CONNECT, { input })).toEqual([`/credentials not_allowed: ${message}`]);
    },
  );

  test.each(UNSUPPORTED)('rejects credentials for %s, which has no interface', async carrierCode => {
    const message = `must be left out: the service has no interface to ${nameOf(carrierCode)}`;
    for (const credentials of [{}, { userId: 'u', password: 'p' }]) {
      const input = { carrierCode, label: 'x', credentials };
      expect(await words(still.by, CONNECT, { input })).toEqual([`/credentials not_allowed: ${message}`]);
    }
  });

  test.each<[string, Item, string]>([
    ['that are empty', {}, '/credentials/userId required, /credentials/password required'],
    ['with a blank one', { userId: 'u', password: ' \t ' }, '/credentials/password required'],
    ['with one too long', { userId: 'u', password: 'x'.repeat(501) }, '/credentials/password too_long'],
    ['with a line break', { userId: 'u', password: 'a\r\nb: c' }, '/credentials/password invalid_text'],
    ['with a number', { userId: 'u', password: 4711 }, '/credentials/password wrong_type'],
    ['with one nobody asks for', { userId: 'u', password: 'p', pin: '1' }, '/credentials/pin unknown_field'],
    [
      'with all of it',
      { userId: ' ', contractCode: 'XX' },
      '/credentials/userId required, /credentials/contractCode not_allowed, /credentials/password required',
    ],
  ])('rejects credentials %s', async (_what, credentials, wrong) => {
    const input = { carrierCode: 'BRT', label: 'x', credentials };
    expect(await refusal(still.by, CONNECT, { input })).toBe(`validation_failed: ${wrong}`);
    expect(await list(still.by)).toHaveLength(1);
  });

  test('takes a credential of five hundred characters', async () => {
    const by = await world.company();
    const credentials = { userId: 'ü'.repeat(500), password: '🔑'.repeat(500) };
    expect(await connect(by, { credentials })).toMatchObject({ hasCredentials: true });
  });

  test('reports all errors at once', async () => {
    const by = await world.company();
    const input = { carrierCode: 'BRT', label: ' ', baseUrl: 'http://x.example', credentials: { userId: 'u' } };
    expect(await refusal(by, CONNECT, { input })).toBe(
      'validation_failed: /label required, /baseUrl https_required, /credentials/password required',
    );
  });

  test('rejects the sandbox if the service has none, but still lists existing connections to it', async () => {
    const by = await world.sandbox();
    const there = { ...by, graphql: graphqlClient(withoutSandbox.url, by.apiKey) };
    const input = { carrierCode: 'BRT', label: 'x' };
    const message = 'must be live: this service has no stand-ins for carriers, since CARRIER_SANDBOX_URL is not set';
    expect(await words(there, CONNECT, { input })).toEqual([`/environment not_allowed: ${message}`]);
    const id = await connectSandbox(by, 'BRT');
    expect(await list(there)).toMatchObject([{ databaseId: id, environment: 'sandbox' }]);
    expect(await outcomeOf(there, id)).toBe('unavailable');
    expect(receiver.requests).toEqual([]);
  });

  test('rejects an environment other than the environment of the key', async () => {
    const input = { carrierCode: 'BRT', label: 'x' };
    const [live, sandbox] = [await world.company(), await world.sandbox()];
    expect(await words(live, CONNECT, { input: { ...input, environment: 'sandbox' } })).toEqual([
      '/environment not_allowed: must be live: carriers of the sandbox are connected with a sandbox key, or by the command with --environment sandbox',
    ]);
    expect(await words(sandbox, CONNECT, { input: { ...input, environment: 'live' } })).toEqual([
      '/environment not_allowed: must be sandbox: a sandbox has no live connections',
    ]);
  });

  test('rejects an unknown environment', async () => {
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
  test.each(TAKEN)('%s is accepted, without a slash at its end', async (baseUrl, stored) => {
    const by = await world.company();
    const made = await connect(by, { baseUrl });
    expect(made.baseUrl).toBe(stored);
    const { databaseId: id } = await connect(by);
    expect((await update(by, id, { baseUrl })).baseUrl).toBe(stored);
    expect((await list(by)).map(one => one.baseUrl)).toEqual([stored, stored]);
    expect((await update(by, id, { label: 'Altro' })).baseUrl).toBe(stored);
    expect((await update(by, id, { baseUrl: null })).baseUrl).toBeNull();
  });

  /** `platform/outbound-addresses.test.ts` has every address. */
  const REFUSED: [string, string, string][] = [
    ['http', 'http://test.carrier.example', 'https_required'],
    ['a user', 'https://me:secret@test.carrier.example', 'user_info'],
    ['a query', 'https://test.carrier.example/?key=1', 'invalid_url'],
    ['a fragment', 'https://test.carrier.example/#x', 'fragment'],
    ['the machine itself', 'https://127.0.0.1', 'blocked_address'],
    ['a private address', 'https://10.0.0.8/api', 'blocked_address'],
    ['2,049 characters', `https://a.example/${'x'.repeat(2031)}`, 'too_long'],
  ];
  test.each(REFUSED)('with %s is rejected', async (_what, baseUrl, code) => {
    const before = await stillness();
    const wrong = `validation_failed: /baseUrl ${code}`;
    expect(await refusal(still.by, CONNECT, { input: { carrierCode: 'BRT', label: 'x', baseUrl } })).toBe(wrong);
    expect(await refusal(still.by, UPDATE, { input: { id: still.id, label: 'Nuovo', baseUrl } })).toBe(wrong);
    expect(await stillness()).toEqual(before);
  });

  test('is not repeated in its rejection', async () => {
    const input = { carrierCode: 'BRT', label: 'x', baseUrl: 'https://me:geheim@test.carrier.example' };
    expect(JSON.stringify(await still.by.graphql(CONNECT, { input }))).not.toContain('geheim');
  });

  test('of a hundred thousand slashes is rejected at once', async () => {
    const startMs = performance.now();
    const input = { baseUrl: SLASHES };
    expect(await refusal(still.by, UPDATE, { input: { id: still.id, ...input } })).toBe(
      'validation_failed: /baseUrl too_long',
    );
    expect(performance.now() - startMs).toBeLessThan(3_000);
  });

  test('is rejected for the sandbox', async () => {
    const by = await world.sandbox();
    const input = { carrierCode: 'BRT', label: 'x', baseUrl: 'https://test.carrier.example' };
    expect(await refusal(by, CONNECT, { input })).toBe('validation_failed: /baseUrl not_allowed');
    const id = await connectSandbox(by, 'BRT', { baseUrl: null });
    const wrong = await refusal(by, UPDATE, { input: { id, baseUrl: input.baseUrl } });
    expect(wrong).toBe('validation_failed: /baseUrl not_allowed');
    expect((await update(by, id, { baseUrl: null })).baseUrl).toBeNull();
  });

  test('that resolves to the machine itself is not connected to, and the sandbox is not called in its place', async () => {
    const by = await world.company();
    const { databaseId: id } = await connect(by, { credentials: CREDENTIALS.BRT });
    const { port } = new URL(receiver.url);
    for (const baseUrl of [`https://127.0.0.1:${port}`, `https://localhost:${port}`, receiver.url]) {
      await given.database.query('update carrier_connection set base_url = $2 where id = $1', [id, baseUrl]);
      expect(await outcomeOf(by, id)).toBe('unavailable');
      expect(await check(by, id)).toBe('CARRIER_UNAVAILABLE');
    }
    expect(receiver.requests).toEqual([]);
  });
});
