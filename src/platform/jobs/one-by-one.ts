import { isAway, isOfStatement } from '../database/connections/database-errors.ts';

/**
 * Works for one after the other, mostly companies. A failure of one does not stop the others, and is thrown at the end:
 * the first, so that the job fails. A lost database is thrown at once.
 */
export async function oneByOne<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      if (isAway(error) && !isOfStatement(error)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
