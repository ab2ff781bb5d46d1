import type { OperationName } from '../../src/http/rest/operations.ts';

/** A request. */
export interface Step {
  readonly method: string;
  /** Below the base path. */
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string | number>>;
  /** Sent as JSON unless it is a text. */
  readonly request?: unknown;
  /** Over the usual ones; an empty one is left out. */
  readonly headers?: Readonly<Record<string, string>>;
}

type Known = Readonly<Record<string, string | number>>;

interface Call {
  readonly operation: OperationName;
  readonly name: string;
  readonly summary: string;
  readonly step: (known: Known) => Step;
  /** The name under which later calls know the id that was answered. */
  readonly keep?: string;
}

const PALERMO = { postalCode: '90139', city: 'Palermo', province: 'PA' };
const PARCEL = { weight: 4, length: 40, width: 30, height: 30 };
const ADDRESS = { address: 'Via Dante 12', city: 'Palermo', provincia: 'PA' };
export const DEPOT = {
  name: 'Deposito Verona',
  typeId: 4,
  address: 'Via Sommacampagna 63',
  postalCode: '37137',
  city: 'Verona',
  state: 'VR',
  country: 'IT',
};
export const SHOP = {
  label: 'Shop',
  url: 'https://shop.example.com/hooks',
  events: ['tracking.delivered', 'tracking.delay'],
};
const ONCE = { 'idempotency-key': '6f8f9b1e-52f6-4d52-9c3e-0a7d1d1f5c11' };
const TRACKING = '/shipments/tracking';
/** A warehouse of the demo company that no order and no shipment refers to. */
const UNUSED = 3;

const quote = (request: object) => () => ({ method: 'POST', path: '/shipments/quote', request });
const check = (carrierCompanyId: number, zip: string, more?: object) => () => ({
  method: 'POST',
  path: '/addresses/check-address',
  request: { carrierCompanyId, ...ADDRESS, zip, ...more },
});
const track = (trackingNumber: string) => () => ({
  method: 'GET',
  path: `${TRACKING}/by-tracking-number/{trackingNumber}`,
  parameters: { trackingNumber },
});

