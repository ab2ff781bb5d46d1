import { afterEach, describe, expect, test, vi } from 'vitest';
import type { CarrierAccount } from '../../src/domain/shipping/carriers/carrier.port.ts';
import { Outbound } from '../../src/platform/outbound/outbound.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import type { CarrierAdapter } from '../../src/upstream/adapter.ts';
import { type Call, CarrierFetch } from '../../src/upstream/carrier-fetch.ts';
import { fedex } from '../../src/upstream/fedex.ts';
import { ups } from '../../src/upstream/ups.ts';
import { ASKED, type Asked } from '../support/carriers.ts';
import { resultOf } from '../support/graphql-client.ts';
import { type Received, type Reply, startReceiver } from '../support/receiver.ts';
import {
  type Account,
  type Answering,
  good,
  json,
  page,
  SECRET,
  STREET,
  TOKEN,
  useAccounts,
  VALID,
} from './carrier-accounts.ts';
import { ERROR, expectNoToken, faultsAt, faultsOfTokens, UNAVAILABLE } from './carrier-faults.ts';

const given = useAccounts();
const { carrier, logged, accounts, connect, ownerOf } = given;

describe('Every response of a carrier has an outcome:', () => {
  // Each fault is tried with one carrier, by turns; `carrier-faults.slow.test.ts` tries it with all.
  const byTurns = faultsAt(carrier).map((fault, n) => [ASKED[n % ASKED.length] as Asked, ...fault] as const);
  test.each(byTurns)('of %s: %s', async (carrierCode, _what, answer, code, requests) => {
    const account = await connect(carrierCode);
    account.answer = answer(account);
    expect([await account.check(), account.checks.length]).toEqual([code, requests]);
  });

  // biome-ignore format: a table reads as rows
  test.each<[Asked, what: string, answer: unknown]>([
    ['BRT',   'a list in the answer',          { routingResponse: [] }],
    ['BRT',   'a text in the answer',          { routingResponse: 'OK' }],
    ['BRT',   'no verdict',                    { routingResponse: { consigneeZIPCode: '90139' } }],
    ['BRT',   'a verdict in a text',           { routingResponse: { executionMessage: 'OK' } }],
    ['BRT',   'a verdict without a code',      { routingResponse: { executionMessage: { message: 'OK' } } }],
    ['BRT',   'a code that is none',           { routingResponse: { executionMessage: { code: 'OK' } } }],
    ['BRT',   'a code that is a list',         { routingResponse: { executionMessage: { code: [0] } } }],
    ['BRT',   'a code that nobody knows',      { routingResponse: { executionMessage: { code: -999 } } }],
    ['BRT',   'a correction of nothing',       { routingResponse: { executionMessage: { code: 4 } } }],
    ['BRT',   'an object in the place',        { routingResponse: { consigneeCity: { name: 'x' }, executionMessage: { code: 0 } } }],
    ['DHL',   'an object for the list',        { address: { postalCode: '90139' } }],
    ['DHL',   'texts in the list',             { address: ['90139'] }],
    ['DHL',   'nulls in the list',             { address: [null, null] }],
    ['DHL',   'places that say nothing',       { address: [{}, { countryCode: 'IT' }] }],
    ['DHL',   'an object for the postal code', { address: [{ postalCode: { code: '90139' } }] }],
    ['DHL',   'a list for the city',           { address: [{ postalCode: '90139', cityName: ['Palermo'] }] }],
    ['UPS',   'a text for the answer',         { emsResponse: 'OK' }],
    ['UPS',   'an answer that says nothing',   { emsResponse: {} }],
    ['UPS',   'an object for the services',    { emsResponse: { destinationCountryCode: 'IT', services: { businessTransitDays: 1 } } }],
    ['UPS',   'candidates that say nothing',   { destinationPickList: [null, {}, { countryCode: 'IT' }] }],
    ['UPS',   'a text for the candidates',     { destinationPickList: 'Palermo' }],
    ['FEDEX', 'a text for the output',         { output: 'OK' }],
    ['FEDEX', 'an output that says nothing',   { output: {} }],
    ['FEDEX', 'an object for the places',      { output: { locationDescriptions: { postalCode: '90139' } } }],
    ['FEDEX', 'an object for the postal code', { output: { cleanedPostalCode: { code: '90139' } } }],
    ['FEDEX', 'errors with 200',               { errors: [{ code: 'NOT.AUTHORIZED.ERROR', message: 'no' }] }],
  ])('%s: %s', async (carrierCode, _what, answer) => {
    const account = await connect(carrierCode, { answer: json(answer) });
    expect([await account.check(), account.checks.length]).toEqual([ERROR, 1]);
  });

  test.each<[Asked, answer: (zip: string) => unknown]>([
    [
      'BRT',
      zip => ({ routingResponse: { consigneeZIPCode: zip, consigneeCity: null, executionMessage: { code: 0 } } }),
    ],
    [
      'DHL',
      zip => ({ warnings: null, address: [null, { countryCode: null, postalCode: zip, cityName: null }], more: {} }),
    ],
    [
      'UPS',
      zip => ({
        validationList: null,
        emsResponse: { destinationPostalCode: zip, services: [null, { businessTransitDays: 1 }] },
      }),
    ],
    ['FEDEX', zip => ({ output: { countryCode: null, locationDescriptions: [null, { postalCode: zip }] } })],
  ])('%s may omit everything that is not needed', async (carrierCode, answer) => {
    const account = await connect(carrierCode);
    account.answer = json(answer(account.mark));
    expect(await account.check()).toBe(VALID);
  });

  test('a redirect is not followed', () => {
    expect(carrier.requests.filter(({ path }) => !/^\/(gls|brt|dhl|ups|fedex)\//.test(path))).toEqual([]);
  });
});

describe('A request that did not get through is sent once more', () => {
  const once: [what: string, first: Reply][] = [
    ['a reset', { destroy: true }],
    ['502', page(502)],
    ['503', page(503)],
    ['504', page(504)],
  ];
  test.each(once)('after %s', async (_what, first) => {
    for (const carrierCode of ASKED) {
      const account = await connect(carrierCode);
      account.answer = (_request, n) => (n === 1 ? first : good(carrierCode, account.mark));
      expect([carrierCode, await account.check()]).toEqual([carrierCode, VALID]);
      expect(account.checks).toHaveLength(2);
      const [one, other] = account.checks.map(({ method, path, body: sent }) => ({ method, path, sent: `${sent}` }));
      expect(other).toEqual(one);
    }
  });

  test('and the outcome of the second attempt is final', async () => {
    const account = await connect('DHL', { answer: (_request, n) => (n === 1 ? { destroy: true } : page(418)) });
    expect([await account.check(), account.checks.length]).toEqual([ERROR, 2]);
  });
});

describe('A connection that does not respond is left alone for a while:', () => {
  afterEach(() => vi.useRealTimers());

  async function failing(carrierCode: Asked, answer: Answering = page(500)): Promise<Account> {
    const account = await connect(carrierCode, { answer });
    for (let n = 1; n <= 5; n++) expect(await account.check()).toBe(UNAVAILABLE);
    return account;
  }

  test.each(ASKED)('%s, after five failures in a row, while others are asked', async carrierCode => {
    const account = await failing(carrierCode);
    expect(account.checks).toHaveLength(5);
    account.answer = good(carrierCode, account.mark);
    expect([await account.check(), await account.check()]).toEqual([UNAVAILABLE, UNAVAILABLE]);
    expect(account.checks).toHaveLength(5);
    // At the same carrier, at the same address.
    const other = await connect(carrierCode);
    expect([await other.check(), other.checks.length]).toEqual([VALID, 1]);
  });

  test('it is asked again later, and as usual after the first response', async () => {
    const account = await failing('DHL');
    const startMs = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: startMs + 9_000 });
    expect([await account.check(), account.checks.length]).toEqual([UNAVAILABLE, 5]);
    vi.setSystemTime(startMs + 11_000);
    expect([await account.check(), account.checks.length]).toEqual([UNAVAILABLE, 6]);
    account.answer = good('DHL', account.mark);
    vi.setSystemTime(startMs + 29_000);
    expect([await account.check(), account.checks.length]).toEqual([UNAVAILABLE, 6]);
    vi.setSystemTime(startMs + 32_000);
    expect([await account.check(), account.checks.length]).toEqual([VALID, 7]);
    account.answer = page(500);
    for (let n = 1; n <= 5; n++) await account.check();
    expect(account.checks).toHaveLength(12);
  });

  test('failures at the same time count as well', async () => {
    const account = await connect('BRT', { answer: page(500) });
    await Promise.all(Array.from({ length: 20 }, () => account.check()));
    const asked = account.checks.length;
    expect([await account.check(), account.checks.length]).toEqual([UNAVAILABLE, asked]);
  });

  test('unreadable responses count too, since reading them takes time', async () => {
    const account = await connect('DHL', { answer: page(200) });
    for (let n = 1; n <= 7; n++) expect(await account.check()).toBe(n <= 5 ? ERROR : UNAVAILABLE);
    expect(account.checks).toHaveLength(5);
  });

  // A rejection, and a response that asks to wait: a carrier that sends them is alive.
  test.each<[what: string, answer: Answering, code: string]>([
    ['403', page(403), ERROR],
    ['429 that names a time', page(429, { 'retry-after': '30' }), UNAVAILABLE],
  ])('%s does not count as such a failure', async (_what, answer, code) => {
    const account = await connect('DHL', { answer });
    for (let n = 1; n <= 7; n++) expect(await account.check()).toBe(code);
    expect(account.checks).toHaveLength(7);
  });

  test('missing tokens count too', async () => {
    const account = await connect('UPS', { grant: page(500) });
    for (let n = 1; n <= 7; n++) expect(await account.check()).toBe(UNAVAILABLE);
    expect(account.asked).toEqual([0, 5]);
  });
});

