import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { AccessAdministration } from '../../src/domain/access/access.service.ts';
import type { Environment } from '../../src/platform/environment.ts';
import { newSecretsKey } from '../../src/platform/secrets/secret-box.ts';
import { createDatabase, dropDatabase, urlOf, withClient } from './databases.ts';
import { type GraphQLAnswer, graphqlClient } from './graphql-client.ts';
import { note, noteSettings, useWatchedLog } from './log-watch.ts';
import { type RestClient, restClient } from './rest-client.ts';

/** A company with a key of its own and clients that use it. */
export interface Caller {
  readonly companyId: string;
  readonly apiKeyId: string;
  readonly apiKey: string;
  readonly rest: RestClient;
  readonly graphql: <Data = Record<string, unknown>>(
    query: string,
    variables?: Record<string, unknown>,
  ) => Promise<GraphQLAnswer<Data>>;
}

/** A database, the service over it, and its front doors; every test file has its own. */
export interface World {
  readonly app: App;
  readonly databaseUrl: string;
  /** Reaches the database past the service. */
  readonly pool: pg.Pool;
  readonly administration: AccessAdministration;
  /** A new company with a key; all scopes unless some are named. */
  company(scopes?: readonly string[]): Promise<Caller>;
  /** Another key of a company. */
  key(companyId: string, scopes?: readonly string[], expiresAt?: string, environment?: Environment): Promise<Caller>;
}

/** Of every process of a run; otherwise one would be kept in the folder of the project. */
export const SECRETS_KEY = newSecretsKey();

let databases = 0;

/** What no test comes near that is not about it. */
export const UNLIMITED = {
  RATE_LIMIT_READS: '1000000',
  RATE_LIMIT_QUOTES: '1000000',
  RATE_LIMIT_WRITES: '1000000',
  RATE_LIMIT_COST: '1000000000',
};

/**
 * Opens the world of a file before its tests and closes it after them.
 *
 * @param prepare changes the database before the service is started
 */
export function useWorld(env: Record<string, string> = {}, prepare?: (client: pg.Client) => Promise<void>): World {
  const world = {} as { -readonly [Key in keyof World]: World[Key] };
  const serverUrl = inject('serverUrl');
  const log = useWatchedLog();
  let name = '';
  beforeAll(async () => {
    name = await createDatabase(serverUrl, inject('template'));
    const databaseUrl = urlOf(serverUrl, name);
    if (prepare) await withClient(databaseUrl, prepare);
    const settings = {
      PORT: '0',
      DATABASE_POOL_SIZE: '8',
      DATABASE_URL: databaseUrl,
      SECRETS_KEY,
      ...UNLIMITED,
      // The largest batches take a second or two, and far more on a busy machine.
      GRAPHQL_TIMEOUT_SECONDS: '60',
      ...env,
    };
    noteSettings(settings);
    world.app = await createApp({ ...readConfig(settings), databaseUrl }, log);
    // The clock starts no job in a test: what comes each minute would come in the middle of one now and then.
    await world.app.database.pool.query('delete from pgboss.schedule');
    world.databaseUrl = databaseUrl;
    world.pool = new pg.Pool({ connectionString: databaseUrl, max: 8 });
    // The database may be dropped while a connection is still being closed. Who holds one hears that from its own
    // listener; of an idle one the pool says it.
    world.pool.on('error', () => undefined);
    world.pool.on('connect', client => client.on('error', () => undefined));
    world.administration = new AccessAdministration(world.app.database);
    world.company = async (scopes = ['all']) => {
      const { companyId } = await world.administration.createCompany(`Company ${++databases}`);
      return world.key(companyId, scopes);
    };
    world.key = async (companyId, scopes = ['all'], expiresAt, environment = 'live') => {
      const { apiKey, apiKeyId } = await world.administration.createKey({
        companyId,
        label: 'Test',
        scopes,
        expiresAt,
        environment,
      });
      note('issued', apiKey);
      return {
        companyId,
        apiKeyId,
        apiKey,
        rest: restClient(world.app.url, { 'x-api-key': apiKey }),
        graphql: graphqlClient(world.app.url, apiKey),
      };
    };
  });
  afterAll(async () => {
    await world.app?.stop();
    await world.pool?.end();
    await dropDatabase(serverUrl, name);
  });
  return world;
}
