import type { Command } from 'commander';
import { StartupError } from '../platform/startup-error.ts';
import { startSandbox } from '../sandbox/stand-ins.ts';
import { stopCalled, wantsJson } from './options.ts';

interface SandboxOptions {
  readonly host: string;
  readonly port: number;
  readonly latency: number;
}

export async function serve({ host, port, latency }: SandboxOptions, command: Command): Promise<void> {
  const stopped = stopCalled();
  const sandbox = await startSandbox({ host, port, latencyMs: latency }).catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(`Cannot listen on ${host}:${port} (${error.code}): choose another --host or --port.`);
  });
  const { url } = sandbox;
  process.stdout.write(
    wantsJson(command)
      ? `${JSON.stringify({ url })}\n`
      : `Carriers' stand-ins, listening on ${url} until Ctrl-C. Start the service with:\nCARRIER_SANDBOX_URL=${url} npm start\n`,
  );
  await stopped;
  await sandbox.close();
}
