import type { Command } from 'commander';
import type { ChangeKind } from '../domain/shipping/tracking/changes/changes.rules.ts';
import type { ChangeListOptions } from './changes-list.ts';
import type { CliCommand } from './cli-command.ts';
import { wholeNumber, words, YES } from './options.ts';
import type { Answering } from './output.ts';

/** The kinds of the change log. They are repeated, because no module of the service is loaded for help. */
const KINDS: readonly ChangeKind[] = ['created', 'updated', 'status', 'event', 'estimate', 'related', 'delayed'];
const MAX_NUMBER = 2_147_483_647;

/** `changes …`: the change logs of companies. */
export function addChangesCommands(program: CliCommand, answering: Answering): void {
  const changes = program.command('changes').description('Change logs of shipments');
  changes
    .command('list', { isDefault: true })
    .description('print the changes of a company, a line each; this is also done by `changes` alone')
    .requiredOption('--company <id>', 'company id')
    .option('--follow', 'continue with each change as it happens, until Ctrl-C')
    .option(
      '--after <number>',
      'only changes after this number (default: all that are kept; with --follow, only new ones)',
      wholeNumber(0, MAX_NUMBER),
    )
    .option('--kinds <kinds>', `only these kinds: a comma-separated list of ${KINDS.join(', ')}`, words)
    .option('--statuses <codes>', 'only changes to these statuses, comma-separated', words)
    .option('--shipment <id>', 'only changes of the shipment with this databaseId', wholeNumber(1, MAX_NUMBER))
    .example(
      'changes list --company 2612779b-5144-4cdf-b16b-6695e8d40383 --follow',
      'changes list --company 2612779b-5144-4cdf-b16b-6695e8d40383 --after 1200 --kinds status --statuses delivered,held',
    )
    .action(list);
  changes
    .command('expire')
    .description(
      'have every consumer of changes list its shipments anew; necessary after a restore, and after an upgrade whose changelog says so',
    )
    .option(...YES)
    .example('changes expire')
    .action(answering(expire));
}

async function list(options: ChangeListOptions, command: Command) {
  const { listChanges } = await import('./changes-list.ts');
  return listChanges(options, command);
}

async function expire({ yes }: { yes?: true }) {
  const { confirm } = await import('./confirmation.ts');
  await confirm('Every cursor of changes will expire, and every consumer will list its shipments anew.', yes);
  const { withDatabase } = await import('./session.ts');
  const { AccessAdministration } = await import('../domain/account/access/access.service.ts');
  const { expireCursors } = await import('../domain/shipping/tracking/changes/changes.service.ts');
  return withDatabase(async ({ database }) => {
    const companies = await new AccessAdministration(database).companies();
    const companyIds = companies.map(({ companyId }) => companyId);
    await expireCursors(database, companyIds, new Date());
    return { companies: companyIds.length };
  });
}
