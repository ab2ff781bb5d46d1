import { expect, test } from 'vitest';
import { estimatedTime, estimatedTimeOf } from '../../src/upstream/estimated-time.ts';

test.each([
  ['a day ends at its end', '2026-11-25', undefined, undefined, '2026-11-25T23:59:59+01:00'],
  ['in summer, too', '20260625', '', null, '2026-06-25T23:59:59+02:00'],
  ['as Italians write it', ' 25.11.2026 ', null, null, '2026-11-25T23:59:59+01:00'],
  ['as they also write it', '5/1/2026', undefined, undefined, '2026-01-05T23:59:59+01:00'],
  ['with an hour', '25.11.2026', '18.30', undefined, '2026-11-25T18:30:00+01:00'],
  ['with an hour of one digit', '25.11.2026', '9.30', undefined, '2026-11-25T09:30:00+01:00'],
  ['with an hour without colons', '20261125', '183015', undefined, '2026-11-25T18:30:15+01:00'],
  ['with fractions', '2026-11-25', '18:30:15.123', '-05:00', '2026-11-25T18:30:15-05:00'],
  ['midnight is no time', '2026-11-25', '00:00:00', undefined, '2026-11-25T23:59:59+01:00'],
  ['nor is it elsewhere', '2026-11-25', '00:00', '-06:00', '2026-11-25T23:59:59-06:00'],
  ['what is no time is none', '2026-11-25', 'noon', undefined, '2026-11-25T23:59:59+01:00'],
  ['what is no offset is none', '2026-11-25', '18:00', 'CET', '2026-11-25T18:00:00+01:00'],
  ['as it was sent: no day', '2026-02-30', '18:00', '+01:00', '2026-02-30 18:00 +01:00'],
  ['as it was sent: no hour', '2026-02-20', '25:00', undefined, '2026-02-20 25:00'],
  ['as it was sent: a default', '01.01.0001', '', undefined, '01.01.0001'],
  ['as it was sent: words', 'domani', undefined, undefined, 'domani'],
  ['nothing without a day', '', '18:00', '+01:00', null],
  ['nothing at all', null, undefined, undefined, null],
])('An estimate is read from a date and an hour: %s', (_, date, time, offset, expected) => {
  expect(estimatedTime({ date, time, offset })).toBe(expected);
});

test.each([
  ['a day', '2026-11-25', '2026-11-25T23:59:59+01:00'],
  ['a time', '2026-11-25T18:00:00', '2026-11-25T18:00:00+01:00'],
  ['a time with its offset', '2026-11-25T18:00:00+02:00', '2026-11-25T18:00:00+02:00'],
  ['a time in UTC', '2026-11-25T18:00:00Z', '2026-11-25T18:00:00Z'],
  ['a day as its midnight', '2026-11-25T00:00:00-06:00', '2026-11-25T23:59:59-06:00'],
  ['as it was sent: no date', 'T18:00', 'T18:00'],
  ['as it was sent: another form', '2026-11-25 GMT+01:00', '2026-11-25 GMT+01:00'],
  ['nothing', ' ', null],
])('An estimate is read from one text: %s', (_, text, expected) => {
  expect(estimatedTimeOf(text)).toBe(expected);
});
