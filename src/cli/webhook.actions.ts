import { endpointsOfCompany, redriveDeliveries } from '../domain/webhooks/webhook-admin.service.ts';
import { withDatabase, withJobs } from './session.ts';

export function listEndpoints({ company }: { company: string }) {
  return withDatabase(({ database }) => endpointsOfCompany(database, company));
}

export function redrive({ limit }: { limit: number }) {
  return withJobs(async ({ announcer: { jobs } }) => ({ redriven: await redriveDeliveries(jobs, limit) }));
}
