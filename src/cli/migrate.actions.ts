import { readConfig } from '../config.ts';
import { migrate } from '../migrate.ts';
import { withDatabaseAsItIs } from './session.ts';

export function migrateDatabase() {
  return withDatabaseAsItIs(readConfig(), async ({ database }) => ({ migrations: await migrate(database) }));
}
