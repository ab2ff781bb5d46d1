import { describe, expect, test } from 'vitest';
import type { CarrierEvent } from '../../src/domain/shipping/carriers/carrier.port.ts';
import { byTheirTimes, notRecorded } from '../../src/domain/shipping/polling/unusable-times.rules.ts';

const event = (timestamp: string, note: string | null = null): CarrierEvent => ({
  timestamp,
  carrierStatusCode: '903',
  description: 'In transito.',
  location: 'BOLOGNA',
  note,
});

const RECEIVED = new Date('2026-11-20T12:00:00Z');
const NINE = '2026-11-20T09:00:00+01:00';
const TEN = '2026-11-20T10:00:00+01:00';

/**
 * The recorded form of an event whose time cannot be used: how long before the response it is recorded, and its note.
 */
const untimed = (beforeMs: number, note: string, carrierTime = note) => ({
  ...event(new Date(RECEIVED.getTime() - beforeMs).toISOString(), note),
  statusCode: 'unknown',
  carrierTime,
});

describe('Events', () => {
  // biome-ignore format: a table reads as rows
  test.each<[what: string, told: CarrierEvent[], timed: string[], others: object[]]>([
    ['none',                               [], [], []],
    ['with times stay as they are',        [event(NINE), event(TEN, 'x')], [NINE, TEN], []],
    ['up to a day ahead of the clock do',  [event('2026-11-21T12:00:00Z')], ['2026-11-21T12:00:00Z'], []],
    ['further ahead',                      [event('2026-11-21T13:00:00.001+01:00'), event(NINE)], [NINE],
      [untimed(0, 'Orario nel futuro: 2026-11-21T12:00:00.001Z')]],
    ['of 2098',                            [event('2098-01-01T10:00:00+01:00', 'Urgente')], [],
      [untimed(0, 'Urgente · Orario nel futuro: 2098-01-01T09:00:00.000Z', 'Orario nel futuro: 2098-01-01T09:00:00.000Z')]],
    ['the first without a time',           [event('ieri'), event(NINE), event(TEN)], [NINE, TEN],
      [untimed(0, 'Orario non leggibile: ieri')]],
    ['of which none has a time',           [event(''), event('ieri')], [],
      [untimed(1, 'Orario non leggibile:'), untimed(0, 'Orario non leggibile: ieri')]],
    ['several without a time',             [event('a'), event(NINE), event('b'), event('c'), event(TEN)], [NINE, TEN],
      [untimed(2, 'Orario non leggibile: a'), untimed(1, 'Orario non leggibile: b'), untimed(0, 'Orario non leggibile: c')]],
    ['with a note of their own keep it',   [event('ieri', 'Suonare due volte')], [],
      [untimed(0, 'Suonare due volte · Orario non leggibile: ieri', 'Orario non leggibile: ieri')]],
    // As a person who records events may not either.
    ['on days there are not',              [event('2026-02-31T10:00:00+01:00')], [],
      [untimed(0, 'Orario non leggibile: 2026-02-31T10:00:00+01:00')]],
    ['without an offset',                  [event('2026-11-20T10:00:00')], [],
      [untimed(0, 'Orario non leggibile: 2026-11-20T10:00:00')]],
    ['of another century',                 [event('1999-12-31T23:59:59Z')], [],
      [untimed(0, 'Orario non leggibile: 1999-12-31T23:59:59Z')]],
    ['whose time no note may have',        [event(' 99\n\u0000 99\ud800 ')], [],
      [untimed(0, 'Orario non leggibile: 99 99\ufffd')]],
  ])('%s', (_what, told, timed, others) => {
    const found = byTheirTimes(told, RECEIVED);
    expect(found.timed.map(({ timestamp }) => timestamp)).toEqual(timed);
    expect(found.untimed).toEqual(others);
  });

  test('have no longer notes than are recorded', () => {
    const noteOf = (note: string) => byTheirTimes([event('ieri', note)], RECEIVED).untimed[0]?.note;
    expect(noteOf('n'.repeat(990))).toHaveLength(1000);
    expect(noteOf(`x${'📦'.repeat(990)}`)?.isWellFormed()).toBe(true);
  });
});

describe('An event without a usable time is recorded', () => {
  const told = [event('a'), event('b', 'Nota'), event(NINE), event('2098-01-01T10:00:00+01:00')];
  const later = new Date(RECEIVED.getTime() + 7_200_000);

  test('once, however often and however late the carrier is asked', () => {
    const first = notRecorded(byTheirTimes(told, RECEIVED).untimed, []);
    expect(first).toHaveLength(3);
    expect(notRecorded(byTheirTimes([...told, event(TEN)], later).untimed, first)).toEqual([]);
    expect(notRecorded(byTheirTimes([...told, event('c')], later).untimed, first)).toMatchObject([
      { timestamp: later.toISOString(), note: 'Orario non leggibile: c' },
    ]);
  });

  test('once, if the response repeats it', () => {
    expect(notRecorded(byTheirTimes([event('a'), event('a', 'x')], RECEIVED).untimed, [])).toHaveLength(1);
  });

  test.each<[string, Partial<CarrierEvent>]>([
    ['code', { carrierStatusCode: '904' }],
    ['place', { location: null }],
    ['time', { timestamp: 'a b' }],
  ])('again with another %s', (_what, other) => {
    const recorded = byTheirTimes([event('b')], RECEIVED).untimed;
    expect(notRecorded(byTheirTimes([{ ...event('b'), ...other }], later).untimed, recorded)).toHaveLength(1);
  });
});