describe.each(['UPS', 'FEDEX'] as const)('A token of %s', carrierCode => {
  const bearers = (account: Account) => account.checks.map(({ headers }) => headers.authorization);

  test('is requested once, however many checks wait for it, and used from then on', async () => {
    const account = await connect(carrierCode);
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => account.check()));
    expect(new Set(outcomes)).toEqual(new Set([VALID]));
    expect(account.asked).toEqual([40, 1]);
    expect(await account.check()).toBe(VALID);
    expect(account.asked).toEqual([41, 1]);
    expect(new Set(bearers(account))).toEqual(new Set([`Bearer ${TOKEN}-${account.mark}-1`]));
  });

  test('belongs to one account', async () => {
    const [one, other] = [await connect(carrierCode), await connect(carrierCode)];
    await Promise.all([one.check(), other.check(), one.check(), other.check()]);
    for (const account of [one, other]) {
      expect(account.asked).toEqual([2, 1]);
      expect(new Set(bearers(account))).toEqual(new Set([`Bearer ${TOKEN}-${account.mark}-1`]));
    }
  });

  test('is renewed when the carrier no longer accepts it', async () => {
    const account = await connect(carrierCode);
    expect(await account.check()).toBe(VALID);
    const { answer } = account;
    const isFirst = ({ headers }: Received) => headers.authorization?.endsWith('-1');
    account.answer = request => (isFirst(request) ? page(401) : (answer as Reply));
    expect(await account.check()).toBe(VALID);
    expect(account.asked).toEqual([3, 2]);
    expect(bearers(account).map(bearer => bearer?.at(-1))).toEqual(['1', '1', '2']);
    expect(await account.check()).toBe(VALID);
    expect(account.asked).toEqual([4, 2]);
  });

  test('is renewed once for all requests that were rejected with it', async () => {
    const account = await connect(carrierCode);
    expect(await account.check()).toBe(VALID);
    const { answer } = account;
    account.answer = ({ headers }) => (headers.authorization?.endsWith('-1') ? page(401) : (answer as Reply));
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => account.check()));
    expect(new Set(outcomes)).toEqual(new Set([VALID]));
    expect(account.grants).toHaveLength(2);
  });

  test('means wrong credentials if the new one is rejected as well', async () => {
    const account = await connect(carrierCode, { answer: page(401) });
    expect(await account.check()).toBe(ERROR);
    expect(account.asked).toEqual([2, 2]);
  });

  test('is requested anew for other credentials', async () => {
    const account = await connect(carrierCode);
    expect(await account.check()).toBe(VALID);
    const credentials = { ...account.credentials, clientSecret: `${SECRET}-another` };
    const answer = await given.caller.graphql(
      `mutation ($input: UpdateCarrierConnectionInput!) {
        updateCarrierConnection(input: $input) { carrierConnection { databaseId } userErrors { code pointer message } }
      }`,
      { input: { id: account.carrierCompanyId, credentials } },
    );
    resultOf(answer);
    expect(await account.check()).toBe(VALID);
    expect(bearers(account).map(bearer => bearer?.at(-1))).toEqual(['1', '2']);
  });

  // Each is tried with one of the two, by turns; `carrier-faults.slow.test.ts` tries it with both.
  const byTurns = faultsOfTokens(carrier).filter((_, n) => (n % 2 === 0) === (carrierCode === 'UPS'));
  test.each(byTurns)('is not accepted: %s', async (_what, grant, code, requests) => {
    await expectNoToken(await connect(carrierCode), grant, code, requests);
  });

  test.each([
    ['3600', 1],
    [3600, 1],
    [1e12, 1],
    // Over before it is used.
    [-1, 2],
    // Nobody knows when: some minutes.
    [0, 1],
    ['soon', 1],
    [null, 1],
    [undefined, 1],
    [[3600, 1], 1],
  ])('that expires after %s is requested %i times for two checks', async (expires_in, grants) => {
    const account = await connect(carrierCode);
    account.grant = json({ access_token: `${TOKEN}-${account.mark}`, expires_in });
    expect([await account.check(), await account.check()]).toEqual([VALID, VALID]);
    expect(account.grants).toHaveLength(grants);
  });
});

