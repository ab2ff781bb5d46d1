import type { Retention } from '../../src/platform/jobs/job-kinds.ts';
import { type Trimmed, trimAll } from '../../src/platform/trimming.ts';
import { TRIMMINGS } from '../../src/wiring/trimmings.ts';
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

/** Lets go what is past its time, of one table if one is named; returns how many rows, by table. */
export async function trim(
  { app }: Pick<World, 'app'>,
  { table, now, signal, ...retention }: Partial<Retention> & Chosen = {},
): Promise<Record<string, number>> {
  const chosen = TRIMMINGS.filter(trimming => table === undefined || trimming.table === table);
  const options = {
    database: app.database,
    retention: { ...RETENTION, ...retention },
    ...(now && { now }),
    ...(signal && { signal }),
  };
  const trimmed: readonly Trimmed[] = await Array.fromAsync(trimAll(chosen, options));
  return Object.fromEntries(trimmed.map(one => [one.table, one.rows]));
}
