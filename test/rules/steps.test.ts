import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atOnce, sortedSteps } from '../../src/domain/steps.rules.ts';
import { runs } from '../support/property-runs.ts';

test('A list sorted in steps is as one sorted at once, and what is equal keeps its order', () => {
  const element = fc.record({ rank: fc.nat(50), name: fc.nat() });
  const byRank = (a: { rank: number }, b: { rank: number }) => a.rank - b.rank;
  fc.assert(
    fc.property(fc.array(element, { maxLength: 5_000, size: 'max' }), list => {
      expect(atOnce(sortedSteps(list, byRank))).toEqual(list.toSorted(byRank));
    }),
    { numRuns: runs(20) },
  );
});
