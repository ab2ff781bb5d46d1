import type { Config } from '../config.ts';
import { startDemoSandbox } from '../demo/demo-sandbox.ts';
import { Accounts } from '../domain/carriers/accounts.service.ts';
import type { CarrierPort } from '../domain/carriers/carrier.port.ts';
import { tenantOfConnection } from '../domain/carriers/connection-admin.service.ts';
import { testConnection } from '../domain/carriers/connection-test.service.ts';
import { openSecretBox } from '../platform/secrets/secret-box.ts';
import { createLog } from '../platform/telemetry/log.ts';
import { createMetrics } from '../platform/telemetry/metrics.ts';
import { Carriers } from '../upstream/carriers.ts';
import { withDatabase } from './session.ts';

export function testAccount({ connection }: { connection: number }) {
  return withDatabase(async ({ config, database }) => {
    const tenant = await tenantOfConnection(database, connection);
    const accounts = new Accounts(await openSecretBox(config), createLog('silent'));
    const outcome = await withCarriers(config, port => testConnection(tenant, { port, accounts }, connection));
    return { connectionId: connection, outcome };
  });
}

/** The carriers as the service asks them, with stand-ins of its own where the settings name none. */
async function withCarriers<Result>(config: Config, work: (port: CarrierPort) => Promise<Result>): Promise<Result> {
  const sandbox = await startDemoSandbox(config);
  const carriers = new Carriers(config.carrierSandboxUrl ?? sandbox?.url, createMetrics(), createLog('silent'));
  try {
    return await work(carriers);
  } finally {
    await carriers.close();
    await sandbox?.close();
  }
}
