import { type Command, InvalidArgumentError } from 'commander';
import { actionsOf } from './actions.ts';
import { wholeNumber } from './options.ts';

const sandbox = actionsOf(() => import('./sandbox.actions.ts'));

/** `cli sandbox`: the carriers' stand-ins alone, for `CARRIER_SANDBOX_URL` of processes that share them. */
export function addSandboxCommand(program: Command): void {
  program
    .command('sandbox')
    .description('stand in for the carriers, until Ctrl-C; needs no database')
    .option('--host <host>', 'where to listen', host, '127.0.0.1')
    .option('--port <port>', 'where to listen; 0 takes any free port', wholeNumber(0, 65_535), 3010)
    .option('--latency <ms>', 'milliseconds before each answer', wholeNumber(0, 60_000), 0)
    .action(sandbox(actions => actions.serve));
}

function host(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It must be a host name or an IP address.');
  return value;
}
