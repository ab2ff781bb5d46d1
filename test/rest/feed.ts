import { expect } from 'vitest';
import { type Payload, resultOf } from '../support/graphql-client.ts';
import type { Caller } from '../support/world.ts';

/** The platform's side: what it sends of carriers, orders, shipments and events, through the graph as it does. */

export const RECIPIENT = {
  companyName: 'Giulia Bianchi',
  address: 'Via Libertà 12',
  postalCode: '90139',
  city: 'Palermo',
};

export const WAREHOUSE = {
  name: 'Magazzino centrale',
  typeId: 1,
  address: 'Via Mecenate 84',
  postalCode: '20138',
  city: 'Milano',
  state: 'MI',
  country: 'IT',
};

/** Connects a carrier; answers the connection's id. */
export async function connectCarrier(caller: Caller, carrierCode = 'BRT', label = 'Conto', isActive = true) {
  const answer = await caller.graphql(
    'mutation ($input: ConnectCarrierInput!) { connectCarrier(input: $input) { carrierConnection { carrierCompanyId } userErrors { code pointer message } } }',
    { input: { carrierCode, label, isActive } },
  );
  return resultOf<{ carrierCompanyId: number }>(answer).carrierCompanyId;
}

/** A small tariff for all of Italy; tests change what they are about. */
export const TARIFF = {
  name: 'Nazionale',
  versions: [
    {
      label: '2020',
      validFrom: '2020-01-01',
      weight: { volumetric: { kgPerM3: 300 }, per: 'shipment', roundUpToKg: 0.1 },
      zones: [
        {
          code: 'italia',
          name: 'Italia',
          to: { countries: ['IT'] },
          bands: [
            { upToKg: 10, price: 5 },
            { upToKg: 20, price: 8 },
          ],
        },
      ],
    },
  ],
};

/** Puts a tariff on a connection; answers its id. */
export async function importTariff(caller: Caller, carrierCompanyId: number, tariff: object): Promise<number> {
  const answer = await caller.graphql(
    'mutation ($input: ImportTariffInput!) { importTariff(input: $input) { tariff { id: databaseId } userErrors { code pointer message } } }',
    { input: { carrierCompanyId, tariff } },
  );
  return resultOf<{ id: number }>(answer).id;
}

export interface Batch {
  readonly results: readonly { outcome: string; id: string | null; code: string | null; pointer: string | null }[];
}

const batch = (field: string, list: string) => async (caller: Caller, items: readonly object[]) => {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
  const { data, errors } = await caller.graphql<Record<string, Payload<Batch>>>(
    `mutation ($input: ${type}!) {
      ${field}(input: $input) { results { outcome id: databaseId code pointer } userErrors { code pointer message } }
    }`,
    { input: { [list]: items } },
  );
  expect([errors, data[field]?.userErrors]).toEqual([undefined, []]);
  return data[field] as Batch;
};

/** Batches as they are, also where items are refused. */
export const upsertOrders = batch('upsertOrders', 'orders');
export const upsertShipments = batch('upsertShipments', 'shipments');
export const recordTrackingEvents = batch('recordTrackingEvents', 'events');

const accepted = async (pending: Promise<Batch>) => {
  const { results } = await pending;
  expect(results.filter(({ outcome }) => outcome === 'rejected')).toEqual([]);
  return results.map(({ id }) => Number(id));
};

/** Orders one after the other; answers their ids. */
export function feedOrders(caller: Caller, ...orders: { orderNumber: string; [field: string]: unknown }[]) {
  return accepted(
    upsertOrders(
      caller,
      orders.map(order => ({ recipient: RECIPIENT, ...order })),
    ),
  );
}

/** Shipments one after the other; answers their ids. Those without an order get a recipient. */
export async function feedShipments(
  caller: Caller,
  carrierCompanyId: number,
  ...shipments: { trackingNumber: string; [field: string]: unknown }[]
) {
  const ids: number[] = [];
  // One a batch: ids, and with them what "newest" means, then follow the order they are given in.
  for (const shipment of shipments) {
    const recipient = 'orderNumber' in shipment ? {} : { recipient: RECIPIENT };
    ids.push(...(await accepted(upsertShipments(caller, [{ carrierCompanyId, ...recipient, ...shipment }]))));
  }
  return ids;
}

/** Events in the order in which they arrive. */
export function feedEvents(
  caller: Caller,
  ...events: { trackingNumber: string; timestamp: string; [field: string]: unknown }[]
) {
  return accepted(recordTrackingEvents(caller, events));
}

export async function createWarehouse(caller: Caller, fields: object = {}): Promise<number> {
  const { status, body } = await caller.rest('POST', '/warehouses', { ...WAREHOUSE, ...fields });
  expect(status).toBe(201);
  return body.id;
}
