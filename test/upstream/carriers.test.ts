import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AskedAddress, CarrierAccount, TrackingFinding } from '../../src/domain/shipping/carriers/carrier.port.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import { Carriers } from '../../src/upstream/carriers.ts';
import { ASKED, CONNECTED, CREDENTIALS, placeOf } from '../support/carriers.ts';
import { SELF_SIGNED } from '../support/certificate.ts';
import { useWatchedLog } from '../support/log-watch.ts';
import { type Received, type Reply, startReceiver, useReceiver } from '../support/receiver.ts';
import { PATIENTLY } from '../support/time.ts';

const PALERMO: AskedAddress = {
  address: 'Via Libertà 12',
  city: 'Palermo',
  zip: '90139',
  provincia: 'PA',
  country: 'IT',
  origin: { country: 'IT', zip: '20121', city: 'Milano' },
};
const UNAVAILABLE = { kind: 'unavailable' };
/**
 * The outcome of a call while a connection that does not respond is paused: 10 s, or 20 if a call was still under way
 * and failed too.
 */
const NOT_ASKED = { kind: 'not_asked', retryAfterMs: expect.toSatisfy((ms: number) => ms > 0 && ms <= 20_000) };

const receiver = useReceiver();
beforeEach(() => {
  receiver.clear();
  receiver.answer({ status: 500 });
});

const log = useWatchedLog();
const opened: Carriers[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const carriers of opened.splice(0)) await carriers.close();
});

/** The carriers' interfaces, with the receiver for a sandbox. */
function open({ hasSandbox = true } = {}): Carriers {
  const carriers = new Carriers(hasSandbox ? receiver.url : undefined, createMetrics(), log);
  opened.push(carriers);
  return carriers;
}

let accounts = 0;

/** A connection that was never asked before: none has another's failures. */
function account(carrierCode: CarrierAccount['carrierCode'], fields: Partial<CarrierAccount> = {}): CarrierAccount {
  const credentials = CREDENTIALS[carrierCode as keyof typeof CREDENTIALS] ?? {};
  const asker = {
    companyId: randomUUID() as CompanyId,
    carrierConnectionId: 1,
    purpose: 'tracking_poll',
    requestId: null,
  } as const;
  return {
    key: `company/${++accounts}`,
    carrierCode,
    environment: 'sandbox',
    baseUrl: null,
    credentials,
    asker,
    ...fields,
  };
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => `N${String(i).padStart(3, '0')}`);
const json = (body: unknown): Reply => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const PARCEL = '/brt/rest/v1/tracking/parcelID/';

/** A parcel of BRT's whose one event names its number. */
function parcel({ path }: Received): Reply {
  const descrizione = path.slice(PARCEL.length);
  const evento = { id: '701', data: '01.07.2026', ora: '12.00', descrizione, filiale: 'MILANO' };
  return json({ ttParcelIdResponse: { esito: 0, executionMessage: { code: 0 }, lista_eventi: [{ evento }] } });
}

/** BRT's response about any parcel, with HTTP 200. */
function brtCode(code: number): Reply {
  return json({ ttParcelIdResponse: { esito: code, executionMessage: { code }, lista_eventi: [] } });
}

const isToken = ({ path }: Received) => path === '/fedex/oauth/token';

/** FedEx' tokens, and results whose one scan names their number, in another order than they were asked for. */
function fedex(request: Received): Reply {
  if (isToken(request)) return json({ access_token: 't', token_type: 'bearer', expires_in: 3599 });
  const completeTrackResults = numbersIn(request).map(trackingNumber => ({
    trackingNumber,
    trackResults: [
      { scanEvents: [{ date: '2026-07-01T12:00:00+02:00', eventType: 'DP', eventDescription: trackingNumber }] },
    ],
  }));
  return json({ output: { completeTrackResults: completeTrackResults.toReversed() } });
}

function numbersIn({ json: { trackingInfo } }: Received): string[] {
  return trackingInfo.map((info: { trackingNumberInfo: { trackingNumber: string } }) => {
    return info.trackingNumberInfo.trackingNumber;
  });
}

/** Which number each finding is about; its kind where it has no events. */
function about(findings: readonly TrackingFinding[]) {
  return findings.map(finding => (finding.kind === 'events' ? finding.events[0]?.description : finding.kind));
}

const kinds = (findings: readonly TrackingFinding[]) => [...new Set(findings.map(({ kind }) => kind))];

