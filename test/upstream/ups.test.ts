import { describe, expect, test } from 'vitest';
import { deriveStatus } from '../../src/domain/shipping/tracking/status.rules.ts';
import { ups } from '../../src/upstream/ups.ts';
import { PALERMO, useRecorded } from './recorded.ts';

const BASE = 'https://ups.test';
const NUMBERS = ['1Z999AA10123456784'];

const { ask, asked } = useRecorded(ups, BASE);

const VALIDATION = { invalidFieldList: null, invalidFieldListCodes: null, destinationAmbiguous: false };
const transit = (parts: object) => ({
  validationList: VALIDATION,
  destinationPickList: null,
  originPickList: null,
  emsResponse: null,
  ...parts,
});
const services = (...days: readonly unknown[]) =>
  transit({
    emsResponse: {
      shipDate: '2026-11-21',
      destinationCountryCode: 'IT',
      destinationPostalCode: '90139',
      destinationCityName: 'PALERMO',
      services: days.map(businessTransitDays => ({ serviceLevel: '08', businessTransitDays })),
    },
  });
const candidate = (parts: object) => ({ countryName: 'ITALY', countryCode: 'IT', city: 'PALERMO', ...parts });
const range = (postalCodeLow: unknown, postalCodeHigh: unknown) => candidate({ postalCodeLow, postalCodeHigh });
const pickList = (...destinationPickList: readonly unknown[]) => transit({ destinationPickList });
const invalid = (...invalidFieldList: readonly unknown[]) => transit({ validationList: { invalidFieldList } });

const known = (zip: string | null, parts: object = {}) => ({
  streetLine1: null,
  streetLine2: null,
  city: 'PALERMO',
  zip,
  province: null,
  country: 'IT',
  transitTimeHours: null,
  ...parts,
});
const confirmed = (transitTimeHours: number | null) => ({
  kind: 'confirmed',
  address: known('90139', { transitTimeHours }),
});
const corrected = (...addresses: readonly object[]) => ({ kind: 'corrected', addresses });

describe('An address that UPS checks', () => {
  test.each([
    ['has services', services(3, 1, 2), confirmed(24)],
    ['has services told as text', services('2', null, 'TBD', ''), confirmed(48)],
    ['has a service that takes nobody knows how long', services(null, 1.5, -1, 10000), confirmed(null)],
    ['has no services', services(), { kind: 'not_found' }],
    ['has not even a list of them', transit({ emsResponse: { destinationCountryCode: 'IT' } }), { kind: 'not_found' }],
    ['is answered without what is around it', services(1, 2).emsResponse, { kind: 'unreadable' }],
    [
      'is another',
      pickList(candidate({ postalCode: '90100', stateProvince: 'PA' })),
      corrected(known('90100', { province: 'PA' })),
    ],
    [
      'could be several',
      pickList(range('90121', '90121'), range('90122', null), null),
      corrected(known('90121'), known('90122')),
    ],
    ['lies within a range', pickList(range('90121', '90151')), corrected(known('90139'))],
    ['lies beyond a range', pickList(range('90010', '90049')), corrected(known('90010'))],
    ['lies beside a range of other codes', pickList(range('9012', '9015')), corrected(known('9012'))],
    ['is a town without postal codes', pickList(candidate({})), corrected(known(null))],
    ['comes to candidates that are none', pickList(null, {}, { countryCode: 'IT' }), { kind: 'unreadable' }],
    [
      'beats services where UPS doubts it',
      { ...services(1), ...pickList(range('90100', '90100')), emsResponse: services(1).emsResponse },
      corrected(known('90100')),
    ],
    ['is invalid', invalid('destinationPostalCode'), { kind: 'invalid' }],
    ['is invalid by more than the origin', invalid('originPostalCode', 'destinationPostalCode'), { kind: 'invalid' }],
    ['is not to blame for the origin', invalid('originPostalCode'), { kind: 'rejected' }],
    ['is not to blame for other fields of ours', invalid('weight'), { kind: 'rejected' }],
    ['is ambiguous at the origin', transit({ originPickList: [candidate({})] }), { kind: 'rejected' }],
    ['is answered with nothing', {}, { kind: 'unreadable' }],
    ['is answered with null', null, { kind: 'unreadable' }],
    ['is answered with texts', transit({ validationList: 'x', emsResponse: 'x' }), { kind: 'unreadable' }],
  ])('%s', async (_, body, finding) => {
    expect((await ask(ups.address, PALERMO, body)).finding).toEqual(finding);
  });

  test.each([
    [400, 'Invalid destination postal code', 'invalid'],
    [422, 'Missing or invalid ship to address state province code', 'invalid'],
    [400, 'The postal code 90139 is invalid for IT', 'invalid'],
    [400, 'The postal code 20121 is invalid for IT', 'rejected'],
    [400, 'Invalid origin postal code', 'rejected'],
    [400, 'Missing transId', 'rejected'],
    [400, 'Invalid', 'rejected'],
    [404, 'Not found', 'not_found'],
  ])('that is answered with %i and "%s" is %s', async (status, message, kind) => {
    const error = { code: '270001', message };
    for (const body of [{ response: { errors: [error] } }, { errors: [error] }]) {
      expect(await ask(ups.address, PALERMO, body, status)).toEqual({ finding: { kind }, errors: 0 });
    }
  });

  test('is ambiguous by a status of its own', async () => {
    const body = pickList(range('90121', '90121'), range('90122', '90122'));
    expect((await ask(ups.address, PALERMO, body, 206)).finding).toEqual(corrected(known('90121'), known('90122')));
  });

  test('that is half malformed counts as an error', async () => {
    expect((await ask(ups.address, PALERMO, pickList(candidate({ postalCode: {} })))).errors).toBe(1);
  });

  test('is sent with a parcel of a kilogram, and across borders with a value', async () => {
    await ask(ups.address, PALERMO, {});
    expect(asked.url).toBe(`${BASE}/api/shipments/v1/transittimes`);
    expect(asked.init.method).toBe('POST');
    expect(JSON.parse(`${asked.init.body}`)).toEqual({
      originCountryCode: 'IT',
      originPostalCode: '20121',
      originCityName: 'Milano',
      destinationCountryCode: 'IT',
      destinationPostalCode: '90139',
      destinationCityName: 'Palermo',
      residentialIndicator: '02',
      weight: 1,
      weightUnitOfMeasure: 'KGS',
      numberOfPackages: 1,
      billType: '03',
      maxList: 10,
    });
    const paris = { ...PALERMO, country: 'FR', provincia: null, origin: { country: 'IT', zip: null, city: null } };
    await ask(ups.address, paris, {});
    const body = JSON.parse(`${asked.init.body}`);
    expect(body).toMatchObject({ shipmentContentsValue: 1, shipmentContentsCurrencyCode: 'EUR' });
    for (const name of ['destinationStateProvince', 'originPostalCode', 'originCityName']) {
      expect(body).not.toHaveProperty(name);
    }
  });
});

