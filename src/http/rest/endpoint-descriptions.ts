import type { OperationName } from './operations.ts';

/**
 * The purpose of each endpoint, its use and its pitfalls, as Markdown for the reference. It is separate from the table
 * of endpoints, so that a row of the table stays a row.
 */
export const DESCRIPTIONS: Readonly<Record<OperationName, string>> = {
  getHealth: `
Returns the company, the label and the scopes of the key that you send. Call it when you set up a client, or when a request returns 401 or 403. To monitor a deployment, use \`/readyz\` instead, which needs no key.`,

  quoteShipment: `
Returns what a shipment costs on each of the company's carrier connections, cheapest first. Describe the shipment by \`orderId\`, or by \`warehouseId\`, \`destination\` and either \`parcels\` or \`totalWeight\` with \`totalVolume\`.

If at least one connection applies, the response is an array, and connections that do not apply are left out. If none applies, the response is one object with \`"warning": true\`, also with status 200: check for the array first. Prices are in EUR and exact to the cent; keep the \`carrierCompanyId\` of the quote that you choose. [Quotes](/docs/quotes) explains weights, options and VAT.`,

  trackByNumber: `
Returns one shipment with its current status, its dates and the timeline of its events. Use it to show a shipment to a customer; to react to changes, [webhooks](/docs/webhooks) are faster and need fewer requests.

If a number matches several shipments, the main tracking number wins over the other identifiers, and among equals the newest shipment wins. \`status\` is an Italian label for people: use the \`statusCode\` of the timeline in your program, and expect codes that you do not know. [Tracking](/docs/tracking) explains the statuses and the dates.`,

  trackByOrderNumber: `
Returns every shipment of the orders that have this number on the marketplace, oldest first. Use it if you know the customer's order but not the tracking number.

The number must match exactly, and it is the marketplace's: the internal \`orderNumber\` of a tracking record returns 404. Encode special characters in the path: \`#1003\` becomes \`%231003\`.`,

  listWarehouses: `
Returns all warehouses of the company, by ascending id. Use it to find the \`warehouseId\` of a quote. The list is complete: there are no pages.`,

  createWarehouse: `
Creates a place that shipments leave from. All seven fields are required, and the postal code must have the form of its country. Send an \`Idempotency-Key\`, so that a retry after a lost response does not create a second warehouse.`,

  getWarehouse: `
Returns one warehouse. An id that the company does not have returns 404, also if it belongs to another company. \`GET /warehouses\` lists the ids.`,

  updateWarehouse: `
Changes the fields that you send, and returns the whole warehouse. Send at least one field; \`null\` is not allowed. The address is validated as it is after the change: a new \`country\` usually needs a new \`postalCode\` in the same request. Orders and shipments that refer to the warehouse are not changed.`,

  deleteWarehouse: `
Deletes a warehouse permanently. The response has no body, and a second request returns 404. A warehouse that orders or shipments refer to is not deleted: the response is 409 \`warehouse_in_use\`, with how many of each.`,

  listCarriers: `
Returns the company's accounts at carriers, by ascending id. Use it to find the \`carrierCompanyId\` for quotes and address checks. \`capabilities\` says what the service can do through a connection now; an inactive connection is listed too. Credentials and tariffs are never part of the response.`,

  checkAddress: `
Asks the carrier of a connection whether it knows a delivery address. Choose a connection whose \`capabilities\` include \`address_check\`.

Every valid request returns 200: read the outcome from \`code\`, and do not block a purchase on \`skipped\` or \`unsupported\`, which say nothing about the address. A check takes up to 8 seconds, because the carrier is asked each time; give your client a longer timeout. The address is not stored. [Addresses](/docs/addresses) explains each outcome.`,

  createWebhook: `
Registers an HTTPS endpoint that receives the events of shipments. Store the \`secret\` of the response: it is never shown again, and you need it to verify what is posted. A company can have ten active endpoints. \`tracking.*\` subscribes to all events, also to those that are added later. [Webhooks](/docs/webhooks#verify-the-signature) shows how to verify a request and how to respond to it.`,

  listWebhooks: `
Returns all webhook endpoints of the company, newest first, with the outcome of their latest delivery. Deleted endpoints are listed too, with \`"isActive": false\`, until [newer ones take their place](/docs/webhook-endpoints#delete-an-endpoint). Secrets are not part of the response. To read single deliveries, pause an endpoint or change it, use [GraphQL](/docs/webhook-endpoints#manage-endpoints-in-graphql).`,

  deleteWebhook: `
Deactivates an endpoint permanently, and returns it. Nothing more is sent to it: waiting deliveries are cancelled. Its history can still be read. A repeated request returns the endpoint again, so a retry is safe.`,
};
