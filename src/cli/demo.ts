import type { Database } from '../platform/database/database.ts';
import type { CliCommand } from './cli-command.ts';
import { wholeNumber } from './options.ts';
import type { Answering } from './output.ts';

const MAX_SHIPMENTS = 10_000_000;

/** `demo`: the demo company. */
export function addDemoCommand(program: CliCommand, answering: Answering): void {
  program
    .command('demo')
    .description('create the demo company, or add shipments to it')
    .option('--shipments <count>', 'add shipments until it has this many', wholeNumber(0, MAX_SHIPMENTS))
    .option('--month <file>', "write BRT's invoice for October 2026 to this CSV file")
    .example('demo', 'demo --shipments 100000', 'demo --month brt-october.csv')
    .action(answering(growDemo));
}

/** Sets up an empty embedded database, as `company create` does. */
async function growDemo({ shipments, month }: { shipments?: number; month?: string }) {
  const { withJobs } = await import('./session.ts');
  const { prepareDemo } = await import('../demo/company.ts');
  const { DEMO_COMPANY_ID } = await import('../demo/demo-company.ts');
  const { openSecrets } = await import('../wiring/service-secrets.ts');
  const { Progress } = await import('./progress.ts');
  return withJobs(
    async ({ config, database, announcer }) => {
      const tools = { database, announcer, box: await openSecrets(database, config), caps: config.caps };
      const progress = shipments ? new Progress('shipments') : undefined;
      try {
        const { apiKey, added } = await prepareDemo(tools, config.dataDir, shipments, (count, missing) =>
          progress?.update(count, count / missing),
        );
        if (month !== undefined) return { companyId: DEMO_COMPANY_ID, invoice: await writeInvoice(database, month) };
        return { companyId: DEMO_COMPANY_ID, apiKey, added };
      } finally {
        progress?.end();
      }
    },
    { setsUpEmpty: true },
  );
}

async function writeInvoice(database: Database, file: string): Promise<string> {
  const { demoInvoice } = await import('../demo/company.ts');
  const { writeText } = await import('./files.ts');
  await writeText(file, await demoInvoice(database));
  return file;
}