describe('A live account', () => {
  const PLACES = [
    ['its address', (port: string) => `https://127.0.0.1:${port}`],
    ['its address in IPv6', (port: string) => `https://[::1]:${port}`],
    ['its address within IPv6', (port: string) => `https://[::ffff:127.0.0.1]:${port}`],
    ['its address in other words', (port: string) => `https://0x7f.1:${port}`],
    ['its name', (port: string) => `https://localhost:${port}`],
    ['its name with a dot', (port: string) => `https://localhost.:${port}/v1`],
  ] as const;

  test.each(PLACES)('cannot reach the machine itself by %s', async (_how, at) => {
    const secure = await startReceiver({ tls: SELF_SIGNED });
    try {
      const baseUrl = at(new URL(secure.url).port);
      const carriers = open();
      for (const code of CONNECTED) {
        const live = account(code, { environment: 'live', baseUrl });
        expect([code, await carriers.checkAddress(live, PALERMO)]).toEqual([code, UNAVAILABLE]);
        expect([code, await carriers.track(live, ['N1'])]).toEqual([code, [UNAVAILABLE]]);
      }
      expect(secure.connections.total).toBe(0);
    } finally {
      await secure.close();
    }
  });

  test('is asked over https only', async () => {
    const carriers = open();
    for (const baseUrl of [receiver.url, receiver.url.replace('127.0.0.1', 'localhost'), 'http://93.184.215.14']) {
      const live = account('BRT', { environment: 'live', baseUrl });
      expect(await carriers.checkAddress(live, PALERMO)).toEqual(UNAVAILABLE);
    }
    expect(receiver.requests).toEqual([]);
  });

  test('is not asked at the sandbox, even if the sandbox responds', async () => {
    receiver.answer(parcel);
    const carriers = open();
    const live = account('BRT', { environment: 'live', baseUrl: 'https://127.0.0.1' });
    expect(await carriers.track(live, ['N1'])).toEqual([UNAVAILABLE]);
    expect(receiver.requests).toEqual([]);
    expect(about(await carriers.track(account('BRT'), ['N1']))).toEqual(['N1']);
  });

  test('is not asked more often than its carrier allows', async () => {
    const live = account('BRT', { environment: 'live', baseUrl: 'https://127.0.0.1' });
    const startMs = performance.now();
    expect(await open().track(live, numbers(4))).toEqual(Array(4).fill(UNAVAILABLE));
    // 300 a minute: the fourth goes out 600 ms after the first. A timer may be a little early.
    expect(performance.now() - startMs).toBeGreaterThan(590);
  });
});

describe('An account of the sandbox', () => {
  test.each(CONNECTED)('of %s is unavailable where there is no sandbox', async code => {
    const carriers = open({ hasSandbox: false });
    for (const baseUrl of [null, receiver.url, 'https://127.0.0.1']) {
      const of = account(code, { baseUrl });
      expect(await carriers.checkAddress(of, PALERMO)).toEqual(UNAVAILABLE);
      expect(await carriers.track(of, ['N1', 'N2'])).toEqual([UNAVAILABLE, UNAVAILABLE]);
    }
    expect(receiver.requests).toEqual([]);
  });

  test.each(CONNECTED)('of %s is asked there alone, whatever its base address', async code => {
    const elsewhere = await startReceiver();
    try {
      receiver.answer({ status: 401 });
      const of = account(code, { baseUrl: elsewhere.url });
      expect(await open().track(of, ['N1'])).toMatchObject([{ kind: 'refused' }]);
      expect(elsewhere.connections.total).toBe(0);
      expect(receiver.requests.map(({ path }) => path.split('/')[1])).toEqual([placeOf(code)]);
    } finally {
      await elsewhere.close();
    }
  });

  test('does not wait for a pace', async () => {
    receiver.answer(parcel);
    const startMs = performance.now();
    await open().track(account('BRT'), numbers(100));
    // A live one would take twenty seconds.
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });
});

test.each(['TNT', 'FERCAM'] as const)('The carrier %s, which has no interface, is unavailable', async code => {
  for (const environment of ['live', 'sandbox'] as const) {
    const of = account(code, { environment });
    expect(await open().checkAddress(of, PALERMO)).toEqual(UNAVAILABLE);
    expect(await open().track(of, ['N1'])).toEqual([UNAVAILABLE]);
  }
  expect(receiver.requests).toEqual([]);
});

