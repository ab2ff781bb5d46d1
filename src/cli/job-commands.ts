import { InvalidArgumentError } from 'commander';
import type { CliCommand } from './cli-command.ts';
import { wholeNumber, YES } from './options.ts';
import type { Answering } from './output.ts';

// The commands about the work of workers: queues of jobs, and work that is otherwise scheduled.

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

/** `retention …`: the deletion of old data. */
export function addRetentionCommands(program: CliCommand, answering: Answering): void {
  program
    .command('retention')
    .description('Deletion of data that is past its time')
    .command('run')
    .description(
      'delete or anonymize what is past its time, as the worker does every hour, and print for each table how many rows',
    )
    .option(
      '--days <days>',
      'how many days webhook events and attempts are kept (default: WEBHOOK_RETENTION_DAYS)',
      wholeNumber(1, 3650),
    )
    .option(...YES)
    .example('retention run --days 30')
    .action(answering(runRetention));
}

async function runRetention({ days, yes }: { days?: number; yes?: true }) {
  const { confirm } = await import('./confirmation.ts');
  const time = days === undefined ? '' : ` Webhook events and attempts are kept for ${days} days.`;
  await confirm(`Records past their retention will be deleted for good, and recipients anonymized.${time}`, yes);
  const { withDatabase } = await import('./session.ts');
  const { RETENTION_RULES } = await import('../migrate.ts');
  const { removeExpired } = await import('../platform/retention-rule.ts');
  return withDatabase(({ config, database }) => {
    const retention = { ...config.retention, ...(days !== undefined && { webhookDays: days }) };
    return Array.fromAsync(removeExpired(RETENTION_RULES, { database, retention }));
  });
}

/** `promise …`: estimated arrivals, from the companies' own deliveries. */
export function addPromiseCommands(program: CliCommand, answering: Answering): void {
  program
    .command('promise')
    .description("Promises: when parcels will arrive, by the companies' own deliveries")
    .command('compute')
    .description('calculate the tables now, as is done each night, and print what each company has')
    .option('--company <id>', 'only those that belong to this company')
    .example('promise compute')
    .action(answering(computeNow));
}

async function computeNow({ company }: { company?: string }) {
  const { withDatabase } = await import('./session.ts');
  const { tenantOfCompany } = await import('../domain/account/access/access.service.ts');
  const { companiesWithPromises, computePromises } = await import('../domain/shipping/promise/compute.service.ts');
  const { Progress } = await import('./progress.ts');
  return withDatabase(async ({ database }) => {
    const companyIds = company === undefined ? await companiesWithPromises(database) : [company];
    const computed: object[] = [];
    const progress = new Progress('companies');
    try {
      for (const companyId of companyIds) {
        computed.push({ companyId, ...(await computePromises(await tenantOfCompany(database, companyId))) });
        progress.update(computed.length, computed.length / companyIds.length);
      }
    } finally {
      progress.end();
    }
    return computed;
  });
}
