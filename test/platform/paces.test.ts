import { performance } from 'node:perf_hooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CompanyId } from '../../src/platform/database/tenancy.ts';
import { Paces } from '../../src/platform/limits/paces.ts';

const [A, B] = ['a', 'b'] as unknown as [CompanyId, CompanyId];
/** Units in a millisecond. */
const RATE = 50;

let now = 1_000;
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

test.each([
  [0, 0],
  [10_000, 0],
  [15_000, 100],
  [3_000_000, 59_800],
])('A company that did %i units at once waits %i ms before it does more', (units, waits) => {
  const paces = new Paces();
  paces.spend(A, units, RATE);
  expect(paces.aheadMs(A)).toBe(waits);
  expect(paces.aheadMs(B)).toBe(0);
});

test('A company that goes at its pace never waits, and one that rested is not ahead for it', () => {
  const paces = new Paces();
  for (let step = 0; step < 1_000; step++) {
    paces.spend(A, 500, RATE);
    now += 10;
    expect(paces.aheadMs(A)).toBe(0);
  }
  now += 60_000;
  paces.spend(A, 20_000, RATE);
  expect(paces.aheadMs(A)).toBe(200);
});
