// Tables that are locked for a while.
import type pg from 'pg';

/** Holds a table while something is asked of the service, so that each statement on it waits. */
export async function whileLocked(app: { database: { pool: pg.Pool } }, table: string, work: () => Promise<void>) {
  const holder = await app.database.pool.connect();
  try {
    await holder.query(`begin; lock table ${table}`);
    await work();
  } finally {
    await holder.query('rollback');
    holder.release();
  }
}
