import type { Schedule } from '../../../platform/jobs/job-kinds.ts';
import { RENEWED } from '../../../platform/jobs/queues.ts';
import { publishDue } from './drafts.service.ts';

/**
 * Every minute, by the day that each draft has, and not by a job for each: one that is scheduled anew or discarded leaves no
 * job behind, and after a standstill the next minute publishes what has fallen due.
 */
export const TARIFF_SCHEDULES: readonly Schedule[] = [
  { queue: 'tariffs.publish', options: RENEWED, cron: '* * * * *', work: publishDue },
];
