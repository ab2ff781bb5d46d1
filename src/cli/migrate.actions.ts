import { withDatabase } from './session.ts';

export function migrateDatabase() {
  return withDatabase(async ({ migrations }) => ({ migrations }));
}
