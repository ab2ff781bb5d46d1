import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  changes,
  type ItemResult,
  MAX_BATCH,
  portionsOf,
  publicIssue,
  rejectedFor,
  summarize,
} from '../../src/domain/common/batch.rules.ts';
import { checkEach } from '../../src/domain/common/batch.service.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { runs } from '../support/property-runs.ts';

const COMPANY = 'a company' as CompanyId;

describe('Changes', () => {
  test.each([
    ['the same text', 'a', 'a'],
    ['null and nothing', undefined, null],
    ['the same date in another object', new Date(1000), new Date(1000)],
    ['the same list', ['a', 'b'], ['a', 'b']],
    ['keys in another order', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
    ['a list of such', [{ a: 1, b: 2 }], [{ b: 2, a: 1 }]],
    ['an empty object', {}, {}],
    ['an empty list', [], []],
  ])('are none for %s', (_what, known, wanted) => {
    expect(changes({ field: known }, { field: wanted })).toEqual({});
  });

  test.each([
    ['another text', 'a', 'b'],
    ['text in place of a number', 1, '1'],
    ['something in place of nothing', null, 'a'],
    ['nothing in place of something', 'a', null],
    ['zero in place of nothing', null, 0],
    ['another date', new Date(1000), new Date(1001)],
    ['a date in place of nothing', null, new Date(0)],
    ['the text of a date', new Date(0), new Date(0).toISOString()],
    ['another order of a list', ['a', 'b'], ['b', 'a']],
    ['a longer list', ['a'], ['a', 'a']],
    ['a shorter list', ['a', 'a'], ['a']],
    ['another value inside', { a: { b: [1, 2] } }, { a: { b: [1, 3] } }],
    ['another key inside', { a: 1 }, { b: 1 }],
    ['another key inside, where the former was null', { a: null }, { b: 1 }],
    ['a key more', { a: 1 }, { a: 1, b: 2 }],
    ['a key less', { a: 1, b: 2 }, { a: 1 }],
  ])('consist of %s', (_what, known, wanted) => {
    expect(changes({ field: known }, { field: wanted })).toEqual({ field: wanted });
  });

  test('are only of the fields that are wanted', () => {
    const known = { kept: 1, changed: 1, same: 1 };
    expect(changes(known, { changed: 2, same: 1 })).toEqual({ changed: 2 });
    expect(changes(known, {})).toEqual({});
    expect(known).toEqual({ kept: 1, changed: 1, same: 1 });
  });

  const json = fc.jsonValue({ maxDepth: 3 }).filter(value => value !== null);

  /** An equal value with the keys of every object in another order. */
  function turned(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(turned);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, inner]) => [key, turned(inner)] as const)
        .toReversed(),
    );
  }

  test('are none for any value whose keys are in another order', () => {
    fc.assert(
      fc.property(json, value => {
        expect(changes({ field: value }, { field: turned(value) })).toEqual({});
      }),
    );
  });

  test('distinguish any two values that are not equal', () => {
    const canonical = (value: unknown): string =>
      JSON.stringify(value, (_key, inner) =>
        inner !== null && typeof inner === 'object' && !Array.isArray(inner)
          ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
          : inner,
      );
    // Few keys and values, so that near misses are common.
    const { value } = fc.letrec(tie => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<unknown>(null, 0, 1, 'a'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(value, value, (one, other) => {
        const areEqual = Object.keys(changes({ field: one }, { field: other })).length === 0;
        expect(areEqual).toBe(canonical(one) === canonical(other));
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe('A batch', () => {
  test(`has at most ${MAX_BATCH} items`, async () => {
    const of = (length: number) => checkEach(COMPANY, Array.from<undefined>({ length }), z.undefined(), () => ({}));
    expect(await of(0)).toEqual({ items: [], rejections: [] });
    expect((await of(MAX_BATCH)).items).toHaveLength(MAX_BATCH);
    await expect(of(MAX_BATCH + 1)).rejects.toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        options: expect.objectContaining({ issues: [expect.objectContaining({ code: 'too_many' })] }),
      }),
    );
  });

  test('is written in portions that keep the order of its keys, each key in one portion', () => {
    const item = fc.record({ key: fc.nat(400).map(String) });
    fc.assert(
      fc.property(fc.array(item, { maxLength: MAX_BATCH, size: 'max' }), items => {
        const portions = portionsOf(items, ({ key }) => key);
        const keys = portions.flatMap(portion => [...new Set(portion.map(({ key }) => key))]);
        expect(keys).toEqual([...new Set(items.map(({ key }) => key))]);
        expect(portions.flat()).toHaveLength(items.length);
        for (const [key, same] of Map.groupBy(items, one => one.key)) {
          expect(portions.flat().filter(one => one.key === key)).toEqual(same);
        }
      }),
      { numRuns: runs(20) },
    );
    const distinct = Array.from({ length: MAX_BATCH }, (_, i) => String(i));
    expect(portionsOf(distinct, key => key).map(({ length }) => length)).toEqual(Array(10).fill(100));
  });

  test('is summed up in the order of its items, and its counts add up', () => {
    const outcome = fc.constantFrom<ItemResult['outcome'][]>('created', 'updated', 'unchanged', 'rejected');
    fc.assert(
      fc.property(fc.array(outcome), fc.infiniteStream(fc.nat()), (outcomes, weights) => {
        const results = outcomes.map((outcome, index): ItemResult => ({ index, outcome, id: null, issues: [] }));
        const order = new Map(results.map(result => [result, weights.next().value ?? 0]));
        const shuffled = results.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
        const { created, updated, unchanged, rejected, results: summed } = summarize(shuffled);
        expect(summed).toEqual(results);
        expect(created + updated + unchanged + rejected).toBe(outcomes.length);
        expect(rejected).toBe(outcomes.filter(outcome => outcome === 'rejected').length);
      }),
    );
  });

  test('rejects an item with a pointer that starts at its place', () => {
    const { index, outcome, id, issues } = rejectedFor(7, ['recipient', 'a/b~'], 'required', 'must be given');
    expect([index, outcome, id]).toEqual([7, 'rejected', null]);
    expect(issues.map(publicIssue)).toEqual([
      { pointer: '/7/recipient/a~1b~0', message: 'The field [7].recipient.a/b~ must be given.' },
    ]);
  });
});
