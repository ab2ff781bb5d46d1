import { expect } from 'vitest';
import { failureOf, resultOf } from './graphql-client.ts';
import type { Caller } from './world.ts';

/**
 * The platform's calls for carriers, warehouses, orders, shipments and events, through the graph as its own code makes
 * them.
 */

export interface ItemResult {
  readonly index: number;
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'rejected';
  readonly id: string | null;
  readonly databaseId: number | null;
  readonly code: string | null;
  readonly pointer: string | null;
  readonly message: string | null;
  readonly errors: readonly { pointer: string; code: string; message: string }[];
}

export interface BatchResult {
  readonly created: number;
  readonly updated?: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly results: readonly ItemResult[];
}

type Graph = Pick<Caller, 'graphql'>;
export type Item = Record<string, unknown>;

const RESULTS = 'results { index outcome id databaseId code pointer message errors { pointer code message } }';
export const UPSERT_ORDERS = `mutation UpsertOrders($input: [OrderInput!]!) {
  upsertOrders(input: { orders: $input }) { created updated unchanged rejected ${RESULTS} userErrors { code pointer message } }
}`;
export const UPSERT_SHIPMENTS = `mutation UpsertShipments($input: [ShipmentInput!]!) {
  upsertShipments(input: { shipments: $input }) { created updated unchanged rejected ${RESULTS} userErrors { code pointer message } }
}`;
export const RECORD_EVENTS = `mutation RecordEvents($input: [TrackingEventInput!]!) {
  recordTrackingEvents(input: { events: $input }) { created unchanged rejected ${RESULTS} userErrors { code pointer message } }
}`;

/** The value of the one root field, where nothing went wrong. */
export async function ask<Value>({ graphql }: Graph, query: string, variables: Item = {}): Promise<Value> {
  return resultOf<Value>(await graphql(query, variables));
}

/** The nodes of the one root field, which is a connection. */
export async function askNodes<Node>(caller: Graph, query: string, variables: Item = {}): Promise<Node[]> {
  return (await ask<{ nodes: Node[] }>(caller, query, variables)).nodes;
}

export const upsertOrders = (caller: Graph, input: readonly Item[]) =>
  ask<BatchResult>(caller, UPSERT_ORDERS, { input });
export const upsertShipments = (caller: Graph, input: readonly Item[]) =>
  ask<BatchResult>(caller, UPSERT_SHIPMENTS, { input });
export const recordEvents = (caller: Graph, input: readonly Item[]) =>
  ask<BatchResult>(caller, RECORD_EVENTS, { input });

/** Connects a carrier; returns the connection's id. */
export async function connectCarrier(
  caller: Graph,
  carrierCode = 'BRT',
  label = 'Conto',
  isActive = true,
): Promise<number> {
  const { databaseId } = await ask<{ databaseId: number }>(
    caller,
    'mutation ($input: ConnectCarrierInput!) { connectCarrier(input: $input) { carrierConnection { databaseId } userErrors { code pointer message } } }',
    { input: { carrierCode, label, isActive } },
  );
  return databaseId;
}

export const WAREHOUSE = {
  name: 'Magazzino centrale',
  typeId: 1,
  address: 'Via Mecenate 84',
  postalCode: '20138',
  city: 'Milano',
  state: 'MI',
  country: 'IT',
};

export async function createWarehouse(caller: Graph, fields: object = {}): Promise<number> {
  const { id } = await ask<{ id: number }>(
    caller,
    'mutation ($input: CreateWarehouseInput!) { createWarehouse(input: $input) { warehouse { id: databaseId } userErrors { code pointer message } } }',
    { input: { ...WAREHOUSE, ...fields } },
  );
  return id;
}

export const RECIPIENT = {
  companyName: 'Giulia Bianchi',
  address: 'Via Roma 1',
  postalCode: '20121',
  city: 'Milano',
  province: 'MI',
};

