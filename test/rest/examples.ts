import type { Endpoint } from '../../src/http/rest/endpoints.ts';
import { connectCarrier, createWarehouse, feedOrders, feedShipments, WAREHOUSE } from '../support/platform-side.ts';
import type { Caller } from '../support/world.ts';
import { importTariff, TARIFF } from './feed.ts';

/** The records that a parameter in a path can name, of one company. */
export type Things = Readonly<Record<string, string>>;

/** Occurs in every text of a furnished company, so that a leak of any of them shows. */
export const MARK = 'Zanzibar';

/** An endpoint at a public address that nobody needs to look up, and that gets nothing. */
const WEBHOOK = { label: 'Nuovo', url: 'https://8.8.8.8/webhooks', events: ['tracking.*'] };

const ADDRESS = { address: 'Via Roma 1', city: 'Milano', zip: '20121', provincia: 'MI' };

let furnished = 0;

/** Gives a company one of everything an endpoint can name; nothing refers to the warehouse. */
export async function furnish(caller: Caller): Promise<Things> {
  const n = ++furnished;
  const warehouseId = await createWarehouse(caller, { name: `${MARK} ${n}` });
  const carrierCompanyId = await connectCarrier(caller, 'BRT', `${MARK} ${n}`);
  const orderNumber = `${MARK}-MKT-${n}`;
  const trackingNumber = `${MARK}${n}`;
  await importTariff(caller, carrierCompanyId, TARIFF);
  const [orderId] = await feedOrders(caller, {
    orderNumber: `${MARK}-${n}`,
    marketplace: MARK,
    marketplaceOrderNumber: orderNumber,
    warehouseId: await createWarehouse(caller, { name: `${MARK} ${n} spedizioni` }),
    parcels: [{ weight: 4, length: 40, width: 30, height: 30 }],
  });
  await feedShipments(caller, carrierCompanyId, { trackingNumber, orderNumber: `${MARK}-${n}` });
  await makeRoom(caller);
  const webhook = await caller.rest('POST', '/webhooks', { ...WEBHOOK, label: `${MARK} ${n}` });
  const ids = {
    warehouseId: String(warehouseId),
    orderId: String(orderId),
    carrierCompanyId: String(carrierCompanyId),
  };
  return { ...ids, webhookId: webhook.body.id, trackingNumber, orderNumber };
}

/** A company has ten active endpoints at most. */
async function makeRoom(caller: Caller): Promise<void> {
  const { body } = await caller.rest('GET', '/webhooks');
  const active = (body as { id: string; isActive: boolean }[]).filter(({ isActive }) => isActive);
  if (active.length >= 8) await caller.rest('DELETE', `/webhooks/${active.at(-1)?.id}`);
}

/** Names of things that no company has. */
export const NOTHING: Things = {
  warehouseId: '2147483647',
  webhookId: '00000000-0000-4000-8000-000000000000',
  trackingNumber: 'NEVER1',
  orderNumber: 'NEVER-2',
  orderId: '2147483647',
  carrierCompanyId: '2147483647',
};

/**
 * The record that a parameter names, if its own name does not show it: `{id}` names another thing for each resource.
 */
const THINGS_OF: Partial<Record<Endpoint['operation'], Readonly<Record<string, string>>>> = {
  getWarehouse: { id: 'warehouseId' },
  updateWarehouse: { id: 'warehouseId' },
  deleteWarehouse: { id: 'warehouseId' },
  deleteWebhook: { id: 'webhookId' },
};

const BODIES: Partial<Record<Endpoint['operation'], (things: Things) => unknown>> = {
  createWarehouse: () => ({ ...WAREHOUSE, name: 'Nuovo' }),
  updateWarehouse: () => ({ name: 'Cambiato' }),
  createWebhook: () => WEBHOOK,
  // Without credentials: nobody is asked, and the answer is an outcome.
  checkAddress: ({ carrierCompanyId }) => ({ carrierCompanyId: Number(carrierCompanyId), ...ADDRESS }),
  quoteShipment: ({ orderId }) => ({ orderId: Number(orderId) }),
};

interface ExampleRequest {
  readonly method: string;
  /** Below the base path. */
  readonly path: string;
  readonly body: unknown;
}

/** A request that a row of the table grants to the company that has the things. */
export function requestFor({ method, path, operation, body }: Endpoint, things: Things): ExampleRequest {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = things[THINGS_OF[operation]?.[name] ?? name];
    if (value === undefined)
      throw new Error(`Add what {${name}} of ${path} names to THINGS_OF in test/rest/examples.ts`);
    return encodeURIComponent(value);
  });
  const bodyOf = BODIES[operation];
  if (body && !bodyOf) throw new Error(`Add a body of ${operation} to BODIES in test/rest/examples.ts`);
  return { method, path: filled, body: body ? bodyOf?.(things) : undefined };
}

/** A row by its name, for tables of cases: `PATCH /warehouses/{id}`. */
export function nameOf({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}
