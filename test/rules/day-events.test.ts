import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endOfDayInItaly } from '../../src/domain/common/date-time.rules.ts';
import type { CarrierEvent } from '../../src/domain/shipping/carriers/carrier.port.ts';
import { movedInTheirDays, placesInTheirDays } from '../../src/domain/shipping/polling/day-events.rules.ts';
import { byTheirTimes } from '../../src/domain/shipping/polling/unusable-times.rules.ts';
import { runs } from '../support/property-runs.ts';

// Events that a carrier dates by a day alone.

const DAY = '2026-11-20';
const END = '2026-11-20T22:59:59.999Z';
const at = (time: string) => `2026-11-20T${time}:00+01:00`;

test.each([
  ['2026-11-20', '2026-11-20T22:59:59.999Z'],
  ['2026-07-01', '2026-07-01T21:59:59.999Z'],
  // The days on which the clocks change.
  ['2026-03-29', '2026-03-29T21:59:59.999Z'],
  ['2026-10-25', '2026-10-25T22:59:59.999Z'],
  ['2026-02-30', undefined],
  ['1999-12-31', undefined],
  ['2026-11-20T10:00:00Z', undefined],
])('The end of %s in Italy is %s', (day, end) => {
  expect(endOfDayInItaly(day)?.toISOString()).toBe(end);
});

describe('An event of a day', () => {
  // biome-ignore format: a table reads as rows
  test.each<[what: string, told: string[], placed: (string | null)[]]>([
    ['is at its end where nothing else is known', [DAY], [END]],
    ['is before the one after it', [DAY, at('18:30')], ['2026-11-20T17:29:59.999Z', null]],
    ['is at its end after the one before it', [at('18:30'), DAY], [null, END]],
    ['is between two', [at('09:00'), DAY, at('18:30')], [null, '2026-11-20T17:29:59.999Z', null]],
    ['is not before the one before it', [at('09:00'), DAY, at('09:00')], [null, '2026-11-20T08:00:00.000Z', null]],
    ['is bound by its day alone', ['2026-11-19T10:00:00+01:00', DAY, '2026-11-21T08:00:00+01:00'], [null, END, null]],
    ['keeps its place among others of the day', [DAY, DAY, at('18:30')], ['2026-11-20T17:29:59.998Z', '2026-11-20T17:29:59.999Z', null]],
    ['is read as carriers write days', ['20/11/26', '20.11.2026', '20261120T', '2026-11-20T+01:00'],
      [3, 2, 1, 0].map(before => new Date(Date.parse(END) - before).toISOString())],
    ['stays as it is if it is no day', ['ieri', '2026-02-31', at('18:30')], [null, null, null]],
  ])('%s', (_what, told, placed) => {
    expect(placesInTheirDays(told).map(one => one?.toISOString() ?? null)).toEqual(placed);
  });

  test('stays within its day, and never leaves the order of a list that is in order', () => {
    const minutes = fc.array(fc.option(fc.nat(23 * 60), { nil: null, freq: 2 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(minutes, told => {
        const sorted = told.filter(minute => minute !== null).toSorted((a, b) => a - b);
        const list = told.map(minute =>
          minute === null ? DAY : new Date(Date.parse(at('00:00')) + (sorted.shift() as number) * 60_000).toISOString(),
        );
        const times = placesInTheirDays(list).map((place, i) => place?.getTime() ?? Date.parse(list[i] as string));
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(times[0]).toBeGreaterThanOrEqual(Date.parse(at('00:00')) - told.length);
        expect(times.at(-1)).toBeLessThanOrEqual(Date.parse(END));
      }),
      { numRuns: runs(300) },
    );
  });
});

const event = (timestamp: string, carrierStatusCode: string): CarrierEvent => ({
  ...{ timestamp, carrierStatusCode, description: null, location: 'MILANO', note: null },
});

test('An event of a day keeps the texts of its carrier, and its note says that it has no time', () => {
  const { timed, byDay, untimed } = byTheirTimes([event(DAY, '901'), event(at('18:30'), '902')], new Date(END));
  expect(byDay).toEqual([timed[0]]);
  expect(timed[0]).toEqual({
    ...event('2026-11-20T17:29:59.999Z', '901'),
    note: 'Orario non indicato dal corriere',
  });
  expect(untimed).toEqual([]);
});

test('Stored events of a day move to where the list has them now, each once', () => {
  const stored = [
    { id: 1, occurredAtMs: Date.parse(END) - 1, carrierStatusCode: '901', location: 'MILANO' },
    { id: 2, occurredAtMs: Date.parse(END), carrierStatusCode: '901', location: 'MILANO' },
    { id: 3, occurredAtMs: Date.parse(END), carrierStatusCode: '902', location: 'MILANO' },
  ];
  const now = [event('2026-11-20T17:29:59.998Z', '901'), event(END, '901'), event('2026-11-19T22:59:59.999Z', '902')];
  expect(movedInTheirDays(now, stored)).toEqual([{ id: 1, occurredAt: new Date('2026-11-20T17:29:59.998Z') }]);
});