const DEPARTED = { type: 'I', statusCode: '005', code: 'DP', description: 'Departed from Facility ' };
const AT = { location: { address: { city: 'PALERMO', countryCode: 'IT', country: 'IT' }, slic: '8566' } };
const activity = (parts: object) => ({ ...AT, status: DEPARTED, ...parts });
const GMT = { gmtDate: '20260701', gmtTime: '07:30:00' };
const LOCAL = { date: '20260701', time: '093000' };
const told = (timestamp: string, fields: object = {}) => ({
  timestamp,
  carrierStatusCode: 'I005',
  description: 'Departed from Facility',
  location: 'PALERMO',
  note: null,
  ...fields,
});
const track = async (body: unknown, status = 200) => (await ask(ups.tracking, NUMBERS, body, status)).finding;
const shipments = (...shipment: readonly unknown[]) => ({ trackResponse: { shipment } });
const parcel = (trackingNumber: unknown, ...newestFirst: readonly unknown[]) => ({
  trackingNumber,
  activity: newestFirst,
});
const journeyOf = (...newestFirst: readonly unknown[]) =>
  shipments({ inquiryNumber: NUMBERS[0], package: [parcel('1Z999AA10123456784', ...newestFirst)] });
const journey = (...events: readonly object[]) => [{ kind: 'events', events, related: [], estimate: null }];

