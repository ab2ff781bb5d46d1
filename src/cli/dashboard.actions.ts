import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Command } from 'commander';
import { JobDashboard } from '../platform/jobs/job-dashboard.ts';
import { StartupError } from '../platform/startup-error.ts';
import { stopCalled, wantsJson } from './options.ts';
import { withDatabase } from './session.ts';

const HOST = '127.0.0.1';

interface DashboardOptions {
  readonly port: number;
  readonly user: string;
}

export async function serve({ port, user }: DashboardOptions, command: Command): Promise<void> {
  const stopped = stopCalled();
  await withDatabase(async ({ config, databaseUrl }) => {
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
    // Printed only where nobody else knows it.
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
  });
}
