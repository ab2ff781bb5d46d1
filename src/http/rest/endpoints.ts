import type { FaultCode } from '../../platform/fault.ts';
import type { Scope } from '../../platform/scopes.ts';
import type { OperationName } from './operations.ts';
import { integerId, type Parameter, text, uuid } from './parameters.ts';
import {
  asItIs,
  listIn,
  listOr,
  listsIn,
  nothing,
  numbers,
  result,
  resultWith,
  type Shape,
  withoutEmpty,
} from './shape.ts';

/** One row of the public contract. The router, the OpenAPI document, the scope and the cross-company tests come from it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below `BASE_PATH`. */
  readonly path: string;
  /** The scope that the graph requires; repeated here so that a lack is rejected before the body is read. */
  readonly scope: Scope;
  readonly operation: OperationName;
  /** Path parameters, by the variable of each. A body becomes the variable `input`. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly body: boolean;
  readonly status: 200 | 201 | 204;
  readonly shape: Shape;
  /** Whether `Last-Modified` states when the data were last confirmed or changed. */
  readonly isDated?: true;
  /** Faults of this endpoint besides the common ones. */
  readonly failures: readonly FaultCode[];
  readonly tag: string;
  readonly summary: string;
}

export const BASE_PATH = '/api/v1/integrations';

const trackingRecord = listsIn(['timeline', 'relatedShipments'], withoutEmpty('relatedShipments'));
const quotes = listOr(
  'items',
  numbers(
    [
      ...[
        'chargeableWeight',
        'realWeight',
        'volumetricWeight',
        'basePrice',
        'fuelPrice',
        'surchargesPrice',
        'optionsPrice',
      ],
      ...['codPrice', 'insurancePrice', 'totalPrice', 'vatRate', 'vatAmount', 'totalPriceWithVat'],
    ],
    { carrierOptionsDetail: numbers(['price']) },
  ),
  asItIs,
);
const warehouse = result('warehouse');
const warehouseId = { id: integerId('Warehouse identifier.') };
const webhookId = { id: uuid('Webhook endpoint identifier, a UUID.') };
const webhook = result('webhookEndpoint');
const withSecret = resultWith('webhookEndpoint', 'secret', {
  name: 'WebhookEndpointWithSecret',
  description: 'An endpoint with its new secret, which is shown only this once.',
  openapi: { pattern: '^whsec_' },
});
const nodes = listIn('nodes');
const none = {};

// biome-ignore format: a table reads as rows
export const ENDPOINTS: readonly Endpoint[] = [
  { method: 'GET',    path: '/health',          scope: 'health:read',       operation: 'getHealth',       parameters: none,        body: false, status: 200, shape: asItIs,  failures: [],                                        tag: 'Health',     summary: 'Confirm that the API key is valid, and what it may do' },
  { method: 'POST',   path: '/shipments/quote', scope: 'shipments:quote',   operation: 'quoteShipment',   parameters: none,        body: true,  status: 200, shape: quotes,  failures: ['order_not_found', 'warehouse_not_found'], tag: 'Quotes',     summary: 'Quote a shipment on every carrier, cheapest first' },
  { method: 'GET',    path: '/shipments/tracking/by-tracking-number/{trackingNumber}', scope: 'shipments:tracking', operation: 'trackByNumber', parameters: { trackingNumber: text('Main number, secondary label, parcelId, reference, marketplaceOrderId or marketplaceOrderNumber. Spaces, dots and a leading MUL do not matter.') }, body: false, status: 200, shape: trackingRecord, isDated: true, failures: ['shipment_not_found'], tag: 'Tracking', summary: 'Track a shipment by number' },
  { method: 'GET',    path: '/shipments/tracking/by-order-number/{orderNumber}', scope: 'shipments:tracking', operation: 'trackByOrderNumber', parameters: { orderNumber: text('Order number on the marketplace, exactly as it is there.') }, body: false, status: 200, shape: listIn('nodes', trackingRecord), failures: ['order_not_found', 'shipment_not_found'], tag: 'Tracking', summary: "Track the shipments of a marketplace's order" },
  { method: 'GET',    path: '/warehouses',      scope: 'warehouses:read',   operation: 'listWarehouses',  parameters: none,        body: false, status: 200, shape: nodes,   failures: [],                                        tag: 'Warehouses', summary: 'List warehouses' },
  { method: 'POST',   path: '/warehouses',      scope: 'warehouses:create', operation: 'createWarehouse', parameters: none,        body: true,  status: 201, shape: warehouse, failures: ['warehouse_limit_reached'],               tag: 'Warehouses', summary: 'Create a warehouse' },
  { method: 'GET',    path: '/warehouses/{id}', scope: 'warehouses:read',   operation: 'getWarehouse',    parameters: warehouseId, body: false, status: 200, shape: asItIs,  failures: ['warehouse_not_found'],                   tag: 'Warehouses', summary: 'Read a warehouse' },
  { method: 'PATCH',  path: '/warehouses/{id}', scope: 'warehouses:update', operation: 'updateWarehouse', parameters: warehouseId, body: true,  status: 200, shape: warehouse, failures: ['warehouse_not_found'],                   tag: 'Warehouses', summary: 'Change a warehouse' },
  { method: 'DELETE', path: '/warehouses/{id}', scope: 'warehouses:delete', operation: 'deleteWarehouse', parameters: warehouseId, body: false, status: 204, shape: nothing, failures: ['warehouse_not_found', 'warehouse_in_use'], tag: 'Warehouses', summary: 'Delete a warehouse permanently' },
  { method: 'GET',    path: '/carriers',        scope: 'carriers:read',     operation: 'listCarriers',    parameters: none,        body: false, status: 200, shape: nodes,   failures: [],                                        tag: 'Carriers',   summary: 'List carrier connections' },
  { method: 'POST',   path: '/addresses/check-address', scope: 'addresses:check', operation: 'checkAddress', parameters: none,        body: true,  status: 200, shape: asItIs,  failures: ['carrier_connection_not_found'],          tag: 'Addresses',  summary: 'Check a delivery address through a carrier' },
  { method: 'POST',   path: '/webhooks',        scope: 'webhooks:manage',   operation: 'createWebhook',   parameters: none,        body: true,  status: 201, shape: withSecret, failures: ['webhook_limit_reached'],                 tag: 'Webhooks',   summary: 'Create a webhook endpoint, and see its secret this once' },
  { method: 'GET',    path: '/webhooks',        scope: 'webhooks:manage',   operation: 'listWebhooks',    parameters: none,        body: false, status: 200, shape: nodes,   failures: [],                                        tag: 'Webhooks',   summary: 'List webhook endpoints, newest first' },
  { method: 'DELETE', path: '/webhooks/{id}',   scope: 'webhooks:manage',   operation: 'deleteWebhook',   parameters: webhookId,   body: false, status: 200, shape: webhook, failures: ['webhook_not_found'],                     tag: 'Webhooks',   summary: 'Deactivate a webhook endpoint permanently' },
];
