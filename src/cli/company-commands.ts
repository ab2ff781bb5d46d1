import { userInfo } from 'node:os';
import { InvalidArgumentError } from 'commander';
import type { Database } from '../platform/database/database.ts';
import type { Tenant } from '../platform/database/tenancy/tenancy.ts';
import type { CliCommand } from './cli-command.ts';
import { YES } from './options.ts';
import type { Answering } from './output.ts';

const COMPANY = ['--company <id>', 'company id'] as const;
const ID = '2612779b-5144-4cdf-b16b-6695e8d40383';

/** `company …`: companies, from creation to erasure. */
export function addCompanyCommands(program: CliCommand, answering: Answering): void {
  const company = program.command('company').description('Companies, whose data is kept apart');
  company
    .command('create')
    .description('create a company and print its id')
    .requiredOption('--name <name>', 'name, 1–200 characters')
    .option('--yes', 'also if another company has this name')
    .example('company create --name "Rossi SRL"')
    .action(answering(createCompany));
  company
    .command('list')
    .description('list companies, oldest first, each with its sandbox')
    .example('company list')
    .action(answering(listCompanies));
  company
    .command('suspend')
    .description(
      'reject the keys of a company and of its sandbox in every process within a second, and have their webhooks, polls and jobs wait',
    )
    .requiredOption(...COMPANY)
    .option(...YES)
    .example(`company suspend --company ${ID}`)
    .action(answering(suspend));
  company
    .command('resume')
    .description(
      'accept the keys of a suspended company and of its sandbox again, and continue with the work that waits',
    )
    .requiredOption(...COMPANY)
    .example(`company resume --company ${ID}`)
    .action(answering(resume));
  company
    .command('export')
    .description(
      'write all data of a company and of its sandbox to an archive, without secrets, while the service runs',
    )
    .requiredOption(...COMPANY)
    .requiredOption('--out <file>', 'the archive, a .tar.gz file that does not exist yet')
    .example(`company export --company ${ID} --out rossi.tar.gz`)
    .action(answering(exportOne));
  company
    .command('erase')
    .description(
      'erase a suspended company, its sandbox and all that they have, for good, and print the proofs; a second run continues the first',
    )
    .requiredOption(...COMPANY)
    .option('--name <name>', 'name of the company, instead of the question for it')
    .option('--by <name>', 'who erases it, for the proof (default: the user of the machine)')
    .example(`company erase --company ${ID}`)
    .action(answering(erase));
  company
    .command('erasures')
    .description('list the proofs of companies that were erased, oldest first')
    .example('company erasures')
    .action(answering(listErasures));
}

/** Sets up an embedded database that is empty, because a company is the first thing in it. */
async function createCompany({ name, yes }: { name: string; yes?: true }) {
  const { withDatabase } = await import('./session.ts');
  const { AccessAdministration } = await import('../domain/account/access/access.service.ts');
  const { confirm } = await import('./confirmation.ts');
  return withDatabase(
    async ({ database }) => {
      const administration = new AccessAdministration(database);
      const same = yes ? undefined : await administration.companyNamed(name);
      if (same) await confirm(`The company ${same.companyId} has this name already; this creates another one.`, yes);
      const { companyId } = await administration.createCompany(name);
      return { companyId };
    },
    { setsUpEmpty: true },
  );
}

async function listCompanies() {
  const { withDatabase } = await import('./session.ts');
  const { AccessAdministration } = await import('../domain/account/access/access.service.ts');
  return withDatabase(({ database }) => new AccessAdministration(database).companies());
}

/** Returns a live company whose erasure has not begun. */
async function keptCompany(database: Database, company: string): Promise<Tenant> {
  const { liveCompany, requireNoErasure } = await import('../domain/account/access/access.service.ts');
  return requireNoErasure(await liveCompany(database, company), 'company');
}

interface SuspendOptions {
  readonly company: string;
  readonly yes?: true;
}

async function suspend({ company, yes }: SuspendOptions) {
  const { confirm } = await import('./confirmation.ts');
  const { withDatabase } = await import('./session.ts');
  const { suspendCompany } = await import('../domain/operations/companies/suspension.service.ts');
  return withDatabase(async ({ database }) => {
    const tenant = await keptCompany(database, company);
    await confirm(`All keys of the company ${company} will be rejected, and its webhooks will wait.`, yes);
    return suspendCompany(tenant);
  });
}

async function resume({ company }: { company: string }) {
  const { withJobs } = await import('./session.ts');
  const { resumeCompany } = await import('../domain/operations/companies/suspension.service.ts');
  return withJobs(async ({ database, announcer }) =>
    resumeCompany(await keptCompany(database, company), announcer.jobs),
  );
}

async function exportOne({ company, out }: { company: string; out: string }) {
  const { requireNewFile } = await import('./files.ts');
  await requireNewFile(out);
  const { withDatabase } = await import('./session.ts');
  const { Progress } = await import('./progress.ts');
  const { exportCompany } = await import('../domain/operations/companies/export/company-export.service.ts');
  return withDatabase(async ({ database }) => {
    const tenant = await keptCompany(database, company);
    const progress = new Progress('rows', { hasShare: false });
    try {
      return await exportCompany(database, tenant, out, rows => progress.update(rows));
    } finally {
      progress.end();
    }
  });
}

interface EraseOptions {
  readonly company: string;
  readonly name?: string;
  readonly by?: string;
}

async function erase({ company, name, by = nameOfUser() }: EraseOptions) {
  const { withDatabase } = await import('./session.ts');
  const { Progress } = await import('./progress.ts');
  const { confirmByName } = await import('./confirmation.ts');
  const { AccessAdministration, liveCompany } = await import('../domain/account/access/access.service.ts');
  const { eraseCompany } = await import('../domain/operations/companies/erasure/erasure.service.ts');
  return withDatabase(async ({ database }) => {
    const tenant = await liveCompany(database, company);
    const found = await new AccessAdministration(database).company(company);
    await confirmByName(
      `The company ${company} will be erased with its sandbox and all that they have, for good.`,
      found?.name ?? '',
      name,
    );
    const progress = new Progress('rows', { hasShare: false });
    const onRows = (rows: number, table: string) => progress.update(rows, undefined, table);
    try {
      return await eraseCompany(database, tenant, { by, onRows });
    } finally {
      progress.end();
    }
  });
}

function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    // As in a container that runs as a user without a name.
    throw new InvalidArgumentError('The machine has no name for your user: give --by.');
  }
}

async function listErasures() {
  const { withDatabase } = await import('./session.ts');
  const { erasures } = await import('../domain/operations/companies/erasure/erasure.service.ts');
  return withDatabase(({ database }) => erasures(database));
}
