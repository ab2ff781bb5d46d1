import { describe, expect, test } from 'vitest';
import { placeNamed, zoneOf } from '../../src/upstream/event-zone.ts';
import { isLocalTime, placedTimes } from '../../src/upstream/place-time.ts';

type Sent = readonly [local: string, offset: string | null, country?: string, state?: string, city?: string];

const times = (...sent: readonly Sent[]) =>
  placedTimes(
    sent.map(([local, offset, country, state, city]) => ({ local, offset, place: { country, state, city } })),
  );
const timestamps = (...sent: readonly Sent[]) => times(...sent).map(({ timestamp }) => timestamp);

// biome-ignore format: a table reads as rows
describe('A time with an offset', () => {
  test.each<[what: string, sent: readonly Sent[], read: readonly string[]]>([
    ['is read',                           [['2026-07-01T09:30:00', '-04:00']], ['2026-07-01T09:30:00-04:00']],
    ['is read without colons',            [['20260701T093000', '-0400']],      ['2026-07-01T09:30:00-04:00']],
    ['is read with an offset of hours',   [['2026-07-01T09:30:00', '+01']],    ['2026-07-01T09:30:00+01:00']],
    ['is read with half an hour more',    [['2026-07-01T09:30', '+0530']],     ['2026-07-01T09:30:00+05:30']],
    ['is read with a name before it',     [['2026-07-01T09:30', 'GMT+1']],     ['2026-07-01T09:30:00+01:00']],
    ['is read in UTC',                    [['2026-07-01T09:30:00.25', 'Z']],   ['2026-07-01T09:30:00.25Z']],
    ['does not follow its place',         [['2026-07-01T09:30:00', '+02:00', 'US', 'CA']], ['2026-07-01T09:30:00+02:00']],
  ])('%s', (_what, sent, read) => {
    expect(timestamps(...sent)).toEqual(read);
    expect(times(...sent).map(({ isUncertain }) => isUncertain)).toEqual([false]);
  });
});