describe('A token is only sent to the origin that issued it:', () => {
  test.each<[string, CarrierAdapter, string]>([
    ['UPS', ups, '/shipments/v1/transittimes'],
    ['FEDEX', fedex, '/country/v1/postal/validate'],
  ])('%s', async (carrierCode, adapter, path) => {
    const servers = [await startReceiver(), await startReceiver()];
    const outbound = new Outbound({ allowPrivate: ['127.0.0.0/8'], allowHttp: true });
    try {
      for (const [n, server] of servers.entries()) {
        server.answer(({ path: asked }) =>
          asked === path ? json({}) : json({ access_token: `${TOKEN}-of-${n}`, expires_in: 3600 }),
        );
      }
      const { fetch } = new CarrierFetch(createMetrics(), undefined);
      const account = {
        key: 'one/1',
        carrierCode,
        environment: 'live',
        baseUrl: null,
        credentials: {},
      } as CarrierAccount;
      for (const server of [...servers, ...servers]) {
        const call: Call = {
          purpose: 'address',
          account,
          credentials: account.credentials,
          adapter,
          isMany: false,
          baseUrl: server.url,
          outbound,
          deadline: new AbortController().signal,
          failure: null,
          exchanged: [],
        };
        expect((await fetch(server.url + path, { method: 'POST', body: '{}' }, call)).status).toBe(200);
      }
      for (const [n, { requests }] of servers.entries()) {
        const bearers = requests.filter(request => request.path === path).map(({ headers }) => headers.authorization);
        expect(bearers).toEqual(Array(2).fill(`Bearer ${TOKEN}-of-${n}`));
        expect(requests).toHaveLength(3);
      }
    } finally {
      await outbound.close();
      for (const server of servers) await server.close();
    }
  });
});

