import type { CliCommand } from './cli-command.ts';
import { wholeNumber, YES } from './options.ts';
import type { Answering } from './output.ts';

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
