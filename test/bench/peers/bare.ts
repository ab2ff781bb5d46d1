import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { companyOf } from './record.ts';

// The least a server can do for a record: node:http and one statement that builds the JSON in the database.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });

const RECORD = `select json_build_object('trackingNumber', s.tracking_number, 'status', s.status_code, 'shipmentDate', s.shipment_date,
    'expectedDeliveryDate', s.expected_delivery_date, 'deliveredDate', s.delivered_at, 'parcelNumber', s.parcel_number,
    'weight', s.weight::text, 'volume', s.volume::text, 'trackingUrl', s.tracking_url, 'orderNumber', o.order_number,
    'marketplaceOrderNumber', o.marketplace_order_number, 'carrier', c.carrier_code, 'recipient', coalesce(s.recipient, o.recipient),
    'timeline', (select json_agg(json_build_object('timestamp', e.occurred_at, 'statusCode', e.status_code, 'description', e.description,
      'location', e.location, 'note', e.note) order by e.occurred_at, e.id) from tracking_event e
      where e.company_id = s.company_id and e.shipment_id = s.id))::text as body
  from shipment s join carrier_connection c on c.company_id = s.company_id and c.id = s.carrier_connection_id
  left join customer_order o on o.company_id = s.company_id and o.id = s.order_id
  where s.company_id = $1 and s.tracking_key = $2 order by s.id desc limit 1`;

const server = createServer(async (request, response) => {
  const company = await companyOf(pool, String(request.headers['x-api-key']));
  const key = decodeURIComponent(request.url?.split('/').at(-1) ?? '').toUpperCase();
  const { rows } = await pool.query({ name: 'record', text: RECORD, values: [company, key] });
  response.writeHead(rows[0] ? 200 : 404, { 'content-type': 'application/json' });
  response.end(rows[0]?.body ?? '{}');
});

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
