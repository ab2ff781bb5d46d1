import type { CliCommand } from './cli-command.ts';
import { YES } from './options.ts';
import type { Answering } from './output.ts';

/** `changes …`: the change logs of companies. */
export function addChangesCommands(program: CliCommand, answering: Answering): void {
  const changes = program.command('changes').description('Change logs of shipments');
  changes
    .command('expire')
    .description('have every consumer of changes list its shipments anew; necessary after a database was restored')
    .option(...YES)
    .example('changes expire')
    .action(answering(expire));
}

async function expire({ yes }: { yes?: true }) {
  const { confirm } = await import('./confirmation.ts');
  await confirm('Every cursor of changes will expire, and every consumer will list its shipments anew.', yes);
  const { withDatabase } = await import('./session.ts');
  const { AccessAdministration } = await import('../domain/access/access.service.ts');
  const { expireCursors } = await import('../domain/tracking/changes/change-retention.service.ts');
  return withDatabase(async ({ database }) => {
    const companies = await new AccessAdministration(database).companies();
    const companyIds = companies.map(({ companyId }) => companyId);
    await expireCursors(database, companyIds, new Date());
    return { companies: companyIds.length };
  });
}
