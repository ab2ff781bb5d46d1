import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { CONNECTIONS } from '../../src/demo/data.ts';
import { growCompany } from '../../src/demo/growth.ts';
import { AccessAdministration } from '../../src/domain/account/access/access.service.ts';
import { connectCarrier } from '../../src/domain/shipping/carriers/carriers.service.ts';
import { createWarehouse } from '../../src/domain/shipping/warehouses/warehouses.service.ts';
import { openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../src/migrate.ts';
import { Database } from '../../src/platform/database/database.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { Tenant } from '../../src/platform/database/tenancy/tenancy.ts';
import { DEFAULT_CAPS } from '../../src/platform/limits/caps.ts';
import { newSecretsKey, SecretBox } from '../../src/platform/secrets/secret-box.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import { postgresCpuMs, type Running, startArguments, startProcess } from './processes.ts';

const ROOT = new URL('../../', import.meta.url).pathname;

/** A connection without an account, for measurements without its carrier. */
export function connectWithoutAccount(tenant: Tenant, carrierCode: string) {
  const access = { box: SecretBox.of(newSecretsKey()), hasSandbox: true };
  return connectCarrier(tenant, access, DEFAULT_CAPS, { carrierCode, label: carrierCode });
}

export interface TrackedCompany {
  readonly companyId: CompanyId;
  readonly apiKey: string;
  readonly warehouseId: number;
}

/** A company with accounts of the carriers' stand-ins. */
export interface SandboxCompany extends TrackedCompany {
  /** Connections by their carriers' codes. */
  readonly connections: ReadonlyMap<string, number>;
}

/** A PostgreSQL that is as safe against a power cut as any, the carriers' stand-ins and what asks them. */
export interface SandboxWorld {
  readonly databaseUrl: string;
  readonly database: Database;
  readonly company: SandboxCompany;
  postgresCpuMs(): Promise<number>;
  /** `cli sandbox` in a process of its own. */
  startSandbox(latencyMs?: number): Promise<Running>;
  /** `npm start` in a process of its own. */
  start(sandbox: Running, env?: Record<string, string>): Promise<Running>;
  close(): Promise<void>;
}

export async function openSandboxWorld(): Promise<SandboxWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'shipping-bench-'));
  const server = await openEmbeddedPostgres({ dataDir: folder, as: 'service' });
  const database = await Database.connect(databaseOptions(server.url, 4), createMetrics(), createLog('silent'));
  await migrate(database);
  const secretsKey = newSecretsKey();
  const settings = { DATABASE_URL: server.url, DATA_DIR: folder, SECRETS_KEY: secretsKey, PORT: '0', DEMO: 'false' };
  const startSandbox = (latencyMs = 0) =>
    startProcess([`${ROOT}src/cli.ts`, 'sandbox', '--port', '0', '--latency', String(latencyMs)], {});
  return {
    databaseUrl: server.url,
    database,
    company: await sandboxCompany(database, SecretBox.of(secretsKey)),
    postgresCpuMs: () => postgresCpuMs(folder),
    startSandbox,
    start: async ({ url }, env) =>
      startProcess(await startArguments(ROOT), { ...settings, LOG_LEVEL: 'info', CARRIER_SANDBOX_URL: url, ...env }),
    close: async () => {
      await database.close();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function sandboxCompany(database: Database, box: SecretBox): Promise<SandboxCompany> {
  const { tenant, ...company } = await newCompany(database, 'Bench', 'sandbox');
  const connections = new Map<string, number>();
  for (const input of CONNECTIONS.filter(({ credentials }) => credentials)) {
    const { id } = await connectCarrier(tenant, { box, hasSandbox: true }, DEFAULT_CAPS, input);
    connections.set(input.carrierCode, id);
  }
  return { ...company, connections };
}

/** A company with so many shipments and their events, on connections without an account. */
export async function trackedCompany(database: Database, name: string, shipments: number): Promise<TrackedCompany> {
  const { tenant, ...company } = await newCompany(database, name);
  for (const carrierCode of ['BRT', 'GLS', 'DHL']) await connectWithoutAccount(tenant, carrierCode);
  await growCompany(database, company.companyId, shipments);
  return company;
}

async function newCompany(database: Database, name: string, environment?: 'sandbox') {
  const administration = new AccessAdministration(database);
  const created = await administration.createCompany(name);
  const key = { companyId: created.companyId, label: 'Bench', scopes: ['all'], environment };
  const { apiKey, companyId } = await administration.createKey(key);
  const tenant = new Tenant(companyId, database);
  const place = { address: 'Via Roma 1', postalCode: '20121', city: 'Milano', state: 'MI', country: 'IT' };
  const { id: warehouseId } = await createWarehouse(tenant, DEFAULT_CAPS, { name: 'Magazzino', typeId: 1, ...place });
  return { tenant, companyId, apiKey, warehouseId };
}
