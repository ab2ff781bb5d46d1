import { afterEach, describe, expect, test, vi } from 'vitest';
import { fedex } from '../../src/upstream/fedex.ts';
import { PALERMO as ASKED, useRecorded } from './recorded.ts';

const BASE = 'https://fedex.test';
const PALERMO = { ...ASKED, provincia: 'pa' };

const { ask, asked } = useRecorded(fedex, BASE);

afterEach(() => {
  vi.useRealTimers();
});

const refusal = { transactionId: 'a1', errors: [{ code: 'ADDRESS.DETAIL.INVALID', message: 'Invalid' }] };
const output = (parts: unknown) => ({ transactionId: 'a1', output: parts });
const postal = (parts: object) => output({ countryCode: 'IT', cityFirstInitials: 'P', ...parts });
const locations = (...locationDescriptions: readonly unknown[]) => postal({ locationDescriptions });
const at = (postalCode: unknown, parts: object = {}) => ({ locationId: 'PMOA', postalCode, ...parts });
const candidates = (...known: readonly (readonly [zip: string, province?: string, country?: string])[]) => ({
  kind: 'candidates',
  addresses: known.map(([zip, province = null, country = 'IT']) => ({
    streetLine1: null,
    streetLine2: null,
    city: null,
    zip,
    province,
    country,
    transitTimeHours: null,
  })),
});

describe('An address that FedEx checks', () => {
  test.each([
    ['is one that FedEx knows', postal({ cleanedPostalCode: '90139' }), candidates(['90139'])],
    ['has one place', locations(at('90139', { stateOrProvinceCode: 'PA' })), candidates(['90139', 'PA'])],
    ['is of a state', postal({ stateOrProvinceCode: 'PA', cleanedPostalCode: 90139 }), candidates(['90139', 'PA'])],
    [
      'has several places',
      locations(at('90121'), at(' 90121 '), null, at('90122', { countryCode: 'sm' })),
      candidates(['90121'], ['90122', undefined, 'SM']),
    ],
    [
      'has places without postal codes',
      postal({ cleanedPostalCode: '90139', locationDescriptions: [at(''), {}] }),
      candidates(['90139']),
    ],
    ['is nowhere', locations(), { kind: 'not_found' }],
    ['comes to places that are none', locations(null, {}, at(' ')), { kind: 'unreadable' }],
    ['comes to nothing', output({}), { kind: 'unreadable' }],
    ['comes to a text', output('x'), { kind: 'unreadable' }],
    ['is answered with nothing', {}, { kind: 'unreadable' }],
    ['is answered with null', null, { kind: 'unreadable' }],
  ])('%s', async (_, body, finding) => {
    expect((await ask(fedex.address, PALERMO, body)).finding).toEqual(finding);
  });

  test.each([
    [400, 'invalid'],
    [422, 'invalid'],
    [404, 'not_found'],
  ])('that is answered with %i is %s', async (status, kind) => {
    expect(await ask(fedex.address, PALERMO, refusal, status)).toEqual({ finding: { kind }, errors: 0 });
  });

  test('uses the first of two places with the same postal code', async () => {
    const told = locations(
      { postalCode: '90139', countryCode: 'IT', stateOrProvinceCode: 'PA' },
      { postalCode: '90100', countryCode: 'IT', stateOrProvinceCode: 'PA' },
      { postalCode: '90139', countryCode: 'IT', stateOrProvinceCode: 'TP' },
    );
    const { finding } = await ask(fedex.address, PALERMO, told);
    const places = finding.kind === 'candidates' ? finding.addresses.map(({ zip, province }) => [zip, province]) : [];
    expect(places).toEqual([
      ['90139', 'PA'],
      ['90100', 'PA'],
    ]);
  });

  test('that is half malformed counts as an error', async () => {
    expect((await ask(fedex.address, PALERMO, locations(at({})))).errors).toBe(1);
  });

  test('is sent with the date of tomorrow, and with a state that FedEx has a code for', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-31T23:30:00Z') });
    await ask(fedex.address, PALERMO, {});
    expect(asked.url).toBe(`${BASE}/country/v1/postal/validate`);
    expect(asked.init.method).toBe('POST');
    const request = {
      carrierCode: 'FDXE',
      countryCode: 'IT',
      postalCode: '90139',
      checkForMismatch: true,
      shipDate: '2027-01-01',
    };
    expect(JSON.parse(`${asked.init.body}`)).toEqual({ ...request, stateOrProvinceCode: 'PA' });
    for (const provincia of [null, 'Bayern']) {
      await ask(fedex.address, { ...PALERMO, provincia }, {});
      expect(JSON.parse(`${asked.init.body}`)).toEqual(request);
    }
  });
});