describe('Several numbers', () => {
  test.each(CONNECTED)('cause no request to %s if there are none', async code => {
    expect(await open().track(account(code), [])).toEqual([]);
    expect(receiver.requests).toEqual([]);
  });

  test('are found in the order of the requests, even if the responses come in another', async () => {
    receiver.answer((request, n) => ({ ...parcel(request), delay: (n * 7) % 20 }));
    expect(about(await open().track(account('BRT'), numbers(60)))).toEqual(numbers(60));
    expect(receiver.requests).toHaveLength(60);
  });

  test('are requested sixteen at a time', async () => {
    const answer = receiver.hang();
    const findings = open().track(account('BRT'), numbers(40));
    await receiver.waitFor(16);
    expect(receiver.requests).toHaveLength(16);
    answer(parcel({ path: `${PARCEL}N` } as Received));
    expect(about(await findings)).toEqual(Array(40).fill('N'));
  });

  test.each([
    [1, [1]],
    [30, [30]],
    [31, [30, 1]],
    [65, [30, 30, 5]],
  ])('%i of FedEx are asked about in requests of at most thirty, with one token', async (count, sizes) => {
    const slowest = 30;
    receiver.answer(request =>
      isToken(request)
        ? fedex(request)
        : { ...fedex(request), delay: Math.max(0, slowest - numbersIn(request).length) },
    );
    expect(about(await open().track(account('FEDEX'), numbers(count)))).toEqual(numbers(count));
    const asked = receiver.requests.filter(request => !isToken(request)).map(numbersIn);
    expect(asked.map(({ length }) => length).toSorted((a, b) => b - a)).toEqual(sizes);
    expect(asked.flat().toSorted()).toEqual(numbers(count));
    expect(receiver.requests.filter(isToken)).toHaveLength(1);
  });

  test('have a result each if one fails', async () => {
    receiver.answer(request => (request.path.endsWith('N003') ? { status: 500 } : parcel(request)));
    const findings = about(await open().track(account('BRT'), numbers(6)));
    expect(findings).toEqual(['N000', 'N001', 'N002', 'unavailable', 'N004', 'N005']);
  });

  /** Requests that are under way when the carrier is first answered by, and those made until it is heard. */
  const AT_MOST = 16 + 3;
  const askedAbout = () => new Set(receiver.requests.map(({ path }) => path)).size;

  test.each<[string, Reply, object]>([
    ['asked to wait', { status: 429, headers: { 'retry-after': '30' } }, { retryAfterMs: 30_000, ...UNAVAILABLE }],
    [
      'told when it will be back',
      { status: 503, headers: { 'retry-after': '7' } },
      { retryAfterMs: 7_000, ...UNAVAILABLE },
    ],
    ['refused', { status: 401 }, { kind: 'refused' }],
  ])('are not asked about any more once the account is %s', async (_what, reply, finding) => {
    receiver.answer(reply);
    expect(await open().track(account('BRT'), numbers(200))).toEqual(Array(200).fill(finding));
    expect(askedAbout()).toBeGreaterThanOrEqual(16);
    expect(askedAbout()).toBeLessThanOrEqual(AT_MOST);
  });

  // biome-ignore format: a table reads as rows
  test.each<[CarrierAccount['carrierCode'], Reply]>([
    ['BRT', brtCode(-7)],
    ['BRT', brtCode(-57)],
    ['GLS', { headers: { 'content-type': 'text/xml' }, body: '<ELENCO><ERRORE><TESTOERRORE>Accesso non consentito</TESTOERRORE></ERRORE></ELENCO>' }],
  ])('are not asked about any more once %s refuses the account by other means than a status', async (code, reply) => {
    receiver.answer(reply);
    expect(await open().track(account(code), numbers(200))).toEqual(Array(200).fill({ kind: 'refused' }));
    expect(askedAbout()).toBeLessThanOrEqual(AT_MOST);
  });

  test('are asked about all the same if only two of them are rejected', async () => {
    const refused = new Set([`${PARCEL}N000`, `${PARCEL}N001`]);
    receiver.answer(request => (refused.has(request.path) ? { status: 403 } : parcel(request)));
    const findings = about(await open().track(account('BRT'), numbers(60)));
    expect(findings).toEqual(['refused', 'refused', ...numbers(60).slice(2)]);
  });

  test('are asked about again once the account is accepted again', async () => {
    receiver.answer({ status: 401 });
    const [of, carriers] = [account('BRT'), open()];
    expect(kinds(await carriers.track(of, numbers(40)))).toEqual(['refused']);
    receiver.answer(parcel);
    expect(about(await carriers.track(of, ['N1']))).toEqual(['N1']);
  });

  test.each<[string, Reply]>([
    ['with a status', { status: 500 }],
    ['in its answers', brtCode(-3)],
  ])('are not asked about any more once the carrier is found unavailable, %s', async (_how, reply) => {
    receiver.answer(reply);
    const [of, carriers] = [account('BRT'), open()];
    const findings = await carriers.track(of, numbers(200));
    // Each number was asked about, or its finding says that it was not, and when it can be.
    const asked = findings.filter(({ kind }) => kind === 'unavailable');
    expect(asked).toEqual(Array(askedAbout()).fill(UNAVAILABLE));
    const notAsked = findings.filter(({ kind }) => kind !== 'unavailable');
    expect(notAsked).toEqual(Array(200 - asked.length).fill(NOT_ASKED));
    expect(askedAbout()).toBeGreaterThanOrEqual(5);
    // Five failures in a row say so.
    expect(askedAbout()).toBeLessThanOrEqual(16 + 5);
    receiver.clear();
    receiver.answer(parcel);
    expect(await carriers.checkAddress(of, PALERMO)).toEqual(NOT_ASKED);
    expect(await carriers.track(of, ['N1'])).toEqual([NOT_ASKED]);
    expect(receiver.requests).toEqual([]);
  });

  test('keep the findings from before the account had to wait', async () => {
    const first = new Set(numbers(16).map(number => PARCEL + number));
    receiver.answer(request =>
      first.has(request.path) ? parcel(request) : { status: 429, headers: { 'retry-after': '30' } },
    );
    const findings = await open().track(account('BRT'), numbers(100));
    expect(about(findings.slice(0, 16))).toEqual(numbers(16));
    expect(findings.slice(16)).toEqual(Array(84).fill({ ...UNAVAILABLE, retryAfterMs: 30_000 }));
    expect(receiver.requests.length).toBeLessThanOrEqual(32);
  });

  test('are not asked about later either, until the account no longer has to wait', async () => {
    receiver.answer({ status: 429, headers: { 'retry-after': '30' } });
    const [of, carriers, startMs] = [account('BRT'), open(), Date.now()];
    vi.useFakeTimers({ toFake: ['Date'], now: startMs });
    await carriers.track(of, ['N1']);
    receiver.clear();
    receiver.answer(request => (request.path.startsWith(PARCEL) ? parcel(request) : { status: 401 }));
    vi.setSystemTime(startMs + 20_000);
    expect(await carriers.track(of, ['N1', 'N2'])).toEqual(Array(2).fill({ ...UNAVAILABLE, retryAfterMs: 10_000 }));
    expect(receiver.requests).toEqual([]);
    // It was about shipments; and about this account.
    expect(await carriers.checkAddress(of, PALERMO)).toEqual({ kind: 'refused' });
    expect(about(await carriers.track(account('BRT'), ['N1']))).toEqual(['N1']);
    vi.setSystemTime(startMs + 30_001);
    expect(about(await carriers.track(of, ['N1', 'N2']))).toEqual(['N1', 'N2']);
  });

  test('are not delayed further by requests that were under way', async () => {
    const gate = Promise.withResolvers<void>();
    const late = new Set(numbers(16).slice(1));
    receiver.answer(async request => {
      const number = request.path.slice(PARCEL.length);
      if (number === 'N000') return { status: 429, headers: { 'retry-after': '30' } };
      if (late.has(number)) await gate.promise;
      return parcel(request);
    });
    const [of, carriers] = [account('BRT'), open()];
    const findings = carriers.track(of, numbers(16));
    const isPutOff = async () => expect(kinds(await carriers.track(of, ['N999']))).toEqual(['unavailable']);
    await vi.waitFor(isPutOff, { ...PATIENTLY, interval: 5 });
    const nowMs = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: nowMs + 20_000 });
    gate.resolve();
    expect(about(await findings)).toEqual(['unavailable', ...late]);
    vi.setSystemTime(nowMs + 30_001);
    expect(about(await carriers.track(of, ['N999']))).toEqual(['N999']);
  });

  test('of another account are asked about all the same', async () => {
    receiver.answer(({ headers }) =>
      headers.userid === 'busy'
        ? { status: 429, headers: { 'retry-after': '30' } }
        : parcel({ path: `${PARCEL}N` } as Received),
    );
    const carriers = open();
    const busy = account('BRT', { credentials: { userId: 'busy', password: 'p' } });
    const [ours, theirs] = await Promise.all([
      carriers.track(busy, numbers(40)),
      carriers.track(account('BRT'), numbers(40)),
    ]);
    expect(kinds(ours)).toEqual(['unavailable']);
    expect(about(theirs)).toEqual(Array(40).fill('N'));
  });
});

