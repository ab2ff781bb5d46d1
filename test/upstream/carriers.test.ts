import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AskedAddress, CarrierAccount, TrackingFinding } from '../../src/domain/carriers/carrier.port.ts';
import { createLog } from '../../src/platform/log.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { Carriers } from '../../src/upstream/carriers.ts';
import { ASKED, CREDENTIALS } from '../support/carriers.ts';
import { SELF_SIGNED } from '../support/certificate.ts';
import { type Received, type Reply, startReceiver, useReceiver } from '../support/receiver.ts';

const PALERMO: AskedAddress = {
  address: 'Via Libertà 12',
  city: 'Palermo',
  zip: '90139',
  provincia: 'PA',
  country: 'IT',
  origin: { country: 'IT', zip: '20121', city: 'Milano' },
};
const UNAVAILABLE = { kind: 'unavailable' };

const receiver = useReceiver();
beforeEach(() => {
  receiver.clear();
  receiver.answer({ status: 500 });
});

const opened: Carriers[] = [];
afterEach(async () => {
  for (const carriers of opened.splice(0)) await carriers.close();
});

/** The carriers' interfaces, with the receiver for a sandbox. */
function open({ hasSandbox = true } = {}): Carriers {
  const carriers = new Carriers(hasSandbox ? receiver.url : undefined, createMetrics(), createLog('silent'));
  opened.push(carriers);
  return carriers;
}

let accounts = 0;

