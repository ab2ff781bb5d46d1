import type { JobData, Queue } from '../../platform/jobs/queues.ts';

export interface SimulationJob extends JobData {
  readonly simulationId: number;
}

const DAY_SECONDS = 86_400;

/** If a worker dies, another one continues after the last batch. */
export const simulations: Queue<SimulationJob> = {
  queue: 'tariffs.simulate',
  options: {
    heartbeatSeconds: 10,
    expireInSeconds: 300,
    retryLimit: 100,
    retryDelay: 1,
    retentionSeconds: 30 * DAY_SECONDS,
    deleteAfterSeconds: 3600,
  },
};

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
