import { beforeAll, describe, expect, test } from 'vitest';
import { newSecretsKey, SecretBox } from '../../src/platform/secrets/secret-box.ts';
import { ASKED, askedAt, CONNECTED, CREDENTIALS, connectSandbox, placeOf, useLoggedApp } from '../support/carriers.ts';
import { type Item, outcomes, refusal, shipment, times, unseen, upsertShipments } from '../support/platform-side.ts';
import type { Received, Reply } from '../support/receiver.ts';
import type { Caller } from '../support/world.ts';
import {
  ADDRESS,
  CONNECT,
  check,
  connect,
  DISCONNECT,
  disconnect,
  LIST,
  list,
  NOBODYS,
  outcomeOf,
  strange,
  TEST,
  UNSUPPORTED,
  UPDATE,
  update,
  useConnections,
} from './connection-calls.ts';

const given = useConnections();
const { world, receiver, atSandbox, logged, boxOf } = given;

const OTHER_KEY = newSecretsKey();
// As an operator does whose key is lost: otherwise no process starts with another one.
beforeAll(() =>
  world.pool.query('update secrets_key set id = $1', [Buffer.from(SecretBox.of(OTHER_KEY).keyIds[0], 'hex')]),
);

/** The service with another SECRETS_KEY. */
const otherKey = useLoggedApp(world, Object.assign(askedAt(receiver), { SECRETS_KEY: OTHER_KEY }));

const setBox = (id: number, box: Buffer) =>
  given.database.query('update carrier_connection set credentials = $2 where id = $1', [id, box]);

const HTML = { headers: { 'content-type': 'text/html' }, body: '<!DOCTYPE html><html><body>Hi</body></html>' };

