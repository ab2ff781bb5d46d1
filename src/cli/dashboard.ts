import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Command, InvalidArgumentError } from 'commander';
import { StartupError } from '../platform/startup-error.ts';
import type { CliCommand } from './cli-command.ts';
import { stopCalled, wantsJson, wholeNumber } from './options.ts';

const HOST = '127.0.0.1';

/** `dashboard`: pg-boss' own dashboard, beside the service. */
export function addDashboardCommand(program: CliCommand): void {
  program
    .command('dashboard')
    .description("show queues and jobs in a browser, in pg-boss' own dashboard, until Ctrl-C")
    .option('--port <port>', 'port to listen on at 127.0.0.1; 0 takes any free port', wholeNumber(0, 65_535), 3020)
    .option(
      '--user <user>',
      'user of the dashboard; the password is OPS_PASSWORD, or a new one that is printed',
      user,
      'ops',
    )
    .example('dashboard --port 3020')
    .action(serve);
}

function user(value: string): string {
  if (/^[\x21-\x39\x3b-\x7e]+$/.test(value)) return value;
  throw new InvalidArgumentError('It must be printable ASCII characters, none of them a blank or a colon.');
}

interface DashboardOptions {
  readonly port: number;
  readonly user: string;
}

async function serve({ port, user }: DashboardOptions, command: Command): Promise<void> {
  const stopped = stopCalled();
  const { randomBytes } = await import('node:crypto');
  const { createServer } = await import('node:http');
  const { withDatabase } = await import('./session.ts');
  const { JobDashboard } = await import('../platform/jobs/job-dashboard.ts');
  await withDatabase(
    async ({ config, databaseUrl }) => {
      const password = config.opsPassword ?? randomBytes(15).toString('base64url');
      const dashboard = new JobDashboard({ databaseUrl, user, password });
      const server = createServer((request, response) => {
        dashboard.answer(request, response).catch(() => response.destroy());
      });
      server.listen(port, HOST);
      await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
        throw new StartupError(`Cannot listen on ${HOST}:${port} (${error.code}): choose another --port.`);
      });
      const url = `http://${HOST}:${(server.address() as AddressInfo).port}`;
      // Printed only if it was made here.
      const made = config.opsPassword === undefined ? { password } : {};
      process.stdout.write(
        wantsJson(command)
          ? `${JSON.stringify({ url, user, ...made })}\n`
          : `Queues and jobs, at ${url} until Ctrl-C. User ${user}, password ${made.password ?? 'as in OPS_PASSWORD'}\n`,
      );
      await stopped;
      server.close();
      server.closeAllConnections();
      await dashboard.close();
    },
    { endsItself: true },
  );
}
