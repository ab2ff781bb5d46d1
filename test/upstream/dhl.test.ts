import { describe, expect, test } from 'vitest';
import { dhl } from '../../src/upstream/dhl.ts';
import { PALERMO, useRecorded } from './recorded.ts';

const BASE = 'https://dhl.test/mydhlapi';
const NUMBERS = ['1234567890'];

const { ask, asked } = useRecorded(dhl, BASE);

const problem = (status: number) => ({ instance: '/expressapi', title: 'Bad request', status, detail: '420505: no' });
const place = (postalCode: unknown, cityName: unknown = 'PALERMO') => ({
  countryCode: 'IT',
  postalCode,
  cityName,
  serviceArea: { code: 'PMO', description: 'PALERMO-ITA', GMTOffset: '+01:00' },
});
const known = (zip: string | null, city: string | null = 'PALERMO') => ({
  streetLine1: null,
  streetLine2: null,
  city,
  zip,
  province: null,
  country: 'IT',
  transitTimeHours: null,
});

describe('An address that DHL checks', () => {
  test.each([
    ['is one that DHL knows', { address: [place('90139')] }, { kind: 'candidates', addresses: [known('90139')] }],
    [
      'could be several',
      { warnings: ['Address has been corrected'], address: [place('90121'), place(90122, ' PALERMO\nMARE ')] },
      { kind: 'candidates', addresses: [known('90121'), known('90122', 'PALERMO MARE')] },
    ],
    ['has no postal code', { address: [place(null)] }, { kind: 'candidates', addresses: [known(null)] }],
    ['is unknown', { warnings: [], address: [] }, { kind: 'not_found' }],
    ['comes to nothing', { warnings: [] }, { kind: 'unreadable' }],
    ['comes to places that are none', { address: [null, {}, { countryCode: 'IT' }] }, { kind: 'unreadable' }],
    ['is answered with a text', 'Palermo', { kind: 'unreadable' }],
    ['is answered with null', null, { kind: 'unreadable' }],
  ])('%s', async (_, body, finding) => {
    expect((await ask(dhl.address, PALERMO, body)).finding).toEqual(finding);
  });

  test.each([
    [400, '420505: The destination location is invalid', 'invalid'],
    [422, 'Parameters not having correct format: cityName (maxLength=45)', 'invalid'],
    [400, 'The requested location could not be found', 'not_found'],
    [400, 'Missing mandatory parameters: countryCode', 'rejected'],
    [400, 'Parameters not having correct format: type (valid parameters are [pickup, delivery])', 'rejected'],
    [400, 'Something else', 'rejected'],
    [404, 'No data found', 'not_found'],
  ])('that is answered with %i and "%s" is %s', async (status, detail, kind) => {
    const body = { ...problem(status), detail };
    expect(await ask(dhl.address, PALERMO, body, status)).toEqual({ finding: { kind }, errors: 0 });
  });

  test('that is half malformed counts as an error', async () => {
    expect((await ask(dhl.address, PALERMO, { address: [place('90139', { name: 'PALERMO' })] })).errors).toBe(1);
  });

  test('is sent strictly, with its province if it has one', async () => {
    await ask(dhl.address, PALERMO, {});
    const url = new URL(asked.url);
    expect(`${asked.init.method} ${url.origin}${url.pathname}`).toBe(`GET ${BASE}/address-validate`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      type: 'delivery',
      countryCode: 'IT',
      postalCode: '90139',
      cityName: 'Palermo',
      countyName: 'PA',
      strictValidation: 'true',
    });
    await ask(dhl.address, { ...PALERMO, city: "Sant'Agata & co? {context.baseUrl}", provincia: null }, {});
    const { searchParams } = new URL(asked.url);
    expect(searchParams.get('cityName')).toBe("Sant'Agata & co? {context.baseUrl}");
    expect(searchParams.has('countyName')).toBe(false);
  });
});

