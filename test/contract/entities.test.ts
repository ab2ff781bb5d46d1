import { describe, expect, test } from 'vitest';
import { differences, differencesOf, FAULTS } from './entity-differences.ts';

// Migrations alone change the database; entities describe what they make of it.

describe('Entities and migrations', () => {
  test('describe the same tables, columns, defaults, checks, indexes and foreign keys', async () => {
    expect(await differences()).toEqual([]);
  });

  // `entities.slow.test.ts` looks for every fault.
  test.each(FAULTS.slice(0, 1))('are compared so that %s is found', async (_, properties, others, found) => {
    expect(await differencesOf(properties, others)).toEqual([found]);
  });
});
