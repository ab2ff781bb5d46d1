import { InvalidArgumentError, Option } from 'commander';
import type { Config } from '../config.ts';
import type { CarrierPort } from '../domain/carriers/carrier.port.ts';
import { addCarrierCallsCommand } from './carrier-calls.ts';
import { addCarrierReadCommand } from './carrier-read.ts';
import type { CliCommand } from './cli-command.ts';
import { CONNECTION, YES } from './options.ts';
import type { Answering } from './output.ts';
import { RejectedFile } from './rejected-file.ts';
import type { Session } from './session.ts';

/** `carrier …`: accounts at carriers. */
export function addCarrierCommands(program: CliCommand, answering: Answering): void {
  const carrier = program.command('carrier').description('Carrier connections: accounts of companies at carriers');
  carrier
    .command('connect')
    .description("connect a company's account at a carrier and print the id of the connection")
    .requiredOption('--company <id>', 'company id')
    .requiredOption('--carrier <code>', 'carrier code, such as GLS')
    .requiredOption('--label <label>', "the company's own name for the account, 1–200 characters")
    .option('--credentials <file>', 'JSON file of the credentials; - reads standard input')
    .option('--base-url <url>', "address of the carrier's test system, instead of its own address")
    .option('--sandbox', "in the sandbox of the company, where the carriers' stand-ins are asked")
    .example(
      'carrier connect --company 2612779b-5144-4cdf-b16b-6695e8d40383 --carrier GLS --label "GLS Milano" --credentials gls.json',
    )
    .action(answering(connectAccount));
  carrier
    .command('list')
    .description('list carrier connections, by ascending id')
    .option('--company <id>', 'only those that belong to this company')
    .example('carrier list --company 2612779b-5144-4cdf-b16b-6695e8d40383')
    .action(answering(listConnections));
  carrier
    .command('update')
    .description('change a connection; options that are left out change nothing')
    .requiredOption(...CONNECTION)
    .option('--label <label>', "the company's own name for the account, 1–200 characters")
    .option('--credentials <file>', 'JSON file of the new credentials; - reads standard input, none deletes them')
    .addOption(new Option('--active <active>', 'whether the connection is used').choices(['yes', 'no']))
    .option('--base-url <url>', "address of the carrier's test system; none is the carrier's own address")
    .option('--yes', 'delete credentials without asking')
    .example('carrier update --connection 8 --credentials gls.json', 'carrier update --connection 8 --active no')
    .action(answering(updateAccount));
  carrier
    .command('test')
    .description(
      'ask the carrier, and print whether it accepts the credentials of a connection, for tracking and for the check of addresses; fails unless it does',
    )
    .requiredOption(...CONNECTION)
    .example('carrier test --connection 8')
    .action(answering(testAccount, { hasFailed: ({ outcome }) => outcome !== 'accepted' }));
  addCarrierCallsCommand(carrier, answering);
  addCarrierReadCommand(carrier, answering);
  carrier
    .command('disconnect')
    .description('disconnect an account for good: its credentials are deleted, its shipments stay')
    .requiredOption(...CONNECTION)
    .option(...YES)
    .example('carrier disconnect --connection 8')
    .action(answering(disconnectAccount));
}

/** Typed in place of a value, to remove the value. */
const NONE = 'none';

interface ConnectOptions {
  readonly company: string;
  readonly carrier: string;
  readonly label: string;
  readonly credentials?: string;
  readonly baseUrl?: string;
  readonly sandbox?: true;
}

async function connectAccount(options: ConnectOptions) {
  const { withDatabase } = await import('./session.ts');
  const { tenantOfCompany } = await import('../domain/access/access.service.ts');
  const { ensureSandbox } = await import('../domain/access/sandbox.service.ts');
  const { connectCarrier } = await import('../domain/carriers/carriers.service.ts');
  const { openSecrets } = await import('../wiring/service-secrets.ts');
  return withDatabase(async ({ config, database }) => {
    const credentials = options.credentials === undefined ? null : await readCredentials(options.credentials);
    const company = await tenantOfCompany(database, options.company);
    const tenant = options.sandbox ? await ensureSandbox(company) : company;
    const access = { box: await openSecrets(database, config), hasSandbox: hasSandbox(config) };
    const { id, environment, hasCredentials } = await connectCarrier(tenant, access, config.caps, {
      carrierCode: options.carrier,
      label: options.label,
      baseUrl: options.baseUrl ?? null,
      credentials,
    });
    return { connectionId: id, environment, hasCredentials };
  });
}

async function listConnections({ company }: { company?: string }) {
  const { withDatabase } = await import('./session.ts');
  const { connectionsOfCompanies } = await import('../domain/carriers/connection-admin.service.ts');
  return withDatabase(({ database }) => connectionsOfCompanies(database, company));
}