const event = (date: unknown, time: unknown, fields: object = {}) => ({
  date,
  time,
  GMTOffset: '+01:00',
  typeCode: 'DF',
  description: 'Departed Facility',
  serviceArea: [{ code: 'PMO', description: 'PALERMO-ITA' }],
  ...fields,
});
const told = (timestamp: string, fields: object = {}) => ({
  timestamp,
  carrierStatusCode: 'DF',
  description: 'Departed Facility',
  location: 'PALERMO-ITA',
  note: null,
  ...fields,
});
const track = async (body: unknown, status = 200) => (await ask(dhl.tracking, NUMBERS, body, status)).finding;
const shipment = (...events: readonly unknown[]) => ({ shipments: [{ shipmentTrackingNumber: NUMBERS[0], events }] });
const journey = (...events: readonly object[]) => [{ kind: 'events', events, related: [], estimate: null }];

describe('A journey from DHL', () => {
  test.each([
    ['with its offset', event('2026-07-01', '09:30:00', { GMTOffset: '+02:00' }), told('2026-07-01T09:30:00+02:00')],
    ['elsewhere', event('2026-07-01', '09:30:00', { GMTOffset: '-0500' }), told('2026-07-01T09:30:00-05:00')],
    ['to the minute', event('2026-07-01', '09:30'), told('2026-07-01T09:30:00+01:00')],
    ['with seven digits', event('2026-07-01', '09:30:00.1234567'), told('2026-07-01T09:30:00.1234567+01:00')],
    ['in the future', event('2091-07-01', '09:30:00'), told('2091-07-01T09:30:00+01:00')],
    ['in Rome', event('2026-07-01', '09:30:00', { GMTOffset: undefined }), told('2026-07-01T09:30:00+02:00')],
    ['in Rome, in winter', event('2026-01-07', '09:30:00.1', { GMTOffset: '' }), told('2026-01-07T09:30:00+01:00')],
    ['on no day', event('2026-13-41', '09:30:00', { GMTOffset: null }), told('2026-13-41T09:30:00')],
    ['at no time', event('yesterday', 'noon'), told('yesterdayTnoon+01:00')],
    ['without a time', event('2026-07-01', { hour: 9 }), told('2026-07-01T+01:00')],
    [
      'without a description',
      event('2026-07-01', '09:30:00', { description: undefined }),
      told('2026-07-01T09:30:00+01:00', { description: null }),
    ],
    [
      'without a code',
      event('2026-07-01', '09:30:00', { typeCode: ' ' }),
      told('2026-07-01T09:30:00+01:00', { carrierStatusCode: null }),
    ],
    [
      'without a place',
      event('2026-07-01', '09:30:00', { serviceArea: [] }),
      told('2026-07-01T09:30:00+01:00', { location: null }),
    ],
  ])('is read %s', async (_, said, heard) => {
    expect(await track(shipment(said))).toEqual(journey(heard));
  });

  test('is read through the night in which summer time ends', async () => {
    const offsets = ['+02:00', '+02:00', '+01:00', '+01:00'];
    const times = ['01:50:00', '02:10:00', '02:05:00', '03:00:00'];
    const expected = journey(...times.map((time, n) => told(`2026-10-25T${time}${offsets[n]}`)));
    expect(
      await track(shipment(...times.map((time, n) => event('2026-10-25', time, { GMTOffset: offsets[n] })))),
    ).toEqual(expected);
    expect(await track(shipment(...times.map(time => event('2026-10-25', time, { GMTOffset: null }))))).toEqual(
      expected,
    );
  });

  test('has the offset of the place, or of the event before, if none is stated', async () => {
    const nowhere = { GMTOffset: '', serviceArea: [] };
    const said = shipment(
      event('2026-07-01', '09:30:00', { GMTOffset: undefined }),
      event('2026-07-02', '09:30:00', { GMTOffset: '-05' }),
      event('2026-07-03', '09:30:00', { GMTOffset: '' }),
      event('2026-07-04', '09:30:00', nowhere),
    );
    expect(await track(said)).toEqual(
      journey(
        told('2026-07-01T09:30:00+02:00'),
        told('2026-07-02T09:30:00-05:00'),
        told('2026-07-03T09:30:00+02:00'),
        told('2026-07-04T09:30:00-05:00', { location: null, note: 'Fuso orario non indicato dal corriere' }),
      ),
    );
  });

  test('keeps its other events if one is malformed', async () => {
    const good = event('2026-07-01', '09:30:00');
    const said = shipment(
      good,
      null,
      'x',
      [],
      {},
      event('2026-07-01', '09:30:00', { typeCode: { code: 'DF' } }),
      event('2026-07-01', '09:30:00', { description: ['x'], GMTOffset: 1 }),
      event('2026-07-01', '09:30:00', { serviceArea: 'PALERMO' }),
      good,
    );
    const heard = told('2026-07-01T09:30:00+01:00');
    expect(await ask(dhl.tracking, NUMBERS, said)).toEqual({
      finding: journey(
        heard,
        { ...heard, carrierStatusCode: null },
        told('2026-07-01T09:30:00+02:00', { description: null }),
        { ...heard, location: null },
        heard,
      ),
      errors: 3,
    });
  });

  test.each([
    [
      'without events yet',
      { shipments: [{ shipmentTrackingNumber: NUMBERS[0] }] },
      { kind: 'events', events: [], related: [], estimate: null },
    ],
    ['of no shipment', { shipments: [] }, { kind: 'not_found' }],
    ['of nothing', {}, { kind: 'unreadable' }],
    ['of null', null, { kind: 'unreadable' }],
    ['of a number', 7, { kind: 'unreadable' }],
    ['of shipments that are none', { shipments: [null] }, { kind: 'unreadable' }],
    ['of one that should be a list', { shipments: { events: [] } }, { kind: 'unreadable' }],
  ])('is read from a response %s', async (_, body, finding) => {
    expect(await track(body)).toEqual([finding]);
  });

  test.each([
    ['a day', '2026-11-25', '2026-11-25T23:59:59+01:00'],
    ['a time', '2026-11-25T12:00:00', '2026-11-25T12:00:00+01:00'],
    ['no date', 'soon', 'soon'],
    ['empty', '', null],
    ['null', null, null],
  ])('is read with an estimate that is %s', async (_, estimatedDeliveryDate, estimate) => {
    expect(await track({ shipments: [{ events: [], estimatedDeliveryDate }] })).toMatchObject([
      { kind: 'events', estimate },
    ]);
  });

  test.each([
    [400, 'Parameters not having correct format: shipmentTrackingNumber', 'not_found'],
    [422, 'Invalid AWB number', 'not_found'],
    [404, 'No data found', 'not_found'],
    [400, 'Parameters not having correct format: trackingView', 'rejected'],
  ])('is missing for a number for which DHL returns %i and "%s"', async (status, detail, kind) => {
    expect(await track({ ...problem(status), detail }, status)).toEqual([{ kind }]);
  });

  test.each([
    ['1234567890', '1234567890'],
    ['AB/../C?D=E#F', 'AB%2F%2FC%3FD%3DE%23F'],
    ['{CONTEXT.BASEURL}', '%7BCONTEXTBASEURL%7D'],
    ['..', ''],
    ['\ud800', '%EF%BF%BD'],
  ])('of %j is requested at its own address', async (number, segment) => {
    await ask(dhl.tracking, [number], {});
    expect(asked.url).toBe(
      `${BASE}/shipments/${segment}/tracking?trackingView=all-checkpoints&requestGMTOffsetPerEvent=true`,
    );
  });
});

test('A response that DHL never sends does not fail', () => {
  for (const data of [{}, { validateAddress: null, trackShipment: null }, { validateAddress: {}, trackShipment: {} }]) {
    expect(dhl.address.read(data, PALERMO)).toEqual({ kind: 'unreadable' });
    expect(dhl.tracking.read(data, NUMBERS)).toEqual([{ kind: 'unreadable' }]);
  }
});

test('A request to DHL says who asks', () => {
  const request = { method: 'GET', url: new URL(BASE), headers: { accept: 'application/json' }, body: null };
  expect(dhl.authorize(request, { username: 'Caffè', password: 'p:w' }, null)).toEqual({
    ...request,
    headers: {
      accept: 'application/json',
      'accept-language': 'ita',
      authorization: 'Basic Q2FmZsOoOnA6dw==',
      'x-version': '3.1.0',
    },
  });
});
