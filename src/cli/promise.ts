import type { CliCommand } from './cli-command.ts';
import type { Answering } from './output.ts';

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
  const { tenantOfCompany } = await import('../domain/access/access.service.ts');
  const { companiesWithPromises, computePromises } = await import('../domain/promise/compute.service.ts');
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
