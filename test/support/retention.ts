import { RETENTION_RULES } from '../../src/migrate.ts';
import type { Retention } from '../../src/platform/jobs/job-kinds.ts';
import { type Removed, removeExpired } from '../../src/platform/retention-rule.ts';
import type { World } from './world.ts';

/** As the settings have it where they are not set. */
export const RETENTION: Retention = {
  webhookDays: 30,
  changeDays: 90,
  carrierCallDays: 7,
  recipientDays: 730,
  timelineDays: 0,
};

interface Chosen {
  readonly table?: string;
  readonly now?: Date;
  readonly signal?: AbortSignal;
}

/** Deletes expired rows, of one table if one is named; returns how many, by table. */
export async function removeOld(
  { app }: Pick<World, 'app'>,
  { table, now, signal, ...retention }: Partial<Retention> & Chosen = {},
): Promise<Record<string, number>> {
  const chosen = RETENTION_RULES.filter(rule => table === undefined || rule.table === table);
  const options = {
    database: app.database,
    retention: { ...RETENTION, ...retention },
    ...(now && { now }),
    ...(signal && { signal }),
  };
  const removed: readonly Removed[] = await Array.fromAsync(removeExpired(chosen, options));
  return Object.fromEntries(removed.map(one => [one.table, one.rows]));
}