/** The calls to the demo company, in this order. */
// biome-ignore format: a table reads as rows
export const CALLS: readonly Call[] = [
  { operation: 'getHealth', name: 'key', summary: "The demo company's key", step: () => ({ method: 'GET', path: '/health' }) },
  { operation: 'getHealth', name: 'narrow', summary: 'A key that may do next to nothing', step: ({ weakKey }) => ({ method: 'GET', path: '/health', headers: { 'x-api-key': String(weakKey) } }) },

  { operation: 'quoteShipment', name: 'parcels', summary: 'From a warehouse, parcel by parcel, with cash on delivery and insurance', step: quote({ warehouseId: 1, destination: PALERMO, parcels: [PARCEL], codAmount: 100, insuranceAmount: 200 }) },
  { operation: 'quoteShipment', name: 'totals', summary: 'From a warehouse, by total weight and volume', step: quote({ warehouseId: 1, destination: PALERMO, totalWeight: 8.5, totalVolume: 72_000, parcelNumber: 2 }) },
  { operation: 'quoteShipment', name: 'order', summary: 'From an order', step: quote({ orderId: 1, carrierCompanyIds: [1, 2] }) },
  { operation: 'quoteShipment', name: 'warning', summary: 'No carrier applies', step: quote({ orderId: 1, carrierCompanyIds: [5] }) },

  { operation: 'trackByNumber', name: 'delivered', summary: 'Delivered', step: track('084007001234567') },
  { operation: 'trackByNumber', name: 'related', summary: 'Under way, and forwarded as another shipment', step: track('5512004410') },
  { operation: 'trackByOrderNumber', name: 'order', summary: 'An order with one shipment', step: () => ({ method: 'GET', path: `${TRACKING}/by-order-number/{orderNumber}`, parameters: { orderNumber: '405-1234567-1234567' } }) },

  { operation: 'listWarehouses', name: 'demo', summary: "The demo company's warehouses", step: () => ({ method: 'GET', path: '/warehouses' }) },
  { operation: 'createWarehouse', name: 'secondary', summary: 'A secondary warehouse', step: () => ({ method: 'POST', path: '/warehouses', request: DEPOT, headers: ONCE }) },
  { operation: 'getWarehouse', name: 'principal', summary: 'The principal warehouse', step: () => ({ method: 'GET', path: '/warehouses/{id}', parameters: { id: 1 } }) },
  { operation: 'updateWarehouse', name: 'moved', summary: 'A new name and street', step: () => ({ method: 'PATCH', path: '/warehouses/{id}', parameters: { id: UNUSED }, request: { name: 'Fornitore Napoli Est', address: 'Via Argine 315' } }) },
  { operation: 'deleteWarehouse', name: 'unused', summary: 'One that nothing refers to', step: () => ({ method: 'DELETE', path: '/warehouses/{id}', parameters: { id: UNUSED } }) },

  { operation: 'listCarriers', name: 'demo', summary: "The demo company's carriers", step: () => ({ method: 'GET', path: '/carriers' }) },

  { operation: 'checkAddress', name: 'normalized', summary: 'A correction is suggested', step: check(2, '90190') },
  { operation: 'checkAddress', name: 'valid', summary: 'Valid', step: check(2, '90139') },
  { operation: 'checkAddress', name: 'notFound', summary: 'Not found', step: check(2, '90192') },
  { operation: 'checkAddress', name: 'unavailable', summary: 'The carrier is offline', step: check(2, '90194') },
  { operation: 'checkAddress', name: 'foreign', summary: 'Abroad, through a carrier that checks in Italy alone', step: () => ({ method: 'POST', path: '/addresses/check-address', request: { carrierCompanyId: 2, address: 'Hauptstraße 5', city: 'Berlin', zip: '10827', country: 'DE' } }) },
  { operation: 'checkAddress', name: 'unsupported', summary: 'A carrier that checks no addresses', step: check(4, '90139') },

  { operation: 'createWebhook', name: 'shop', summary: 'Told of deliveries and delays', step: () => ({ method: 'POST', path: '/webhooks', request: SHOP }), keep: 'webhook' },
  { operation: 'listWebhooks', name: 'demo', summary: 'One endpoint, nothing sent yet', step: () => ({ method: 'GET', path: '/webhooks' }) },
  { operation: 'deleteWebhook', name: 'shop', summary: 'Deactivated', step: ({ webhook = '' }) => ({ method: 'DELETE', path: '/webhooks/{id}', parameters: { id: webhook } }) },
];

/** An order that has no shipment yet. */
export const UNSHIPPED = {
  orderNumber: 'DEMO-1005',
  marketplace: 'eBay',
  marketplaceOrderNumber: '12-09876-54400',
  recipient: { address: 'Via Maqueda 100', city: 'Palermo', postalCode: '90134', province: 'PA' },
};

const NOBODY = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
const health = (headers: Readonly<Record<string, string>>) => () => ({ method: 'GET', path: '/health', headers });
const newWarehouse = (request: unknown, headers?: Readonly<Record<string, string>>) => () => ({
  method: 'POST',
  path: '/warehouses',
  request,
  headers,
});

interface Refusal {
  readonly code: string;
  /** The operation, if the response depends on it; otherwise the example stands for all operations. */
  readonly operation?: OperationName;
  readonly step: (known: Known) => Step;
}

/**
 * Requests that are rejected. Requests that need a broken service, or a client that HTTP libraries cannot be, are in
 * faults.ts.
 */
