import type { OperationName } from '../../../src/http/rest/operations.ts';
import { PALERMO, PARCEL } from '../../rest/tariffs.ts';
import {
  documentOf,
  type Field,
  NOBODYS,
  rootFields,
  selectionOf,
  validArguments,
} from '../../security/support/sdl.ts';
import type { Company } from './company.ts';
import type { Call, ServiceClient } from './service-client.ts';

/** Mutations are in the load, which tracks their results. */
type Written = 'createWarehouse' | 'updateWarehouse' | 'deleteWarehouse' | 'createWebhook' | 'deleteWebhook';

/** A call of every endpoint that reads; a new endpoint must be added here or to the load. */
const REST_READS: Readonly<Record<Exclude<OperationName, Written>, (company: Company, client: ServiceClient) => Call>> =
  {
    getHealth: (_, client) => client.rest('GET', '/health'),
    listWarehouses: (_, client) => client.rest('GET', '/warehouses'),
    getWarehouse: ({ warehouse }, client) => client.rest('GET', `/warehouses/${warehouse}`),
    listCarriers: (_, client) => client.rest('GET', '/carriers'),
    quoteShipment: ({ warehouse }, client) =>
      client.rest('POST', '/shipments/quote', { warehouseId: warehouse, destination: PALERMO, parcels: [PARCEL] }),
    trackByNumber: ({ trackingNumber }, client) =>
      client.rest('GET', `/shipments/tracking/by-tracking-number/${trackingNumber}`),
    trackByOrderNumber: ({ orderNumber }, client) =>
      client.rest('GET', `/shipments/tracking/by-order-number/${orderNumber}`),
    checkAddress: ({ sandbox }, client) =>
      client.rest('POST', '/addresses/check-address', {
        carrierCompanyId: sandbox,
        address: 'Via Dante 12',
        city: 'Palermo',
        provincia: 'PA',
        zip: '90139',
      }),
    listWebhooks: (_, client) => client.rest('GET', '/webhooks'),
  };

/** Allowed errors of a query for ids that nobody has; a failure of the service is not among them. */
const NOT_FAILED = [
  ...['validation_failed', 'order_not_found', 'shipment_not_found', 'warehouse_not_found', 'tariff_not_found'],
  ...['carrier_connection_not_found', 'webhook_not_found', 'node_not_found', 'tariff_revision_not_found'],
  ...['saved_quote_not_found', 'tariff_simulation_not_found', 'carrier_invoice_not_found', 'api_key_not_found'],
];
const DEPTH = 1;

function queryOf(field: Field, company: Company, client: ServiceClient): Call {
  const { warehouse, connection, shipment, order, endpoint, trackingNumber, orderNumber } = company;
  const ids = { ...NOBODYS, warehouse, connection, shipment, order, endpoint, trackingNumber };
  const given = validArguments(field, { ...ids, marketplaceOrderNumber: orderNumber });
  const { query, variables } = documentOf(
    'query',
    field,
    given,
    selectionOf(field.type, DEPTH, () => true),
  );
  return client.graphql(field.name, query, variables, NOT_FAILED);
}

/** Every read by turns, each time it is called the next one. */
export function readsOf(company: Company, client: ServiceClient, isRestOnly: boolean): () => Promise<void> {
  const calls = [
    ...Object.values(REST_READS).map(callOf => callOf(company, client)),
    ...(isRestOnly ? [] : rootFields('query')).map(field => queryOf(field, company, client)),
  ];
  let next = 0;
  return async () => {
    const call = calls[next++ % calls.length];
    if (call) await client.acknowledged(call);
  };
}
