import type { JobKind } from '../../../platform/jobs/job-kinds.ts';
import { type SimulationJob, simulations } from './simulation.queues.ts';
import { continueSimulation } from './simulation.service.ts';

/** One of a company at a time, and one in a worker: each takes what the event loop has left. */
export const simulationJob: JobKind<SimulationJob> = {
  ...simulations,
  concurrency: 1,
  perGroup: 1,
  pollSeconds: 1,
  work: (tenant, { simulationId }, jobs) => continueSimulation(tenant, simulationId, jobs),
};
