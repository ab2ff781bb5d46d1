import type { CliCommand } from './cli-command.ts';
import { wholeNumber } from './options.ts';
import type { Answering } from './output.ts';

const MAX_SHIPMENTS = 10_000_000;

/** `demo`: the company that everything can be tried on. */
export function addDemoCommand(program: CliCommand, answering: Answering): void {
  program
    .command('demo')
    .description('create the demo company, or add shipments to it')
    .option('--shipments <count>', 'add shipments until it has this many', wholeNumber(0, MAX_SHIPMENTS))
    .example('demo', 'demo --shipments 100000')
    .action(answering(growDemo));
}

/** Sets up an embedded database that is still empty, as `company create` does. */
async function growDemo({ shipments }: { shipments?: number }) {
  const { withJobs } = await import('./session.ts');
  const { DEMO_COMPANY_ID, prepareDemo } = await import('../demo/company.ts');
  const { openSecretBox } = await import('../platform/secrets/secret-box.ts');
  const { Progress } = await import('./progress.ts');
  return withJobs(
    async ({ config, database, announcer }) => {
      const tools = { database, announcer, box: await openSecretBox(config), caps: config.caps };
      const progress = shipments ? new Progress('shipments') : undefined;
      try {
        const { apiKey, added } = await prepareDemo(tools, config.dataDir, shipments, (count, missing) =>
          progress?.update(count, count / missing),
        );
        return { companyId: DEMO_COMPANY_ID, apiKey, added };
      } finally {
        progress?.end();
      }
    },
    { setsUpEmpty: true },
  );
}
