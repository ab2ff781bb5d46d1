import { MAX_LIST } from '../../platform/database/lists/page.ts';

/**
 * The GraphQL operation behind each REST call, named as the OpenAPI `operationId`. A document selects exactly the
 * content of the response; fragments name the schemas of the OpenAPI document. Lists are requested whole, because REST
 * has no pages; the limits on a company's things keep them short.
 */
const ApiKeyContext = `fragment ApiKeyContext on ApiKey { ok companyId apiKeyId: id label scopes authScheme }`;

const Warehouse = `fragment Warehouse on Warehouse {
  id: databaseId name typeId address postalCode city state country isPrincipal warehouseType { id: databaseId name } createdAt updatedAt
}`;

export const Carrier = `fragment CarrierConnection on CarrierConnection {
  carrierCompanyId: databaseId carrierCode carrierName label logoUrl isActive capabilities verificationType countryScope
}`;

export const Quote = `fragment Quote on Quote {
  carrierCompanyId: carrierConnectionId carrierCode carrierName chargeableWeight realWeight volumetricWeight
  basePrice fuelPrice surchargesPrice optionsPrice codPrice insurancePrice
  carrierOptionsDetail { code price calculated description }
  totalPrice vatRate vatAmount totalPriceWithVat currency estimatedDeliveryDays
}`;

export const QuoteWarning = `fragment QuoteWarning on QuoteWarning {
  warning code message details { carrierCompanyId: carrierConnectionId carrierName code message }
}`;

export const AddressCheckResult = `fragment AddressCheckResult on AddressCheckResult {
  status code message carrierCode carrierName verificationType countryScope
  suggestions { streetLine1 streetLine2 city zip province country transitTimeHours }
}`;

/** Used for events too: webhooks show a shipment as REST does. */
export const TRACKING_RECORD = `fragment TrackingRecord on Shipment {
  trackingNumber status: statusLabel shipmentDate: shippedAt expectedDeliveryDate: expectedDeliveryAt
  deliveredDate: deliveredAt parcelNumber: parcelCount weight volume trackingUrl
  orderNumber marketplaceOrderNumber
  carrier { name logoUrl }
  recipient { companyName address postalCode city province country countryCode }
  timeline(last: ${MAX_LIST}) { nodes { timestamp: occurredAt statusCode label: statusLabel description location note } }
  relatedShipments(first: ${MAX_LIST}) { nodes { id: databaseId type trackingNumber carrierName createdAt } }
}`;

const WebhookEndpoint = `fragment WebhookEndpoint on WebhookEndpoint {
  id label url secretLast4 events isActive createdAt updatedAt disabledAt
  lastDelivery { status deliveredAt createdAt }
}`;

export const OPERATIONS = {
  getHealth: `query getHealth { apiKey { ...ApiKeyContext } } ${ApiKeyContext}`,
  listWarehouses: `query listWarehouses { warehouses(first: ${MAX_LIST}) { nodes { ...Warehouse } } } ${Warehouse}`,
  createWarehouse: `mutation createWarehouse($input: CreateWarehouseInput!) { createWarehouse(input: $input) { warehouse { ...Warehouse } } } ${Warehouse}`,
  getWarehouse: `query getWarehouse($id: ID!) { warehouse(id: $id) { ...Warehouse } } ${Warehouse}`,
  updateWarehouse: `mutation updateWarehouse($input: UpdateWarehouseInput!) { updateWarehouse(input: $input) { warehouse { ...Warehouse } } } ${Warehouse}`,
  deleteWarehouse: `mutation deleteWarehouse($id: ID!) { deleteWarehouse(input: { id: $id }) { warehouse { databaseId } } }`,
  listCarriers: `query listCarriers { carrierConnections(first: ${MAX_LIST}) { nodes { ...CarrierConnection } } } ${Carrier}`,
  quoteShipment: `query quoteShipment($input: QuoteInput!) { quoteShipment(input: $input) { ... on QuoteList { items { ...Quote } } ... on QuoteWarning { ...QuoteWarning } } } ${Quote} ${QuoteWarning}`,
  trackByNumber: `query trackByNumber($trackingNumber: String!) { trackingByNumber(trackingNumber: $trackingNumber) { ...TrackingRecord } } ${TRACKING_RECORD}`,
  trackByOrderNumber: `query trackByOrderNumber($orderNumber: String!) { trackingByOrderNumber(orderNumber: $orderNumber, first: ${MAX_LIST}) { nodes { ...TrackingRecord } } } ${TRACKING_RECORD}`,
  checkAddress: `query checkAddress($input: AddressCheckInput!) { checkAddress(input: $input) { ...AddressCheckResult } } ${AddressCheckResult}`,
  createWebhook: `mutation createWebhook($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { webhookEndpoint { ...WebhookEndpoint } secret } } ${WebhookEndpoint}`,
  listWebhooks: `query listWebhooks { webhookEndpoints(first: ${MAX_LIST}) { nodes { ...WebhookEndpoint } } } ${WebhookEndpoint}`,
  deleteWebhook: `mutation deleteWebhook($id: ID!) { deleteWebhookEndpoint(input: { id: $id }) { webhookEndpoint { ...WebhookEndpoint } } } ${WebhookEndpoint}`,
} as const;

export type OperationName = keyof typeof OPERATIONS;
