import type { Database } from '../database.ts';

/**
 * Vacuums a table and its indexes after deletions, while others read and write it. The table's file is not shortened,
 * which would lock readers out for a moment.
 */
export function vacuum(database: Database, table: string): Promise<void> {
  return database.patiently(async client => {
    await client.query(`vacuum (truncate false) ${table}`);
  });
}
