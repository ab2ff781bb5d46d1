import { describe, expect, test } from 'vitest';
import { normalSilence, silences } from '../../src/domain/shipping/tracking/delays/silence.rules.ts';
import { TERMINAL_STATUSES } from '../../src/domain/shipping/tracking/events.rules.ts';
import { STATUS_CODES } from '../../src/domain/shipping/tracking/status.rules.ts';

const MONDAY = new Date('2026-11-23T09:00:00Z');

describe('A shipment is stalled', () => {
  test.each([
    ['the Friday before, when out for delivery on a Monday', MONDAY, 'out_for_delivery', '2026-11-20T09:00:00Z'],
    ['three working days before, in transit', MONDAY, 'in_transit', '2026-11-18T09:00:00Z'],
    ['two weeks before, at a pickup point', MONDAY, 'pickup_point', '2026-11-09T09:00:00Z'],
    ['Christmas Eve, after Christmas', new Date('2026-12-28T09:00:00Z'), 'out_for_delivery', '2026-12-24T09:00:00Z'],
    [
      'the Friday before Easter, on the Tuesday after',
      new Date('2027-03-30T09:00:00Z'),
      'out_for_delivery',
      '2027-03-26T10:00:00Z',
    ],
  ])('if it was silent since %s', (_, now, status, since) => {
    const found = silences(now).find(({ statusCode }) => statusCode === status);
    expect(found?.since).toEqual(new Date(since));
  });

  test('after a time for each open status, and for no other', () => {
    const open = STATUS_CODES.filter(code => !(TERMINAL_STATUSES as readonly string[]).includes(code));
    expect(
      silences(MONDAY)
        .map(({ statusCode }) => statusCode)
        .toSorted(),
    ).toEqual(open.toSorted());
    for (const { since } of silences(MONDAY)) expect(since.getTime()).toBeLessThan(MONDAY.getTime());
  });

  test('after times that the documentation states in words', () => {
    expect(normalSilence()).toMatch(/^1 working day when `out_for_delivery`; 2 when .*`shipped`.*; 3 when /);
  });
});
