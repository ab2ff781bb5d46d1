import { setTimeout } from 'node:timers/promises';
import { parse } from 'graphql';
import { readConfig } from '../../../src/config.ts';
import { Limits } from '../../../src/graphql/limits.ts';
import { schema } from '../../../src/graphql/schema.ts';
import { until } from '../../bench/until.ts';
import { WAREHOUSE } from '../../support/platform-side.ts';
import { aliased, document } from '../support/attacker.ts';
import type { Abuse, Arena, Attack } from './case.ts';
import * as seed from './seed.ts';

const REST = '/api/v1/integrations';
const WAREHOUSE_FIELDS =
  '{ id: databaseId name address postalCode city state country typeId isPrincipal createdAt updatedAt warehouseType { id: databaseId name } }';

/** Documents that send one field of a mutation as often as a document of 32 KiB or so may. */
const ALIASES = 800;
const ENDPOINTS = 3;
/** Events that change the status, each with a webhook to every endpoint. */
const CHANGES = 60;
/** Documents of so many changes, one after the other: a single one is over before much can be measured. */
const TIMES = 4;
/** A webhook's body is at most so long: 200 entries of a timeline with long texts. */
const WEBHOOK_KIB = 256;

async function circles({ world, attacker, attackMs }: Arena): Promise<Attack> {
  const inner = (n: number) =>
    `shipments(first: ${n}) { nodes { order { shipments(first: ${n}) { nodes { order { shipments(first: 1) { totalCount } } } } } } }`;
  const documents = [
    mostExpensive(n => `{ trackingByNumber(trackingNumber: "S-1") { order { ${inner(n)} } } }`),
    mostExpensive(n => `{ orders(first: 1) { nodes { ${inner(n)} } } }`),
  ];
  await seed.shipmentsOfOneOrder({ world, attacker }, Math.max(...documents.map(({ size }) => size)));
  const shots = documents.map(({ query }) => document(query));
  return async () => {
    await attacker.keepSending(shots, 2, attackMs);
    const costs = documents.map(({ cost, size }) => `${cost} for ${size} × ${size} shipments`);
    return { figures: `documents of ${costs.join(' and ')}`, failures: [] };
  };
}

interface Expensive {
  readonly query: string;
  readonly size: number;
  readonly cost: number;
}

const LIMITS = new Limits(schema, readConfig({}).graphql.maxCost);

/** A document at the largest size at which the limits let it run. @throws Error if they let it run at no size */
function mostExpensive(of: (size: number) => string): Expensive {
  let found: Expensive | undefined;
  for (let size = 1; ; size++) {
    const query = of(size);
    const { cost, rejection } = LIMITS.of(parse(query), undefined)({});
    if (rejection === undefined) found = { query, size, cost };
    else if (found) return found;
    else throw new Error(`The limits reject the document at every size: ${rejection.message}`);
  }
}

async function aliasedCreation({ attacker, attackMs }: Arena): Promise<Attack> {
  const shot = document(
    `mutation ($input: CreateWarehouseInput!) { ${aliased(ALIASES, () => 'createWarehouse(input: $input) { warehouse { id } }')} }`,
    { input: WAREHOUSE },
  );
  return () => attacker.keepSending([shot], 4, attackMs);
}

async function aliasedLists({ world, attacker, attackMs }: Arena): Promise<Attack> {
  const count = await seed.warehouses({ world, attacker }, 9_600);
  const shot = document(`{ ${aliased(50, () => `warehouses { nodes ${WAREHOUSE_FIELDS} }`)} }`);
  return async () => {
    await attacker.keepSending([shot], 4, attackMs);
    return { figures: `${count} warehouses`, failures: [] };
  };
}

async function lists({ world, attacker, attackMs }: Arena): Promise<Attack> {
  const count = await seed.warehouses({ world, attacker }, 9_600);
  return async () => {
    await attacker.keepSending([{ path: `${REST}/warehouses` }], 300, attackMs);
    return { figures: `${count} warehouses`, failures: [] };
  };
}

async function tariffDocuments({ world, attacker, attackMs }: Arena): Promise<Attack> {
  await seed.tariffs({ world, attacker }, 12, 20_000);
  return () => attacker.keepSending([document('{ tariffs(first: 10) { nodes { document } } }')], 10, attackMs);
}

async function longTimeline({ world, attacker, attackMs }: Arena): Promise<Attack> {
  await seed.shipmentsOfOneOrder({ world, attacker }, 1);
  const count = await seed.events({ world, attacker }, 'S-1', 20_000, 0);
  return async () => {
    await attacker.keepSending([{ path: `${REST}/shipments/tracking/by-tracking-number/S-1` }], 20, attackMs);
    return { figures: `${count} events`, failures: [] };
  };
}

async function longWebhooks({ world, attacker, receiver }: Arena): Promise<Attack> {
  await seed.shipmentsOfOneOrder({ world, attacker }, 1);
  const count = await seed.events({ world, attacker }, 'S-1', 20_000, TIMES * CHANGES);
  for (let i = 0; i < ENDPOINTS; i++) {
    const body = JSON.stringify({ label: `${i}`, url: `${receiver.url}/${i}`, events: ['tracking.*'] });
    await attacker.send({ method: 'POST', path: `${REST}/webhooks`, body });
  }
  const inputOf = (time: number) =>
    Array.from({ length: CHANGES }, (_, i) => ({
      trackingNumber: 'S-1',
      occurredAt: new Date(Date.now() - 3_600_000 + (time * CHANGES + i) * 1_000).toISOString(),
      statusCode: i % 2 === 0 ? 'OUT_FOR_DELIVERY' : 'PICKUP_POINT',
    }));
  const record =
    'mutation ($input: [TrackingEventInput!]!) { recordTrackingEvents(input: { events: $input }) { created } }';
  return async () => {
    const before = { ...receiver.received };
    const sent = () => receiver.received.requests - before.requests;
    for (let time = 0; time < TIMES; time++) {
      await attacker.graphql(record, { input: inputOf(time) });
      await until(
        async () => sent(),
        found => found >= (time + 1) * CHANGES * ENDPOINTS,
        { everyMs: 100, timeoutMs: 20_000 },
      ).catch(() => undefined);
    }
    await setTimeout(200);
    const bytes = receiver.received.bytes - before.bytes;
    const each = Math.round(bytes / Math.max(1, sent()) / 1024);
    const figures = `${count} events, ${sent()} webhooks of ${each} KiB`;
    return { figures, failures: each > WEBHOOK_KIB ? [`webhooks have ${each} KiB, more than ${WEBHOOK_KIB}`] : [] };
  };
}

export const LISTS: readonly Abuse[] = [
  { name: 'C1 orders and shipments in circles', prepare: circles },
  { name: `H1 ${ALIASES} aliased createWarehouse × 12`, prepare: aliasedCreation },
  { name: 'H1 50 aliased warehouses', prepare: aliasedLists },
  { name: 'H1 300 GET /warehouses', prepare: lists },
  { name: 'H1 {tariffs{document}} × 10', prepare: tariffDocuments },
  { name: 'H1 a timeline of 20,000 events', prepare: longTimeline },
  { name: 'H1 webhooks of that timeline', prepare: longWebhooks },
];
