import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type Options } from '@mikro-orm/postgresql';
import { readConfig } from './src/config.ts';
import { FEATURES } from './src/features.ts';
import { connectionSettings } from './src/platform/database/connections/connection-settings.ts';
import { QUERY_MS } from './src/platform/database/connections/lost-connections.ts';
import { EntitySchemaGenerator } from './src/platform/database/internals/mikro-orm-internals.ts';

/** The entities of every table. */
const ENTITIES = FEATURES.flatMap(({ entities = [] }) => entities).flatMap(module => Object.values(module));

/** MikroORM's options for a database: the entities, the migrations and the one pool of connections. */
export function databaseOptions(url: string, poolSize: number, queryMs = QUERY_MS): Options {
  const settings = connectionSettings(url);
  return defineConfig({
    // MikroORM would take the server from an address of one host. All connections get theirs from `driverOptions`.
    dbName: settings.database,
    entities: ENTITIES,
    extensions: [EntitySchemaGenerator, Migrator],
    // A missing database is not created: its name is probably mistyped.
    ensureDatabase: false,
    // Migrations are the only way the shape changes.
    migrations: {
      path: new URL('schema/migrations', import.meta.url).pathname,
      snapshot: false,
      silent: true,
      transactional: true,
      allOrNothing: false,
    },
    schemaGenerator: {
      // pg-boss makes and migrates its own.
      ignoreSchema: ['pgboss'],
      // MikroORM does not find those that forbid to truncate, and would drop the others since it cannot read their functions.
      ignoreTriggers: true,
    },
    pool: { min: 0, max: poolSize },
    driverOptions: {
      connectionTimeoutMillis: 5000,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      // Node then asks every second, ten times: an idle connection that leads nowhere is closed after 13 s.
      keepAliveInitialDelayMillis: 3_000,
      statement_timeout: 10_000,
      // What a transaction asks at once is one round trip.
      pipeline: true,
      // A transaction that its client has given up on must not keep its locks where the server does not hear of it.
      idle_in_transaction_session_timeout: queryMs,
      application_name: 'shipping-integrations-api',
      ...settings,
    },
    discovery: { warnWhenNoEntities: false },
    // The tables' names and columns are those of the migrations; nothing is derived at run time.
    forceUtcTimezone: true,
  });
}

/** Commands of MikroORM that drop tables, or make them without migrations. */
const HARMFUL = /^(schema:(create|drop|fresh)|migration:(fresh|down))$/;

/** For MikroORM's own command line. @throws Error for a command that would harm the database */
export default () => {
  const command = process.argv.find(argument => /^(schema|migration):/.test(argument)) ?? '';
  if (HARMFUL.test(command)) {
    throw new Error(
      `${command} is not available: it drops tables, or makes them without the migrations. Migrations make the database: run \`npm run cli -- migrate\`.`,
    );
  }
  const { databaseUrl } = readConfig();
  if (databaseUrl === undefined) {
    throw new Error(
      'MikroORM needs a running database: set DATABASE_URL. `npm run cli -- migrate` starts the embedded one by itself.',
    );
  }
  // Node runs TypeScript as it is. A loader that MikroORM finds among the packages hides the classes of the migrations.
  return { ...databaseOptions(databaseUrl, 2), dynamicImportProvider: (file: string) => import(file) };
};
