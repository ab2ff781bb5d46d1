import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { AccessAdministration } from '../../src/domain/account/access/access.service.ts';
import type { Environment } from '../../src/platform/environment.ts';
import { newSecretsKey } from '../../src/platform/secrets/secret-box.ts';
import type { Log } from '../../src/platform/telemetry/log.ts';
import { createDatabase, dropDatabase, urlOf, withClient } from './databases.ts';
import './entity-discovery.ts';
import { type GraphQLAnswer, graphqlClient } from './graphql-client.ts';
import { type LogWatch, note, noteSettings, useLogWatch, useWatchedLog, watchedLog } from './log-watch.ts';
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

/** A database, the service over it, and its front doors. */
export interface World {
  readonly app: App;
  /** The address that the service uses: its role does not own tables. */
  readonly databaseUrl: string;
  /** Reaches the database past the service, as the role that owns the tables. */
  readonly ownerUrl: string;
  /** Connections to `ownerUrl`. */
  readonly pool: pg.Pool;
  readonly administration: AccessAdministration;
  /** A new company with a key; all scopes unless some are named. */
  company(scopes?: readonly string[]): Promise<Caller>;
  /** A new company whose sandbox has a key; the caller is the sandbox. */
  sandbox(scopes?: readonly string[]): Promise<Caller>;
  /** Another key of a company, or of its sandbox. */
  key(companyId: string, scopes?: readonly string[], expiresAt?: string, environment?: Environment): Promise<Caller>;
}

/** The key of every process of a run; otherwise one would be kept in the folder of the project. */
export const SECRETS_KEY = newSecretsKey();

let companies = 0;

/** Limits that only tests about limits reach. */
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
  const world = {} as World;
  const log = useWatchedLog();
  let opened: OpenWorld | undefined;
  beforeAll(async () => {
    opened = await openWorld(env, log, prepare);
    noteSettings(opened.settings);
    Object.assign(world, opened.world);
  });
  afterAll(() => opened?.close());
  return world;
}

/**
 * The worlds of this worker, by their settings. They are never closed: the worker ends, and the run removes its
 * databases.
 */
const sharedWorlds = new Map<string, Promise<OpenWorld>>();
/** Reads the log of shared worlds, for the current file. */
let reader: LogWatch | undefined;

/**
 * A world that all files of a worker share, for tests that look at nothing but their own companies: opening one takes
 * half a second. A file that counts rows, statements or metrics of all companies opens its own by `useWorld`. It works
 * no jobs, unless the role in `env` says so: a process that looks for them costs a twentieth of a processor all the time.
 */
export function useSharedWorld(given: Record<string, string> = {}): World {
  const env = { ROLE: 'api', ...given };
  const world = {} as World;
  const watch = useLogWatch();
  beforeAll(async () => {
    reader = watch;
    const key = JSON.stringify(Object.entries(env).toSorted());
    const opening =
      sharedWorlds.get(key) ??
      openWorld(
        env,
        watchedLog(line => reader?.read(line)),
      );
    sharedWorlds.set(key, opening);
    const { settings, world: opened } = await opening;
    noteSettings(settings);
    Object.assign(world, opened);
  });
  return world;
}

interface OpenWorld {
  readonly world: World;
  readonly settings: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

async function openWorld(
  env: Readonly<Record<string, string>>,
  log: Log,
  prepare?: (client: pg.Client) => Promise<void>,
): Promise<OpenWorld> {
  const serverUrl = inject('serverUrl');
  const name = await createDatabase(serverUrl, inject('template'));
  const [databaseUrl, ownerUrl] = [urlOf(inject('serviceUrl'), name), urlOf(serverUrl, name)];
  if (prepare) await withClient(ownerUrl, prepare);
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
  const app = await createApp({ ...readConfig(settings), databaseUrl }, log);
  // The clock starts no job in a test: a job of each minute would now and then run in the middle of a test.
  await app.database.pool.query('delete from pgboss.schedule');
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 8 });
  // The database may be dropped while a connection is still being closed. The holder of a connection has its own
  // listener; the pool reports idle ones.
  pool.on('error', () => undefined);
  pool.on('connect', client => client.on('error', () => undefined));
  const administration = new AccessAdministration(app.database);
  const key: World['key'] = async (ofCompany, scopes = ['all'], expiresAt, environment) => {
    const { apiKey, apiKeyId, companyId } = await administration.createKey({
      companyId: ofCompany,
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
      rest: restClient(app.url, { 'x-api-key': apiKey }),
      graphql: graphqlClient(app.url, apiKey),
    };
  };
  const company: World['company'] = async (scopes = ['all']) => {
    const { companyId } = await administration.createCompany(`Company ${++companies}`);
    return key(companyId, scopes);
  };
  const sandbox: World['sandbox'] = async (scopes = ['all']) => {
    const { companyId } = await administration.createCompany(`Company ${++companies}`);
    return key(companyId, scopes, undefined, 'sandbox');
  };
  return {
    world: { app, databaseUrl, ownerUrl, pool, administration, company, sandbox, key },
    settings,
    async close() {
      await app.stop();
      await pool.end();
      await dropDatabase(serverUrl, name);
    },
  };
}
