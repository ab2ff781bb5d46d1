import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addWorkingDays,
  atWorkingMs,
  DAY_MS,
  workingCalendar,
  workingDaysBefore,
  workingMs,
} from '../../src/domain/common/working-days.rules.ts';
import { isWorkingDay, workingDaysBetween } from '../support/working-days.ts';

const inRome = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Rome', dateStyle: 'short', timeStyle: 'medium' });
/** `YYYY-MM-DD HH:MM:SS` of the clocks in Italy. */
const clock = (at: Date) => inRome.format(at);

const moment = fc.date({
  min: new Date('2000-01-03T00:00:00Z'),
  max: new Date('2099-12-01T00:00:00Z'),
  noInvalidDate: true,
});
const days = fc.double({ min: 0, max: 400, noNaN: true });

describe('The calendar of working days', () => {
  test.each([
    ['2026-11-20', true, 'a Friday'],
    ['2026-11-21', false, 'a Saturday'],
    ['2026-11-22', false, 'a Sunday'],
    ['2026-11-23', true, 'a Monday'],
    ['2026-01-01', false, 'New Year'],
    ['2026-01-06', false, 'Epiphany'],
    ['2026-04-03', true, 'Good Friday, which is none of the national holidays'],
    ['2026-04-06', false, 'Easter Monday'],
    ['2025-04-21', false, 'Easter Monday'],
    ['2024-04-01', false, 'Easter Monday'],
    ['2008-03-24', false, 'Easter Monday, nearly as early as it can be'],
    ['2038-04-26', false, 'Easter Monday, as late as it can be'],
    ['2024-04-25', false, 'the Liberation'],
    ['2026-05-01', false, 'the first of May'],
    ['2026-06-02', false, 'the Republic'],
    ['2000-06-02', true, 'the Republic, before it was a holiday again'],
    ['2025-08-15', false, 'Ferragosto'],
    ['2027-10-04', false, 'San Francesco'],
    ['2024-10-04', true, 'San Francesco, before it was a holiday again'],
    ['2027-11-01', false, 'All Saints'],
    ['2026-12-08', false, 'the Immaculate Conception'],
    ['2026-12-24', true, 'the day before Christmas'],
    ['2026-12-25', false, 'Christmas'],
    ['2025-12-26', false, 'Santo Stefano'],
  ])('knows whether %s is one: %s, %s', (day, is) => {
    expect(isWorkingDay(day)).toBe(is);
  });
});

describe('Working days are added', () => {
  test.each([
    ['2026-11-18T10:00:00Z', 1, '2026-11-19 11:00:00', 'to the same time of the next day'],
    ['2026-11-20T10:00:00Z', 1, '2026-11-23 11:00:00', 'over a weekend'],
    ['2026-11-20T10:00:00Z', 0.5, '2026-11-20 23:00:00', 'in parts of a day'],
    ['2026-11-20T10:00:00Z', 0.75, '2026-11-23 05:00:00', 'in parts of a day, over a weekend'],
    ['2026-11-21T10:00:00Z', 0, '2026-11-23 00:00:00', 'of a Saturday from the Monday after it'],
    ['2026-11-22T10:00:00Z', 1.5, '2026-11-24 12:00:00', 'of a Sunday from the Monday after it'],
    ['2026-12-23T17:00:00Z', 2, '2026-12-28 18:00:00', 'over Christmas'],
    ['2026-04-02T16:00:00Z', 2, '2026-04-07 18:00:00', 'over Easter'],
    ['2026-03-27T11:00:00Z', 1, '2026-03-30 12:00:00', 'over the hour that is left out in March'],
    ['2026-10-23T10:00:00Z', 1, '2026-10-26 12:00:00', 'over the hour that comes twice in October'],
    ['2026-12-30T11:00:00Z', 3, '2027-01-05 12:00:00', 'over New Year'],
  ])('to a moment: %s and %s: %s, %s', (at, count, wanted) => {
    expect(clock(addWorkingDays(new Date(at), count))).toBe(wanted);
  });

  test('and subtracted again, which leads back to a moment of a working day', () => {
    fc.assert(
      fc.property(moment, days, (at, count) => {
        const start = atWorkingMs(workingMs(at));
        expect(workingDaysBefore(addWorkingDays(at, count), count)).toEqual(start);
      }),
    );
  });

  test('so that as many lie between, to the millisecond', () => {
    fc.assert(
      fc.property(moment, days, (at, count) => {
        const later = addWorkingDays(at, count);
        expect(Math.round(workingDaysBetween(at, later) * DAY_MS)).toBe(Math.round(count * DAY_MS));
        expect(isWorkingDay(clock(later).slice(0, 10))).toBe(true);
      }),
    );
  });
});

