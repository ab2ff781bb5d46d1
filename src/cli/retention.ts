import type { Command } from 'commander';
import { actionsOf } from './actions.ts';
import { wholeNumber } from './options.ts';
import type { Answering } from './output.ts';

const retention = actionsOf(() => import('./retention.actions.ts'));

/** `cli retention …`: what is kept for a time only. */
export function addRetentionCommands(program: Command, answering: Answering): void {
  program
    .command('retention')
    .description('Retention: what is kept for a time only')
    .command('run')
    .description('delete webhook events, attempts and idempotency keys that are past their time now; answers how many')
    .option(
      '--days <days>',
      'how long webhook events and attempts are kept; WEBHOOK_RETENTION_DAYS where left out',
      wholeNumber(1, 3650),
    )
    .action(answering(retention(actions => actions.runRetention)));
}
