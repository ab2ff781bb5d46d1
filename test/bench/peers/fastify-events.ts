import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import pg from 'pg';
import { companyOf } from './record.ts';

// Recording events, written by hand: Fastify and pg, prepared statements, one transaction for each call; no logging, no
// metrics. It trusts its caller: it checks no input, no cap and no duplicate beyond the unique index, and its webhooks
// say little.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
const app = fastify({ bodyLimit: 1 << 20 });

const INSERT_EVENTS = `insert into tracking_event (company_id, shipment_id, occurred_at, status_code, description, location)
  select $1, s.id, t.occurred_at, t.status_code, t.description, t.location
    from unnest($2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[]) with ordinality
      as t(tracking_key, occurred_at, status_code, description, location, position)
    join shipment s on s.company_id = $1 and s.tracking_key = t.tracking_key
    order by t.position on conflict do nothing returning shipment_id, status_code, occurred_at`;
const UPDATE_SHIPMENTS = `update shipment s set status_code = t.status_code, status_at = t.occurred_at, updated_at = now(),
    event_sequence = event_sequence + 1
  from (
    select distinct on (id) id, status_code, occurred_at
      from unnest($2::integer[], $3::text[], $4::timestamptz[]) as t(id, status_code, occurred_at)
      order by id, occurred_at desc
  ) t
  where s.company_id = $1 and s.id = t.id and (s.status_at is null or s.status_at <= t.occurred_at)
  returning s.id, s.tracking_number, s.status_code, s.event_sequence`;
const ENDPOINTS = 'select id from webhook_endpoint where company_id = $1 and is_active';
const INSERT_WEBHOOKS = `insert into webhook_event (company_id, id, type, shipment_id, sequence, body)
  select $1, * from unnest($2::uuid[], $3::text[], $4::integer[], $5::integer[], $6::text[])`;
const INSERT_DELIVERIES = `insert into webhook_delivery (company_id, event_id, endpoint_id, parked, next_attempt_at)
  select $1, e.id, w.id, false, now() from unnest($2::uuid[]) as e(id), unnest($3::uuid[]) as w(id)
  returning id, endpoint_id`;
const INSERT_JOBS = `insert into pgboss.job (id, name, data, group_id, keep_until)
  select gen_random_uuid(), 'webhooks.deliver', data, group_id, now() + interval '14 days'
    from unnest($1::jsonb[], $2::text[]) as t(data, group_id)`;

interface Event {
  readonly trackingNumber: string;
  readonly occurredAt: string;
  readonly statusCode: string;
  readonly description: string;
  readonly location: string;
}

app.post('/events', async (request, reply) => {
  const company = await companyOf(pool, String(request.headers['x-api-key']));
  if (!company) return reply.code(401).send({ code: 'invalid_api_key' });
  const events = request.body as Event[];
  const client = await pool.connect();
  try {
    await client.query('begin');
    const created = await record(client, company, events);
    await client.query('commit');
    return { created };
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
});

async function record(client: pg.PoolClient, company: string, events: readonly Event[]): Promise<number> {
  const run = async (name: string, text: string, ...values: unknown[]) =>
    (await client.query({ name, text, values })).rows;
  const column = (field: keyof Event) => events.map(event => event[field]);
  const stored = await run(
    'events',
    INSERT_EVENTS,
    company,
    events.map(({ trackingNumber }) => trackingNumber.toUpperCase()),
    column('occurredAt'),
    column('statusCode'),
    column('description'),
    column('location'),
  );
  const shipments = await run(
    'shipments',
    UPDATE_SHIPMENTS,
    company,
    stored.map(({ shipment_id }) => shipment_id),
    stored.map(({ status_code }) => status_code),
    stored.map(({ occurred_at }) => occurred_at),
  );
  const endpoints = (await run('endpoints', ENDPOINTS, company)).map(({ id }) => id);
  if (endpoints.length === 0) return stored.length;
  const ids = shipments.map(() => randomUUID());
  await run(
    'webhooks',
    INSERT_WEBHOOKS,
    company,
    ids,
    shipments.map(() => 'tracking.in_transit'),
    shipments.map(({ id }) => id),
    shipments.map(({ event_sequence }) => event_sequence),
    shipments.map(({ tracking_number: trackingNumber, status_code: statusCode }, i) =>
      JSON.stringify({ id: ids[i], data: { trackingNumber, statusCode } }),
    ),
  );
  const deliveries = await run('deliveries', INSERT_DELIVERIES, company, ids, endpoints);
  await run(
    'jobs',
    INSERT_JOBS,
    deliveries.map(({ id, endpoint_id }) =>
      JSON.stringify({ companyId: company, deliveryId: id, endpointId: endpoint_id }),
    ),
    deliveries.map(({ endpoint_id }) => endpoint_id),
  );
  return stored.length;
}

await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`listening on ${app.listeningOrigin}\n`);
process.on('SIGTERM', () => process.exit(0));
