import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { migrate } from '../../src/migrate.ts';
import { Database } from '../../src/platform/database.ts';
import { openEmbeddedPostgres } from '../../src/platform/embedded-postgres.ts';
import { createLog } from '../../src/platform/log.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { createDatabase, dropDatabase, urlOf } from './databases.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Server of the run, in which every file makes its own database. */
    serverUrl: string;
    /** Migrated and empty; databases are cloned from it. */
    template: string;
  }
}

/** One PostgreSQL for the run, with a migrated template that every file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'shipping-test-'));
  const given = process.env.TEST_DATABASE_URL;
  const server = given
    ? { url: given, close: async () => undefined }
    : await openEmbeddedPostgres({ dataDir: folder, as: 'service', throwaway: true });
  const template = await createDatabase(server.url);
  const metrics = createMetrics();
  const log = createLog('silent');
  const database = await Database.connect(databaseOptions(urlOf(server.url, template), 2), metrics, log);
  await migrate(database);
  await database.close();
  project.provide('serverUrl', server.url);
  project.provide('template', template);
  return async () => {
    await dropDatabase(server.url, template);
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
}
