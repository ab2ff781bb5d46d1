import type { JobKind } from '../../../platform/jobs/job-kinds.ts';
import { type InvoiceCheckJob, invoiceChecks } from './invoice.queues.ts';
import { checkInvoice } from './invoice-check.service.ts';

/** One at a time in a worker, and of each company one at a time: pricing runs in slices, in which companies take turns. */
export const invoiceCheckJob: JobKind<InvoiceCheckJob> = {
  ...invoiceChecks,
  concurrency: 1,
  pollSeconds: 2,
  work: (tenant, { invoiceId, run }) => checkInvoice(tenant, invoiceId, run),
};