describe('A request that FedEx rejects for one of its numbers', () => {
  const REFUSAL = { errors: [{ code: 'TRACKING.TRACKINGNUMBER.INVALID', message: 'Invalid' }] };
  const isBad = (number: string) => number.startsWith('BAD');
  const requests = () => receiver.requests.filter(request => !isToken(request)).map(numbersIn);

  function refusing(status: number): (request: Received) => Reply {
    return request => {
      if (isToken(request) || !numbersIn(request).some(isBad)) return fedex(request);
      return { ...json(REFUSAL), status };
    };
  }

  test.each([
    [400, 0],
    [404, 29],
    [422, 14],
  ])(
    'with %i is split in halves: the bad number, at place %i, is not found, and the others are',
    async (status, place) => {
      receiver.answer(refusing(status));
      const asked = numbers(30).with(place, 'BAD1');
      const findings = await open().track(account('FEDEX'), asked);
      expect(about(findings)).toEqual(numbers(30).with(place, 'not_found'));
      // Two for each halving of thirty.
      expect(requests().length).toBeLessThanOrEqual(11);
    },
  );

  test('does not affect other requests', async () => {
    receiver.answer(refusing(400));
    const asked = numbers(70).with(3, 'BAD1').with(4, 'BAD2').with(69, 'BAD3');
    const findings = await open().track(account('FEDEX'), asked);
    expect(about(findings)).toEqual(asked.map(number => (isBad(number) ? 'not_found' : number)));
    const middle = new Set(numbers(60).slice(30));
    expect(requests().filter(list => list.some(number => middle.has(number)))).toEqual([[...middle]]);
  });

  test('without a good number ends, with none found', async () => {
    receiver.answer(refusing(400));
    const bad = Array.from({ length: 30 }, (_, n) => `BAD${n}`);
    expect(about(await open().track(account('FEDEX'), bad))).toEqual(Array(30).fill('not_found'));
    expect(requests()).toHaveLength(59);
  });

  test('is not split further once FedEx asks to wait', async () => {
    receiver.answer(request => {
      if (isToken(request)) return fedex(request);
      if (numbersIn(request).length > 1) return { ...json(REFUSAL), status: 400 };
      return { status: 429, headers: { 'retry-after': '30' } };
    });
    const put = { ...UNAVAILABLE, retryAfterMs: 30_000 };
    expect(await open().track(account('FEDEX'), numbers(30))).toEqual(Array(30).fill(put));
    expect(requests().map(({ length }) => length)).toEqual([30, 15, 8, 4, 2, 1]);
  });
});

