import { expect, test } from 'vitest';
import { differencesOf, FAULTS } from './entity-differences.ts';

test.each(FAULTS)('The comparison of entities with migrations finds %s', async (_, properties, others, found) => {
  expect(await differencesOf(properties, others)).toEqual([found]);
});
