import { Command } from 'commander';
import { addAccessCommands } from './access.ts';
import { addCarrierCommands } from './carrier.ts';
import { addDashboardCommand } from './dashboard.ts';
import { addDemoCommand } from './demo.ts';
import { addDistributeCommand } from './distribute.ts';
import { addDoctorCommand } from './doctor.ts';
import { addImportCommands } from './import.ts';
import { addMigrateCommand } from './migrate-command.ts';
import type { Answering } from './output.ts';
import { addPromiseCommands } from './promise.ts';
import { addQueueCommands } from './queue.ts';
import { addRetentionCommands } from './retention.ts';
import { addSandboxCommand } from './sandbox.ts';
import { addSecretsCommands } from './secrets.ts';
import { addTariffCommands } from './tariff.ts';
import { addWebhookCommands } from './webhook.ts';

/** The operator's command line: every command answers one value, as a table or with `--json` as JSON. */
export function createProgram(): Command {
  const program = new Command('cli')
    .description('Operate the Shipping Integrations API, while the service runs or while it is stopped.')
    .option('--json', 'print one JSON value instead of a table')
    .showHelpAfterError()
    .exitOverride();

  /** Answers a command's value in the form that was asked for. */
  const answering: Answering =
    (work, hasFailed) =>
    async (...args) => {
      const answer = await work(...args);
      const { printAnswer } = await import('./output.ts');
      await printAnswer(answer, program.opts<{ json?: boolean }>().json === true);
      if (hasFailed?.(answer)) process.exitCode = 1;
    };

  addAccessCommands(program, answering);
  addCarrierCommands(program, answering);
  addTariffCommands(program, answering);
  addImportCommands(program, answering);
  addWebhookCommands(program, answering);
  addQueueCommands(program, answering);
  addPromiseCommands(program, answering);
  addRetentionCommands(program, answering);
  addSecretsCommands(program, answering);
  addSandboxCommand(program);
  addDashboardCommand(program);
  addDoctorCommand(program);
  addDemoCommand(program, answering);
  addMigrateCommand(program, answering);
  addDistributeCommand(program, answering);

  return program;
}