const scan = (date: unknown, fields: object = {}) => ({
  date,
  eventType: 'DP',
  eventDescription: 'Left FedEx origin facility',
  exceptionCode: '',
  exceptionDescription: '',
  scanLocation: { city: 'PALERMO', countryCode: 'IT', residential: false },
  derivedStatusCode: 'IT',
  ...fields,
});
const told = (timestamp: string, fields: object = {}) => ({
  timestamp,
  carrierStatusCode: 'DP',
  carrierStatusGroup: 'IT',
  description: 'Left FedEx origin facility',
  location: 'PALERMO',
  note: null,
  ...fields,
});
const results = (...completeTrackResults: readonly unknown[]) => output({ completeTrackResults });
const result = (trackingNumber: unknown, ...trackResults: readonly unknown[]) => ({ trackingNumber, trackResults });
const scans = (...newestFirst: readonly unknown[]) => ({ scanEvents: newestFirst });
const failed = (code: unknown) => ({ error: { code, message: 'Please correct the tracking number' } });
const NOT_FOUND = failed('TRACKING.TRACKINGNUMBER.NOTFOUND');
const journey = (...events: readonly object[]) => ({ kind: 'events', events, related: [], estimate: null });
const track = async (numbers: readonly string[], body: unknown, status = 200) =>
  (await ask(fedex.tracking, numbers, body, status)).finding;

const NOON = '2026-07-01T12:00:00+02:00';
const HERE = scans(scan(NOON));
const HEARD = journey(told(NOON));
const until = (ends: unknown) => ({ window: { begins: '2026-11-24T08:00:00', ends }, type: 'ESTIMATED_DELIVERY' });
const by = (type: string, dateTime: string) => ({ type, dateTime });

