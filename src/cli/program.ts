import { Command } from 'commander';
import { addAccessCommands } from './access.ts';
import { actionsOf } from './actions.ts';
import { addCarrierCommands } from './carrier.ts';
import { addDashboardCommand } from './dashboard.ts';
import { addDoctorCommand } from './doctor.ts';
import { addImportCommands } from './import.ts';
import { wholeNumber } from './options.ts';
import { type Answering, printAnswer } from './output.ts';
import { addQueueCommands } from './queue.ts';
import { addRetentionCommands } from './retention.ts';
import { addSandboxCommand } from './sandbox.ts';
import { addSecretsCommands } from './secrets.ts';
import { addTariffCommands } from './tariff.ts';
import { addWebhookCommands } from './webhook.ts';

const demo = actionsOf(() => import('./demo.actions.ts'));
const migrate = actionsOf(() => import('./migrate.actions.ts'));

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
    (work, hasFailed) =>
    async (...args) => {
      const answer = await work(...args);
      await printAnswer(answer, program.opts<{ json?: boolean }>().json === true);
      if (hasFailed?.(answer)) process.exitCode = 1;
    };

  addAccessCommands(program, answering);
  addCarrierCommands(program, answering);
  addTariffCommands(program, answering);
  addImportCommands(program, answering);
  addWebhookCommands(program, answering);
  addQueueCommands(program, answering);
  addRetentionCommands(program, answering);
  addSecretsCommands(program, answering);
  addSandboxCommand(program);
  addDashboardCommand(program);
  addDoctorCommand(program);

  program
    .command('demo')
    .description('make the demo company, or grow it')
    .option('--shipments <count>', 'grow it to this many shipments', wholeNumber(0, MAX_DEMO_SHIPMENTS))
    .action(answering(demo(actions => actions.growDemo)));

  program
    .command('migrate')
    .description('bring the database to the shape this version needs')
    .action(answering(migrate(actions => actions.migrateDatabase)));

  return program;
}
