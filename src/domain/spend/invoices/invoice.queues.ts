import type { JobData, Queue } from '../../../platform/jobs/queues.ts';

export interface InvoiceCheckJob extends JobData {
  readonly invoiceId: number;
  /** A check that was begun later takes the place of this one. */
  readonly run: number;
}

/** A check that its worker does not finish is continued by another one. */
export const invoiceChecks: Queue<InvoiceCheckJob> = {
  queue: 'invoice.check',
  options: { heartbeatSeconds: 10, expireInSeconds: 3600, retryLimit: 5, retryDelay: 5, deleteAfterSeconds: 3600 },
};
