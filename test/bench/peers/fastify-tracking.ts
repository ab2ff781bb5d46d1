import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { CARRIERS, COUNTRIES, companyOf, LABELS, pageOf } from './record.ts';

// The service's answer written by hand: two prepared statements. Each peer adds the other work of a server.

const SHIPMENT = `select s.id, s.tracking_number, s.status_code, s.shipment_date, s.expected_delivery_date, s.delivered_at,
    s.parcel_number, s.weight, s.volume, s.tracking_url, o.order_number, o.marketplace_order_number, c.carrier_code,
    coalesce(s.recipient, o.recipient) as recipient
  from shipment s join carrier_connection c on c.company_id = s.company_id and c.id = s.carrier_connection_id
  left join customer_order o on o.company_id = s.company_id and o.id = s.order_id
  where s.company_id = $1 and s.tracking_key = $2 order by s.id desc limit 1`;
const EVENTS = `select occurred_at, status_code, description, location, note from tracking_event
  where company_id = $1 and shipment_id = $2 order by occurred_at, id`;

/** Adds the route, on a pool as large as the service's. */
export function addTracking(app: FastifyInstance): void {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });

  app.get('/api/v1/integrations/shipments/tracking/by-tracking-number/:number', async (request, reply) => {
    const company = await companyOf(pool, String(request.headers['x-api-key']));
    if (!company) return reply.code(401).send({ code: 'invalid_api_key' });
    const { number } = request.params as { number: string };
    const key = number
      .toUpperCase()
      .replace(/[\s.]+/g, '')
      .replace(/^MUL/, '');
    const found = await pool.query({ name: 'shipment', text: SHIPMENT, values: [company, key] });
    const shipment = found.rows[0];
    if (!shipment) return reply.code(404).send({ code: 'shipment_not_found' });
    const events = await pool.query({ name: 'events', text: EVENTS, values: [company, shipment.id] });
    const { companyName, address, postalCode, city, province, countryCode } = shipment.recipient;
    return {
      trackingNumber: shipment.tracking_number,
      status: LABELS[shipment.status_code],
      shipmentDate: shipment.shipment_date,
      expectedDeliveryDate: shipment.expected_delivery_date,
      deliveredDate: shipment.delivered_at,
      parcelNumber: shipment.parcel_number,
      weight: shipment.weight,
      volume: shipment.volume,
      trackingUrl: shipment.tracking_url ?? pageOf(shipment.carrier_code, shipment.tracking_number),
      orderNumber: shipment.order_number,
      marketplaceOrderNumber: shipment.marketplace_order_number,
      carrier: {
        name: CARRIERS[shipment.carrier_code],
        logoUrl: `${app.listeningOrigin}/logos/${shipment.carrier_code.toLowerCase()}.svg`,
      },
      recipient: { companyName, address, postalCode, city, province, country: COUNTRIES.of(countryCode), countryCode },
      timeline: events.rows.map(event => ({
        timestamp: event.occurred_at,
        statusCode: event.status_code,
        label: LABELS[event.status_code],
        description: event.description,
        location: event.location,
        note: event.note,
      })),
    };
  });
}

/** Listens, and says where. */
export async function serve(app: FastifyInstance): Promise<void> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  process.stdout.write(`listening on ${app.listeningOrigin}\n`);
  process.on('SIGTERM', () => process.exit(0));
}
