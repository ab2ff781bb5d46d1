import { type Command, InvalidArgumentError } from 'commander';
import { actionsOf } from './actions.ts';
import { wholeNumber } from './options.ts';

const dashboard = actionsOf(() => import('./dashboard.actions.ts'));

/** `cli dashboard`: pg-boss' own dashboard, beside the service. */
export function addDashboardCommand(program: Command): void {
  program
    .command('dashboard')
    .description("show queues and jobs in a browser, with pg-boss' own dashboard, until Ctrl-C")
    .option('--port <port>', 'where to listen on 127.0.0.1; 0 takes any free port', wholeNumber(0, 65_535), 3020)
    .option('--user <user>', 'who may look; the password is OPS_PASSWORD, or is made and printed', user, 'ops')
    .action(dashboard(actions => actions.serve));
}

function user(value: string): string {
  if (/^[\x21-\x39\x3b-\x7e]+$/.test(value)) return value;
  throw new InvalidArgumentError('It must be printable ASCII characters, none of them a blank or a colon.');
}
