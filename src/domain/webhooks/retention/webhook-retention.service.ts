import type { Housekeeping } from '../../../platform/jobs/job-kinds.ts';
import { deleteOld } from './webhook-retention.repository.ts';

/** Deletes attempts and events that are older than a number of days; returns the number of rows. */
export const deleteOlderThan = deleteOld;

/** Deletes them on a schedule, after the days that the settings give. */
export async function retain({ database, log, retentionDays }: Housekeeping): Promise<void> {
  const deleted = await deleteOlderThan(database, retentionDays);
  if (deleted > 0) log.info({ deleted }, 'old webhook events and attempts deleted');
}
