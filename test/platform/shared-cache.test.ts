import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SharedCache } from '../../src/platform/caches/shared-cache.ts';

/** Room for 100, of which an owner may have 40. */
const cache = () => new SharedCache<string>({ maxWeight: 100, ownerShare: 0.4 });

/** The given keys that are cached; the look-up changes the order of use. */
const kept = (of: SharedCache<string>, keys: readonly string[]) => keys.filter(key => of.get(key) !== undefined);

describe('A shared cache', () => {
  test('counts hits and misses', () => {
    const some = cache();
    some.get('a');
    some.set('a', 'A', { owner: 'one', weight: 10 });
    some.get('a');
    some.get('a');
    expect(some.counts).toEqual({ hits: 2, misses: 1 });
  });

  test('evicts the least recently used entry of the same owner beyond its share, and none of the others', () => {
    const some = cache();
    some.set('other', 'O', { owner: 'other', weight: 30 });
    for (const key of ['a', 'b']) some.set(key, key, { owner: 'one', weight: 20 });
    some.get('a');
    some.set('c', 'c', { owner: 'one', weight: 20 });
    expect(kept(some, ['other', 'a', 'b', 'c'])).toEqual(['other', 'a', 'c']);
  });

  test('evicts the least recently used entry of all owners beyond its own limit', () => {
    const some = cache();
    for (const owner of ['one', 'two', 'three']) some.set(owner, owner, { owner, weight: 30 });
    some.get('one');
    some.set('four', 'four', { owner: 'four', weight: 30 });
    expect(kept(some, ['one', 'two', 'three', 'four'])).toEqual(['one', 'three', 'four']);
  });

  test('keeps an entry that is heavier than the share as the only one of its owner', () => {
    const some = cache();
    some.set('a', 'a', { owner: 'one', weight: 10 });
    some.set('heavy', 'heavy', { owner: 'one', weight: 90 });
    expect(kept(some, ['a', 'heavy'])).toEqual(['heavy']);
    some.set('b', 'b', { owner: 'one', weight: 5 });
    expect(kept(some, ['b', 'heavy'])).toEqual(['b']);
  });

  test('does not keep an entry that is heavier than its limit, nor the one that this replaces', () => {
    const some = cache();
    some.set('a', 'old', { owner: 'one', weight: 10 });
    some.set('other', 'O', { owner: 'other', weight: 30 });
    some.set('a', 'new', { owner: 'one', weight: 101 });
    expect(kept(some, ['a', 'other'])).toEqual(['other']);
  });

  test('weighs an entry that is put in again once, and for its last owner', () => {
    const some = cache();
    for (const weight of [40, 20, 10]) some.set('a', String(weight), { owner: 'one', weight });
    expect(some.weight).toBe(10);
    some.set('b', 'b', { owner: 'one', weight: 30 });
    some.set('a', 'a', { owner: 'two', weight: 10 });
    some.set('c', 'c', { owner: 'one', weight: 10 });
    expect(kept(some, ['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
  });

  test('never holds more than its limit, nor more than one entry of an owner beyond the share', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
    const put = fc.record({
      key,
      owner: fc.constantFrom('one', 'two', 'three'),
      weight: fc.integer({ min: 0, max: 110 }),
    });
    const step = fc.oneof(put, fc.record({ key }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const some = cache();
        const entries = new Map<string, { owner: string; weight: number }>();
        for (const one of steps) {
          if ('owner' in one) {
            some.set(one.key, one.key, one);
            entries.set(one.key, { owner: one.owner, weight: Math.max(1, one.weight) });
          } else some.get(one.key);
          for (const key of [...entries.keys()]) if (some.get(key) === undefined) entries.delete(key);
          const total = [...entries.values()].reduce((sum, { weight }) => sum + weight, 0);
          expect(total).toBe(some.weight);
          expect(total).toBeLessThanOrEqual(100);
          for (const [, own] of Map.groupBy(entries.values(), ({ owner }) => owner)) {
            const weight = own.reduce((sum, entry) => sum + entry.weight, 0);
            expect(own.length === 1 || weight <= 40).toBe(true);
          }
        }
      }),
    );
  });
});
