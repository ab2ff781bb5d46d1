import type { Command } from 'commander';
import { wholeNumber } from './options.ts';
import type { Answering } from './output.ts';

/** `cli retention …`: what is kept for a time only. */
export function addRetentionCommands(program: Command, answering: Answering): void {
  program
    .command('retention')
    .description('Deletion of data that is past its time')
    .command('run')
    .description('delete webhook events, attempts and idempotency keys that are past their time, and print how many')
    .option(
      '--days <days>',
      'how many days webhook events and attempts are kept (default: WEBHOOK_RETENTION_DAYS)',
      wholeNumber(1, 3650),
    )
    .action(answering(runRetention));
}

async function runRetention({ days }: { days?: number }) {
  const { withDatabase } = await import('./session.ts');
  const { deleteOlderThan } = await import('../domain/webhooks/retention/webhook-retention.service.ts');
  const { forgetRequests } = await import('../platform/idempotency.ts');
  return withDatabase(async ({ config, database }) => {
    const keptDays = days ?? config.webhookRetentionDays;
    const deleted = await deleteOlderThan(database, keptDays);
    return { keptDays, deleted, idempotencyKeys: await forgetRequests(database) };
  });
}
