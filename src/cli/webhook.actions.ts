import { tenantOfCompany } from '../domain/access/access.service.ts';
import { replayDeliveries } from '../domain/webhooks/deliveries/deliveries.service.ts';
import type { DeliveryStatus } from '../domain/webhooks/deliveries/verdict.rules.ts';
import {
  deliveriesOfCompany,
  endpointsOfCompany,
  redriveDeliveries,
} from '../domain/webhooks/webhook-admin.service.ts';
import { Fault, invalid } from '../platform/fault.ts';
import { startOfDay } from './options.ts';
import { withDatabase, withJobs } from './session.ts';

export function listEndpoints({ company }: { company: string }) {
  return withDatabase(({ database }) => endpointsOfCompany(database, company));
}

interface DeliveriesOptions {
  readonly company: string;
  readonly endpoint?: string;
  readonly status?: DeliveryStatus;
  readonly limit: number;
}

export function listDeliveries({ company, endpoint, status, limit }: DeliveriesOptions) {
  return withDatabase(({ database }) =>
    deliveriesOfCompany(database, company, { endpointId: endpoint, status, max: limit }),
  );
}

interface ReplayOptions {
  readonly company: string;
  readonly endpoint: string;
  readonly from: string;
  readonly to: string;
}

export function replay({ company, endpoint: endpointId, from, to }: ReplayOptions) {
  return withJobs(async ({ database, announcer: { jobs } }) => {
    const tenant = await tenantOfCompany(database, company);
    const range = { endpointId, since: startOfDay(from), until: startOfDay(to) };
    return { replayed: await replayDeliveries(tenant, jobs, range).catch(inWordsOfOptions) };
  });
}

const OPTIONS: Readonly<Record<string, string>> = { since: 'from', until: 'to' };

/** What is refused, by the names that options have here. */
function inWordsOfOptions(error: unknown): never {
  const issues = error instanceof Fault ? (error.options.issues ?? []) : [];
  if (issues.length === 0) throw error;
  throw invalid(issues.map(issue => ({ ...issue, path: issue.path.map(step => OPTIONS[step] ?? step) })));
}

export function redrive({ limit }: { limit: number }) {
  return withJobs(async ({ announcer: { jobs } }) => ({ redriven: await redriveDeliveries(jobs, limit) }));
}
