import { setTimeout } from 'node:timers/promises';
import { RECIPIENT } from '../../support/platform-side.ts';
import { type Attacker, aliased, document } from '../support/attacker.ts';
import type { Abuse, Arena, Attack } from './case.ts';
import * as seed from './seed.ts';

/** The writes of a key in a minute: no document can send more test events. */
const WRITES_A_MINUTE = 600;
/** Test events that were accepted before the answer may still be on their way. */
const GRACE_MS = 1_000;

/** Batches of 1,000 orders, so many a document: 700 are refused, four are carried out. */
const aliasedBatches =
  (count: number) =>
  async ({ attacker, attackMs }: Arena): Promise<Attack> => {
    const input = Array.from({ length: 1_000 }, (_, i) => ({ orderNumber: `O-${i}`, recipient: RECIPIENT }));
    const fields = aliased(count, () => 'upsertOrders(input: { orders: $i }) { updated }');
    const shot = document(`mutation ($i: [OrderInput!]!) { ${fields} }`, { i: input });
    return () => attacker.keepSending([shot], 2, attackMs);
  };

async function testEvents({ attacker, receiver }: Arena): Promise<Attack> {
  const created = await attacker.graphql(
    'mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { webhookEndpoint { id } } }',
    { input: { label: 'Test', url: receiver.url, events: ['TRACKING_ALL'] } },
  );
  const { id } = JSON.parse(created.text).data.createWebhookEndpoint.webhookEndpoint;
  const shot = document(
    `mutation ($id: ID!) { ${aliased(800, () => 'sendTestEvent(input: { endpointId: $id }) { webhookDelivery { id } }')} }`,
    {
      id,
    },
  );
  return async () => {
    const before = receiver.received.requests;
    await attacker.sendAll([shot]);
    await setTimeout(GRACE_MS);
    const soon = receiver.received.requests - before;
    await setTimeout(3 * GRACE_MS);
    const sent = receiver.received.requests - before;
    const failures: string[] = [];
    if (sent > WRITES_A_MINUTE) failures.push(`${sent} test events are sent, more than a key may write a minute`);
    if (sent > soon) failures.push(`${sent - soon} of them are sent more than a second after the answer`);
    return { figures: `${sent} test events sent, ${sent - soon} of them after the answer`, failures };
  };
}

/** 3 × 4 × 4 selections of an order in 300 characters: about 450 fields once the fragments are written out. */
const COMPILED = `{a:orders(first:1){...p}b:orders(first:2){...p}c:orders(first:3){...p}}
fragment p on OrderConnection{edges{node{a:shipments{ nodes {...s} }b:shipments{ nodes {...s} }c:shipments{ nodes {...s} }d:shipments{ nodes {...s} }}}}
fragment s on Shipment{a:order{...o}b:order{...o}c:order{...o}d:order{...o}}
fragment o on Order{id: databaseId orderNumber createdAt updatedAt codAmount}`;

async function distinctDocuments(arena: Arena): Promise<Attack> {
  const { attacker, isLong } = arena;
  // V8 compiles only what runs: there must be something to answer.
  await seed.shipmentsOfOneOrder(arena, 2);
  const distinct = isLong ? 1_100 : 600;
  const shots = Array.from({ length: distinct }, (_, i) => document(`query Q${i}${COMPILED}`));
  return async () => {
    // A document is compiled once it has come back.
    for (let i = 0; i < shots.length; i += 50) {
      for (let time = 0; time < 4; time++) await attacker.sendAll(shots.slice(i, i + 50), 8);
    }
  };
}

/** A document that costs as much as one may, as the service's own refusal of a larger one says. */
export async function costliest(attacker: Attacker): Promise<string> {
  const shipment =
    'id trackingNumber statusLabel timeline{ nodes {id statusLabel description location occurredAt} } order{id orderNumber}';
  const of = (count: number) => `{${aliased(count, () => `shipments(first:50){edges{node{${shipment}}}}`)}}`;
  const tried = 45;
  const { text } = await attacker.graphql(of(tried));
  const { cost, limit } = JSON.parse(text).errors?.[0]?.extensions ?? {};
  if (!(cost > limit)) throw new Error(`A document of ${tried} pages is not too complex: ${text.slice(0, 300)}`);
  return of(Math.floor((limit / cost) * tried));
}

const atCostLimit =
  (atOnce: number) =>
  async (arena: Arena): Promise<Attack> => {
    const { attacker, attackMs } = arena;
    await seed.shipments(arena, 1_000);
    const shot = document(await costliest(attacker));
    return () => attacker.keepSending([shot], atOnce, attackMs);
  };

async function tariffImport(arena: Arena): Promise<Attack> {
  const { attacker, attackMs } = arena;
  const carrierConnectionId = await seed.connection(arena);
  const input = { carrierConnectionId, tariff: seed.tariffOf(98_000) };
  const shot = document(
    'mutation ($input: ImportTariffInput!) { importTariff(input: $input) { tariff { id: databaseId } } }',
    {
      input,
    },
  );
  const body = JSON.stringify({
    warehouseId: await firstWarehouse(arena),
    totalWeight: 3,
    totalVolume: 1_000,
    destination: { country: 'IT', postalCode: '20121', city: 'Milano', province: 'MI' },
  });
  const quote = { method: 'POST', path: '/api/v1/integrations/shipments/quote', body } as const;
  // The first quote after an import compiles it.
  return () => attacker.keepSending([shot, quote], 1, attackMs);
}

async function firstWarehouse(arena: Arena): Promise<number> {
  await seed.warehouses(arena, 1);
  const { text } = await arena.attacker.send({ path: '/api/v1/integrations/warehouses' });
  return JSON.parse(text)[0].id;
}

export const WORK: readonly Abuse[] = [
  { name: 'H2 700 aliased upsertOrders of 1,000', prepare: aliasedBatches(700) },
  { name: 'H2 4 aliased upsertOrders of 1,000', prepare: aliasedBatches(4) },
  { name: 'H2 800 aliased sendTestEvent', prepare: testEvents },
  { name: 'H5 distinct documents, compiled', prepare: distinctDocuments },
  { name: 'M1 16 documents at the cost limit', prepare: atCostLimit(16) },
  { name: 'M1 32 documents at the cost limit', prepare: atCostLimit(32) },
  { name: 'M1 a tariff of 1.3 MB', prepare: tariffImport },
];