describe('A journey from UPS', () => {
  test.each([
    ['in UTC, before all else', activity({ ...GMT, ...LOCAL, gmtOffset: '-04:00' }), told('2026-07-01T07:30:00Z')],
    ['in UTC without colons', activity({ gmtDate: '20260701', gmtTime: '073000' }), told('2026-07-01T07:30:00Z')],
    ['with seven digits', activity({ ...GMT, gmtTime: '07:30:00.1234567' }), told('2026-07-01T07:30:00.1234567Z')],
    ['with its offset', activity({ ...LOCAL, gmtOffset: '-04:00' }), told('2026-07-01T09:30:00-04:00')],
    [
      'with half of its UTC',
      activity({ ...LOCAL, gmtDate: '20260701', gmtOffset: '+01:00' }),
      told('2026-07-01T09:30:00+01:00'),
    ],
    ['in Rome', activity(LOCAL), told('2026-07-01T09:30:00+02:00')],
    ['in the future', activity({ ...GMT, gmtDate: '20910701' }), told('2091-07-01T07:30:00Z')],
    ['on no day', activity({ date: '20261341', time: '093000' }), told('20261341T093000')],
    ['without a time', activity({ date: '20260701', time: '' }), told('20260701T')],
    [
      'without a description',
      activity({ ...GMT, status: { type: 'X' } }),
      told('2026-07-01T07:30:00Z', { carrierStatusCode: 'X', description: null }),
    ],
    [
      'without a code',
      activity({ ...GMT, status: { description: 'On its way' } }),
      told('2026-07-01T07:30:00Z', { carrierStatusCode: null, description: 'On its way' }),
    ],
    [
      'in a country alone',
      activity({ ...GMT, location: { address: { city: '', countryCode: 'IT' } } }),
      told('2026-07-01T07:30:00Z', { location: 'IT' }),
    ],
    ['nowhere', activity({ ...GMT, location: null }), told('2026-07-01T07:30:00Z', { location: null })],
  ])('is read %s', async (_, said, heard) => {
    expect(await track(journeyOf(said))).toEqual(journey(heard));
  });

  test('has the offset of the place if none is stated', async () => {
    const newestFirst = [{ date: '20260703' }, { date: '20260702', gmtOffset: '-04:00' }, {}];
    const heard = ['2026-07-01T09:30:00+02:00', '2026-07-02T09:30:00-04:00', '2026-07-03T09:30:00+02:00'];
    expect(await track(journeyOf(...newestFirst.map(parts => activity({ ...LOCAL, ...parts }))))).toEqual(
      journey(...heard.map(timestamp => told(timestamp))),
    );
  });

  test('has no local time in UTC, even if the event before is in UTC', async () => {
    expect(await track(journeyOf(activity(LOCAL), activity(GMT)))).toEqual(
      journey(told('2026-07-01T07:30:00Z'), told('2026-07-01T09:30:00+02:00')),
    );
  });

  test('is read from its newest event to its oldest, through the night in which summer time ends', async () => {
    const times = ['01:50:00', '02:10:00', '02:05:00', '03:00:00'];
    const offsets = ['+02:00', '+02:00', '+01:00', '+01:00'];
    const said = times.map(time => activity({ date: '20261025', time: time.replaceAll(':', '') })).toReversed();
    expect(await track(journeyOf(...said))).toEqual(
      journey(...times.map((time, n) => told(`2026-10-25T${time}${offsets[n]}`))),
    );
  });

  test('keeps its other events if one is malformed', async () => {
    const said = journeyOf(
      activity(GMT),
      null,
      7,
      {},
      activity({ ...GMT, status: { ...DEPARTED, statusCode: { code: '005' } } }),
      activity({ ...GMT, location: { address: { city: ['PALERMO', 'MILANO'] } } }),
      activity({ ...LOCAL, gmtDate: {}, gmtTime: '07:30:00', gmtOffset: '+02:00' }),
      activity(GMT),
    );
    const heard = told('2026-07-01T07:30:00Z');
    expect(await ask(ups.tracking, NUMBERS, said)).toEqual({
      finding: journey(
        heard,
        told('2026-07-01T09:30:00+02:00'),
        { ...heard, location: null },
        { ...heard, carrierStatusCode: 'I' },
        heard,
      ),
      errors: 3,
    });
  });

  test('belongs to the requested package, among others', async () => {
    const other = parcel('1Z999AA10000000001', activity({ ...GMT, status: { type: 'D', statusCode: '011' } }));
    const ours = parcel('1z999aa10123456784', activity(GMT));
    const heard = journey(told('2026-07-01T07:30:00Z'));
    expect(await track(shipments({ package: [null, other, ours] }))).toEqual(heard);
    expect(await track(shipments({ package: [other] }, null, { package: [ours] }))).toEqual(heard);
    expect(await track(shipments({ package: [parcel(null, activity(GMT)), other] }))).toEqual(heard);
  });

  test.each([
    [
      'without events yet',
      shipments({ package: [{ trackingNumber: NUMBERS[0] }] }),
      { kind: 'events', events: [], related: [], estimate: null },
    ],
    [
      'of an unknown number',
      shipments({ warnings: [{ code: 'TW0001', message: 'Not Found' }] }),
      { kind: 'not_found' },
    ],
    ['of no shipment', shipments(), { kind: 'not_found' }],
    ['of no package', shipments({ inquiryNumber: '1' }), { kind: 'unreadable' }],
    ['of packages that are none', shipments({ package: [null] }), { kind: 'unreadable' }],
    ['of one that should be a list', shipments({ package: { trackingNumber: '1' } }), { kind: 'unreadable' }],
    ['of nothing', {}, { kind: 'unreadable' }],
    ['of null', null, { kind: 'unreadable' }],
    ['of a text', { trackResponse: 'x' }, { kind: 'unreadable' }],
  ])('is read from a response %s', async (_, body, finding) => {
    expect(await track(body)).toEqual([finding]);
  });

  const on = (type: string, date: string) => ({ type, date });
  test.each([
    ['scheduled', [on('SDD', '20261125')], { type: 'EOD' }, '2026-11-25T23:59:59+01:00'],
    ['in a window', [on('SDD', '20261125')], { type: 'EDW', endTime: '180000' }, '2026-11-25T18:00:00+01:00'],
    ['rescheduled', [on('SDD', '20261125'), on('RDD', '20261127')], undefined, '2026-11-27T23:59:59+01:00'],
    ['over', [on('DEL', '20261125')], { type: 'DEL', endTime: '101500' }, null],
    [
      'over, beside what was scheduled',
      [on('SDD', '20261126'), on('DEL', '20261125')],
      { type: 'DEL', endTime: '101500' },
      '2026-11-26T23:59:59+01:00',
    ],
    ['no date', [on('SDD', 'x')], undefined, 'x'],
    ['not there', undefined, undefined, null],
  ])('is read with a delivery that is %s', async (_, deliveryDate, deliveryTime, estimate) => {
    const known = { ...parcel('1Z999AA10123456784', activity(GMT)), deliveryDate, deliveryTime };
    expect(await track(shipments({ package: [known] }))).toMatchObject([{ kind: 'events', estimate }]);
  });

  test.each([
    [400, 'Invalid inquiry number', 'not_found'],
    [422, 'Invalid tracking number', 'not_found'],
    [404, 'Tracking information not found', 'not_found'],
    [400, 'Missing transId', 'rejected'],
  ])('is missing for a number for which UPS returns %i and "%s"', async (status, message, kind) => {
    expect(await track({ response: { errors: [{ code: 'TV1002', message }] } }, status)).toEqual([{ kind }]);
  });

  test('is requested at its own address', async () => {
    await track({});
    expect(asked.url).toBe(`${BASE}/api/track/v1/details/1Z999AA10123456784?locale=it_IT`);
    await ask(ups.tracking, ['../X?Y'], {});
    expect(asked.url).toBe(`${BASE}/api/track/v1/details/%2FX%3FY?locale=it_IT`);
  });

  test.each([
    [{ type: 'MV' }, 'cancelled'],
    [{ type: 'D', statusCode: '011' }, 'delivered'],
    [{ type: 'X', statusCode: 22 }, 'delivery_failed'],
    [{ type: ' I ', statusCode: ' 021 ' }, 'out_for_delivery'],
    [{ type: 'I', statusCode: '' }, 'in_transit'],
    [{ statusCode: '034' }, 'returned'],
  ])('with the code %j has the status %s', async (status, expected) => {
    const [finding] = await track(journeyOf(activity({ ...GMT, status })));
    const code = finding?.kind === 'events' ? (finding.events[0]?.carrierStatusCode ?? null) : null;
    expect(deriveStatus('UPS', code, null)).toBe(expected);
  });
});

