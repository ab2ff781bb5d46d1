import type { Database } from '../platform/database/database.ts';
import type { CompanyId } from '../platform/database/tenancy/company-id.ts';

const CHUNK = 10_000;

/** How many steps of its journey each tenth shipment has made. */
const STEPS_DONE = 'array[6, 6, 6, 6, 6, 6, 5, 4, 3, 2]';

/** Orders, shipments and events are made in SQL: a client that sent them would take many times as long. */
const ORDERS = `
  insert into customer_order (company_id, order_number, marketplace, marketplace_order_id, marketplace_order_id_key,
    marketplace_order_number, marketplace_order_number_key, warehouse_id, recipient, parcels, created_at)
  select $1, 'BULK-' || n, (array['Amazon', 'eBay', 'Shopify'])[n % 3 + 1], 'M' || n, 'M' || n,
    'B-' || n, 'B-' || n, ($4::integer[])[1 + n % array_length($4::integer[], 1)],
    jsonb_build_object('companyName', 'Cliente ' || n, 'address', 'Via Roma ' || n % 200 + 1, 'postalCode', place.cap,
      'city', place.city, 'province', place.province, 'countryCode', 'IT'),
    jsonb_build_array(jsonb_build_object('weight', (n % 30 + 1)::text, 'length', '40', 'width', '30', 'height', '20', 'quantity', 1)),
    now() - make_interval(hours => n % 2000 + 24)
  from generate_series($2::integer, $3::integer) n
  join (values (0, '20121', 'Milano', 'MI'), (1, '00185', 'Roma', 'RM'), (2, '80133', 'Napoli', 'NA'), (3, '90139', 'Palermo', 'PA'),
    (4, '10121', 'Torino', 'TO')) place (k, cap, city, province) on place.k = n % 5`;

const SHIPMENTS = `
  insert into shipment (company_id, carrier_connection_id, tracking_number, tracking_key, order_id, warehouse_id, parcel_number,
    weight, volume, shipment_date, expected_delivery_date, status_code, status_at, delivered_at, first_scan_at, shipped_at, created_at,
    event_count, folded_events, folded_to)
  select o.company_id, ($4::integer[])[1 + n % array_length($4::integer[], 1)], 'BULK' || lpad(n::text, 9, '0'), 'BULK' || lpad(n::text, 9, '0'),
    o.id, o.warehouse_id, 1, n % 30 + 1, 24000, o.created_at, o.created_at + interval '3 days',
    (array['created', 'shipped', 'in_transit', 'at_depot', 'out_for_delivery', 'delivered'])[done],
    o.created_at + (done - 1) * interval '4 hours', case when done = 6 then o.created_at + 5 * interval '4 hours' end,
    o.created_at + interval '4 hours', o.created_at + interval '4 hours', o.created_at,
    done, done, o.created_at + (done - 1) * interval '4 hours'
  from generate_series($2::integer, $3::integer) n
  cross join lateral (select (${STEPS_DONE})[n % 10 + 1] as done) progress
  join customer_order o on o.company_id = $1 and o.order_number = 'BULK-' || n`;

const EVENTS = `
  insert into tracking_event (company_id, shipment_id, occurred_at, status_code, description, location)
  select s.company_id, s.id, s.shipment_date + (step.k - 1) * interval '4 hours', step.status_code, step.description, step.location
  from generate_series($2::integer, $3::integer) n
  join shipment s on s.company_id = $1 and s.tracking_key = 'BULK' || lpad(n::text, 9, '0')
  join (values (1, 'created', 'Dati trasmessi', null), (2, 'shipped', 'Ritirata', 'Milano'), (3, 'in_transit', 'Partita', 'Milano'),
    (4, 'at_depot', 'Arrivata in filiale', 'Bologna'), (5, 'out_for_delivery', 'In consegna', 'Bologna'),
    (6, 'delivered', 'Consegnata', 'Bologna')) step (k, status_code, description, location)
    on step.k <= (${STEPS_DONE})[n % 10 + 1]
  order by n, step.k`;

/**
 * Adds shipments with their orders and events to a company until it has `total` of them, in atomic chunks of 10,000.
 *
 * @returns how many were added
 */
export async function growCompany(
  database: Database,
  companyId: CompanyId,
  total: number,
  onProgress: (added: number, missing: number) => void = () => undefined,
): Promise<number> {
  return database.patiently(async client => {
    const ids = async (table: string) =>
      (await client.query(`select array_agg(id order by id) as ids from ${table} where company_id = $1`, [companyId]))
        .rows[0]?.ids ?? [];
    const warehouses = await ids('warehouse');
    const connections = await ids('carrier_connection');
    const { rows } = await client.query(
      `select (select count(*) from shipment where company_id = $1)::integer as present,
        (select coalesce(max(substr(order_number, 6)::integer), 0) from customer_order
          where company_id = $1 and order_number ~ '^BULK-[0-9]{1,9}$') as last`,
      [companyId],
    );
    const { present, last } = rows[0] as { present: number; last: number };
    const missing = Math.max(0, total - present);
    for (let done = 0; done < missing; done += CHUNK) {
      const from = last + done + 1;
      const to = last + Math.min(done + CHUNK, missing);
      await client.query('begin');
      await client.query(ORDERS, [companyId, from, to, warehouses]);
      await client.query(SHIPMENTS, [companyId, from, to, connections]);
      await client.query(EVENTS, [companyId, from, to]);
      await client.query('commit');
      onProgress(Math.min(done + CHUNK, missing), missing);
    }
    if (missing >= CHUNK) await client.query('analyze customer_order, shipment, tracking_event');
    return missing;
  });
}
