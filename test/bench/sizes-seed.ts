import pg from 'pg';
import { growCompany } from '../../src/demo/growth.ts';
import { AccessAdministration } from '../../src/domain/account/access/access.service.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { type TrackedCompany, trackedCompany } from './seed.ts';

const COMPANIES = 20;

/** The rows that are copied from the first company to each other one, with their ids, which belong to a company. */
const COPIED = ['warehouse', 'carrier_connection', 'customer_order', 'shipment', 'tracking_event'];
const GROWING = ['customer_order', 'shipment', 'tracking_event'];

/**
 * So many shipments with their orders and events, of twenty companies. One company grows as a demo does, and the others
 * are copies of it: without indexes except primary keys, and without a look-up of references row by row, since all
 * references lead to existing rows. Otherwise ten million would take an hour.
 */
export async function seedSize(database: Database, url: string, shipments: number): Promise<TrackedCompany[]> {
  const each = shipments / COMPANIES;
  const first = await trackedCompany(database, 'Company 0', 0);
  await growCompany(database, first.companyId, each);
  const companies = [first];
  const administration = new AccessAdministration(database);
  for (let i = 1; i < COMPANIES; i++) {
    const { companyId } = await administration.createCompany(`Company ${i}`);
    const { apiKey } = await administration.createKey({ companyId, label: 'Bench', scopes: ['all'] });
    companies.push({ companyId, apiKey, warehouseId: first.warehouseId });
  }

  const [one, other] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([one.connect(), other.connect()]);
  try {
    const indexes = await one.query<{ name: string; definition: string }>(INDEXES, [GROWING]);
    for (const { name } of indexes.rows) await one.query(`drop index ${name}`);
    const queue = companies.slice(1).values();
    const copies = async (client: pg.Client) => {
      await client.query('set session_replication_role = replica');
      for (const { companyId } of queue) await copyCompany(client, first.companyId, companyId);
    };
    await Promise.all([copies(one), copies(other)]);
    const definitions = indexes.rows.values();
    const builds = async (client: pg.Client) => {
      await client.query("set maintenance_work_mem = '512MB'");
      for (const { definition } of definitions) await client.query(definition);
    };
    await Promise.all([builds(one), builds(other)]);
    await one.query('vacuum (analyze)');
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
  return companies;
}

const INDEXES = `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
  where i.indrelid = any ($1::text[]::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`;

async function copyCompany(client: pg.Client, from: string, to: string): Promise<void> {
  for (const table of COPIED) {
    const { rows } = await client.query<{ columns: string }>(
      `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
        where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> 'company_id' and attgenerated = ''`,
      [table],
    );
    const columns = rows[0]?.columns;
    await client.query(
      `insert into ${table} (company_id, ${columns}) select '${to}', ${columns} from ${table} where company_id = '${from}'`,
    );
  }
}
