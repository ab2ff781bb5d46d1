import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../src/migrate.ts';
import { Database } from '../../src/platform/database/database.ts';
import { grant, grantsFor } from '../../src/platform/database/server/service-role.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import { createDatabase, createServiceRole, dropCopies, urlOf, withClient } from './databases.ts';
import { partitionByCompany } from './partitions.ts';
import { openRunFolder } from './run-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Server of the run, in which every file makes its own database, as the role that owns them. */
    serverUrl: string;
    /** The address of the server for the role that runs the service, with the rights that `grant` gives. */
    serviceUrl: string;
    /** Migrated and empty; databases are cloned from it. */
    template: string;
    /** Where Node keeps compiled code for the run: programs that load the same modules share it. */
    codeCache: string;
  }
}

/**
 * The server is thrown away, so its write-ahead log stays short: it must not fill the memory. No database lives long
 * enough for vacuum, which would start a process for each of dozens every minute.
 */
const SETTINGS = { wal_level: 'minimal', max_wal_senders: '0', max_wal_size: '128MB', autovacuum: 'off' };

/**
 * One PostgreSQL for the run, with a migrated template that every file clones. With `TEST_DATABASE=partitioned` its tables
 * are partitioned by company, for the tests of REST, GraphQL and jobs.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { folder, databases } = openRunFolder();
  const codeCache = join(folder, 'code');
  await mkdir(codeCache);
  const given = process.env.TEST_DATABASE_URL;
  const server = given
    ? { url: given, close: async () => undefined }
    : await openEmbeddedPostgres({
        dataDir: join(databases, 'server'),
        as: 'service',
        throwaway: true,
        settings: SETTINGS,
      });
  const template = await createDatabase(server.url);
  const metrics = createMetrics();
  const log = createLog('silent');
  const database = await Database.connect(databaseOptions(urlOf(server.url, template), 2), metrics, log);
  await migrate(database);
  if (process.env.TEST_DATABASE === 'partitioned') await withClient(urlOf(server.url, template), partitionByCompany);
  const serviceUrl = await createServiceRole(server.url);
  const { username } = new URL(serviceUrl);
  await grant(database, await grantsFor(database, username));
  await database.close();
  // Even ids that a transaction takes and rolls back would be missing in every later copy. Copies do not inherit this.
  const readOnly = `alter database ${template} set default_transaction_read_only = on`;
  await withClient(server.url, client => client.query(readOnly));
  project.provide('serverUrl', server.url);
  project.provide('serviceUrl', serviceUrl);
  project.provide('template', template);
  project.provide('codeCache', codeCache);
  return async () => {
    await dropCopies(server.url, template);
    await withClient(server.url, client => client.query(`drop role ${username}`));
    await server.close();
    // Programs that end write their code cache until they are gone.
    for (const made of [folder, databases]) {
      await rm(made, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }).catch(() => undefined);
    }
  };
}
