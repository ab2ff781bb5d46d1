import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Command } from 'commander';
import { StartupError } from '../platform/startup-error.ts';
import type { CliCommand } from './cli-command.ts';
import { operatorName, stopCalled, wantsJson, wholeNumber } from './options.ts';

const HOST = '127.0.0.1';

/** `dashboard`: pg-boss' own dashboard, beside the service. */
export function addDashboardCommand(program: CliCommand): void {
  program
    .command('dashboard')
    .description("show queues and jobs in a browser, in pg-boss' own dashboard, until Ctrl-C")
    .option('--port <port>', 'port to listen on at 127.0.0.1; 0 takes any free port', wholeNumber(0, 65_535), 3020)
    .option('--user <user>', 'the user whose new password is printed', operatorName, 'ops')
    .example('dashboard --port 3020')
    .action(serve);
}

interface DashboardOptions {
  readonly port: number;
  readonly user: string;
}

async function serve({ port, user }: DashboardOptions, command: Command): Promise<void> {
  const stopped = stopCalled();
  const { createServer } = await import('node:http');
  const { withDatabase } = await import('./session.ts');
  const { JobDashboard } = await import('../platform/jobs/job-dashboard.ts');
  const { newOperator, OPERATOR_CHALLENGE, operatorOf } = await import('../platform/secrets/operators.ts');
  await withDatabase(
    async ({ database, databaseUrl }) => {
      const { password, operators } = newOperator(user);
      const dashboard = new JobDashboard({ database, databaseUrl });
      const server = createServer((request, response) => {
        if (operatorOf(request.headers.authorization, operators) === undefined) {
          response.writeHead(401, { 'www-authenticate': OPERATOR_CHALLENGE }).end();
          return;
        }
        dashboard.answer(request, response).catch(() => response.destroy());
      });
      server.listen(port, HOST);
      await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
        throw new StartupError(`Cannot listen on ${HOST}:${port} (${error.code}): choose another --port.`);
      });
      const url = `http://${HOST}:${(server.address() as AddressInfo).port}`;
      process.stdout.write(
        wantsJson(command)
          ? `${JSON.stringify({ url, user, password })}\n`
          : `Queues and jobs, at ${url} until Ctrl-C. User ${user}, password ${password}\n`,
      );
      await stopped;
      server.close();
      server.closeAllConnections();
      await dashboard.close();
    },
    { endsItself: true },
  );
}
