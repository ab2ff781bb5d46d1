import type { JobKind, Schedule } from '../../../platform/jobs/job-kinds.ts';
import { RENEWED } from '../../../platform/jobs/queues.ts';
import { enqueueDuePolls } from './due-polls.service.ts';
import { type PollJob, polls } from './poll.queues.ts';
import { AccountLoads, type AskTools, pollShipments } from './poll.service.ts';

/** One worker at a time asks for an account. A job mostly waits for its carrier's pace, so a worker has many. */
export function pollJob(tools: AskTools): JobKind<PollJob> {
  const loads = new AccountLoads();
  return {
    ...polls,
    concurrency: 200,
    perGroup: 1,
    pollSeconds: 0.5,
    work: (tenant, job) => pollShipments(tenant, job, { ...tools, loads }),
  };
}

export const POLL_SCHEDULES: readonly Schedule[] = [
  { queue: 'tracking.claim', options: RENEWED, cron: '* * * * *', work: enqueueDuePolls },
];
