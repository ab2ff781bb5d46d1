import { expect, test } from 'vitest';
import { BATCHES, LIVES } from '../faults/service/lives.ts';
import { rootFields } from '../security/support/sdl.ts';

test('The load of the faults uses every mutation: a new one gets a step in test/faults/service/lives.ts', () => {
  const used = new Set([...BATCHES, ...LIVES.flat().map(({ mutation }) => mutation)]);
  expect([...used].toSorted()).toEqual(
    rootFields('mutation')
      .map(({ name }) => name)
      .toSorted(),
  );
});
