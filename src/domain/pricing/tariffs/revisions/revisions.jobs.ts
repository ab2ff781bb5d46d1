import type { Schedule } from '../../../../platform/jobs/job-kinds.ts';
import { RENEWED } from '../../../../platform/jobs/queues.ts';
import { publishDueDrafts } from './drafts.service.ts';

/**
 * Runs every minute, and finds due drafts by their day. A job for each draft would be left behind when a draft is
 * scheduled anew or discarded. After a standstill, the next run publishes all drafts that have fallen due.
 */
export const TARIFF_SCHEDULES: readonly Schedule[] = [
  { queue: 'tariffs.publish', options: RENEWED, cron: '* * * * *', work: publishDueDrafts },
];
