import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type Options } from '@mikro-orm/postgresql';
import { readConfig } from './src/config.ts';
import { ApiKeyEntity, CompanyEntity } from './src/domain/access/access.entity.ts';
import { CarrierConnectionEntity } from './src/domain/carriers/carriers.entity.ts';
import { OrderContactEntity, OrderEntity } from './src/domain/orders/orders.entity.ts';
import {
  ShipmentContactEntity,
  ShipmentEntity,
  ShipmentLabelEntity,
  ShipmentRelationEntity,
} from './src/domain/tracking/shipments.entity.ts';
import { WarehouseEntity } from './src/domain/warehouses/warehouses.entity.ts';
import { WebhookEndpointEntity, WebhookSecretEntity } from './src/domain/webhooks/webhooks.entity.ts';
import { connectionSettings } from './src/platform/database/connection-settings.ts';
import { QUERY_MS } from './src/platform/database/lost-connections.ts';

/** MikroORM's options for a database: the entities, the migrations and the one pool of connections. */
export function databaseOptions(url: string, poolSize: number, queryMs = QUERY_MS): Options {
  return defineConfig({
    clientUrl: url,
    entities: [
      CompanyEntity,
      ApiKeyEntity,
      WarehouseEntity,
      CarrierConnectionEntity,
      OrderEntity,
      OrderContactEntity,
      ShipmentEntity,
      ShipmentLabelEntity,
      ShipmentRelationEntity,
      ShipmentContactEntity,
      WebhookEndpointEntity,
      WebhookSecretEntity,
    ],
    extensions: [Migrator],
    // A database that is missing is a slip in its name, to be told and not to be made.
    ensureDatabase: false,
    // Migrations are the only way the shape changes: schema updates would drop the tables and the schema of pg-boss.
    migrations: {
      path: new URL('schema/migrations', import.meta.url).pathname,
      snapshot: false,
      silent: true,
      transactional: true,
      allOrNothing: false,
    },
    schemaGenerator: { ignoreSchema: ['pgboss'] },
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
      ...connectionSettings(url),
    },
    discovery: { warnWhenNoEntities: false },
    // The tables' names and columns are those of the migrations; nothing is derived at run time.
    forceUtcTimezone: true,
  });
}

/** Commands of MikroORM that would make the shape of the database from the entities, of which not every table has one. */
const FROM_ENTITIES = /^(schema:|migration:(check|fresh|down)$|migration:create$)/;

/** For MikroORM's own command line. @throws Error for a command that would harm the database */
export default () => {
  const command = process.argv.find(argument => /^(schema|migration):/.test(argument)) ?? '';
  if (FROM_ENTITIES.test(command) && !process.argv.includes('--blank')) {
    throw new Error(
      `${command} is not available: it compares the database with entities, and most tables have none, so that it would drop them. Migrations make the database: run \`npm run cli -- migrate\`. \`migration:create --blank\` makes a new one.`,
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
