import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { deriveStatus, STATUS_CODES, type StatusCode } from '../../src/domain/shipping/tracking/status.rules.ts';
import { dhl } from '../../src/sandbox/dhl-stand-in.ts';
import { fedex, fedexTokens, fedexTrackTokens } from '../../src/sandbox/fedex-stand-in.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/stand-ins.ts';
import { ups, upsTokens } from '../../src/sandbox/ups-stand-in.ts';

const BASIC = `Basic ${btoa('sandbox:sandbox')}`;
const FORM = 'application/x-www-form-urlencoded';

/** The night in which summer time ends: the journey says +02:00 at first and then +01:00. */
const START = new Date('2026-10-24T21:10:00Z');

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ carriers: [dhl, ups, fedex], start: START });
});
afterAll(() => sandbox.close());
afterEach(() => {
  vi.useRealTimers();
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  readonly json: any;
}

async function send(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${sandbox.url}${path}`, { signal: AbortSignal.timeout(5_000), ...init });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  let json: unknown;
  try {
    json = isJson ? JSON.parse(text) : undefined;
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json };
}

/** Whether the sandbox leaves a request without any answer, as far as a short patience tells. */
async function hangs(ask: (signal: AbortSignal) => Promise<Answer>): Promise<boolean> {
  return ask(AbortSignal.timeout(200)).then(
    () => false,
    (error: Error) => error.name === 'TimeoutError',
  );
}

function postForm(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  const body = new URLSearchParams(form).toString();
  return send(path, { method: 'POST', headers: { 'content-type': FORM, ...headers }, body });
}

const askDhl = (path: string, authorization = BASIC, signal?: AbortSignal) =>
  send(`/dhl${path}`, { headers: { authorization }, ...(signal && { signal }) });

const upsToken = async () =>
  (await postForm('/ups/security/v1/oauth/token', { grant_type: 'client_credentials' }, { authorization: BASIC })).json
    .access_token as string;

async function askUps(path: string, body?: unknown, signal?: AbortSignal, token?: string) {
  const headers = {
    authorization: `Bearer ${token ?? (await upsToken())}`,
    transId: 'a1',
    transactionSrc: 'test',
    'content-type': 'application/json',
  };
  const method = body === undefined ? 'GET' : 'POST';
  const init: RequestInit = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  return send(`/ups${path}`, { ...init, ...(signal && { signal }) });
}

const FEDEX_ACCOUNT = { grant_type: 'client_credentials', client_id: 'sandbox', client_secret: 'sandbox' };
const FEDEX_TRACK_ACCOUNT = { ...FEDEX_ACCOUNT, client_id: 'sandbox-track', client_secret: 'sandbox-track' };

async function askFedex(path: string, body: unknown, signal?: AbortSignal, token?: string) {
  const account = path.startsWith('/track/') ? FEDEX_TRACK_ACCOUNT : FEDEX_ACCOUNT;
  const bearer = token ?? ((await postForm('/fedex/oauth/token', account)).json.access_token as string);
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
  const init: RequestInit = { method: 'POST', headers, body: JSON.stringify(body) };
  return send(`/fedex${path}`, { ...init, ...(signal && { signal }) });
}

const checkDhl = (postalCode: string, signal?: AbortSignal) => {
  const place = new URLSearchParams({ countryCode: 'IT', postalCode, cityName: 'Palermo', countyName: 'PA' });
  return askDhl(`/address-validate?type=delivery&${place}&strictValidation=true`, BASIC, signal);
};

const transitRequest = (destinationPostalCode: string) => ({
  originCountryCode: 'IT',
  originPostalCode: '20121',
  destinationCountryCode: 'IT',
  destinationPostalCode,
  destinationCityName: 'Palermo',
  destinationStateProvince: 'PA',
});
const checkUps = (postalCode: string, signal?: AbortSignal) =>
  askUps('/shipments/v1/transittimes', transitRequest(postalCode), signal);

const postalRequest = (postalCode: string) => ({
  carrierCode: 'FDXE',
  countryCode: 'IT',
  stateOrProvinceCode: 'PA',
  postalCode,
  shipDate: '2026-11-23',
});
const checkFedex = (postalCode: string, signal?: AbortSignal) =>
  askFedex('/country/v1/postal/validate', postalRequest(postalCode), signal);

const trackDhl = (number: string) =>
  askDhl(`/shipments/${number}/tracking?trackingView=all-checkpoints&requestGMTOffsetPerEvent=true`);
const trackUps = (number: string) => askUps(`/track/v1/details/${number}`);
const trackFedex = (...numbers: readonly string[]) =>
  askFedex('/track/v1/trackingnumbers', {
    includeDetailedScans: true,
    trackingInfo: numbers.map(trackingNumber => ({ trackingNumberInfo: { trackingNumber } })),
  });

describe('The address check of DHL in the sandbox', () => {
  test('accepts an address as it is', async () => {
    const { status, json } = await checkDhl('90139');
    expect(status).toBe(200);
    expect(json.warnings).toEqual([]);
    expect(json.address).toMatchObject([
      { countryCode: 'IT', postalCode: '90139', cityName: 'PALERMO', countyName: 'PA', serviceArea: { code: 'PAL' } },
    ]);
  });

  test.each([
    ['90190', ['90100']],
    ['90191', ['90101', '90102']],
  ])('corrects %s to %j', async (postalCode, found) => {
    const { status, json } = await checkDhl(postalCode);
    expect(status).toBe(200);
    expect(json.address.map((place: { postalCode: string }) => place.postalCode)).toEqual(found);
    expect(json.warnings).not.toEqual([]);
  });

  test.each([
    ['90192', 404],
    ['90193', 400],
    ['90194', 503],
    ['90196', 429],
    ['90197', 401],
  ])('rejects %s with %i as problem details', async (postalCode, status) => {
    const answer = await checkDhl(postalCode);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.json).toMatchObject({
      status: String(status),
      title: expect.any(String),
      detail: expect.any(String),
    });
    expect(answer.headers.get('retry-after')).toBe(status === 429 ? '30' : null);
  });

  test('returns a page for 90198, and no response for 90195', async () => {
    expect(await checkDhl('90198')).toMatchObject({ status: 200, text: expect.stringMatching(/^<!DOCTYPE/) });
    expect(await hangs(signal => checkDhl('90195', signal))).toBe(true);
  });

  test('requires its parameters and the right credentials', async () => {
    const missing = await askDhl('/address-validate?postalCode=90139');
    expect(missing.status).toBe(400);
    expect(missing.json.detail).toMatch(/type, countryCode/);
    expect((await askDhl('/address-validate?type=delivery&countryCode=IT')).status).toBe(400);
    for (const wrong of ['', `Basic ${btoa('sandbox:wrong')}`, `Bearer ${btoa('sandbox:sandbox')}`]) {
      expect((await askDhl('/address-validate', wrong)).status).toBe(401);
    }
    expect((await askDhl('/rates')).status).toBe(404);
  });
});

describe('The transit times of UPS in the sandbox', () => {
  test('belong to its services, by working days', async () => {
    const { status, json } = await checkUps('90139');
    expect(status).toBe(200);
    expect(json.destinationPickList).toBeNull();
    expect(json.emsResponse.services).toMatchObject([
      { serviceLevel: '01', businessTransitDays: 1 },
      { serviceLevel: '08', businessTransitDays: 2 },
    ]);
    const abroad = await askUps('/shipments/v1/transittimes', {
      ...transitRequest('75001'),
      destinationCountryCode: 'FR',
    });
    expect(abroad.json.emsResponse.services.at(-1).businessTransitDays).toBe(4);
  });

  test.each([
    ['90190', ['90100']],
    ['90191', ['90101', '90102']],
  ])('are replaced for %s by the candidates %j', async (postalCode, found) => {
    const { status, json } = await checkUps(postalCode);
    expect(status).toBe(206);
    expect(json.validationList.destinationAmbiguous).toBe(true);
    expect(json.destinationPickList).toMatchObject(
      found.map(postalCodeLow => ({ countryCode: 'IT', city: 'PALERMO', stateProvince: 'PA', postalCodeLow })),
    );
    expect(json.emsResponse).toBeNull();
  });

  test('are missing for an unserved place or an invalid field', async () => {
    const nowhere = await checkUps('90192');
    expect(nowhere).toMatchObject({ status: 200, json: { emsResponse: { numberOfServices: 0, services: [] } } });
    expect(await checkUps('90193')).toMatchObject({
      status: 200,
      json: { validationList: { invalidFieldList: ['destinationPostalCode'] }, emsResponse: null },
    });
    expect(await askUps('/shipments/v1/transittimes', { originCountryCode: 'IT' })).toMatchObject({
      json: { validationList: { invalidFieldList: ['destinationCountryCode'] } },
    });
  });

  test.each([
    ['90194', 503],
    ['90196', 429],
    ['90197', 401],
  ])('are rejected for %s with %i in the form of UPS', async (postalCode, status) => {
    const answer = await checkUps(postalCode);
    expect(answer.status).toBe(status);
    expect(answer.json.response.errors).toMatchObject([{ code: expect.any(String), message: expect.any(String) }]);
    expect(answer.headers.get('retry-after')).toBe(status === 429 ? '30' : null);
  });

  test('are half a JSON for 90198, and no response for 90195', async () => {
    const half = await checkUps('90198');
    expect(half.status).toBe(200);
    expect(half.text).toMatch(/^\{"validationList"/);
    expect(half.json).toBeUndefined();
    expect(await hangs(signal => checkUps('90195', signal))).toBe(true);
  });

  test('are at its public path too, and need the required headers', async () => {
    expect((await askUps('/api/shipments/v1/transittimes', transitRequest('90139'))).status).toBe(200);
    const headers = { authorization: `Bearer ${await upsToken()}`, transId: 'a1' };
    const answer = await send('/ups/track/v1/details/1Z1', { headers });
    expect(answer).toMatchObject({
      status: 400,
      json: { response: { errors: [{ message: 'Missing transactionSrc' }] } },
    });
  });
});

describe('The postal code check of FedEx in the sandbox', () => {
  test.each([
    ['90139', ['90139'], 0],
    ['90190', ['90100'], 1],
    ['90191', ['90101', '90102'], 1],
  ])('returns %s as %j', async (postalCode, found, alerts) => {
    const { status, json } = await checkFedex(postalCode);
    expect(status).toBe(200);
    expect(json.output).toMatchObject({ countryCode: 'IT', stateOrProvinceCode: 'PA', cleanedPostalCode: found[0] });
    expect(json.output.locationDescriptions).toMatchObject(found.map(code => ({ postalCode: code })));
    expect(json.output.alerts).toHaveLength(alerts);
  });

  test.each([
    ['90192', 404],
    ['90193', 400],
    ['90194', 503],
    ['90196', 429],
    ['90197', 403],
  ])('rejects %s with %i in the form of FedEx', async (postalCode, status) => {
    const answer = await checkFedex(postalCode);
    expect(answer.status).toBe(status);
    expect(answer.json.errors).toMatchObject([{ code: expect.any(String), message: expect.any(String) }]);
    expect(answer.headers.get('retry-after')).toBe(status === 429 ? '30' : null);
  });

  test('returns a page for 90198, and no response for 90195', async () => {
    expect(await checkFedex('90198')).toMatchObject({ status: 200, text: expect.stringMatching(/^<!DOCTYPE/) });
    expect(await hangs(signal => checkFedex('90195', signal))).toBe(true);
  });

  test.each(['carrierCode', 'countryCode', 'postalCode', 'shipDate'])('requires %s', async name => {
    const answer = await askFedex('/country/v1/postal/validate', { ...postalRequest('90139'), [name]: undefined });
    expect(answer).toMatchObject({ status: 400, json: { errors: [{ code: expect.any(String) }] } });
  });
});

describe('A token in the sandbox', () => {
  const wrongUps = { authorization: `Basic ${btoa('sandbox:wrong')}` };

  test('is denied to wrong credentials', async () => {
    const grant = { grant_type: 'client_credentials' };
    expect((await postForm('/ups/security/v1/oauth/token', grant, wrongUps)).status).toBe(401);
    expect((await postForm('/ups/security/v1/oauth/token', {}, { authorization: BASIC })).status).toBe(400);
    expect((await postForm('/fedex/oauth/token', { ...FEDEX_ACCOUNT, client_secret: 'wrong' })).status).toBe(401);
    expect((await postForm('/fedex/oauth/token', { ...FEDEX_ACCOUNT, grant_type: 'password' })).status).toBe(400);
  });

  test('states how long it is valid: UPS in text, FedEx as a number', async () => {
    const grant = { grant_type: 'client_credentials' };
    const ofUps = await postForm('/ups/security/v1/oauth/token', grant, { authorization: BASIC });
    expect(ofUps.json).toMatchObject({ token_type: 'Bearer', expires_in: '14399', status: 'approved' });
    const ofFedex = await postForm('/fedex/oauth/token', FEDEX_ACCOUNT);
    expect(ofFedex.json).toMatchObject({ token_type: 'bearer', expires_in: 3599, scope: 'CXS' });
  });

  test.each([
    ['UPS', upsTokens, (token: string) => askUps('/track/v1/details/1Z1', undefined, undefined, token)],
    ['FedEx', fedexTrackTokens, (token: string) => askFedex('/track/v1/trackingnumbers', {}, undefined, token)],
  ] as const)('of %s is rejected when it is unknown, expired, or revoked', async (_, issuer, ask) => {
    const token = issuer.issue();
    expect((await ask(token)).status).not.toBe(401);
    for (const wrong of ['', 'unknown', `9${token}`, `${token}a`]) expect((await ask(wrong)).status).toBe(401);

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + issuer.lifetimeSeconds * 1000 + 1 });
    expect((await ask(token)).status).toBe(401);
    vi.useRealTimers();

    issuer.revokeAll();
    expect((await ask(token)).status).toBe(401);
    expect((await ask(issuer.issue())).status).not.toBe(401);
  });

  test('of one project of FedEx gives no access to the other', async () => {
    const own = fedexTokens.issue();
    const tracking = fedexTrackTokens.issue();
    expect((await askFedex('/track/v1/trackingnumbers', {}, undefined, own)).status).toBe(403);
    expect((await askFedex('/country/v1/postal/validate', postalRequest('90139'), undefined, tracking)).status).toBe(
      403,
    );
  });

  test('of one carrier is not valid at the other', async () => {
    expect((await askUps('/track/v1/details/1Z1', undefined, undefined, fedexTokens.issue())).status).toBe(401);
  });
});

interface Event {
  readonly code: string;
  readonly at: Date;
  readonly description: string;
}

/** Each carrier's events in one form, oldest first. */
const JOURNEYS: Readonly<Record<string, (number: string) => Promise<readonly Event[]>>> = {
  DHL: async number =>
    (await trackDhl(number)).json.shipments[0].events.map((event: Record<string, string>) => ({
      code: event.typeCode,
      at: new Date(`${event.date}T${event.time}${event.GMTOffset}`),
      description: event.description,
    })),
  UPS: async number =>
    (await trackUps(number)).json.trackResponse.shipment[0].package[0].activity
      .toReversed()
      .map(
        ({
          status,
          date,
          time,
          gmtOffset = '+02:00',
        }: Record<string, string> & { status: Record<string, string> }) => ({
          code: `${status.type}${status.statusCode ?? ''}`,
          at: new Date(`${isoDate(date)}T${isoTime(time)}${gmtOffset}`),
          description: status.description,
        }),
      ),
  FEDEX: async number =>
    (await trackFedex(number)).json.output.completeTrackResults[0].trackResults[0].scanEvents
      .toReversed()
      .map((event: Record<string, string>) => ({
        code: event.eventType,
        at: new Date(event.date ?? ''),
        description: event.eventDescription,
      })),
};

const isoDate = (digits = '') => digits.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
const isoTime = (digits = '') => digits.replace(/^(\d\d)(\d\d)(\d\d)$/, '$1:$2:$3');

/** Where a carrier has no word of its own, and what its nearest one reads as. */
const READS: Readonly<Record<string, Partial<Record<StatusCode, StatusCode>>>> = {
  DHL: { returning: 'returned', cancelled: 'unknown' },
  FEDEX: { held: 'delayed', refused: 'delivery_failed', returned: 'returning', lost: 'delayed' },
};

describe.each(Object.keys(JOURNEYS))('In the sandbox %s reports a journey', carrier => {
  const journey = async (number: string) => (await JOURNEYS[carrier]?.(number)) ?? [];

  test.each(STATUS_CODES.filter(status => carrier !== 'DHL' || status !== 'created'))(
    'that ends at %s',
    async status => {
      const events = await journey(`1Z${status.toUpperCase()}`);
      const newest = events.at(-1);
      const read = deriveStatus(carrier, newest?.code ?? '', newest?.description ?? '');
      expect(read).toBe(READS[carrier]?.[status] ?? status);
    },
  );

  test('with one more event each time, and every instant right across the end of summer time', async () => {
    const seen: string[][] = [];
    let events: readonly Event[] = [];
    for (let times = 0; times < 6; times++) {
      events = await journey('WALK1');
      seen.push(events.map(({ code, description }) => deriveStatus(carrier, code, description)));
    }
    const whole = ['created', 'shipped', 'in_transit', 'at_depot', 'out_for_delivery', 'delivered'];
    // DHL has nothing to tell before the pickup.
    const skipped = carrier === 'DHL' ? 1 : 0;
    expect(seen).toEqual(whole.map((_, n) => whole.slice(skipped, n + 1)));
    const hours = events.map(({ at }) => (at.getTime() - START.getTime()) / 3_600_000);
    expect(hours).toEqual([0, 2, 4, 6, 8, 10].slice(skipped));
  });
});

describe('A tracking number in the sandbox', () => {
  test('that is unknown is reported by each carrier in its own form', async () => {
    expect(await trackDhl('NOTFOUND1')).toMatchObject({ status: 404, json: { status: '404' } });
    expect(await trackUps('NOTFOUND1')).toMatchObject({
      status: 200,
      json: { trackResponse: { shipment: [{ inquiryNumber: 'NOTFOUND1', warnings: [{ code: 'TW0001' }] }] } },
    });
    const { status, json } = await trackFedex('NOTFOUND1', '1ZDELIVERED');
    expect(status).toBe(200);
    const [unknown, known] = json.output.completeTrackResults;
    expect(unknown).toMatchObject({
      trackingNumber: 'NOTFOUND1',
      trackResults: [{ error: { code: 'TRACKING.TRACKINGNUMBER.NOTFOUND' } }],
    });
    expect(known.trackResults[0].scanEvents).toHaveLength(6);
  });

  test.each([
    ['DHL', trackDhl],
    ['UPS', trackUps],
    ['FedEx', trackFedex],
  ] as const)('of %s can fail', async (_, track) => {
    expect((await track('OFFLINE1')).status).toBe(503);
    const limited = await track('LIMIT1');
    expect(limited.status).toBe(429);
    expect(limited.headers.get('retry-after')).toBe('30');
    expect(await track('HTML1')).toMatchObject({ status: 200, text: expect.stringMatching(/^<!DOCTYPE/) });
  });

  test('that is missing, or one of too many, is rejected by FedEx', async () => {
    const refused = { status: 400, json: { errors: [{ code: expect.stringMatching(/^TRACKING\./) }] } };
    expect(await trackFedex()).toMatchObject(refused);
    expect(await trackFedex('')).toMatchObject(refused);
    expect(await trackFedex(...Array.from({ length: 31 }, (_, n) => `${n}`))).toMatchObject(refused);
  });

  test('without details returns less', async () => {
    const { json } = await askDhl('/shipments/1ZDELIVERED/tracking');
    expect(json.shipments[0].events).toMatchObject([{ typeCode: 'OK', signedBy: 'ROSSI' }]);
    const plain = await askFedex('/track/v1/trackingnumbers', {
      trackingInfo: [{ trackingNumberInfo: { trackingNumber: '1ZDELIVERED' } }],
    });
    const [result] = plain.json.output.completeTrackResults[0].trackResults;
    expect(result).toMatchObject({ latestStatusDetail: { code: 'DL' } });
    expect(result).not.toHaveProperty('scanEvents');
  });
});

/** An OpenAPI document, as far as this test reads it. */
interface Document {
  readonly paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
  readonly components: { readonly schemas: Record<string, unknown> };
}

describe('The OpenAPI document', () => {
  test.each([
    ['dhl', ['validateAddress', 'trackShipment']],
    ['ups', ['transitTimes', 'trackPackage']],
    ['fedex', ['validatePostal', 'trackNumbers']],
  ])(
    'of %s lists the answers to %j that its adapter reads, and names nothing that it lacks',
    (carrier, operationIds) => {
      const url = new URL(`../../schema/carriers/${carrier}.yaml`, import.meta.url);
      const document = parse(readFileSync(url, 'utf8')) as Document;
      const operations = Object.values(document.paths).flatMap(path => Object.values(path));
      expect(operations.map(({ operationId }) => operationId)).toEqual(operationIds);
      for (const { responses } of operations) {
        // UPS has a status of its own for ambiguous places.
        const known = Object.keys(responses).filter(status => status !== '206');
        expect(known).toEqual(['200', '400', '404', '422']);
      }
      const named = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(
        ([, name = '']) => name,
      );
      expect(new Set(named)).toEqual(new Set(Object.keys(document.components.schemas)));
    },
  );
});
