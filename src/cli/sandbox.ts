import { type Command, InvalidArgumentError } from 'commander';
import { StartupError } from '../platform/startup-error.ts';
import type { CliCommand } from './cli-command.ts';
import { stopCalled, wantsJson, wholeNumber } from './options.ts';

/** `sandbox`: the carriers' stand-ins alone, for `CARRIER_SANDBOX_URL` of processes that share them. */
export function addSandboxCommand(program: CliCommand): void {
  program
    .command('sandbox')
    .description('run the sandbox, which stands in for the carriers, until Ctrl-C, without a database')
    .option('--host <host>', 'address to listen on', host, '127.0.0.1')
    .option('--port <port>', 'port to listen on; 0 takes any free port', wholeNumber(0, 65_535), 3010)
    .option('--latency <ms>', 'milliseconds before each response', wholeNumber(0, 60_000), 0)
    .example('sandbox --port 3010 --latency 100')
    .action(serve);
}

function host(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It must be a host name or an IP address.');
  return value;
}

interface SandboxOptions {
  readonly host: string;
  readonly port: number;
  readonly latency: number;
}

async function serve({ host, port, latency }: SandboxOptions, command: Command): Promise<void> {
  const stopped = stopCalled();
  const { startSandbox } = await import('../sandbox/stand-ins.ts');
  const sandbox = await startSandbox({ host, port, latencyMs: latency }).catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(`Cannot listen on ${host}:${port} (${error.code}): choose another --host or --port.`);
  });
  const { url } = sandbox;
  process.stdout.write(
    wantsJson(command)
      ? `${JSON.stringify({ url })}\n`
      : `The carriers' sandbox listens on ${url} until Ctrl-C. Start the service with:\nCARRIER_SANDBOX_URL=${url} npm start\n`,
  );
  await stopped;
  await sandbox.close();
}
