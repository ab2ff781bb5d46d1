import type { JobKind } from '../../platform/jobs/job-kinds.ts';
import { deletedByAge, type RetentionRule } from '../../platform/retention-rule.ts';
import { checkInvoice } from './invoices/invoice-check.service.ts';
import { continueSimulation, KEPT_DAYS } from './simulations/simulation.service.ts';
import { type InvoiceCheckJob, invoiceChecks, type SimulationJob, simulations } from './spend.queues.ts';

/** One at a time for a company and in a worker, because each uses the idle time of the event loop. */
export const simulationJob: JobKind<SimulationJob> = {
  ...simulations,
  concurrency: 1,
  perGroup: 1,
  pollSeconds: 1,
  work: (tenant, { simulationId }, jobs) => continueSimulation(tenant, simulationId, jobs),
};

/** One at a time in a worker and for a company: pricing takes turns of the event loop, in which companies alternate. */
export const invoiceCheckJob: JobKind<InvoiceCheckJob> = {
  ...invoiceChecks,
  concurrency: 1,
  pollSeconds: 2,
  work: (tenant, { invoiceId, run }) => checkInvoice(tenant, invoiceId, run),
};

export const SIMULATION_RETENTION: RetentionRule = {
  ...deletedByAge({ table: 'tariff_simulation', key: 'company_id, id', at: 'created_at' }),
  what: 'simulations of tariffs',
  how: 'deleted',
  kept: KEPT_DAYS,
};
