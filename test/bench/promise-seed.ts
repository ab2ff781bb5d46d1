import type { Database } from '../../src/platform/database/database.ts';
import { Tenant } from '../../src/platform/database/tenancy/tenancy.ts';
import { connectWithoutAccount, type TrackedCompany, trackedCompany } from './seed.ts';

/** The events of the newest shipments, the only ones whose events are read. */
const WITH_EVENTS = 200_000;
const CHUNK = 100_000;

const ORDERS = `insert into customer_order (company_id, id, order_number, recipient, parcels)
  select $1::uuid, n, 'P-' || n, jsonb_build_object('companyName', 'Cliente ' || n, 'address', 'Via Roma ' || n % 200 + 1,
      'postalCode', lpad((10 + floor(power(random(), 3) * 7000)::integer * 14)::text, 5, '0'), 'city', 'Comune', 'province', null,
      'countryCode', case when n % 25 = 0 then 'DE' else 'IT' end), '[]'::jsonb
    from generate_series($2::integer, $3::integer) n`;

// From ninety days ago until now, in the order of their ids; the last ones are still under way.
const SHIPMENTS = `insert into shipment (company_id, id, carrier_connection_id, tracking_number, tracking_key, order_id, parcel_number, weight,
      status_code, status_at, delivered_at, first_scan_at, created_at)
  select $1::uuid, n, ($4::integer[])[1 + n % 5], 'P' || n, 'P' || n, n, 1, round((0.3 - 4 * ln(random()))::numeric, 1),
      case when delivered < now() then 'delivered' else 'in_transit' end, case when delivered < now() then delivered else scanned + interval '5 hours' end,
      case when delivered < now() then delivered end, scanned, scanned - interval '3 hours'
    from generate_series($2::integer, $3::integer) n
    cross join lateral (select date_trunc('day', now() - interval '1 day' * (90 - 90.0 * n / $5)) + interval '1 hour' * (14 + 6 * random()) as scanned) scan
    cross join lateral (select date_trunc('day', scanned) + interval '1 day' * (1 + floor(-1.3 * ln(random() + 1e-9)))
      + interval '1 hour' * (8 + 9 * random()) as delivered) delivery`;

const EVENTS = `insert into tracking_event (company_id, shipment_id, occurred_at, status_code)
  select s.company_id, s.id, step.at, step.status_code from shipment s
    cross join lateral (values (s.first_scan_at, 'shipped'), (s.first_scan_at + interval '3 hours', 'in_transit'),
      (date_trunc('day', s.status_at) + interval '5 hours', 'at_depot'), (date_trunc('day', s.status_at) + interval '7 hours', 'out_for_delivery'),
      (s.delivered_at, 'delivered')) step (at, status_code)
    where s.company_id = $1 and s.id between $2 and $3 and step.at is not null and step.at <= now()`;

const INDEXES = `select i.indexrelid::regclass::text as name from pg_index i
  where i.indrelid = any (array['customer_order', 'shipment']::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`;

/**
 * A company with so many shipments of the last ninety days, on five connections, to thousands of postal codes. They are made
 * row by row by SQL alone, without the indexes that no part of the promise uses.
 */
export async function seedPromised(
  database: Database,
  shipments: number,
  onProgress: (count: number) => void,
): Promise<TrackedCompany> {
  const company = await trackedCompany(database, 'Promise', 0);
  const tenant = new Tenant(company.companyId, database);
  for (const carrierCode of ['UPS', 'FEDEX']) await connectWithoutAccount(tenant, carrierCode);
  await database.patiently(async client => {
    const { rows } = await client.query(
      'select array_agg(id order by id) as ids from carrier_connection where company_id = $1',
      [company.companyId],
    );
    await client.query('set session_replication_role = replica');
    for (const { name } of (await client.query<{ name: string }>(INDEXES)).rows)
      await client.query(`drop index ${name}`);
    for (let from = 1; from <= shipments; from += CHUNK) {
      const to = Math.min(shipments, from + CHUNK - 1);
      await client.query(ORDERS, [company.companyId, from, to]);
      await client.query(SHIPMENTS, [company.companyId, from, to, rows[0]?.ids, shipments]);
      if (to > shipments - WITH_EVENTS) await client.query(EVENTS, [company.companyId, from, to]);
      onProgress(to);
    }
    await client.query('vacuum (analyze) customer_order, shipment, tracking_event');
  });
  return company;
}
