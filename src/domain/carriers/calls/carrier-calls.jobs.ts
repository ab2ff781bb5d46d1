import { type Housekeeping, RENEWED, type Schedule } from '../../../platform/jobs/job-kinds.ts';
import { deleteOldCalls } from './carrier-calls.service.ts';

async function retain({ database, log, retention }: Housekeeping): Promise<void> {
  const deleted = await deleteOldCalls(database, retention.carrierCallDays);
  if (deleted > 0) log.info({ deleted }, 'old calls to carriers deleted');
}

export const CARRIER_CALL_SCHEDULES: readonly Schedule[] = [
  { queue: 'carriers.calls-retention', options: RENEWED, cron: '47 * * * *', work: retain },
];
