import type { Command } from 'commander';
import type { Answering } from './output.ts';

/** `cli promise …`: when parcels will arrive, by the companies' own deliveries. */
export function addPromiseCommands(program: Command, answering: Answering): void {
  program
    .command('promise')
    .description("Promises: when parcels will arrive, by the companies' own deliveries")
    .command('compute')
    .description('calculate the tables now, as is done each night; answers what each company has')
    .option('--company <id>', 'of this company only; of all where left out')
    .action(answering(computeNow));
}

async function computeNow({ company }: { company?: string }) {
  const { withDatabase } = await import('./session.ts');
  const { tenantOfCompany } = await import('../domain/access/access.service.ts');
  const { companiesWithPromises, computePromises } = await import('../domain/promise/compute.service.ts');
  return withDatabase(async ({ database }) => {
    const companyIds = company === undefined ? await companiesWithPromises(database) : [company];
    const computed: object[] = [];
    for (const companyId of companyIds) {
      computed.push({ companyId, ...(await computePromises(await tenantOfCompany(database, companyId))) });
    }
    return computed;
  });
}
