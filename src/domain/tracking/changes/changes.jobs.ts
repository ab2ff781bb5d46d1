import { type Housekeeping, RENEWED, type Schedule } from '../../../platform/jobs/job-kinds.ts';
import { deleteOldChanges } from './change-retention.service.ts';

async function retain({ database, log, retention }: Housekeeping): Promise<void> {
  const deleted = await deleteOldChanges(database, retention.changeDays);
  if (deleted > 0) log.info({ deleted }, 'old changes of shipments deleted');
}

export const CHANGE_SCHEDULES: readonly Schedule[] = [
  { queue: 'changes.retention', options: RENEWED, cron: '37 * * * *', work: retain },
];
