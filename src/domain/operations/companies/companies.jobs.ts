import type { JobKind } from '../../../platform/jobs/job-kinds.ts';
import type { JobData } from '../../../platform/jobs/queues.ts';
import { takeJobsBack } from '../../../platform/jobs/suspended-jobs.ts';

/** Returns the jobs of a resumed company to their queues. If a worker stops in between, the next one continues. */
export const resumedCompany: JobKind<JobData> = {
  queue: 'companies.resumed',
  options: { retryLimit: 100, retryDelay: 1, heartbeatSeconds: 10, deleteAfterSeconds: 3600 },
  concurrency: 1,
  pollSeconds: 1,
  work: (tenant, _data, jobs) => takeJobsBack(tenant, jobs),
};
