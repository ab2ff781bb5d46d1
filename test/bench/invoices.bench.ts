import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { importTariff } from '../../src/domain/pricing/tariffs/tariff.service.ts';
import { upsertOrders } from '../../src/domain/shipping/orders/orders.service.ts';
import { uncachedPromises } from '../../src/domain/shipping/promise/promise-book.service.ts';
import { recordTrackingEvents } from '../../src/domain/shipping/tracking/events.service.ts';
import { upsertShipments } from '../../src/domain/shipping/tracking/shipments.service.ts';
import { checkInvoice } from '../../src/domain/spend/invoices/invoice-check.service.ts';
import { deleteInvoice, invoice, storeInvoice } from '../../src/domain/spend/invoices/invoices.service.ts';
import { mappingFor, readInvoice } from '../../src/domain/spend/invoices/reading/invoice-table.service.ts';
import { NO_TERMS } from '../../src/domain/spend/invoices/stated-terms.rules.ts';
import { openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../src/migrate.ts';
import { Database } from '../../src/platform/database/database.ts';
import { Tenant } from '../../src/platform/database/tenancy/tenancy.ts';
import { Jobs } from '../../src/platform/jobs/jobs.ts';
import { DEFAULT_CAPS } from '../../src/platform/limits/caps.ts';
import { readTable } from '../../src/platform/tables/read-table.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import { connectFeatures } from '../../src/wiring/connect-features.ts';
import {
  fedOf,
  invoiceOf,
  type Made,
  type MadeInvoice,
  PLANTS,
  profilesOf,
  shipmentsOf,
} from '../support/invoice-maker.ts';
import { INVOICED_TARIFF } from '../support/invoiced-tariff.ts';
import type { BenchOptions } from './bench-options.ts';
import { postgresCpuMs, running, startArguments, startProcess } from './processes.ts';
import { connectWithoutAccount, trackedCompany } from './seed.ts';

/**
 * An invoice of 100,000 lines from known shipments: once as it should be, which must have no finding, and once with mistakes
 * of every kind in one of seven lines, each of which must be found with its code and its amount; and the time that takes.
 */

const SHIPMENTS = 100_000;
const EVERY = 7;
const BATCH = 1_000;

const print = (text: string) => process.stdout.write(`${text}\n`);

interface Company {
  readonly pool: Database['pool'];
  readonly tenant: Tenant;
  readonly apiKey: string;
  readonly warehouseId: number;
  readonly carrierConnectionId: number;
}

export async function run({ quick, results }: BenchOptions): Promise<void> {
  connectFeatures();
  const folder = await mkdtemp(join(tmpdir(), 'invoice-bench-'));
  const server = await openEmbeddedPostgres({ dataDir: folder, as: 'service', throwaway: true });
  const database = await Database.connect(databaseOptions(server.url, 4), createMetrics(), createLog('silent'));
  try {
    await migrate(database);
    const company = await companyOf(database);
    const made = await shipped(database, server.url, folder, company, quick ? SHIPMENTS / 10 : SHIPMENTS);
    const cpuMs = async () => process.cpuUsage().user / 1000 + (await postgresCpuMs(folder));
    const beganAtMs = await cpuMs();
    const clean = await checked(company, invoiceOf(made, 0), 'CLEAN');
    print(`CPU of the service and PostgreSQL: ${(((await cpuMs()) - beganAtMs) / 1000).toFixed(1)} s`);
    const faulty = await checked(company, invoiceOf(made, EVERY), 'FAULTY', clean.id);
    if (!quick) results.record('invoice-check', [clean.seconds, faulty.seconds]);
  } finally {
    await database.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function companyOf(database: Database): Promise<Company> {
  const { companyId, apiKey, warehouseId } = await trackedCompany(database, 'Invoices', 0);
  const tenant = new Tenant(companyId, database);
  const { id: carrierConnectionId } = await connectWithoutAccount(tenant, 'SDA');
  await importTariff(tenant, carrierConnectionId, INVOICED_TARIFF);
  return { pool: database.pool, tenant, apiKey, warehouseId, carrierConnectionId };
}

/** Shipments as the platform sends them, with quotes of the service over HTTP. */
async function shipped(
  database: Database,
  databaseUrl: string,
  folder: string,
  { tenant, apiKey, warehouseId, carrierConnectionId }: Company,
  count: number,
): Promise<Made[]> {
  const made: Made[] = [];
  await running(async keep => {
    const root = new URL('../../', import.meta.url).pathname;
    const env = { DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: '0', DEMO: 'false', RATE_LIMIT_QUOTES: '1000000' };
    const { url } = keep(await startProcess(await startArguments(root), { ...env, RATE_LIMIT_COST: '1000000000' }));
    const graphql = async (query: string, variables?: object) => {
      const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
      const body = JSON.stringify({ query, variables });
      const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
      return { status: answer.status, ...((await answer.json()) as object) } as never;
    };
    made.push(...shipmentsOf(await profilesOf({ graphql }, warehouseId, carrierConnectionId), count));
  });
  const log = createLog('silent');
  const jobs = await Jobs.start(database, log, { worker: false });
  const announcer = { jobs, publicUrl: 'http://localhost', promises: uncachedPromises, log, metrics: createMetrics() };
  const { orders, shipments, events } = fedOf(made, warehouseId, carrierConnectionId);
  await inBatches(orders, some => upsertOrders(tenant, some));
  await inBatches(shipments, some => upsertShipments(tenant, some));
  await inBatches(events, some => recordTrackingEvents(tenant, some, announcer, DEFAULT_CAPS, log));
  await jobs.stop(0);
  await database.pool.query('vacuum analyze');
  print(`${made.length} shipments, ${events.length} events`);
  return made;
}

async function inBatches<Item>(items: readonly Item[], send: (some: Item[]) => Promise<{ rejected: number }>) {
  for (let from = 0; from < items.length; from += BATCH) {
    const { rejected } = await send(items.slice(from, from + BATCH));
    if (rejected > 0) throw new Error('An item was rejected');
  }
}

/** Imports and checks an invoice, and compares the findings with the planted errors. */
async function checked(
  { tenant, carrierConnectionId, pool }: Company,
  { csv, planted, rows }: MadeInvoice,
  number: string,
  deleted?: number,
): Promise<{ id: number; seconds: number }> {
  // On another invoice the shipments would all be billed twice.
  if (deleted !== undefined) await deleteInvoice(tenant, deleted);
  const startedAt = performance.now();
  const read = await readInvoice(
    tenant,
    await readTable({ companyId: tenant.companyId }, Buffer.from(csv)),
    mappingFor('SDA', undefined),
  );
  const header = { carrierConnectionId, number, date: '2026-11-30', replace: false, terms: NO_TERMS };
  const { id, run: of } = await storeInvoice(tenant, header, 'PLAIN', read, async () => undefined);
  const storedAt = performance.now();
  await checkInvoice(tenant, id, of);
  const seconds = (performance.now() - startedAt) / 1000;
  const { totals } = await invoice(tenant, id);
  const found = await foundOf(pool, id);
  const wrong = [...new Set([...planted.keys(), ...found.keys()])].filter(row => {
    const [plant, one] = [planted.get(row), found.get(row)];
    return plant === undefined || one === undefined || one.codes !== plant.code || one.over !== (plant.over ?? 0);
  });
  const kinds = new Set([...planted.values()].map(({ code }) => code));
  print(
    `${number}: ${rows} lines, ${planted.size} mistakes of ${kinds.size} of ${Object.keys(PLANTS).length} kinds, ${found.size} lines with findings, ${wrong.length} wrong; read and stored in ${((storedAt - startedAt) / 1000).toFixed(1)} s, all in ${seconds.toFixed(1)} s`,
  );
  print(JSON.stringify(totals.states));
  if (wrong.length > 0) {
    for (const row of wrong.slice(0, 10))
      print(JSON.stringify({ row, planted: planted.get(row), found: found.get(row) }));
    throw new Error(`${wrong.length} lines were found otherwise than they were made`);
  }
  return { id, seconds };
}

interface Found {
  readonly codes: string;
  readonly over: number;
}

/** Findings by the row of the file. */
async function foundOf(pool: Database['pool'], id: number): Promise<Map<number, Found>> {
  const found = new Map<number, Found>();
  const { rows } = await pool.query<{ row: number; code: string; amountCents: number }>(
    `select (l.billed ->> 'row')::integer as row, f.code, f.amount_cents::float8 as "amountCents" from carrier_invoice_finding f
      join carrier_invoice_line l using (company_id, invoice_id, position) where f.invoice_id = $1 order by f.position, f.n`,
    [id],
  );
  for (const { row, code, amountCents } of rows) {
    const before = found.get(row);
    const over = (before?.over ?? 0) + (code === 'vat' ? 0 : amountCents);
    found.set(row, { codes: before ? `${before.codes} ${code}` : code, over });
  }
  return found;
}
