import type { Schedule } from '../../../platform/jobs/job-kinds.ts';
import { RENEWED } from '../../../platform/jobs/queues.ts';
import { detectDelays } from './delays/delays.service.ts';

/** The schedules of tracking. */
export const TRACKING_SCHEDULES: readonly Schedule[] = [
  // Version 1.0 named the queue for webhooks. Under another name, processes of both versions would each look for delays.
  { queue: 'webhooks.delays', options: RENEWED, cron: '*/5 * * * *', work: detectDelays },
];
