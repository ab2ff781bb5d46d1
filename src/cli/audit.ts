import type { AuditAction } from '../domain/audit/audit.rules.ts';
import type { CliCommand } from './cli-command.ts';
import { wholeNumber } from './options.ts';
import type { Answering } from './output.ts';

const MAX_ENTRIES = 10_000;

/** `audit`: who did what in a company. */
export function addAuditCommand(program: CliCommand, answering: Answering): void {
  program
    .command('audit')
    .description('print who changed keys, carriers, tariffs and webhook endpoints of a company, newest first')
    .requiredOption('--company <id>', 'company id')
    .option('--actions <actions>', 'only these actions, comma-separated, such as key_issued,tariff_imported')
    .option('--max <number>', 'how many entries at most', wholeNumber(1, MAX_ENTRIES), 50)
    .example(
      'audit --company 2612779b-5144-4cdf-b16b-6695e8d40383',
      'audit --company 2612779b-5144-4cdf-b16b-6695e8d40383 --actions key_issued,key_revoked',
    )
    .action(answering(list));
}

async function list({ company, actions, max }: { company: string; actions?: string; max: number }) {
  const { actionsNamed, newestEntries } = await import('../domain/audit/audit-admin.service.ts');
  const wanted: readonly AuditAction[] | null = actions === undefined ? null : actionsNamed(actions.split(','));
  const { tenantOfCompany } = await import('../domain/access/access.service.ts');
  const { withDatabase } = await import('./session.ts');
  return withDatabase(async ({ database }) => newestEntries(await tenantOfCompany(database, company), wanted, max));
}
