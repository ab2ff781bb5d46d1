import type { CliCommand } from './cli-command.ts';
import { wholeNumber, YES } from './options.ts';
import type { Answering } from './output.ts';

/** `retention …`: what is kept for a time only. */
export function addRetentionCommands(program: CliCommand, answering: Answering): void {
  program
    .command('retention')
    .description('Deletion of data that is past its time')
    .command('run')
    .description(
      'delete webhook events, attempts, changes of shipments, calls to carriers and idempotency keys that are past their time, and print how many',
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
  const time = days === undefined ? 'WEBHOOK_RETENTION_DAYS' : `${days} days`;
  await confirm(`Webhook events and attempts that are older than ${time} will be deleted for good.`, yes);
  const { withDatabase } = await import('./session.ts');
  const { deleteOlderThan } = await import('../domain/webhooks/retention/webhook-retention.service.ts');
  const { deleteOldChanges } = await import('../domain/tracking/changes/change-retention.service.ts');
  const { deleteOldCalls } = await import('../domain/carriers/calls/carrier-calls.service.ts');
  const { forgetRequests } = await import('../platform/idempotency.ts');
  return withDatabase(async ({ config, database }) => {
    const keptDays = days ?? config.retention.webhookDays;
    const deleted = await deleteOlderThan(database, keptDays);
    const changes = await deleteOldChanges(database, config.retention.changeDays);
    const carrierCalls = await deleteOldCalls(database, config.retention.carrierCallDays);
    return { keptDays, deleted, changes, carrierCalls, idempotencyKeys: await forgetRequests(database) };
  });
}
