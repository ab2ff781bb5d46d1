import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { romeTime } from '../../src/sandbox/scenarios.ts';
import { italianTimestamps, romeTimestamps, type WallClock } from '../../src/upstream/local-time.ts';
import { runs } from '../support/property-runs.ts';

/** `2026-10-25 02:30` as a wall clock; seconds are optional. */
function clock(text: string): WallClock {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = text.split(/[- :]/).map(Number);
  return { year, month, day, hour, minute, second };
}

function timestamps(...texts: (string | null)[]): readonly (string | null)[] {
  return romeTimestamps(texts.map(text => (text === null ? null : clock(text))));
}

describe('A clock in Rome', () => {
  test.each([
    ['2026-01-15 12:00', '2026-01-15T12:00:00+01:00'],
    ['2026-07-15 12:00:09', '2026-07-15T12:00:09+02:00'],
    ['2024-02-29 23:59:59', '2024-02-29T23:59:59+01:00'],
    ['1996-01-01 00:00', '1996-01-01T00:00:00+01:00'],
    ['9999-12-31 23:59', '9999-12-31T23:59:00+01:00'],
    ['2026-03-29 01:59', '2026-03-29T01:59:00+01:00'],
    ['2026-03-29 02:00', '2026-03-29T03:00:00+02:00'],
    ['2026-03-29 02:30', '2026-03-29T03:30:00+02:00'],
    ['2026-03-29 02:59:59', '2026-03-29T03:59:59+02:00'],
    ['2026-03-29 03:00', '2026-03-29T03:00:00+02:00'],
    ['2024-03-31 02:15', '2024-03-31T03:15:00+02:00'],
    ['2026-10-25 01:59', '2026-10-25T01:59:00+02:00'],
    ['2026-10-25 02:00', '2026-10-25T02:00:00+02:00'],
    ['2026-10-25 02:59:59', '2026-10-25T02:59:59+02:00'],
    ['2026-10-25 03:00', '2026-10-25T03:00:00+01:00'],
    ['2027-10-31 02:30', '2027-10-31T02:30:00+02:00'],
    ['2026-10-26 02:30', '2026-10-26T02:30:00+01:00'],
    ['2026-02-31 12:00', null],
    ['2026-02-29 12:00', null],
    ['2026-00-10 12:00', null],
    ['2026-13-10 12:00', null],
    ['2026-10-00 12:00', null],
    ['2026-10-10 24:00', null],
    ['2026-10-10 25:00', null],
    ['2026-10-10 12:60', null],
    ['2026-10-10 12:00:60', null],
    ['1970-01-01 00:00', null],
    ['0000-00-00 00:00', null],
    ['10000-01-01 00:00', null],
    ['what', null],
    [null, null],
  ])('shows %s for %s', (shown, timestamp) => {
    expect(timestamps(shown)).toEqual([timestamp]);
  });

  test.each([
    ['an hour later by the same clock', ['02:30', '02:10'], ['02:30+02', '02:10+01']],
    ['the same minute again', ['02:30', '02:30'], ['02:30+02', '02:30+02']],
    [
      'all there is in both hours',
      ['02:10', '02:50', '02:20', '02:40'],
      ['02:10+02', '02:50+02', '02:20+01', '02:40+01'],
    ],
    ['nothing but the second time behind it', ['01:00', '02:30', '03:00'], ['01:00+02', '02:30+02', '03:00+01']],
    ['what came later than its first time', ['03:10', '02:30'], ['03:10+01', '02:30+01']],
    ['what is no time between', ['02:30', '99:99', '02:10'], ['02:30+02', null, '02:10+01']],
  ])('is read in the hour that occurs twice: %s', (_, shown, expected) => {
    expect(timestamps(...shown.map(time => `2026-10-25 ${time}`))).toEqual(
      expected.map(time => time && `2026-10-25T${time.replace('+', ':00+')}:00`),
    );
  });

  test('gives an event the same time once newer ones are known', () => {
    const shown = ['2026-10-25 02:40', '2026-10-25 02:20', '2026-10-25 02:30', '2026-10-25 03:00', '2026-10-25 02:00'];
    const all = timestamps(...shown);
    for (let known = 0; known <= shown.length; known++) {
      expect(timestamps(...shown.slice(0, known))).toEqual(all.slice(0, known));
    }
  });

  // Should the law change, this is where it is noticed.
  test('changes its offset when `Intl` says so', () => {
    const offset = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Rome', timeZoneName: 'longOffset' });
    for (let year = 1996; year <= 2040; year++) {
      for (let day = 0; day < 366; day++) {
        const instant = new Date(Date.UTC(year, 0, 1 + day, 11));
        const said = /GMT(.*)$/.exec(offset.format(instant))?.[1];
        const { year: y, month, day: d, hour } = romeTime(instant);
        expect(timestamps(`${y}-${month}-${d} ${hour}:00`)[0]?.slice(-6)).toBe(said);
      }
    }
  });
});