describe('testCarrierConnection', () => {
  test.each(CONNECTED)('reports for %s whether the carrier accepts or rejects the credentials', async code => {
    const by = await world.sandbox();
    const [right, wrong] = [
      await connectSandbox(by, code),
      await connectSandbox(by, code, { credentials: strange(code) }),
    ];
    expect([await outcomeOf(by, right), await outcomeOf(by, wrong)]).toEqual(['accepted', 'refused']);
    expect(new Set(receiver.requests.map(({ path }) => path.split('/')[1]))).toEqual(new Set([placeOf(code)]));
  });

  // Every fault of a carrier is in `rest/carrier-faults.ts`.
  test.each<[string, Reply, string]>([
    ['a page', HTML, 'unreadable'],
    ['nothing', {}, 'unreadable'],
    ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example' } }, 'unreadable'],
    ['that it is forbidden', { status: 403 }, 'refused'],
    ['too many requests', { status: 429 }, 'unavailable'],
    ['a fault of its own', { status: 500 }, 'unavailable'],
  ])('reports the outcome if any carrier answers with %s', async (_what, reply, outcome) => {
    const by = await world.sandbox();
    receiver.answer(reply);
    for (const code of CONNECTED) {
      const id = await connectSandbox(by, code);
      expect([code, await outcomeOf(by, id)]).toEqual([code, outcome]);
    }
  });

  // By the last digits of a postal code: not found, and invalid.
  test.each(['90192', '90193'])(
    'reports a server that does not know the centre of Milan as unreadable (%s)',
    async zip => {
      const by = await world.sandbox();
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

  test('calls no carrier if the connection is inactive, or has no credentials or no interface', async () => {
    const by = await world.sandbox();
    const { databaseId: bare } = await connect(by);
    const idle = await connectSandbox(by, 'BRT', { isActive: false });
    const { databaseId: both } = await connect(by, { isActive: false });
    expect(await outcomeOf(by, bare)).toBe('no_credentials');
    expect(await outcomeOf(by, idle)).toBe('inactive');
    expect(await outcomeOf(by, both)).toBe('inactive');
    for (const carrierCode of UNSUPPORTED) {
      for (const isActive of [true, false]) {
        const { databaseId: id } = await connect(by, { carrierCode, isActive });
        expect([carrierCode, await outcomeOf(by, id)]).toEqual([carrierCode, 'unsupported']);
      }
    }
    expect(receiver.requests).toEqual([]);
  });
});

describe('Credentials', () => {
  test.each(CONNECTED)(
    'of %s are in no response, error, metric or log, whatever the carrier does with them',
    async code => {
      const secrets = strange(code, `GEHEIM${code}`);
      const said: string[] = [];
      const by = logged.as(await world.sandbox());
      const graphql = async (query: string, variables: Item) => {
        const answer = await by.graphql<Record<string, { carrierConnection: { databaseId: number } | null }>>(
          unseen(query),
          variables,
        );
        said.push(JSON.stringify(answer));
        return answer;
      };
      const input = { carrierCode: code, label: 'Conto', credentials: secrets };
      const { data } = await graphql(CONNECT, { input });
      const id = data.connectCarrier?.carrierConnection?.databaseId ?? 0;
      expect(id).toBeGreaterThan(0);

      // An input that is rejected for any of its fields.
      const [first = '', mark = ''] = Object.entries(secrets)[0] ?? [];
      const twisted: Item[] = [
        { ...secrets, [first]: `${mark}\nx` },
        { ...secrets, [first]: mark.repeat(100) },
        { ...secrets, [first]: [mark] },
        { ...secrets, [first]: { [mark]: mark } },
        { ...secrets, pin: mark },
        { [first]: mark },
        ...CONNECTED.map(other => strange(other, `GEHEIM${code}`)),
      ];
      for (const credentials of twisted) {
        await graphql(CONNECT, { input: { ...input, label: ' ', credentials } });
        await graphql(UPDATE, { input: { id, label: ' ', credentials } });
      }
      await graphql(UPDATE, { input: { id: NOBODYS, credentials: secrets } });
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
        // A connection each, since one that only fails is paused.
        const { data: another } = await graphql(CONNECT, { input });
        const asked = another.connectCarrier?.carrierConnection?.databaseId ?? 0;
        await graphql(TEST, { id: asked });
        said.push((await by.rest('POST', '/addresses/check-address', { carrierCompanyId: asked, ...ADDRESS })).text);
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

  test('are encrypted in the database, differently each time', async () => {
    const by = await world.sandbox();
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
    const { rows } = await given.database.query(
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
  test.each(boxes)('whose ciphertext is %s cannot be used, but can be replaced', async (_what, spoil) => {
    const by = await world.sandbox();
    const id = await connectSandbox(by, 'BRT');
    await setBox(id, spoil((await boxOf(id)) ?? Buffer.alloc(0)));
    expect(await check(by, id)).toBe('VERIFICATION_ERROR');
    expect(await outcomeOf(by, id)).toBe('no_credentials');
    expect(await list(by)).toMatchObject([{ hasCredentials: true }]);
    expect(receiver.requests).toEqual([]);
    await update(by, id, { credentials: CREDENTIALS.BRT });
    expect(await outcomeOf(by, id)).toBe('accepted');
  });

  test('cannot be decrypted in the row of another connection, of the same or another company', async () => {
    const [by, stranger] = [await world.sandbox(), await world.sandbox()];
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

  test('cannot be decrypted without their key, while the service continues and new credentials can be set', async () => {
    const by = await world.sandbox();
    const there = otherKey.as(by);
    const id = await connectSandbox(by, 'BRT');
    expect(await check(there, id)).toBe('VERIFICATION_ERROR');
    expect(await outcomeOf(there, id)).toBe('no_credentials');
    expect(receiver.requests).toEqual([]);
    expect(otherKey.log()).toContain(`"carrierConnectionId":${id}`);
    expect(await list(there)).toMatchObject([{ databaseId: id, hasCredentials: true }]);
    expect((await update(there, id, { label: 'Altro' })).label).toBe('Altro');
    // The former credentials.
    expect(await check(by, id)).toBe('ADDRESS_VALID');
    await update(there, id, { credentials: CREDENTIALS.BRT });
    expect(await check(there, id)).toBe('ADDRESS_VALID');
    expect(await check(by, id)).toBe('VERIFICATION_ERROR');
    await disconnect(by, id);
    expect(await boxOf(id)).toBeNull();
  });
});

describe('Among concurrent requests', () => {
  test('updates of different fields all take effect', async () => {
    const by = await world.sandbox();
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

  test('updates of the same fields leave exactly one of them, whole', async () => {
    const by = await world.sandbox();
    const id = await connectSandbox(by, 'DHL');
    await Promise.all(times(12, i => update(i % 2 ? by : logged.as(by), id, { label: `${i}`, credentials: pair(i) })));
    const [{ label } = { label: '' }] = await list(by);
    await outcomeOf(by, id);
    const [request] = await receiver.waitFor(1);
    const { username, password } = pair(Number(label));
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);
  });

  const pair = (i: number) => ({ username: `user${i}`, password: `password${i}` });

  test('an update during a disconnection is done before it or rejected after it, and never restores the connection', async () => {
    const by = await world.sandbox();
    for (const _ of times(4, i => i)) {
      const id = await connectSandbox(by, 'BRT');
      const input = { label: 'Nuovo', isActive: true, credentials: CREDENTIALS.BRT };
      const told = await Promise.all([
        refusal(by, UPDATE, { input: { id, ...input } }),
        refusal(logged.as(by), DISCONNECT, { id }),
        refusal(by, DISCONNECT, { id }),
        refusal(logged.as(by), UPDATE, { input: { id, ...input } }),
      ]);
      expect(new Set([undefined, 'carrier_connection_not_found', ...told]).size).toBe(2);
      // One of the two ended it.
      expect([told[1], told[2]].filter(code => code === undefined)).toHaveLength(1);
      expect(await boxOf(id)).toBeNull();
      expect(await refusal(by, UPDATE, { input: { id, ...input } })).toBe('carrier_connection_not_found');
    }
    expect(await list(by)).toEqual([]);
  });

  test('shipments during a disconnection are created or rejected, and none is polled', async () => {
    const by = await world.sandbox();
    for (const round of times(4, i => i)) {
      const id = await connectSandbox(by, 'BRT');
      const feed = (to: Caller, name: string) =>
        upsertShipments(
          to,
          times(20, i => shipment(id, `RACE${round}${name}${i}`)),
        );
      const [one, , other] = await Promise.all([feed(by, 'a'), disconnect(by, id), feed(logged.as(by), 'b')]);
      for (const batch of [one, other]) expect(['created', 'rejected']).toContain([...new Set(outcomes(batch))].join());
      const { rowCount } = await given.database.query('select 1 from tracking_poll where carrier_connection_id = $1', [
        id,
      ]);
      expect(rowCount).toBe(0);
    }
  });

  test('requests to a carrier during a change of credentials use the old or the new ones, never a mixture', async () => {
    const by = await world.sandbox();
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