/** A value with lists in place of connections of which only the nodes were selected. */
export function listed<Value>(value: unknown): Value {
  if (Array.isArray(value)) return value.map(listed) as Value;
  if (typeof value !== 'object' || value === null) return value as Value;
  const entries = Object.entries(value).map(([name, inner]) => [name, listed(inner)] as const);
  return (entries.length === 1 && entries[0]?.[0] === 'nodes' ? entries[0][1] : Object.fromEntries(entries)) as Value;
}

/** Metadata as inputs of the graph have it. */
export const entriesOf = (metadata: object) => Object.entries(metadata).map(([key, value]) => ({ key, value }));

/** Metadata by its keys, from the pairs that the graph shows. */
export const byKeys = (entries: readonly { readonly key: string; readonly value: string }[]) =>
  Object.fromEntries(entries.map(({ key, value }) => [key, value]));

/** Fields whose metadata, if it is an object, is in the form of the graph. */
function withEntries({ metadata, ...fields }: Item): Item {
  if (metadata === undefined) return fields;
  const isByKeys = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata);
  return { ...fields, metadata: isByKeys ? entriesOf(metadata) : metadata };
}

export function order(orderNumber: string, fields: Item = {}): Item {
  return { orderNumber, recipient: RECIPIENT, ...withEntries(fields) };
}

export function shipment(carrierConnectionId: number, trackingNumber: string, fields: Item = {}): Item {
  return { carrierConnectionId, trackingNumber, recipient: RECIPIENT, ...withEntries(fields) };
}

/** The ids of items none of which was rejected. */
const accepted = async (pending: Promise<BatchResult>): Promise<number[]> => {
  const { results } = await pending;
  expect(results.filter(({ outcome }) => outcome === 'rejected')).toEqual([]);
  return results.map(({ databaseId }) => databaseId as number);
};

/** Orders one after the other; returns their ids. */
export function feedOrders(caller: Graph, ...orders: { orderNumber: string; [field: string]: unknown }[]) {
  return accepted(
    upsertOrders(
      caller,
      orders.map(order => ({ recipient: RECIPIENT, ...order })),
    ),
  );
}

/** Shipments one after the other; returns their ids. Those without an order get a recipient. */
export async function feedShipments(
  caller: Graph,
  carrierConnectionId: number,
  ...shipments: { trackingNumber: string; [field: string]: unknown }[]
) {
  const ids: number[] = [];
  // One a batch: ids, and with them what "newest" means, then follow the order they are given in.
  for (const shipment of shipments) {
    const recipient = 'orderNumber' in shipment ? {} : { recipient: RECIPIENT };
    ids.push(...(await accepted(upsertShipments(caller, [{ carrierConnectionId, ...recipient, ...shipment }]))));
  }
  return ids;
}

/** Events in the order in which they arrive. */
export function feedEvents(
  caller: Graph,
  ...events: { trackingNumber: string; occurredAt: string; [field: string]: unknown }[]
) {
  return accepted(recordEvents(caller, events));
}

export function outcomes({ results }: BatchResult): ItemResult['outcome'][] {
  return results.map(({ outcome }) => outcome);
}

/** `count` values made of their places, from 0. */
export function times<Value>(count: number, make: (i: number) => Value): Value[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

let copies = 0;

/** A document under a text that was never seen, so that it is interpreted: compiling starts at the third time. */
export function unseen(document: string): string {
  return `${document} # ${++copies}`;
}

/** The result of a look-up that finds nothing. */
export const NOTHING = 'null';

/** A rejection in short: `validation_failed: /label required`; undefined where something was found. */
export async function refusal({ graphql }: Pick<Caller, 'graphql'>, query: string, variables: Item = {}) {
  const answer = await graphql(query, variables);
  if (answer.errors === undefined && Object.values(answer.data as object).every(value => value === null))
    return NOTHING;
  const { code, errors } = failureOf(answer) ?? {};
  return errors ? `${code}: ${errors.map(one => `${one.pointer} ${one.code}`).join(', ')}` : code;
}
