import tabCompletion from '@bomb.sh/tab/commander';
import { commandName } from '../platform/command-name.ts';
import { CONTRACT_VERSION } from '../platform/contract-version.ts';
import { SERVICE_VERSION } from '../platform/service-version.ts';
import { addCarrierReadCommand } from './carrier-read.ts';
import { addChangesCommands } from './changes.ts';
import { CliCommand } from './cli-command.ts';
import type { CommandRow } from './command-row.ts';
import { COMMANDS, GROUPS } from './commands.ts';
import { addCompanyCommands } from './company-commands.ts';
import { addDashboardCommand } from './dashboard.ts';
import { addDemoCommand } from './demo.ts';
import { addDoctorCommand } from './doctor.ts';
import { addImportCommands } from './import.ts';
import { addPromiseCommands, addQueueCommands, addRetentionCommands } from './job-commands.ts';
import { addGrantCommand, addMigrateCommand } from './migrate-command.ts';
import type { Answering } from './output.ts';
import { addSandboxCommand } from './sandbox.ts';
import { addOperatorCommands, addSecretsCommands } from './secrets.ts';
import { addStatusCommand } from './status.ts';
import { addTariffCommands } from './tariff.ts';
import { addNoticeCommand, addWebhookCommands } from './webhook.ts';

/**
 * The operator's command line. Every command returns one value, printed as a table, with `--json` as JSON, or with
 * `--csv` as CSV.
 *
 * @param typed the words of the command line; the options of the operations that they do not name are left out, because
 *   the schema that says them takes a tenth of a second to read
 */
export async function createProgram(typed?: readonly string[]): Promise<CliCommand> {
  const program = new CliCommand('shipping')
    .description('Operate the Shipping Integrations API, while the service runs or while it is stopped.')
    .version(`${SERVICE_VERSION} (contract ${CONTRACT_VERSION})`, '--version', 'print the versions')
    .option('--json', 'print one JSON value instead of a table')
    .option('--csv', 'print CSV instead of a table')
    .option('--wide', 'print every column of a table in full, also on a narrow terminal')
    .configureHelp({ showGlobalOptions: true })
    // `run` prints errors in one line.
    .configureOutput({ writeErr: () => undefined })
    .exitOverride();

  /** Prints a command's result in the requested form. */
  const answering: Answering =
    (work, { hasFailed, inWords, note } = {}) =>
    async (...args) => {
      const answer = await work(...args);
      const { printAnswer } = await import('./output.ts');
      const {
        json = false,
        csv = false,
        wide = false,
      } = program.opts<Partial<Record<'json' | 'csv' | 'wide', boolean>>>();
      await printAnswer(json ? answer : ((await inWords?.(answer)) ?? answer), { json, csv, wide, note });
      if (hasFailed?.(answer)) process.exitCode ??= 1;
    };

  addCompanyCommands(program, answering);
  addCarrierReadCommand(groupNamed(program, 'carrier'), answering);
  addTariffCommands(groupNamed(program, 'tariff'), answering);
  addImportCommands(program, answering);
  addChangesCommands(program, answering);
  addWebhookCommands(groupNamed(program, 'webhook'), answering);
  addNoticeCommand(groupNamed(program, 'notice'), answering);
  addQueueCommands(program, answering);
  addPromiseCommands(program, answering);
  addRetentionCommands(program, answering);
  addSecretsCommands(program, answering);
  addOperatorCommands(program);
  addSandboxCommand(program);
  addDashboardCommand(program);
  addStatusCommand(program);
  addDoctorCommand(program);
  addDemoCommand(program, answering);
  addMigrateCommand(program, answering);
  addGrantCommand(program, answering);
  await addOperations(program, answering, typed);
  addCompletion(program);

  // Set after the completion, which is for the command that `npm link` installs.
  return program.name(commandName());
}

async function addOperations(program: CliCommand, answering: Answering, typed?: readonly string[]): Promise<void> {
  const words = typed?.filter(word => !word.startsWith('-'));
  const isMeant = ({ name }: CommandRow) => words === undefined || name.split(' ').every(word => words.includes(word));
  for (const row of COMMANDS) {
    const [first = '', ...rest] = row.name.split(' ');
    const group = rest.length === 0 ? program : groupNamed(program, first);
    const command = group.command(rest.join(' ') || first).description(row.purpose);
    if (!isMeant(row)) continue;
    const { addOperation } = await import('./operation-command.ts');
    addOperation(command, row, answering);
  }
}

function groupNamed(program: CliCommand, name: string): CliCommand {
  const found = program.commands.find(command => command.name() === name);
  return (found as CliCommand | undefined) ?? program.command(name).description(GROUPS[name] ?? '');
}

function addCompletion(program: CliCommand): void {
  tabCompletion(program, { completionCommandName: 'completion' });
  const completion = program.commands.find(command => command.name() === 'completion');
  completion?.description('print a script that completes the command `shipping` in a shell');
  if (completion instanceof CliCommand) completion.example('completion bash >> ~/.bashrc');
}
