import type { JobKind } from '../../../platform/jobs/job-kinds.ts';
import { type InvoiceCheckJob, invoiceChecks } from './invoice.queues.ts';
import { checkInvoice } from './invoice-check.service.ts';

/** One at a time in a worker and for a company: pricing takes turns of the event loop, in which companies alternate. */
export const invoiceCheckJob: JobKind<InvoiceCheckJob> = {
  ...invoiceChecks,
  concurrency: 1,
  pollSeconds: 2,
  work: (tenant, { invoiceId, run }) => checkInvoice(tenant, invoiceId, run),
};