describe('A journey from FedEx', () => {
  test.each([
    ['with its offset', scan('2026-07-01T09:30:00-05:00'), told('2026-07-01T09:30:00-05:00')],
    ['in UTC', scan('2026-07-01T09:30:00Z'), told('2026-07-01T09:30:00Z')],
    ['with an offset without a colon', scan('2026-07-01T09:30:00+0200'), told('2026-07-01T09:30:00+02:00')],
    ['with seven digits', scan('2026-07-01T09:30:00.1234567Z'), told('2026-07-01T09:30:00.1234567Z')],
    ['in the future', scan('2091-07-01T09:30:00Z'), told('2091-07-01T09:30:00Z')],
    ['in Rome', scan('2026-07-01T09:30:00'), told('2026-07-01T09:30:00+02:00')],
    ['on a day', scan('2026-07-01'), told('2026-07-01')],
    ['at no time', scan(' soon\n'), told('soon')],
    ['without a time', scan({ day: 1 }), told('')],
    ['without a description', scan(NOON, { eventDescription: undefined }), told(NOON, { description: null })],
    ['without a code', scan(NOON, { eventType: null }), told(NOON, { carrierStatusCode: null })],
    [
      'with an exception',
      scan(NOON, { exceptionDescription: 'Incorrect address' }),
      told(NOON, { note: 'Incorrect address' }),
    ],
    ['in a country alone', scan(NOON, { scanLocation: { countryCode: 'IT' } }), told(NOON, { location: 'IT' })],
    ['nowhere', scan(NOON, { scanLocation: null }), told(NOON, { location: null })],
  ])('is read %s', async (_, said, heard) => {
    expect(await track(['1'], results(result('1', scans(said))))).toEqual([journey(heard)]);
  });

  test('is read from its newest event to its oldest, through the night in which summer time ends', async () => {
    const times = ['01:50:00', '02:10:00', '02:05:00', '03:00:00'];
    const offsets = ['+02:00', '+02:00', '+01:00', '+01:00'];
    const heard = [journey(...times.map((time, n) => told(`2026-10-25T${time}${offsets[n]}`)))];
    const said = times.map((time, n) => scan(`2026-10-25T${time}${offsets[n]}`)).toReversed();
    expect(await track(['1'], results(result('1', scans(...said))))).toEqual(heard);
    const without = times.map(time => scan(`2026-10-25T${time}`)).toReversed();
    expect(await track(['1'], results(result('1', scans(...without))))).toEqual(heard);
  });

  test('keeps its other events if one is malformed', async () => {
    const said = scans(
      scan(NOON),
      null,
      'x',
      {},
      scan(NOON, { eventType: { code: 'DP' } }),
      scan(NOON, { scanLocation: { city: {} } }),
      scan(NOON, { exceptionDescription: [{}], eventDescription: 7 }),
      scan(NOON),
    );
    expect(await ask(fedex.tracking, ['1'], results(result('1', said)))).toEqual({
      finding: [
        journey(
          told(NOON),
          told(NOON, { description: '7' }),
          told(NOON, { location: null }),
          told(NOON, { carrierStatusCode: null }),
          told(NOON),
        ),
      ],
      errors: 3,
    });
  });

  test.each([
    ['without events yet', [{ latestStatusDetail: { code: 'IN' } }], journey()],
    ['of an unknown number', [NOT_FOUND], { kind: 'not_found' }],
    ['of an unknown number, spelt otherwise', [failed('tracking.number.not.found')], { kind: 'not_found' }],
    ['of a number that fails', [failed('SYSTEM.UNEXPECTED.ERROR')], { kind: 'unavailable' }],
    ['of a number that fails without a word', [{ error: {} }], { kind: 'unreadable' }],
    ['of a number used again', [HERE, scans(scan('2024-01-01T00:00:00Z'))], HEARD],
    ['of a number used again, once in vain', [null, NOT_FOUND, HERE], HEARD],
    ['of no results', [], { kind: 'not_found' }],
  ])('is read from a response %s', async (_, trackResults, finding) => {
    expect(await track(['1'], results({ trackingNumber: '1', trackResults }))).toEqual([finding]);
  });

  test.each([
    ['a window', { estimatedDeliveryTimeWindow: until('2026-11-25T18:00:00+01:00') }, '2026-11-25T18:00:00+01:00'],
    [
      'that of today, before what is usual',
      {
        estimatedDeliveryTimeWindow: until('2026-11-25T18:00:00'),
        standardTransitTimeWindow: until('2026-11-24T00:00:00-06:00'),
        dateAndTimes: [by('ESTIMATED_DELIVERY', '2026-11-26T00:00:00-06:00')],
      },
      '2026-11-25T18:00:00+01:00',
    ],
    [
      'among other dates',
      {
        estimatedDeliveryTimeWindow: { window: {} },
        standardTransitTimeWindow: until('2026-11-24T00:00:00-06:00'),
        dateAndTimes: [null, by('SHIP', '2026-11-20T00:00:00'), by('ESTIMATED_DELIVERY', '2026-11-26T00:00:00-06:00')],
      },
      '2026-11-26T23:59:59-06:00',
    ],
    ['what is usual', { standardTransitTimeWindow: until('2026-11-24T00:00:00') }, '2026-11-24T23:59:59+01:00'],
    ['no date', { estimatedDeliveryTimeWindow: until('Monday') }, 'Monday'],
    ['empty', { estimatedDeliveryTimeWindow: { window: {} }, dateAndTimes: [] }, null],
  ])('is read with an estimate that is %s', async (_, fields, estimate) => {
    expect(await track(['1'], results(result('1', { ...HERE, ...fields })))).toEqual([{ ...HEARD, estimate }]);
  });

  test.each([{}, null, 7, output(null), output('x'), results(null)])(
    'is unreadable if the response is %j',
    async body => {
      expect(await track(['1', '2'], body)).toEqual([{ kind: 'unreadable' }, { kind: 'unreadable' }]);
    },
  );
});