describe('Between two moments there are', () => {
  test.each([
    ['2026-11-20T23:00:00Z', '2026-11-22T23:00:00Z', 0, 'of a weekend lies no working day'],
    ['2026-11-20T11:00:00Z', '2026-11-23T11:00:00Z', 1, 'at noon of Friday and Monday lies one'],
    ['2026-11-23T11:00:00Z', '2026-11-20T11:00:00Z', -1, 'the other way round it is less than none'],
    ['2025-12-31T23:00:00Z', '2026-12-31T23:00:00Z', 254, 'a year apart lie 254'],
  ])('so many working days: %s and %s: %s, %s', (from, to, wanted) => {
    expect(workingDaysBetween(new Date(from), new Date(to))).toBeCloseTo(wanted, 9);
  });

  test('as many working days as the clock and the calendar say, day by day', () => {
    const near = fc.integer({ min: 0, max: 40 * DAY_MS });
    fc.assert(
      fc.property(moment, near, (from, ms) => {
        const to = new Date(from.getTime() + ms);
        let counted = 0;
        const lastDay = clock(to).slice(0, 10);
        for (let day = clock(from).slice(0, 10); day <= lastDay; day = next(day)) {
          if (!isWorkingDay(day)) continue;
          counted += (day === lastDay ? ofDay(to) : 1) - (day === clock(from).slice(0, 10) ? ofDay(from) : 0);
        }
        expect(workingDaysBetween(from, to)).toBeCloseTo(counted, 4);
      }),
    );
  });

  test('from 247 to 257 working days in a year, and time never runs backwards', () => {
    for (let year = 2000; year < 2100; year++) {
      const between = workingDaysBetween(new Date(Date.UTC(year, 0, 1)), new Date(Date.UTC(year + 1, 0, 1)));
      expect(between).toBeGreaterThan(246);
      expect(between).toBeLessThan(258);
    }
    fc.assert(
      fc.property(moment, moment, (a, b) => workingMs(a) <= workingMs(b) === (a <= b || workingMs(a) === workingMs(b))),
    );
  });
});

test('The calendar for SQL counts as the rules do', () => {
  fc.assert(
    fc.property(moment, fc.integer({ min: 0, max: 900 * DAY_MS }), (from, ms) => {
      const to = new Date(from.getTime() + ms);
      const { firstDay, before } = workingCalendar(from, to);
      for (const at of [from, to]) {
        const local = Date.parse(`${clock(at).replace(' ', 'T')}.${String(at.getTime() % 1000).padStart(3, '0')}Z`);
        const index = Math.floor(local / DAY_MS) - firstDay;
        const [until = Number.NaN, after = Number.NaN] = before.slice(index, index + 2);
        expect(until * DAY_MS + (after - until) * (local % DAY_MS)).toBe(workingMs(at));
      }
    }),
  );
});

/** The part of its day that has passed, by the clock. */
function ofDay(at: Date): number {
  const [hours = 0, minutes = 0, seconds = 0] = clock(at).slice(11).split(':').map(Number);
  return (hours * 3600 + minutes * 60 + seconds) / 86_400;
}

function next(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
}