describe('Credentials', () => {
  test('that do not fit in a header end in a finding', async () => {
    receiver.answer(parcel);
    const of = account('BRT', { credentials: { userId: 'perché', password: '密码 €' } });
    const carriers = open();
    expect(['refused', 'unreadable', 'unavailable']).toContain((await carriers.track(of, ['N1']))[0]?.kind);
    // An error of one account is not an error of the carrier.
    expect(about(await carriers.track(account('BRT'), ['N1']))).toEqual(['N1']);
  });

  test.each(ASKED)('that %s does not receive end in a finding', async code => {
    receiver.answer({ status: 403 });
    expect((await open().checkAddress(account(code, { credentials: {} }), PALERMO)).kind).toBe('refused');
  });
});

describe('Closing the carriers', () => {
  const CLOSED = 'The carriers are being closed';

  test('aborts requests that are under way, and starts no others', async () => {
    receiver.hang();
    const carriers = open();
    const checks = [carriers.checkAddress(account('BRT'), PALERMO), carriers.checkAddress(account('FEDEX'), PALERMO)];
    const tracked = expect(carriers.track(account('BRT'), numbers(40))).rejects.toThrow(CLOSED);
    const [request] = await receiver.waitFor(18);
    await carriers.close();
    expect(await Promise.all(checks)).toEqual([UNAVAILABLE, UNAVAILABLE]);
    await tracked;
    expect((await request?.closed)?.answered).toBe(false);

    receiver.clear();
    receiver.answer(parcel);
    expect(await carriers.checkAddress(account('BRT'), PALERMO)).toEqual(UNAVAILABLE);
    await expect(carriers.track(account('FEDEX'), ['N1'])).rejects.toThrow(CLOSED);
    expect(receiver.requests).toEqual([]);
  });

  test('does not wait for the pace of a live account', async () => {
    const carriers = open();
    const live = account('FEDEX', { environment: 'live', baseUrl: 'https://127.0.0.1' });
    // In requests of thirty, one a second.
    const tracked = expect(carriers.track(live, numbers(90))).rejects.toThrow(CLOSED);
    const startMs = performance.now();
    await carriers.close();
    await tracked;
    expect(performance.now() - startMs).toBeLessThan(1_800);
  });
});
