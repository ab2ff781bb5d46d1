import { failureOf, resultOf } from '../support/graphql-client.ts';
import type { Caller } from '../support/world.ts';

/** What the platform sends in, as its own code would: one function a mutation, each answering the batch's result. */

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

export async function connectCarrier(caller: Graph, carrierCode = 'BRT', label = 'Account'): Promise<number> {
  const { carrierCompanyId } = await ask<{ carrierCompanyId: number }>(
    caller,
    'mutation ($input: ConnectCarrierInput!) { connectCarrier(input: $input) { carrierConnection { carrierCompanyId } userErrors { code pointer message } } }',
    { input: { carrierCode, label } },
  );
  return carrierCompanyId;
}

export async function createWarehouse(caller: Graph, name = 'Magazzino'): Promise<number> {
  const { id } = await ask<{ id: number }>(
    caller,
    'mutation ($input: CreateWarehouseInput!) { createWarehouse(input: $input) { warehouse { id: databaseId } userErrors { code pointer message } } }',
    {
      input: { name, typeId: 2, address: 'Via Po 1', postalCode: '10121', city: 'Torino', state: 'TO', country: 'IT' },
    },
  );
  return id;
}

export const RECIPIENT = { address: 'Via Roma 1', postalCode: '20121', city: 'Milano', province: 'MI' };

export function order(orderNumber: string, fields: Item = {}): Item {
  return { orderNumber, recipient: RECIPIENT, ...fields };
}

export function shipment(carrierCompanyId: number, trackingNumber: string, fields: Item = {}): Item {
  return { carrierCompanyId, trackingNumber, recipient: RECIPIENT, ...fields };
}

export function outcomes({ results }: BatchResult): ItemResult['outcome'][] {
  return results.map(({ outcome }) => outcome);
}

/** `count` values made of their places, from 0. */
export function times<Value>(count: number, make: (i: number) => Value): Value[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

let copies = 0;

/** The same document under a text that was never seen, so that it is interpreted: compiling starts at the third time. */
export function unseen(document: string): string {
  return `${document} # ${++copies}`;
}

/** A refusal as it matters: `validation_failed: /label required`; undefined where there was none. */
export async function refusal({ graphql }: Pick<Caller, 'graphql'>, query: string, variables: Item = {}) {
  const { code, errors } = failureOf(await graphql(query, variables)) ?? {};
  return errors ? `${code}: ${errors.map(one => `${one.pointer} ${one.code}`).join(', ')}` : code;
}
