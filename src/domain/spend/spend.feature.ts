import type { Feature } from '../../feature.ts';
import { invoiceCheckJob } from './invoices/invoice.jobs.ts';
import * as invoices from './invoices/invoices.entity.ts';
import * as simulations from './simulations/simulation.entity.ts';
import { simulationJob } from './simulations/simulation.jobs.ts';
import { SIMULATION_RETENTION } from './simulations/simulation.retention.ts';

/** Checks of carriers' invoices, and simulations of tariffs. */
export const spend: Feature = {
  entities: [invoices, simulations],
  graph: () =>
    Promise.all([
      import('./invoices/invoices.graphql.ts'),
      import('./invoices/invoice-lines.graphql.ts'),
      import('./invoices/claims-csv.graphql.ts'),
      import('./simulations/simulation.graphql.ts'),
      import('./simulations/simulation-csv.graphql.ts'),
    ]),
  jobs: [simulationJob, invoiceCheckJob],
  retention: [SIMULATION_RETENTION],
};
