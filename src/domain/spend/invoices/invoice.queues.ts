import type { JobData, Queue } from '../../../platform/jobs/queues.ts';

export interface InvoiceCheckJob extends JobData {
  readonly invoiceId: number;
  /** A later check replaces this one. */
  readonly run: number;
}

/** If a worker dies, another one continues the check. */
export const invoiceChecks: Queue<InvoiceCheckJob> = {
  queue: 'invoice.check',
  options: { heartbeatSeconds: 10, expireInSeconds: 3600, retryLimit: 5, retryDelay: 5, deleteAfterSeconds: 3600 },
};