interface UpdateOptions extends Pick<ConnectOptions, 'credentials' | 'baseUrl'> {
  readonly connection: number;
  readonly label?: string;
  readonly active?: 'yes' | 'no';
  readonly yes?: true;
}

async function updateAccount({ connection, label, credentials, active, baseUrl, yes }: UpdateOptions) {
  if ([label, credentials, active, baseUrl].every(value => value === undefined)) {
    throw new InvalidArgumentError('Say what to change by --label, --credentials, --active or --base-url.');
  }
  const { confirm } = await import('./confirmation.ts');
  const { withDatabase } = await import('./session.ts');
  const { updateConnection } = await import('../domain/carriers/carriers.service.ts');
  const { tenantOfConnection } = await import('../domain/carriers/connection-admin.service.ts');
  const { openSecrets } = await import('../wiring/service-secrets.ts');
  if (credentials === NONE) await confirm(`The credentials of connection ${connection} will be deleted.`, yes);
  return withDatabase(async ({ config, database }) => {
    const tenant = await tenantOfConnection(database, connection);
    const updated = await updateConnection(tenant, { box: await openSecrets(database, config) }, connection, {
      ...(label !== undefined && { label }),
      ...(active !== undefined && { isActive: active === 'yes' }),
      ...(baseUrl !== undefined && { baseUrl: baseUrl === NONE ? null : baseUrl }),
      ...(credentials !== undefined && {
        credentials: credentials === NONE ? null : await readCredentials(credentials),
      }),
    });
    const {
      id,
      carrierCode: _carrier,
      questions: _questions,
      createdAt: _created,
      updatedAt: _updated,
      ...fields
    } = updated;
    return { connectionId: id, ...fields };
  });
}

async function disconnectAccount({ connection, yes }: { connection: number; yes?: true }) {
  const { confirm } = await import('./confirmation.ts');
  const { withDatabase } = await import('./session.ts');
  const { disconnectCarrier } = await import('../domain/carriers/carriers.service.ts');
  const { tenantOfConnection } = await import('../domain/carriers/connection-admin.service.ts');
  return withDatabase(async ({ database }) => {
    const tenant = await tenantOfConnection(database, connection);
    await confirm(`Connection ${connection} will be disconnected for good, and its credentials deleted.`, yes);
    const { id, label } = await disconnectCarrier(tenant, connection);
    return { connectionId: id, label };
  });
}

/** Read from a file, because other users of the machine can see the options of a command. */
async function readCredentials(file: string): Promise<Record<string, string>> {
  const { z } = await import('zod');
  const { readJson } = await import('./files.ts');
  const { value } = await readJson(file);
  const credentials = z.record(z.string(), z.string()).safeParse(value);
  if (credentials.success) return credentials.data;
  throw new RejectedFile([`${file} must be an object of strings, such as {"userId":"…","password":"…"}`]);
}

function hasSandbox({ demo, carrierSandboxUrl }: Config): boolean {
  return demo || carrierSandboxUrl !== undefined;
}

async function testAccount({ connection }: { connection: number }) {
  const { withJobs } = await import('./session.ts');
  const { Accounts } = await import('../domain/carriers/accounts.service.ts');
  const { tenantOfConnection } = await import('../domain/carriers/connection-admin.service.ts');
  const { testConnection } = await import('../domain/carriers/connection-test.service.ts');
  const { openSecrets } = await import('../wiring/service-secrets.ts');
  const { createLog } = await import('../platform/telemetry/log.ts');
  return withJobs(async ({ config, database, announcer }) => {
    const tenant = await tenantOfConnection(database, connection);
    const accounts = new Accounts(await openSecrets(database, config), createLog('silent'));
    const outcomes = await withCarriers({ config, database }, port =>
      testConnection(tenant, { port, accounts }, connection, announcer),
    );
    return { connectionId: connection, ...outcomes };
  });
}

/** Runs work with carriers, using its own stand-ins if the settings name none. */
async function withCarriers<Result>(
  { config, database }: Pick<Session, 'config' | 'database'>,
  work: (port: CarrierPort) => Promise<Result>,
): Promise<Result> {
  const { openCallRecorder } = await import('../domain/carriers/calls/call-recorder.service.ts');
  const { startDemoSandbox } = await import('../demo/demo-sandbox.ts');
  const { Carriers } = await import('../upstream/carriers.ts');
  const { createLog } = await import('../platform/telemetry/log.ts');
  const { createMetrics } = await import('../platform/telemetry/metrics.ts');
  const sandbox = await startDemoSandbox(config);
  const [metrics, log] = [createMetrics(), createLog('silent')];
  const calls = openCallRecorder(database, config.retention, metrics, log);
  const carriers = new Carriers(config.carrierSandboxUrl ?? sandbox?.url, metrics, log, calls);
  try {
    return await work(carriers);
  } finally {
    await carriers.close();
    await calls?.close();
    await sandbox?.close();
  }
}
