import type { Feature } from '../../feature.ts';
import * as invoices from './invoices/invoices.entity.ts';
import * as simulations from './simulations/simulation.entity.ts';
import { invoiceCheckJob, SIMULATION_RETENTION, simulationJob } from './spend.jobs.ts';

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
