import { InvalidArgumentError } from 'commander';
import type { CliCommand } from './cli-command.ts';
import { wholeNumber } from './options.ts';
import type { Answering } from './output.ts';

/** `queue …`: the queues of the workers. */
export function addQueueCommands(program: CliCommand, answering: Answering): void {
  const queue = program.command('queue').description('Queues of jobs');
  queue
    .command('list')
    .description('list queues with the number of jobs in each state, and since when the oldest waits')
    .example('queue list')
    .action(answering(listQueues));
  queue
    .command('failed')
    .description('list failed jobs and jobs in dead-letter queues with their error and data, the latest first')
    .option('--queue <name>', 'only of this queue')
    .option('--limit <count>', 'the most to list', wholeNumber(1, 1_000), 50)
    .example('queue failed --queue invoices.check')
    .action(answering(listFailed));
  queue
    .command('redrive')
    .description('send the jobs of a dead-letter queue back to their queue, oldest first, and print how many')
    .requiredOption('--queue <name>', 'a dead-letter queue, as `queue list` shows it')
    .option('--limit <count>', 'the most to handle', wholeNumber(1, 1_000_000), 1_000)
    .example('queue redrive --queue webhooks.dead --limit 100')
    .action(answering(redriveQueue));
}

async function listQueues() {
  const { withDatabase } = await import('./session.ts');
  const { queueStates } = await import('../platform/jobs/pgboss-tables.ts');
  return withDatabase(({ database }) => queueStates(database));
}

async function listFailed({ queue = null, limit }: { queue?: string | null; limit: number }) {
  const { withDatabase } = await import('./session.ts');
  const { failedJobs, queueStates } = await import('../platform/jobs/pgboss-tables.ts');
  return withDatabase(async ({ database }) => {
    const queues = (await queueStates(database)).map(one => one.queue);
    if (queue !== null && !queues.includes(queue)) {
      throw new InvalidArgumentError(`--queue must be one of ${queues.join(', ')}.`);
    }
    return failedJobs(database, queue, limit);
  });
}

async function redriveQueue({ queue, limit }: { queue: string; limit: number }) {
  const { withJobs } = await import('./session.ts');
  const { queueStates } = await import('../platform/jobs/pgboss-tables.ts');
  return withJobs(async ({ database, announcer: { jobs } }) => {
    const deadLetters = (await queueStates(database)).filter(({ deadLetterOf }) => deadLetterOf !== null);
    if (!deadLetters.some(one => one.queue === queue)) {
      const names = deadLetters.map(one => one.queue).join(', ');
      throw new InvalidArgumentError(`--queue must be a dead-letter queue: ${names}.`);
    }
    return { redriven: await jobs.redrive({ queue }, limit) };
  });
}
