import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { AccessAdministration } from '../../src/domain/account/access/access.service.ts';
import { migrate } from '../../src/migrate.ts';
import { Database } from '../../src/platform/database/database.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import type { Running } from '../bench/processes.ts';

/** Common actions of fault runs on databases and processes. */

const DRAIN_MS = 120_000;

/** Migrates the database, and makes a company, or its sandbox, with a key of all scopes. */
export async function prepareDatabase(
  databaseUrl: string,
  environment?: 'sandbox',
): Promise<{ companyId: string; apiKey: string }> {
  const database = await Database.connect(databaseOptions(databaseUrl, 2), createMetrics(), createLog('silent'));
  await migrate(database);
  const administration = new AccessAdministration(database);
  const created = await administration.createCompany('Faults');
  const key = { companyId: created.companyId, label: 'Faults', scopes: ['all'], environment };
  const { apiKey, companyId } = await administration.createKey(key);
  await database.close();
  return { companyId, apiKey };
}

export async function kill(worker: Running): Promise<void> {
  worker.child.kill('SIGKILL');
  await worker.stop();
}

export async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** The time of the server. */
export async function timeOf(url: string): Promise<Date> {
  const [row] = await query<{ now: Date }>(url, 'select clock_timestamp() as now');
  return row?.now ?? new Date();
}

/** Waits until nothing of before a moment is on its way. */
export async function settledUpTo(url: string, moment: Date): Promise<void> {
  const deadline = Date.now() + DRAIN_MS;
  const waiting = `select 1 from webhook_delivery where created_at <= $1 and status in ('pending', 'retrying') limit 1`;
  while ((await query(url, waiting, [moment])).length > 0) {
    if (Date.now() > deadline) throw new Error('deliveries still wait after two minutes');
    await setTimeout(100);
  }
}

export async function terminateConnections(url: string): Promise<void> {
  await query(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
}
