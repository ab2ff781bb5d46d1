import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { growCompany } from '../../src/demo/growth.ts';
import type { ShipmentFilter } from '../../src/domain/shipping/tracking/lists/shipment-filter.input.ts';
import { SHIPMENT_ORDERS, type ShipmentOrder } from '../../src/domain/shipping/tracking/lists/shipment-list.rules.ts';
import { shipmentList } from '../../src/domain/shipping/tracking/lists/shipment-list.service.ts';
import { openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../src/migrate.ts';
import { Database } from '../../src/platform/database/database.ts';
import type { CompanyStatement } from '../../src/platform/database/statements/statements.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { Tenant } from '../../src/platform/database/tenancy/tenancy.ts';
import { Fault } from '../../src/platform/fault.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import type { BenchOptions } from './bench-options.ts';
import { trackedCompany } from './seed.ts';

/**
 * How each list is read of a company with a million shipments, or as many as its part says: by which index, and with how
 * many pages of PostgreSQL's. Every condition alone in every order, and every two of them, first page and count. It fails
 * where a plan reads a table whole or looks at more pages than a list may.
 */

const SHIPMENTS = 1_000_000;
const PAGE = 51;
/** Pages of 8 KiB that a page of a list may touch: 2,000 rows that are looked through, each with its order and connection. */
const MAX_PAGES = 40_000;
const DAY_MS = 24 * 3_600_000;
const LARGE = new Set(['shipment', 'customer_order']);

const print = (text: string) => process.stdout.write(`${text}\n`);
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const WEEK = { from: daysAgo(30), to: daysAgo(23) };

/** One of each condition: common and rare values. */
const CONDITIONS: readonly ShipmentFilter[] = [
  { statusCodes: ['held'] },
  { statusCodes: ['delivered'] },
  { isOpen: true },
  { isOpen: false },
  { carrierConnectionId: 1 },
  { carriers: ['GLS'] },
  { carriers: ['FEDEX'] },
  { trackingNumbers: ['BULK000004711', 'BULK000900000'] },
  { orderNumber: 'BULK-4711' },
  { text: 'B-4711' },
  { marketplaces: ['eBay'] },
  { marketplaces: ['none'] },
  { recipient: 'cliente 4711' },
  { provinces: ['PA'] },
  { provinces: ['AO'] },
  { postalCodes: ['90139'] },
  { updatedSince: daysAgo(1) },
  { updatedSince: daysAgo(400) },
  { createdAt: WEEK },
  { createdAt: { from: daysAgo(400) } },
  { shippedAt: WEEK },
  { deliveredAt: WEEK },
  { expectedDeliveryAt: WEEK },
  { isLate: true },
  { isLate: false },
  { stalledForDays: 14 },
];

const ALONE: ShipmentFilter = {};

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Alias?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
}

interface Measured {
  readonly name: string;
  readonly indexes: string;
  readonly pages: number;
  readonly ms: number;
}

const within = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(within)];

export async function run({ parts, quick }: BenchOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'shipping-bench-'));
  const settings = { shared_buffers: '256MB', max_wal_size: '4GB' };
  const server = await openEmbeddedPostgres({ dataDir: folder, as: 'service', throwaway: true, settings });
  try {
    const database = await Database.connect(databaseOptions(server.url, 2), createMetrics(), createLog('silent'));
    await migrate(database);
    const { companyId } = await trackedCompany(database, 'Lists', 0);
    const [asked = SHIPMENTS] = parts.map(Number);
    const shipments = quick ? asked / 10 : asked;
    const startedAt = performance.now();
    await growCompany(database, companyId as CompanyId, shipments);
    await database.pool.query('vacuum (analyze)');
    print(`${shipments} shipments of one company in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    await measureAll(database, companyId as CompanyId);
    await database.close();
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureAll(database: Database, companyId: CompanyId): Promise<void> {
  const measured: Measured[] = [];
  let refused = 0;
  const failed: string[] = [];
  for (const [i, one] of CONDITIONS.entries()) {
    for (const other of [ALONE, ...CONDITIONS.slice(i + 1)]) {
      const filter: ShipmentFilter = { ...one, ...other };
      if (Object.keys(filter).length < Object.keys(one).length + Object.keys(other).length) continue;
      // Two conditions have no other index than one of them has in the same order.
      for (const order of [null, ...(other === ALONE ? SHIPMENT_ORDERS : [])]) {
        const found = await measure(database, companyId, filter, order).catch(error => {
          if (error instanceof Fault && error.code === 'validation_failed') return undefined;
          throw error;
        });
        if (found === undefined) refused++;
        else measured.push(...found.measured);
        failed.push(...(found?.failed ?? []));
      }
    }
  }
  const isOfOne = ({ name }: Measured) => !name.includes('&');
  print('\npages of 8 KiB, ms, indexes that are walked along: each condition alone');
  for (const one of measured.filter(isOfOne)) print(line(one));
  print('\nthe twenty of two conditions that touch the most pages');
  const byPages = measured.toSorted((one, other) => other.pages - one.pages);
  for (const one of byPages.slice(0, 20)) print(line(one));
  print(
    `\n${measured.length} statements of lists and counts, ${refused} filters with an order refused, ${failed.length} failed`,
  );
  for (const one of failed) print(`  ${one}`);
  if (failed.length > 0) process.exitCode = 1;
}

const line = ({ name, pages, ms, indexes }: Measured) =>
  `${String(pages).padStart(7)} ${ms.toFixed(1).padStart(7)}  ${name}: ${indexes}`;

/** Explains what a list and its count send, by a tenant that runs it so. */
async function measure(database: Database, companyId: CompanyId, filter: ShipmentFilter, order: ShipmentOrder | null) {
  const measured: Measured[] = [];
  const failed: string[] = [];
  const tenant = new Tenant(companyId, database);
  const explaining = Object.create(tenant, {
    rows: {
      value: async (statement: CompanyStatement, ...values: unknown[]) => {
        const { rows } = await database.pool.query(
          `explain (analyze, buffers, timing off, format json) ${statement.text}`,
          [companyId, ...values],
        );
        const [explained] = rows[0]['QUERY PLAN'];
        const nodes = within(explained.Plan);
        const walked = nodes.filter(
          node => LARGE.has(node['Relation Name'] ?? '') && !['o', 'c', 'l'].includes(node.Alias ?? ''),
        );
        const pages = explained.Plan['Shared Hit Blocks'] + explained.Plan['Shared Read Blocks'];
        const name = `${nameOf(filter)} ${order ?? ''} [${statement.name}]`;
        const indexes = [...new Set(walked.map(node => node['Index Name'] ?? node['Node Type']))].join(', ');
        measured.push({ name, indexes, pages, ms: explained['Execution Time'] });
        const isCount = statement.name.startsWith('count');
        if (nodes.some(node => /^(Seq|Bitmap)/.test(node['Node Type']) && LARGE.has(node['Relation Name'] ?? '')))
          failed.push(`${name} reads a table whole`);
        if (pages > MAX_PAGES * (isCount ? 10 : 1)) failed.push(`${name} touches ${pages} pages`);
        return [];
      },
    },
  }) as Tenant;
  const list = shipmentList(explaining, filter, order, { hasTimelines: false, hasWarehouses: false });
  await list.read({ after: null, before: null, limit: PAGE, inverted: false });
  await list.count();
  return { measured, failed };
}

const nameOf = (filter: ShipmentFilter) =>
  Object.entries(filter)
    .map(([name, value]) =>
      typeof value === 'object' && !Array.isArray(value) ? name : `${name} ${String(value).slice(0, 20)}`,
    )
    .join(' & ');