test('A response that UPS never sends does not fail', () => {
  for (const data of [{}, { transitTimes: null, trackPackage: null }, { transitTimes: {}, trackPackage: {} }]) {
    expect(ups.address.read(data, PALERMO)).toEqual({ kind: 'unreadable' });
    expect(ups.tracking.read(data, NUMBERS)).toEqual([{ kind: 'unreadable' }]);
  }
});

test('A token of UPS is requested by Basic authentication', () => {
  const url = new URL('https://ups.test/security/v1/oauth/token');
  expect(new URL(`${BASE}${ups.grant?.path}`)).toEqual(url);
  expect(ups.grant?.request(url, { clientId: 'id', clientSecret: 'è' })).toEqual({
    method: 'POST',
    url,
    headers: { authorization: 'Basic aWQ6w6g=', 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  });
});

test('A request to UPS says who asks, and identifies itself', () => {
  const request = { method: 'GET', url: new URL(BASE), headers: { accept: 'application/json' }, body: null };
  const [one, other] = [ups.authorize(request, {}, 't1'), ups.authorize(request, {}, 't1')];
  expect(one).toEqual({
    ...request,
    headers: {
      accept: 'application/json',
      authorization: 'Bearer t1',
      transId: expect.stringMatching(/^[\da-f]{32}$/),
      transactionSrc: 'shipping-integrations',
    },
  });
  expect(one.headers.transId).not.toBe(other.headers.transId);
});
