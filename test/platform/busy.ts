import { createWebhook, deliveries, eventually, sendSchedule, sendTest } from '../jobs/webhooks.ts';
import { importTariff, TARIFF } from '../rest/feed.ts';
import { CREDENTIALS, connectSandbox } from '../support/carriers.ts';
import { ask, createWarehouse, feedEvents, feedOrders, feedShipments, WAREHOUSE } from '../support/platform-side.ts';
import type { Receiver } from '../support/receiver.ts';
import { passTime } from '../support/time.ts';
import type { Caller, World } from '../support/world.ts';

const DAY_MS = 86_400_000;

/** In everything that is nobody's but the company's and its customers'. */
export const MARK = 'Zanzibar';

const RECIPIENT = {
  companyName: `${MARK} Giulia Bianchi`,
  address: `Via ${MARK} 12`,
  postalCode: '90139',
  city: `${MARK}poli`,
  email: `giulia@${MARK}.example`,
  telephone: '+39 091 5550123',
};

const ADDRESS = { address: `Via ${MARK} 7`, city: `${MARK}poli`, zip: '90139', provincia: 'PA' };

/** Values that must show nowhere: marked data, the telephone, and secrets. */
export interface Busy {
  readonly hidden: readonly string[];
  readonly trackingNumber: string;
}

/**
 * Has a company use everything, through both faces, with successes and refusals: orders, quotes, tracking, address
 * checks that carriers answer and refuse, and webhooks that arrive and that fail.
 */
export async function beBusy(caller: Caller, receiver: Receiver): Promise<Busy> {
  receiver.answer(({ path }) => ({ status: path.includes('dead') ? 500 : 200, body: `${MARK} ${receiver.url}` }));
  const gls = await connectSandbox(caller, 'GLS');
  const wrong = { ...CREDENTIALS.GLS, password: `${MARK}-password` };
  const refused = await connectSandbox(caller, 'GLS', { credentials: wrong });
  await importTariff(caller, gls, TARIFF);
  const warehouseId = await createWarehouse(caller, { address: `Via ${MARK} 84` });
  const endpoints = [];
  for (const name of ['alive', 'dead']) {
    endpoints.push(await createWebhook(caller, `${receiver.url}/${MARK}/${name}?token=${MARK}-token`));
  }
  const [alive, dead] = endpoints.map(({ id }) => id) as [string, string];

  const [orderId] = await feedOrders(caller, {
    orderNumber: 'B-1',
    marketplaceOrderNumber: 'MKT-1',
    warehouseId,
    recipient: RECIPIENT,
    parcels: [{ weight: 4, length: 40, width: 30, height: 30 }],
  });
  const trackingNumber = 'BUSY1';
  await feedShipments(caller, gls, { trackingNumber, orderNumber: 'B-1' });
  await feedShipments(caller, gls, { trackingNumber: 'WALK1', recipient: RECIPIENT });
  await feedEvents(caller, { trackingNumber, occurredAt: '2026-11-20T08:00:00Z', carrierStatusCode: 'X', note: MARK });

  await caller.rest('POST', '/shipments/quote', { orderId });
  await caller.rest('GET', `/shipments/tracking/by-tracking-number/${trackingNumber}`);
  await caller.rest('GET', '/shipments/tracking/by-order-number/MKT-1');
  const query = '{ shipments(first: 10) { edges { node { trackingNumber recipient { address city } } } } }';
  for (let n = 0; n < 4; n++) await ask(caller, query);
  for (const zip of ['90139', '90190', '90194', '90198']) {
    await caller.rest('POST', '/addresses/check-address', { ...ADDRESS, zip, carrierCompanyId: gls });
  }
  await caller.rest('POST', '/addresses/check-address', { ...ADDRESS, carrierCompanyId: refused });
  for (const endpoint of [alive, dead]) await sendTest(caller, endpoint);
  await eventually(() => deliveries(caller, alive), [{ status: 'success' }]);
  await eventually(() => deliveries(caller, dead), [{ status: 'retrying' }]);

  await caller.rest('GET', `/shipments/tracking/by-tracking-number/${MARK}`);
  await caller.rest('POST', '/warehouses', { ...WAREHOUSE, address: `Via ${MARK} 1`, country: MARK });
  await caller.rest('POST', '/warehouses', `{"address": "Via ${MARK} 1`);
  await caller.rest('GET', '/warehouses', undefined, { 'x-api-key': `sk_live_${MARK}` });
  await caller.graphql(`{ trackingByNumber(trackingNumber: "${MARK}") { statusCode } }`);
  await caller.graphql(`{ ${MARK} `);
  const hidden = [MARK, RECIPIENT.telephone, caller.apiKey, ...endpoints.map(({ secret }) => secret)];
  return { hidden, trackingNumber };
}

/** Has carriers asked about the shipments that are followed, as it happens every minute. */
export async function pollNow(world: World, caller: Caller): Promise<void> {
  await passTime(world.app.database.pool, DAY_MS, caller.companyId);
  await sendSchedule(world, 'tracking.claim');
  const query = '{ trackingByNumber(trackingNumber: "WALK1") { timeline { nodes { statusCode } } } }';
  const hasEvents = async () => ({
    is: (await ask<{ timeline: { nodes: object[] } }>(caller, query)).timeline.nodes.length > 0,
  });
  await eventually(hasEvents, { is: true });
}
