import { Command } from 'commander';
import { DEMO_COMPANY_ID, prepareDemo } from '../demo/company.ts';
import { AccessAdministration } from '../domain/access/access.service.ts';
import { ALL_SCOPES } from '../platform/scopes.ts';
import { openSecretBox } from '../platform/secret-box.ts';
import { addCarrierCommands } from './carrier.ts';
import { wholeNumber } from './options.ts';
import { type Answering, printAnswer } from './output.ts';
import { addSandboxCommand } from './sandbox.ts';
import { addSecretsCommands } from './secrets.ts';
import { withDatabase, withJobs } from './session.ts';
import { addTariffCommands } from './tariff.ts';
import { addWebhookCommands } from './webhook.ts';

const MAX_DEMO_SHIPMENTS = 10_000_000;

/** The operator's command line: every command answers one value, as a table or with `--json` as JSON. */
export function createProgram(): Command {
  const program = new Command('cli')
    .description('Operate the Shipping Integrations API. Works while the service runs and while it does not.')
    .option('--json', 'answer one JSON value on standard output')
    .showHelpAfterError()
    .exitOverride();

  /** Answers a command's value in the form that was asked for. */
  const answering: Answering =
    work =>
    async (...args) =>
      printAnswer(await work(...args), program.opts<{ json?: boolean }>().json === true);

  const company = program.command('company').description('Companies: whose data is kept apart');
  company
    .command('create')
    .description('make a company; answers its id')
    .requiredOption('--name <name>', 'its name, 1–200 characters')
    .action(
      answering(({ name }: { name: string }) =>
        withDatabase(async ({ database }) => {
          const { companyId } = await new AccessAdministration(database).createCompany(name);
          return { companyId };
        }),
      ),
    );
  company
    .command('list')
    .description('list companies, oldest first')
    .action(answering(() => withDatabase(async ({ database }) => new AccessAdministration(database).companies())));

  const key = program.command('key').description('API keys: what may act for a company');
  key
    .command('create')
    .description('issue a key; it is shown this once')
    .requiredOption('--company <id>', 'company id')
    .requiredOption('--label <label>', 'what the key is for, 1–200 characters')
    .requiredOption('--scopes <scopes>', `all, or a comma-separated list of ${ALL_SCOPES.join(', ')}`)
    .option('--expires <date>', 'when it stops working: a date (its start, in UTC) or an ISO 8601 date-time')
    .action(
      answering((options: { company: string; label: string; scopes: string; expires?: string }) =>
        withDatabase(({ database }) =>
          new AccessAdministration(database).createKey({
            companyId: options.company,
            label: options.label,
            scopes: options.scopes.split(',').map(scope => scope.trim()),
            expiresAt: options.expires === undefined ? null : startOfDay(options.expires),
          }),
        ),
      ),
    );
  key
    .command('list')
    .description('list keys, oldest first; never the keys themselves')
    .option('--company <id>', 'of this company only')
    .action(
      answering(({ company: companyId }: { company?: string }) =>
        withDatabase(async ({ database }) => new AccessAdministration(database).keys(companyId)),
      ),
    );
  key
    .command('revoke')
    .description('revoke a key for good; every process refuses it within a second')
    .requiredOption('--key <id>', 'API key id, as `key list` shows it')
    .action(
      answering(({ key: apiKeyId }: { key: string }) =>
        withDatabase(async ({ database }) => {
          const { revokedAt } = await new AccessAdministration(database).revokeKey(apiKeyId);
          return { apiKeyId, revokedAt };
        }),
      ),
    );

  addCarrierCommands(program, answering);
  addTariffCommands(program, answering);
  addWebhookCommands(program, answering);
  addSecretsCommands(program, answering);

  addSandboxCommand(program);

  program
    .command('demo')
    .description('make the demo company, or grow it')
    .option('--shipments <count>', 'grow it to this many shipments', wholeNumber(0, MAX_DEMO_SHIPMENTS))
    .action(
      answering(({ shipments }: { shipments?: number }) =>
        withJobs(async ({ config, database, announcer }) => {
          const tools = { database, announcer, box: await openSecretBox(config) };
          const { apiKey, added } = await prepareDemo(tools, config.dataDir, shipments, progress);
          return { companyId: DEMO_COMPANY_ID, apiKey, added };
        }),
      ),
    );

  program
    .command('migrate')
    .description('bring the database to the shape this version needs')
    .action(answering(() => withDatabase(async ({ migrations }) => ({ migrations }))));

  return program;
}

function progress(count: number): void {
  // On standard error, so that standard output stays one value.
  if (process.stderr.isTTY) process.stderr.write(`\r${count} shipments`);
}

function startOfDay(date: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) ? `${date}T00:00:00Z` : date;
}
