import tabCompletion from '@bomb.sh/tab/commander';
import { commandName } from '../platform/command-name.ts';
import { CONTRACT_VERSION } from '../platform/contract-version.ts';
import { SERVICE_VERSION } from '../platform/service-version.ts';
import { addAuditCommand } from './audit.ts';
import { addCarrierCommands } from './carrier.ts';
import { addReferenceCommands } from './carrier-references.ts';
import { addChangesCommands } from './changes.ts';
import { CliCommand } from './cli-command.ts';
import { addCompanyCommands } from './company-commands.ts';
import { addDashboardCommand } from './dashboard.ts';
import { addDemoCommand } from './demo.ts';
import { addDoctorCommand } from './doctor.ts';
import { addGrantCommand } from './grant.ts';
import { addImportCommands } from './import.ts';
import { addInvoiceCommands } from './invoice.ts';
import { addKeyCommands } from './key-commands.ts';
import { addMigrateCommand } from './migrate-command.ts';
import { addOperatorCommands } from './operator.ts';
import type { Answering } from './output.ts';
import { addPromiseCommands } from './promise.ts';
import { addQueueCommands } from './queue.ts';
import { addRetentionCommands } from './retention.ts';
import { addSandboxCommand } from './sandbox.ts';
import { addSecretsCommands } from './secrets.ts';
import { addStatusCommand } from './status.ts';
import { addTariffCommands } from './tariff.ts';
import { addWebhookCommands } from './webhook.ts';

/** The operator's command line. Every command returns one value, printed as a table or with `--json` as JSON. */
export function createProgram(): CliCommand {
  const program = new CliCommand('shipping')
    .description('Operate the Shipping Integrations API, while the service runs or while it is stopped.')
    .version(`${SERVICE_VERSION} (contract ${CONTRACT_VERSION})`, '--version', 'print the versions')
    .option('--json', 'print one JSON value instead of a table')
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
      const { json = false, wide = false } = program.opts<{ json?: boolean; wide?: boolean }>();
      await printAnswer(json ? answer : ((await inWords?.(answer)) ?? answer), { json, wide, note });
      if (hasFailed?.(answer)) process.exitCode ??= 1;
    };

  addCompanyCommands(program, answering);
  addKeyCommands(program, answering);
  addCarrierCommands(program, answering);
  addAuditCommand(program, answering);
  addTariffCommands(program, answering);
  addReferenceCommands(program, answering);
  addInvoiceCommands(program, answering);
  addImportCommands(program, answering);
  addChangesCommands(program, answering);
  addWebhookCommands(program, answering);
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
  addCompletion(program);

  // Set after the completion, which is for the command that `npm link` installs.
  return program.name(commandName());
}

function addCompletion(program: CliCommand): void {
  tabCompletion(program, { completionCommandName: 'completion' });
  const completion = program.commands.find(command => command.name() === 'completion');
  completion?.description('print a script that completes the command `shipping` in a shell');
  if (completion instanceof CliCommand) completion.example('completion bash >> ~/.bashrc');
}
