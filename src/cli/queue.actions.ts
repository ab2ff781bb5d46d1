import { InvalidArgumentError } from 'commander';
import { queueStates } from '../platform/jobs/pgboss-tables.ts';
import { withDatabase, withJobs } from './session.ts';

export function listQueues() {
  return withDatabase(({ database }) => queueStates(database));
}

export function redriveQueue({ queue, limit }: { queue: string; limit: number }) {
  return withJobs(async ({ database, announcer: { jobs } }) => {
    const deadLetters = (await queueStates(database)).filter(({ deadLetterOf }) => deadLetterOf !== null);
    if (!deadLetters.some(one => one.queue === queue)) {
      const names = deadLetters.map(one => one.queue).join(', ');
      throw new InvalidArgumentError(`error: --queue must be a dead-letter queue: ${names}.`);
    }
    return { redriven: await jobs.redriveFrom(queue, limit) };
  });
}
