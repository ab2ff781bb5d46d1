import { performance } from 'node:perf_hooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CompanyId } from '../../src/platform/database/tenancy.ts';
import { Admission } from '../../src/platform/limits/admission.ts';
import { PATIENTLY } from '../support/time.ts';

const MAX_COST = 200_000;
const companies = (count: number) => Array.from({ length: count }, (_, i) => `company ${i}` as unknown as CompanyId);

let now = 0;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** How many requests of each company are admitted, a while after they came; none of them ends. */
function admitted(requestsOf: ReadonlyMap<CompanyId, number>): number[] {
  const admission = new Admission(MAX_COST);
  for (const company of requestsOf.keys()) admission.note(company);
  for (const [company, requests] of requestsOf) {
    for (let i = 0; i < requests; i++) admission.places.enter(company)?.catch(() => {});
  }
  now += 200;
  for (const company of requestsOf.keys()) {
    // One that ends lets as many in as the company may have by now; another one takes its place.
    admission.places.leave(company);
    admission.places.reenter(company);
  }
  return [...requestsOf.keys()].map(company => admission.places.taken(company));
}

test('Companies that all send thirteen requests at once wait for none of them', () => {
  expect(admitted(new Map(companies(20).map(company => [company, 13])))).toEqual(Array(20).fill(13));
});

test('A company that sends hundreds while others send one each is kept to its share', () => {
  const [flood, ...modest] = companies(20) as [CompanyId, ...CompanyId[]];
  const requests = new Map([[flood, 500], ...modest.map(company => [company, 1] as const)]);
  expect(admitted(requests)).toEqual([9, ...Array(19).fill(1)]);
});

test('Three companies that flood do not make a flood look usual', () => {
  expect(admitted(new Map(companies(3).map(company => [company, 500])))).toEqual([9, 9, 9]);
});

test('A company whose request takes long keeps to its share, though only another one asks meanwhile', async () => {
  const [busy, other] = companies(2) as [CompanyId, CompanyId];
  const admission = new Admission(MAX_COST);
  admission.note(busy);
  for (let i = 0; i < 100; i++) admission.enter(busy, 1)?.catch(() => {});
  // Alone, it has as many places as there are.
  expect(admission.places.taken(busy)).toBe(64);
  for (let step = 0; step < 50; step++) {
    now += 100;
    admission.note(other);
  }
  admission.places.leave(busy);
  expect(admission.places.taken(busy)).toBe(63);
});

test('A company that is ahead of its pace waits before an expensive request, and never before a cheap one', async () => {
  const [busy, other] = companies(2) as [CompanyId, CompanyId];
  const admission = new Admission(MAX_COST);
  admission.spend(busy, 3_000_000, 3_000_000);
  expect(admission.enter(busy, 2)).toBeUndefined();
  for (const company of [busy, other]) admission.note(company);
  // Alone it has no pace.
  expect(admission.enter(busy, 2)).toBeUndefined();
  admission.spend(busy, 15_000, 3_000_000);
  expect(admission.enter(busy, 1)).toBeUndefined();
  admission.places.leave(busy, 5);
  let entered = 0;
  const entering = admission.enter(busy, 5)?.then(() => entered++);
  await vi.advanceTimersByTimeAsync(99);
  expect(entered).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(entered).toBe(1);
  await entering;
});

test('The costliest request of a company with a low rate of cost has four seconds, and the next one waits two', async () => {
  const [busy, other] = companies(2) as [CompanyId, CompanyId];
  const admission = new Admission(MAX_COST);
  for (const company of [busy, other]) admission.note(company);
  const [pause] = admission.turnsOf(busy, 1);
  let isOver = false;
  pause(() => {
    isOver = true;
  }, MAX_COST);
  await vi.advanceTimersByTimeAsync(3_799);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  await vi.waitFor(() => expect(isOver).toBe(true), PATIENTLY);
  let entered = 0;
  const entering = admission.enter(busy, 5)?.then(() => entered++);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(entered).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  await entering;
  expect(entered).toBe(1);
});
