import type { Command } from 'commander';
import { wholeNumber } from './options.ts';
import type { Answering } from './output.ts';

const MAX_SHIPMENTS = 10_000_000;

/** `cli demo`: the company that everything can be tried on. */
export function addDemoCommand(program: Command, answering: Answering): void {
  program
    .command('demo')
    .description('create the demo company, or add shipments to it')
    .option('--shipments <count>', 'add shipments until it has this many', wholeNumber(0, MAX_SHIPMENTS))
    .action(answering(growDemo));
}

/** Sets up an embedded database that is still empty, as `company create` does. */
async function growDemo({ shipments }: { shipments?: number }) {
  const { withJobs } = await import('./session.ts');
  const { DEMO_COMPANY_ID, prepareDemo } = await import('../demo/company.ts');
  const { openSecretBox } = await import('../platform/secrets/secret-box.ts');
  const { progress } = await import('./progress.ts');
  return withJobs(
    async ({ config, database, announcer }) => {
      const tools = { database, announcer, box: await openSecretBox(config), caps: config.caps };
      const { apiKey, added } = await prepareDemo(tools, config.dataDir, shipments, count =>
        progress(`${count} shipments`),
      );
      return { companyId: DEMO_COMPANY_ID, apiKey, added };
    },
    { setsUpEmpty: true },
  );
}