/** A connection that was never asked before: none has another's failures. */
function account(carrierCode: CarrierAccount['carrierCode'], fields: Partial<CarrierAccount> = {}): CarrierAccount {
  const credentials = CREDENTIALS[carrierCode as keyof typeof CREDENTIALS] ?? {};
  return { key: `company/${++accounts}`, carrierCode, environment: 'sandbox', baseUrl: null, credentials, ...fields };
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

describe('a live account', () => {
  const PLACES = [
    ['its address', (port: string) => `https://127.0.0.1:${port}`],
    ['its address in IPv6', (port: string) => `https://[::1]:${port}`],
    ['its address within IPv6', (port: string) => `https://[::ffff:127.0.0.1]:${port}`],
    ['its address in other words', (port: string) => `https://0x7f.1:${port}`],
    ['its name', (port: string) => `https://localhost:${port}`],
    ['its name with a dot', (port: string) => `https://localhost.:${port}/v1`],
  ] as const;

  test.each(PLACES)('does not reach the machine itself by %s', async (_how, at) => {
    const secure = await startReceiver({ tls: SELF_SIGNED });
    try {
      const baseUrl = at(new URL(secure.url).port);
      const carriers = open();
      for (const code of ASKED) {
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

  test('is not asked at the sandbox, though that answers', async () => {
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

describe('an account of the sandbox', () => {
  test.each(ASKED)('of %s is unavailable where there is no sandbox', async code => {
    const carriers = open({ hasSandbox: false });
    for (const baseUrl of [null, receiver.url, 'https://127.0.0.1']) {
      const of = account(code, { baseUrl });
      expect(await carriers.checkAddress(of, PALERMO)).toEqual(UNAVAILABLE);
      expect(await carriers.track(of, ['N1', 'N2'])).toEqual([UNAVAILABLE, UNAVAILABLE]);
    }
    expect(receiver.requests).toEqual([]);
  });

  test.each(ASKED)('of %s is asked there alone, whatever its base address', async code => {
    const elsewhere = await startReceiver();
    try {
      receiver.answer({ status: 401 });
      const of = account(code, { baseUrl: elsewhere.url });
      expect((await open().checkAddress(of, PALERMO)).kind).toBe('refused');
      expect(elsewhere.connections.total).toBe(0);
      expect(receiver.requests.map(({ path }) => path.split('/')[1])).toEqual([code.toLowerCase()]);
    } finally {
      await elsewhere.close();
    }
  });

  test('waits for no pace', async () => {
    receiver.answer(parcel);
    const startMs = performance.now();
    await open().track(account('BRT'), numbers(100));
    // A live one would take twenty seconds.
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });
});

test.each(['POSTE', 'INPOST'] as const)('%s, which has no interface, is unavailable', async code => {
  for (const environment of ['live', 'sandbox'] as const) {
    const of = account(code, { environment });
    expect(await open().checkAddress(of, PALERMO)).toEqual(UNAVAILABLE);
    expect(await open().track(of, ['N1'])).toEqual([UNAVAILABLE]);
  }
  expect(receiver.requests).toEqual([]);
});

describe('many numbers', () => {
  test.each(ASKED)('none are not asked about at %s', async code => {
    expect(await open().track(account(code), [])).toEqual([]);
    expect(receiver.requests).toEqual([]);
  });

  test('are found in the order they were asked in, though the answers come in another', async () => {
    receiver.answer((request, n) => ({ ...parcel(request), delay: (n * 7) % 20 }));
    expect(about(await open().track(account('BRT'), numbers(60)))).toEqual(numbers(60));
    expect(receiver.requests).toHaveLength(60);
  });

  test('go out sixteen at a time', async () => {
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

  test('have each its own answer where one fails', async () => {
    receiver.answer(request => (request.path.endsWith('N003') ? { status: 500 } : parcel(request)));
    const findings = about(await open().track(account('BRT'), numbers(6)));
    expect(findings).toEqual(['N000', 'N001', 'N002', 'unavailable', 'N004', 'N005']);
  });

  test.each<[string, Reply, object]>([
    ['asked to wait', { status: 429, headers: { 'retry-after': '30' } }, { retryAfterMs: 30_000, ...UNAVAILABLE }],
    [
      'told when it will be back',
      { status: 503, headers: { 'retry-after': '7' } },
      { retryAfterMs: 7_000, ...UNAVAILABLE },
    ],
    ['refused', { status: 401 }, { kind: 'refused' }],
  ])('are not asked about any more once the account is %s', async (_what, reply, finding) => {
    // The first sixteen are under way when the first is answered.
    receiver.answer(reply);
    const of = account('BRT');
    const carriers = open();
    expect(await carriers.track(of, numbers(200))).toEqual(Array(200).fill(finding));
    const asked = new Set(receiver.requests.map(({ path }) => path));
    expect(asked.size).toBe(16);
    // Only the batch is over: whoever asks again is heard.
    receiver.answer(parcel);
    expect(about(await carriers.track(of, ['N1']))).toEqual(['N1']);
  });

  test('keep what was found before the account was asked to wait', async () => {
    const first = new Set(numbers(16).map(number => PARCEL + number));
    receiver.answer(request =>
      first.has(request.path) ? parcel(request) : { status: 429, headers: { 'retry-after': '30' } },
    );
    const findings = await open().track(account('BRT'), numbers(100));
    expect(about(findings.slice(0, 16))).toEqual(numbers(16));
    expect(findings.slice(16)).toEqual(Array(84).fill({ ...UNAVAILABLE, retryAfterMs: 30_000 }));
    expect(receiver.requests.length).toBeLessThanOrEqual(32);
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

describe('credentials', () => {
  test('that no header can hold end in a finding', async () => {
    receiver.answer(parcel);
    const of = account('BRT', { credentials: { userId: 'perché', password: '密码 €' } });
    const carriers = open();
    expect(['refused', 'unreadable', 'unavailable']).toContain((await carriers.track(of, ['N1']))[0]?.kind);
    // What is wrong with one account is not the carrier's.
    expect(about(await carriers.track(account('BRT'), ['N1']))).toEqual(['N1']);
  });

  test.each(ASKED)('that %s does not get at all end in a finding', async code => {
    receiver.answer({ status: 403 });
    expect((await open().checkAddress(account(code, { credentials: {} }), PALERMO)).kind).toBe('refused');
  });
});

describe('close', () => {
  test('breaks off what is under way, and nothing is asked after it', async () => {
    receiver.hang();
    const carriers = open();
    const asking = [
      carriers.checkAddress(account('BRT'), PALERMO),
      carriers.checkAddress(account('FEDEX'), PALERMO),
      carriers.track(account('BRT'), numbers(40)),
    ];
    const [request] = await receiver.waitFor(18);
    await carriers.close();
    const [brt, token, tracked] = await Promise.all(asking);
    expect([brt, token]).toEqual([UNAVAILABLE, UNAVAILABLE]);
    expect(tracked).toEqual(Array(40).fill(UNAVAILABLE));
    expect((await request?.closed)?.answered).toBe(false);

    receiver.clear();
    receiver.answer(parcel);
    expect(await carriers.checkAddress(account('BRT'), PALERMO)).toEqual(UNAVAILABLE);
    expect(await carriers.track(account('FEDEX'), ['N1'])).toEqual([UNAVAILABLE]);
    expect(receiver.requests).toEqual([]);
  });

  test('does not wait for the pace of a live account', async () => {
    const carriers = open();
    const live = account('FEDEX', { environment: 'live', baseUrl: 'https://127.0.0.1' });
    // In requests of thirty, one a second.
    const tracked = carriers.track(live, numbers(90));
    const startMs = performance.now();
    await carriers.close();
    expect(await tracked).toEqual(Array(90).fill(UNAVAILABLE));
    expect(performance.now() - startMs).toBeLessThan(900);
  });
});