describe('Several numbers at FedEx', () => {
  const other = result('2', NOT_FOUND);
  const unreadable = { kind: 'unreadable' };
  const notFound = { kind: 'not_found' };

  test.each([
    ['in order', results(result('1', HERE), other), [HEARD, notFound]],
    ['out of order', results(other, result('1', HERE)), [HEARD, notFound]],
    ['in their places, where they are not named', results(result(null, HERE), other), [HEARD, notFound]],
    ['with another number in its place', results(result('A1', HERE), other), [notFound, notFound]],
    ['one of them left out', results(other), [notFound, notFound]],
    ['one of them told twice', results(other, other), [notFound, notFound]],
    ['with no results', results(), [notFound, notFound]],
    ['with a result that is none', results({ trackingNumber: '1' }, other), [unreadable, notFound]],
    ['one of them nonsense', results('x', other), [unreadable, notFound]],
    ['one of them null', results(null, other), [unreadable, notFound]],
    [
      'with results of one that are none',
      results({ trackingNumber: '1', trackResults: {} }, other),
      [unreadable, notFound],
    ],
  ])('are answered %s', async (_, body, findings) => {
    expect(await track(['1', '2'], body)).toEqual(findings);
  });

  test('that are equal have the same result', async () => {
    expect(await track(['a.1', 'A 1'], results(result('A1', HERE)))).toEqual([HEARD, HEARD]);
  });

  test.each([400, 404, 422])(
    'are rejected together with %i: one alone is unknown, and of several nobody knows which',
    async status => {
      const error = { code: 'TRACKING.TRACKINGNUMBER.INVALID', message: 'Invalid tracking number.' };
      expect(await track(['1'], { errors: [error] }, status)).toEqual([notFound]);
      expect(await track(['1', '2'], { errors: [error] }, status)).toEqual([]);
    },
  );

  test('are sent in one request', async () => {
    await track(['7777 1234', 'ab.1', '..'], {});
    expect(asked.url).toBe(`${BASE}/track/v1/trackingnumbers`);
    expect(JSON.parse(`${asked.init.body}`)).toEqual({
      includeDetailedScans: true,
      trackingInfo: ['77771234', 'AB1', '..'].map(trackingNumber => ({ trackingNumberInfo: { trackingNumber } })),
    });
  });
});

test('A response that FedEx never sends does not fail', () => {
  for (const data of [{}, { validatePostal: null, trackNumbers: null }, { validatePostal: {}, trackNumbers: {} }]) {
    expect(fedex.address.read(data, PALERMO)).toEqual({ kind: 'unreadable' });
    expect(fedex.tracking.read(data, ['1'])).toEqual([{ kind: 'unreadable' }]);
  }
});

test('A token of FedEx is requested by a form', () => {
  const url = new URL('https://fedex.test/oauth/token');
  expect(new URL(`${BASE}${fedex.grant?.path}`)).toEqual(url);
  expect(fedex.grant?.request(url, { clientId: 'id', clientSecret: 'a&b=è' })).toEqual({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials&client_id=id&client_secret=a%26b%3D%C3%A8',
  });
});

test('A request to FedEx says who asks', () => {
  const request = { method: 'POST', url: new URL(BASE), headers: { accept: 'application/json' }, body: '{}' };
  expect(fedex.authorize(request, {}, 't1')).toEqual({
    ...request,
    headers: { accept: 'application/json', authorization: 'Bearer t1', 'x-locale': 'it_IT' },
  });
});