test('Instants in order, as a clock in Rome shows them, are returned as they were', () => {
  const HOUR_MS = 3_600_000;
  const anywhere = fc.integer({ min: Date.UTC(1996, 0, 1) / 60_000, max: Date.UTC(2100, 0, 1) / 60_000 });
  // The nights of both changes, so that they are met.
  const night = fc
    .tuple(fc.constantFrom('2024-03-31', '2024-10-27', '2026-03-29', '2026-10-25'), fc.integer({ min: -180, max: 300 }))
    .map(([day, minute]) => Date.parse(day) / 60_000 + minute);
  const instants = fc
    .array(fc.oneof(anywhere, night), { maxLength: 12 })
    .map(minutes => minutes.toSorted((one, other) => one - other).map(minute => minute * 60_000));
  fc.assert(
    fc.property(instants, all => {
      const shown = all.map(instant => {
        const { year, month, day, hour, minute } = romeTime(new Date(instant));
        return `${year}-${month}-${day} ${hour}:${minute}`;
      });
      const told = timestamps(...shown).map(timestamp => Date.parse(timestamp ?? ''));
      told.forEach((instant, index) => {
        const real = all[index] ?? 0;
        if (couldBeEarlier(real)) expect([0, HOUR_MS]).toContain(real - instant);
        else expect(instant).toBe(real);
        if (index > 0) expect(instant).toBeGreaterThanOrEqual(told[index - 1] ?? 0);
      });
    }),
    { numRuns: runs(500) },
  );

  /** In the second of two hours that read alike. */
  function couldBeEarlier(instant: number): boolean {
    const { hour, minute } = romeTime(new Date(instant));
    const before = romeTime(new Date(instant - HOUR_MS));
    return before.hour === hour && before.minute === minute;
  }
});

describe('A time as carriers send it', () => {
  test.each([
    ['24/10/26', '22:30', '2026-10-24T22:30:00+02:00'],
    ['24.10.2026', '22.30', '2026-10-24T22:30:00+02:00'],
    [' 4-1-2026 ', ' 9:05:07 ', '2026-01-04T09:05:07+01:00'],
    ['31/02/26', '10:00', '31/02/26 10:00'],
    ['24/10/26', '25:00', '24/10/26 25:00'],
    ['24/10/026', '10:00', '24/10/026 10:00'],
    ['2026-10-24', '10:00', '2026-10-24 10:00'],
    ['24/10/26', '', '24/10/26'],
    [null, '10:00', '10:00'],
    ['ieri\u0000\n', undefined, 'ieri'],
    ['', null, ''],
  ])('is read: %j, %j: %j', (date, time, timestamp) => {
    expect(italianTimestamps([{ date, time }])).toEqual([timestamp]);
  });

  test('does not affect the others if it is invalid', () => {
    expect(
      italianTimestamps([
        { date: '25/10/26', time: '02:50' },
        { date: '99/99/99', time: '02:30' },
        { date: '25/10/26', time: '02:10' },
      ]),
    ).toEqual(['2026-10-25T02:50:00+02:00', '99/99/99 02:30', '2026-10-25T02:10:00+01:00']);
  });
});
