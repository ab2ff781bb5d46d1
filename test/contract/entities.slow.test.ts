import { expect, test } from 'vitest';
import { differencesOf, FAULTS } from './entity-differences.ts';

test.each(FAULTS)('%s of an entity is found', async (_, properties, others, found) => {
  expect(await differencesOf(properties, others)).toEqual([found]);
});
