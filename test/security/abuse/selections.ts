import { setTimeout } from 'node:timers/promises';
import { aliased, document } from '../support/attacker.ts';
import type { Abuse, Arena, Attack } from './case.ts';
import * as seed from './seed.ts';

/** Payloads of webhooks that are as large as they may be: 20 values of 500 characters, 24 times. */
const SELECTION = `{shipment{${aliased(23, () => 'metadata { key value }')}}}`;
const SHIPMENTS = 1_000;
const STATUSES = ['SHIPPED', 'IN_TRANSIT', 'OUT_FOR_DELIVERY'];
/** Workers have as long to render and send before the endpoints are deleted. */
const RENDERING_MS = 10_000;

const CREATE = `mutation ($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) { webhookEndpoint { id } userErrors { message } } }`;
const DELETE = 'mutation ($id: ID!) { deleteWebhookEndpoint(input: { id: $id }) { webhookEndpoint { label } } }';
const RECORD = `mutation ($events: [TrackingEventInput!]!) {
  recordTrackingEvents(input: { events: $events }) { created rejected } }`;

async function shipmentsWithMetadata(arena: Arena): Promise<readonly string[]> {
  await seed.shipments(arena, SHIPMENTS);
  const { rows } = await arena.world.database.pool.query<{ number: string }>(
    `update shipment set metadata = (select jsonb_object_agg('k' || n, repeat('x', 500)) from generate_series(0, 19) n),
        status_code = 'created', status_at = null
      where company_id = $1 returning tracking_number as number`,
    [arena.attacker.key.companyId],
  );
  return rows.map(({ number }) => number);
}

const largePayloads =
  (endpoints: number) =>
  async (arena: Arena): Promise<Attack> => {
    const { attacker, receiver } = arena;
    const numbers = await shipmentsWithMetadata(arena);
    const ids: string[] = [];
    for (let i = 0; i < endpoints; i++) {
      const input = { label: `Large ${i}`, url: receiver.url, events: ['TRACKING_ALL'], selection: SELECTION };
      const { text } = await attacker.graphql(CREATE, { input });
      ids.push(JSON.parse(text).data.createWebhookEndpoint.webhookEndpoint.id);
    }
    return async () => {
      const failures: string[] = [];
      const took: number[] = [];
      for (const [i, statusCode] of STATUSES.entries()) {
        const occurredAt = new Date(Date.now() - 10_000 + i * 1_000).toISOString();
        const events = numbers.map(trackingNumber => ({ trackingNumber, statusCode, occurredAt }));
        const startedAt = performance.now();
        const { status, text } = await attacker.graphql(RECORD, { events });
        took.push(Math.round(performance.now() - startedAt));
        const created = status === 200 ? JSON.parse(text).data?.recordTrackingEvents?.created : undefined;
        if (created !== numbers.length)
          failures.push(`${created} of ${numbers.length} events were recorded: ${status}`);
      }
      const before = receiver.received.bytes;
      await setTimeout(RENDERING_MS);
      const megabytes = Math.round((receiver.received.bytes - before) / 1e6);
      for (const id of ids) await attacker.graphql(DELETE, { id });
      return { figures: `recorded in ${took.join(', ')} ms; ${megabytes} MB of payloads in 10 s`, failures };
    };
  };

/** Eight pages of the widest records that a document may ask for. */
async function widePages(arena: Arena): Promise<Attack> {
  await shipmentsWithMetadata(arena);
  const fields = `id trackingNumber statusLabel metadata { key value } recipient { address city postalCode country }
    timeline(last: 20) { nodes { id statusLabel } } carrier { name logoUrl } updatedAt createdAt`;
  const shot = document(`{ ${aliased(8, () => `shipments(first: 250) { nodes { ${fields} } }`)} }`);
  return () => arena.attacker.keepSending([shot], 8, arena.attackMs);
}

export const SELECTIONS: readonly Abuse[] = [
  { name: 'S1 large payloads for one endpoint', prepare: largePayloads(1) },
  { name: 'S1 large payloads for ten endpoints', prepare: largePayloads(10) },
  { name: 'S2 8 documents of wide pages', prepare: widePages },
];
