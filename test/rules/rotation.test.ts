import { expect, test } from 'vitest';
import { expiryAfter } from '../../src/domain/account/access/key.rules.ts';

const expiry = (createdAt: string, expiresAt: string, now: string) =>
  expiryAfter({ createdAt: new Date(createdAt), expiresAt: new Date(expiresAt) }, new Date(now)).toISOString();

test('A key that replaces one which expires on a day expires on a day, as many days later', () => {
  const first = expiry('2026-11-22T20:10:33Z', '2027-01-01T00:00:00Z', '2026-12-25T08:06:39Z');
  expect(first).toBe('2027-02-03T00:00:00.000Z');
  // However often it is rotated, it is 40 days.
  expect(expiry('2026-12-25T08:06:39Z', first, '2027-02-01T23:59:59Z')).toBe('2027-03-13T00:00:00.000Z');
});

test('Any other key is valid for as long as the one that it replaces', () => {
  const expiresAt = expiry('2026-11-22T20:00:00Z', '2026-11-22T21:30:00Z', '2026-11-22T21:00:00Z');
  expect(expiresAt).toBe('2026-11-22T22:30:00.000Z');
});