// After those that take long: it cuts all connections.
test.each(ASKED)('The carrier %s is unavailable if there is no server', async carrierCode => {
  const account = await connect(carrierCode);
  const { port } = new URL(carrier.url);
  await carrier.close();
  try {
    expect(await account.check()).toBe(UNAVAILABLE);
  } finally {
    const again = await startReceiver({ port: Number(port) });
    again.answer(request => ownerOf(request).replyTo(request));
    Object.assign(carrier, again);
  }
  expect(account.checks).toEqual([]);
  expect(await account.check()).toBe(VALID);
});

test('No credential, token or address is in any response, log or metric', async () => {
  const requests = [...accounts.values()].flatMap(({ checks, grants }) => [...checks, ...grants]);
  const authorizations = new Set(
    requests.flatMap(({ headers }) => headers.authorization ?? []).map(value => value.replace(/^\w+ /, '')),
  );
  expect(authorizations.size).toBeGreaterThan(100);
  // They were sent, and the searched records are there.
  const sent = requests.map(({ path, body: text }) => path + text).join('\n');
  for (const secret of [SECRET, STREET]) expect(sent).toContain(secret);
  const log = logged.log();
  expect(log.match(/"carrier asked"/g)?.length).toBeGreaterThan(150);
  const { registry } = logged.app.metrics;
  const figures = await registry.metrics();
  expect(figures).toContain('shipping_carrier_request_duration_seconds');

  const told = [...accounts.values()].flatMap(account => account.told);
  const valid = told.filter(text => text.includes(VALID));
  const others = told.filter(text => !text.includes(VALID));
  expect(others.length).toBeGreaterThan(150);
  for (const [where, text] of Object.entries({ log, figures, others: others.join('\n'), valid: valid.join('\n') })) {
    const found = [...authorizations, SECRET, TOKEN].filter(secret => text.includes(secret));
    expect([where, found]).toEqual([where, []]);
    // A suggestion is an address, and nothing else may be.
    if (where !== 'valid') expect([where, new RegExp(STREET, 'i').test(text)]).toEqual([where, false]);
    expect([where, text.includes(carrier.url)]).toEqual([where, false]);
  }
  const marks = [...accounts.keys()].filter(mark => log.includes(mark) || figures.includes(mark));
  expect(marks).toEqual([]);
  // Nothing was an error of ours either.
  expect(log).not.toMatch(/"level":"(error|fatal)"|"level":[56]0|internal_error/);
});
