import { describe, expect, test } from 'vitest';
import type { CarrierEvent } from '../../src/domain/carriers/carrier.port.ts';
import { withReadableTimes } from '../../src/domain/polling/unreadable-times.rules.ts';

const event = (timestamp: string, note: string | null = null): CarrierEvent => ({
  timestamp,
  carrierStatusCode: '903',
  description: 'In transito.',
  location: 'BOLOGNA',
  note,
});

const NINE = '2026-11-20T09:00:00+01:00';
const TEN = '2026-11-20T10:00:00+01:00';
const BEFORE_NINE = '2026-11-20T07:59:59.999Z';
const BEFORE_TEN = '2026-11-20T08:59:59.999Z';

/** An event whose time could not be read: `unknown`, with that time in its note. */
const unknown = (timestamp: string, note: string) => ({ ...event(timestamp, note), statusCode: 'unknown' });

describe('Events', () => {
  // biome-ignore format: a table reads as rows
  test.each<[what: string, told: CarrierEvent[], heard: object[]]>([
    ['none',                                       [], []],
    ['with times stay as they are',                [event(NINE), event(TEN, 'x')], [event(NINE), event(TEN, 'x')]],
    ['of which none has a time stay as they are',  [event(''), event('ieri')], [event(''), event('ieri')]],
    ['the last without a time',                    [event(NINE), event('99/99/99 10:00')],
      [event(NINE), unknown(BEFORE_NINE, 'Orario non leggibile: 99/99/99 10:00')]],
    ['one without a time between',                 [event(NINE), event('99/99/99'), event(TEN)],
      [event(NINE), unknown(BEFORE_NINE, 'Orario non leggibile: 99/99/99'), event(TEN)]],
    ['one without a time after two',               [event(NINE), event(TEN), event('ieri')],
      [event(NINE), event(TEN), unknown(BEFORE_TEN, 'Orario non leggibile: ieri')]],
    ['the first without a time',                   [event('ieri'), event(NINE), event(TEN)],
      [unknown(BEFORE_NINE, 'Orario non leggibile: ieri'), event(NINE), event(TEN)]],
    ['several without a time',                     [event('a'), event(NINE), event('b'), event('c'), event(TEN), event('d')],
      [unknown(BEFORE_NINE, 'Orario non leggibile: a'), event(NINE), unknown(BEFORE_NINE, 'Orario non leggibile: b'),
       unknown(BEFORE_NINE, 'Orario non leggibile: c'), event(TEN), unknown(BEFORE_TEN, 'Orario non leggibile: d')]],
    ['with a note of its own keep it',             [event(NINE), event('ieri', 'Suonare due volte')],
      [event(NINE), unknown(BEFORE_NINE, 'Suonare due volte · Orario non leggibile: ieri')]],
    // As a person who records events may not either.
    ['on days there are not',                      [event(NINE), event('2026-02-31T10:00:00+01:00')],
      [event(NINE), unknown(BEFORE_NINE, 'Orario non leggibile: 2026-02-31T10:00:00+01:00')]],
    ['without an offset',                          [event(NINE), event('2026-11-20T10:00:00')],
      [event(NINE), unknown(BEFORE_NINE, 'Orario non leggibile: 2026-11-20T10:00:00')]],
    ['of another century',                         [event(NINE), event('1999-12-31T23:59:59Z')],
      [event(NINE), unknown(BEFORE_NINE, 'Orario non leggibile: 1999-12-31T23:59:59Z')]],
  ])('%s', (_what, told, heard) => {
    expect(withReadableTimes(told)).toEqual(heard);
  });

  test('say the same again once newer ones are known', () => {
    const told = [event('a'), event(NINE), event('b'), event(TEN), event('c'), event('2026-11-20T11:00:00+01:00')];
    const all = withReadableTimes(told);
    for (let known = 2; known <= told.length; known++) {
      expect(withReadableTimes(told.slice(0, known))).toEqual(all.slice(0, known));
    }
  });

  test('are not told in longer notes than are recorded', () => {
    const [, one] = withReadableTimes([event(NINE), event('ieri', 'n'.repeat(990))]);
    expect(one?.note).toHaveLength(1000);
    const [, other] = withReadableTimes([event(NINE), event('ieri', `x${'📦'.repeat(990)}`)]);
    expect(other?.note?.isWellFormed()).toBe(true);
  });
});
