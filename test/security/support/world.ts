import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseOptions } from '../../../mikro-orm.config.ts';
import { AccessAdministration } from '../../../src/domain/account/access/access.service.ts';
import { openEmbeddedPostgres } from '../../../src/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../../src/migrate.ts';
import { Database } from '../../../src/platform/database/database.ts';
import { ALL_RATE_CLASSES } from '../../../src/platform/limits/rates.ts';
import { newSecretsKey } from '../../../src/platform/secrets/secret-box.ts';
import { createLog } from '../../../src/platform/telemetry/log.ts';
import { createMetrics } from '../../../src/platform/telemetry/metrics.ts';
import { startArguments, startProcess } from '../../bench/processes.ts';
import { graphqlClient } from '../../support/graphql-client.ts';
import { restClient } from '../../support/rest-client.ts';
import type { Caller } from '../../support/world.ts';
import { Service } from './service.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;
const IMPORTS = ['./probe.ts', './hostile-resolver.ts'].flatMap(file => [
  '--import',
  new URL(file, import.meta.url).href,
]);

/** A key of a company, before it is known which process will be called with it. */
export interface Key {
  readonly companyId: string;
  readonly apiKeyId: string;
  readonly apiKey: string;
}

/** A throwaway PostgreSQL with companies, and the service over it in processes of its own. */
export interface SecurityWorld {
  readonly database: Database;
  readonly databaseUrl: string;
  /** The key that encrypts secrets in the database, in every process. */
  readonly secretsKey: string;
  /** A new company with a key of all scopes. */
  company(name: string): Promise<Key>;
  /** A new company that is live. */
  live(name: string): Promise<Key>;
  /** Another key of a company, or one of its sandbox. */
  key(companyId: string, scopes: readonly string[], environment?: 'sandbox'): Promise<Key>;
  /** `npm start` with the settings' own rates. */
  start(env?: Record<string, string>): Promise<Service>;
  close(): Promise<void>;
}

/** Rates that nothing reaches, of every class there is. */
export const UNLIMITED: Record<string, string> = Object.fromEntries(
  ALL_RATE_CLASSES.map(name => [`RATE_LIMIT_${name.toUpperCase()}`, '1000000000']),
);
/** `startProcess` lifts the rates, since benches need that; an empty variable is one that is not set. */
const OWN_RATES = Object.fromEntries(Object.keys(UNLIMITED).map(name => [name, '']));

/** Webhooks and carriers of these companies are on this machine: nothing leaves it. */
const LOOPBACK = {
  WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
  WEBHOOK_ALLOW_HTTP: 'true',
  // Nobody listens there: a carrier that cannot be reached.
  CARRIER_SANDBOX_URL: 'http://127.0.0.1:9',
};

export async function openSecurityWorld(): Promise<SecurityWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'shipping-security-'));
  const server = await openEmbeddedPostgres({ dataDir: folder, as: 'service', throwaway: true });
  const database = await Database.connect(databaseOptions(server.url, 4), createMetrics(), createLog('silent'));
  await migrate(database);
  const administration = new AccessAdministration(database);
  const secretsKey = newSecretsKey();
  const settings = { DATABASE_URL: server.url, DATA_DIR: folder, SECRETS_KEY: secretsKey, PORT: '0', DEMO: 'false' };
  const key: SecurityWorld['key'] = (companyId, scopes, environment) =>
    administration.createKey({ companyId, label: 'Key', scopes, environment });
  let services = 0;
  return {
    database,
    databaseUrl: server.url,
    secretsKey,
    company: async name => key((await administration.createCompany(name)).companyId, ['all'], 'sandbox'),
    live: async name => key((await administration.createCompany(name)).companyId, ['all']),
    key,
    start: async env => {
      const blocks = join(folder, `blocks-${++services}`);
      const settled = { ...settings, ...OWN_RATES, ...LOOPBACK, LOG_LEVEL: 'info', LOOP_BLOCKS: blocks, ...env };
      return new Service(await startProcess([...IMPORTS, ...(await startArguments(ROOT))], settled), blocks);
    },
    close: async () => {
      await database.close();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A key as the helpers of tests take it, at one process; every REST response is compared with the contract. */
export function callerOf(key: Key, { url }: Service): Caller {
  return {
    ...key,
    rest: restClient(url, { 'x-api-key': key.apiKey }),
    graphql: graphqlClient(url, key.apiKey),
  };
}
