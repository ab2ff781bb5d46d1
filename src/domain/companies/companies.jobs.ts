import type { JobKind } from '../../platform/jobs/job-kinds.ts';
import type { JobData } from '../../platform/jobs/queues.ts';
import { takeJobsBack } from '../../platform/jobs/suspended-jobs.ts';

/** After a company was resumed: gives its jobs, which were put aside, back to their queues. What a worker leaves, the next one goes on with. */
export const resumedCompany: JobKind<JobData> = {
  queue: 'companies.resumed',
  options: { retryLimit: 100, retryDelay: 1, heartbeatSeconds: 10, deleteAfterSeconds: 3600 },
  concurrency: 1,
  pollSeconds: 1,
  work: (tenant, _data, jobs) => takeJobsBack(tenant, jobs),
};
