import type { Housekeeping } from '../../../platform/jobs/job-kinds.ts';
import { deleteOlderThan } from './webhook-retention.repository.ts';

export { deleteOlderThan } from './webhook-retention.repository.ts';

/** Deletes old attempts and events on a schedule, after the days that the settings give. */
export async function retain({ database, log, retention }: Housekeeping): Promise<void> {
  const deleted = await deleteOlderThan(database, retention.webhookDays);
  if (deleted > 0) log.info({ deleted }, 'old webhook events and attempts deleted');
}
