import { setTimeout } from 'node:timers/promises';
import { SANDBOX_CREDENTIALS } from '../../faults/service/company.ts';
import { FAILURES, startUnreliableServer, type UnreliableServer } from '../../faults/service/unreliable-server.ts';
import { document, type Shot } from '../support/attacker.ts';
import type { Abuse, Arena, Attack } from './case.ts';
import * as seed from './seed.ts';

/** A carrier and a receiver of webhooks that fail in every way, one after the other, while a company has them called. */

const SHIPMENTS = 1_000;
const AT_ONCE = 16;
const ENDPOINTS = 5;
const STATUSES = ['SHIPPED', 'IN_TRANSIT', 'AT_DEPOT', 'OUT_FOR_DELIVERY'];

const CONNECT = `mutation ($input: ConnectCarrierInput!) {
  connectCarrier(input: $input) { carrierConnection { databaseId } userErrors { message } } }`;
const CREATE = `mutation ($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) { webhookEndpoint { id } userErrors { message } } }`;
const RECORD = `mutation ($events: [TrackingEventInput!]!) {
  recordTrackingEvents(input: { events: $events }) { created rejected } }`;

/** A server that fails, in another way after each moment, until it is closed. */
export async function startHostileServer(everyMs: number): Promise<UnreliableServer> {
  const server = await startUnreliableServer((_request, _body, response) => response.end());
  let isOpen = true;
  void (async () => {
    for (let i = 0; isOpen; i++) {
      await server.fail(FAILURES[i % FAILURES.length]);
      await setTimeout(everyMs, undefined, { ref: false });
    }
  })();
  return {
    ...server,
    close: () => {
      isOpen = false;
      server.close();
    },
  };
}

/** Checks of addresses by many connections: one whose carrier failed is left alone for a while. */
async function addressChecks({ attacker, attackMs }: Arena): Promise<Attack> {
  const shots: Shot[] = [];
  for (let i = 0; i < AT_ONCE; i++) {
    const input = { carrierCode: 'GLS', label: `Hostile ${i}`, credentials: SANDBOX_CREDENTIALS };
    const { text } = await attacker.graphql(CONNECT, { input });
    const { databaseId } = JSON.parse(text).data.connectCarrier.carrierConnection;
    const address = { address: 'Via Dante 12', city: 'Palermo', provincia: 'PA', zip: '90139' };
    const body = JSON.stringify({ carrierCompanyId: databaseId, ...address });
    shots.push({ method: 'POST', path: '/api/v1/integrations/addresses/check-address', body });
  }
  return () => attacker.keepSending(shots, AT_ONCE, attackMs);
}

const webhooks =
  (url: string) =>
  async (arena: Arena): Promise<Attack> => {
    const { attacker, attackMs, world } = arena;
    await seed.shipments(arena, SHIPMENTS);
    for (let i = 0; i < ENDPOINTS; i++)
      await attacker.graphql(CREATE, { input: { label: `Hostile ${i}`, url, events: ['TRACKING_ALL'] } });
    const { rows } = await world.database.pool.query<{ number: string }>(
      'select tracking_number as number from shipment where company_id = $1 and delivered_at is null order by id limit 100',
      [attacker.key.companyId],
    );
    const shots = STATUSES.map((statusCode, i) => {
      const occurredAt = new Date(Date.now() - 60_000 + i * 1_000).toISOString();
      return document(RECORD, {
        events: rows.map(({ number }) => ({ trackingNumber: number, statusCode, occurredAt })),
      });
    });
    return () => attacker.keepSending(shots, 2, attackMs);
  };

/** @param receiver the address of a hostile receiver of webhooks */
export const hostileServers = (receiver: string): readonly Abuse[] => [
  { name: 'checks of addresses by a hostile carrier', prepare: addressChecks },
  { name: 'webhooks to a hostile receiver', prepare: webhooks(receiver) },
];
