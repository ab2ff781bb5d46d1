import type { CliCommand } from './cli-command.ts';
import type { Answering } from './output.ts';

/** `grant`: prints the rights of the role that runs the service; `migrate --grant` gives them. */
export function addGrantCommand(program: CliCommand, answering: Answering): void {
  program
    .command('grant')
    .description('print the SQL with which the owner of the tables lets another role run the service')
    .argument('<role>', 'role of the database that runs the service')
    .example('grant shipping_app')
    .action(answering(grant, { inWords: ({ statements }) => statements.map(one => `${one};`).join('\n') }));
}

async function grant(role: string) {
  const { grantsFor } = await import('../platform/database/server/service-role.ts');
  const { withDatabase } = await import('./session.ts');
  return withDatabase(async ({ database }) => ({ statements: await grantsFor(database, role) }));
}
