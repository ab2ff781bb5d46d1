import type { JobKind } from '../../../platform/jobs/job-kinds.ts';
import { type SimulationJob, simulations } from './simulation.queues.ts';
import { continueSimulation } from './simulation.service.ts';

/** One at a time for a company and in a worker, because each uses the idle time of the event loop. */
export const simulationJob: JobKind<SimulationJob> = {
  ...simulations,
  concurrency: 1,
  perGroup: 1,
  pollSeconds: 1,
  work: (tenant, { simulationId }, jobs) => continueSimulation(tenant, simulationId, jobs),
};