// biome-ignore format: a table reads as rows
export const REFUSALS: readonly Refusal[] = [
  { code: 'missing_credentials', step: health({ 'x-api-key': '' }) },
  { code: 'invalid_api_key', step: health({ 'x-api-key': 'sk_live_mistyped' }) },
  { code: 'insufficient_scope', step: ({ weakKey }) => ({ method: 'GET', path: '/warehouses', headers: { 'x-api-key': String(weakKey) } }) },
  // The second read of a key that may make one a minute.
  { code: 'rate_limited', step: ({ weakKey }) => ({ method: 'GET', path: '/health', headers: { 'x-api-key': String(weakKey) } }) },
  { code: 'conflicting_credentials', step: health({ authorization: 'Bearer sk_live_another' }) },
  { code: 'malformed_json', step: newWarehouse('{"name":') },
  { code: 'unsupported_media_type', step: newWarehouse('name=Verona', { 'content-type': 'application/x-www-form-urlencoded' }) },
  { code: 'body_too_large', step: newWarehouse(JSON.stringify({ name: 'x'.repeat(300_000) })) },
  { code: 'validation_failed', step: newWarehouse({ ...DEPOT, typeId: 9, postalCode: '3713' }) },
  { code: 'validation_failed', operation: 'updateWarehouse', step: () => ({ method: 'PATCH', path: '/warehouses/1', request: { typeId: 9, city: null } }) },
  { code: 'validation_failed', operation: 'quoteShipment', step: quote({ warehouseId: 1, destination: { ...PALERMO, province: 'MI' }, parcels: [{ ...PARCEL, weight: 0 }] }) },
  { code: 'validation_failed', operation: 'checkAddress', step: () => ({ method: 'POST', path: '/addresses/check-address', request: { carrierCompanyId: 2, address: 'Via Dante 12', city: 'Palermo', zip: '9013' } }) },
  { code: 'validation_failed', operation: 'createWebhook', step: () => ({ method: 'POST', path: '/webhooks', request: { ...SHOP, url: 'https://192.168.1.10/hooks', events: ['tracking.deliverd'] } }) },
  { code: 'invalid_idempotency_key', step: newWarehouse(DEPOT, { 'idempotency-key': 'two words' }) },
  { code: 'idempotency_key_reused', step: newWarehouse({ ...DEPOT, name: 'Deposito Vicenza' }, ONCE) },
  { code: 'warehouse_not_found', step: () => ({ method: 'GET', path: '/warehouses/2147483647' }) },
  { code: 'warehouse_not_found', operation: 'quoteShipment', step: quote({ warehouseId: 2_147_483_647, destination: PALERMO, parcels: [PARCEL] }) },
  { code: 'warehouse_in_use', step: () => ({ method: 'DELETE', path: '/warehouses/1' }) },
  { code: 'shipment_not_found', step: track('084000000000000') },
  { code: 'shipment_not_found', operation: 'trackByOrderNumber', step: () => ({ method: 'GET', path: `${TRACKING}/by-order-number/${UNSHIPPED.marketplaceOrderNumber}` }) },
  { code: 'order_not_found', step: quote({ orderId: 2_147_483_647 }) },
  { code: 'order_not_found', operation: 'trackByOrderNumber', step: () => ({ method: 'GET', path: `${TRACKING}/by-order-number/DEMO-1001` }) },
  { code: 'carrier_connection_not_found', step: check(2_147_483_647, '90139') },
  { code: 'webhook_not_found', step: () => ({ method: 'DELETE', path: `/webhooks/${NOBODY}` }) },
];

/** A shipment of the demo company that is walked through every state that fires an event. */
export const SHIPMENT = {
  carrierConnectionId: 1,
  trackingNumber: '084007009876543',
  orderNumber: 'DEMO-1004',
  parcelCount: 1,
  weight: 6.5,
  volume: 60_000,
};

export const EVENTS = [
  { statusCode: 'SHIPPED', description: 'RITIRATA', location: 'MILANO' },
  { statusCode: 'IN_TRANSIT', description: 'PARTITA', location: 'MILANO' },
  { statusCode: 'DELAYED', description: 'RITARDO NEL TRASPORTO', location: 'NAPOLI' },
  { statusCode: 'OUT_FOR_DELIVERY', description: 'IN CONSEGNA', location: 'PALERMO' },
  { statusCode: 'DELIVERY_FAILED', description: 'DESTINATARIO ASSENTE', location: 'PALERMO' },
  { statusCode: 'PICKUP_POINT', description: 'IN GIACENZA PRESSO IL PUNTO DI RITIRO', location: 'PALERMO' },
  { statusCode: 'DELIVERED', description: 'CONSEGNATA', location: 'PALERMO' },
];
