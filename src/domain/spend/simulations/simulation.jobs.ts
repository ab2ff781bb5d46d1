import { type Housekeeping, type JobKind, RENEWED, type Schedule } from '../../../platform/jobs/job-kinds.ts';
import { type SimulationJob, simulations } from './simulation.queues.ts';
import { continueSimulation, deleteOldSimulations } from './simulation.service.ts';

/** One of a company at a time, and one in a worker: each takes what the event loop has left. */
export const simulationJob: JobKind<SimulationJob> = {
  ...simulations,
  concurrency: 1,
  perGroup: 1,
  pollSeconds: 1,
  work: (tenant, { simulationId, environment = 'live' }, jobs) =>
    continueSimulation(tenant.in(environment), simulationId, jobs),
};

async function retain({ database, log }: Housekeeping): Promise<void> {
  const deleted = await deleteOldSimulations(database, new Date());
  if (deleted > 0) log.info({ deleted }, 'old simulations of tariffs deleted');
}

export const SIMULATION_SCHEDULES: readonly Schedule[] = [
  { queue: 'tariffs.simulations-retention', options: RENEWED, cron: '47 * * * *', work: retain },
];
