import type { Database } from '../database.ts';

/**
 * Has PostgreSQL clear what deleted rows left in a table and its indexes, while others read and write it. The table's file is
 * not shortened: that would lock readers out for a moment.
 */
export function vacuum(database: Database, table: string): Promise<void> {
  return database.patiently(async client => {
    await client.query(`vacuum (truncate false) ${table}`);
  });
}