// biome-ignore format: a table reads as rows
describe('A time without an offset', () => {
  test.each<[what: string, sent: readonly Sent[], read: readonly string[], isUncertain: boolean]>([
    ['is local to its country',                    [['2026-07-01T09:30', null, 'GB']],                 ['2026-07-01T09:30:00+01:00'], false],
    ['is local to its country in winter',          [['2026-12-01T09:30', ' ', 'nz']],                  ['2026-12-01T09:30:00+13:00'], false],
    ['is local to its state',                      [['2026-07-01T09:30', null, 'US', 'CA']],           ['2026-07-01T09:30:00-07:00'], false],
    ['is local to a state of many',                [['2026-07-01T09:30', null, 'AU', 'wa']],           ['2026-07-01T09:30:00+08:00'], false],
    ['is local to its city in a state of two',     [['2026-07-01T09:30', null, 'US', 'TN', 'Memphis']], ['2026-07-01T09:30:00-05:00'], false],
    ['is local to a city that names the zone',     [['2026-07-01T09:30', null, 'AU', '', 'Perth']],    ['2026-07-01T09:30:00+08:00'], false],
    ['is a guess in a state of two zones',         [['2026-07-01T09:30', null, 'US', 'TN', 'Nowhere']], ['2026-07-01T09:30:00-04:00'], true],
    ['is a guess in a country of many',            [['2026-07-01T09:30', null, 'US']],                 ['2026-07-01T09:30:00-04:00'], true],
    ['is a guess nowhere: Rome’s',                 [['2026-07-01T09:30', null]],                       ['2026-07-01T09:30:00+02:00'], true],
    ['has an offset that cannot be read',          [['2026-07-01T09:30', 'boh', 'GB']],                ['2026-07-01T09:30:00+01:00'], false],
    ['has an offset that no place has',            [['2026-07-01T09:30', '+25:00', 'GB']],             ['2026-07-01T09:30:00+01:00'], false],
  ])('%s', (_what, sent, read, isUncertain) => {
    expect(timestamps(...sent)).toEqual(read);
    expect(times(...sent).at(-1)?.isUncertain).toBe(isUncertain);
  });

  test.each<[what: string, sent: readonly Sent[], last: string]>([
    ['nowhere, that of the event before',             [['2026-07-01T09:30', '-04:00'], ['2026-07-01T10:30', null]], '2026-07-01T10:30:00-04:00'],
    ['nowhere, that of the latest before',            [['2026-07-01T09:30', '-04'], ['2026-07-02T10:30', '+02'], ['2026-07-02T11:30', '']], '2026-07-02T11:30:00+02:00'],
    ['somewhere in the country of the one before',    [['2026-07-01T09:30', '-07:00', 'US'], ['2026-07-01T10:30', null, 'US']], '2026-07-01T10:30:00-07:00'],
    ['its own, in a country of one zone',             [['2026-07-01T09:30', '-04:00', 'US'], ['2026-07-02T10:30', null, 'IT']], '2026-07-02T10:30:00+02:00'],
    ['its own, after one in UTC',                     [['2026-07-01T09:30', 'Z'], ['2026-07-01T10:30', null]], '2026-07-01T10:30:00+02:00'],
    ['its own, before one that has it',               [['2026-07-01T10:30', '-04:00', 'US'], ['2026-07-01T09:30', null, 'DE']], '2026-07-01T09:30:00+02:00'],
  ])('has this offset: %s', (_what, sent, last) => {
    expect(timestamps(...sent).at(-1)).toBe(last);
  });

  test('that occurs twice in the night when summer time ends is the later one after a later event', () => {
    const sent = ['01:50', '02:10', '02:05'].map((time): Sent => [`2026-10-25T${time}`, null, 'IT']);
    expect(timestamps(...sent)).toEqual(['2026-10-25T01:50:00+02:00', '2026-10-25T02:10:00+02:00', '2026-10-25T02:05:00+01:00']);
  });

  test('that cannot be read stays as it was sent', () => {
    expect(times(['ieri', null, 'US'], ['20260701T', '', 'US'])).toEqual([
      { timestamp: 'ieri', isUncertain: false },
      { timestamp: '20260701T', isUncertain: false },
    ]);
  });
});

test.each([
  ['SYDNEY-AU', 'Australia/Sydney'],
  ['Brisbane-AU', 'Australia/Brisbane'],
  ['AUCKLAND-NZ', 'Pacific/Auckland'],
  ['PRAGUE-CZECH REPUBLIC, THE', 'Europe/Prague'],
  ['HONG KONG - HONG KONG SAR, CHINA', 'Asia/Hong_Kong'],
  ['CINCINNATI HUB,OH-USA', 'America/New_York'],
  ['LOS ANGELES GATEWAY,CA-USA', 'America/Los_Angeles'],
  ['LOS ANGELES - USA', 'America/Los_Angeles'],
  ['New York, NY', 'America/New_York'],
  ['LEIPZIG - GERMANY', 'Europe/Berlin'],
  ['TENERIFE - CANARY ISLANDS, THE', 'Atlantic/Canary'],
  ['EAST MIDLANDS - UK', 'Europe/London'],
  ['BERGAMO', undefined],
  ['', undefined],
])('The DHL place %s is in %s', (text, zone) => {
  expect(zoneOf(placeNamed(text))?.zone).toBe(zone);
});

test('Every zone of the states and cities exists', async () => {
  const { default: zones } = await import('../../schema/carriers/zones.json', { with: { type: 'json' } });
  const named = Object.values<{ zone: string; states?: object; cities?: object }>(zones.countries).flatMap(
    ({ zone, states = {}, cities = {} }) => [zone, ...Object.values(states), ...Object.values(cities)],
  );
  for (const zone of named) expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow();
});

test('A local time must be on a day that exists', () => {
  expect(['2026-02-28T10:00', '20260228T100000', '2026-02-30T10:00', '20260228T74700', 'T'].map(isLocalTime)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
