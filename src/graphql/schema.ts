import '../domain/access/access.graphql.ts';
import '../domain/access/keys.graphql.ts';
import '../domain/addresses/addresses.graphql.ts';
import '../domain/carriers/carriers.graphql.ts';
import '../domain/orders/lists/order-list.graphql.ts';
import '../domain/orders/orders.graphql.ts';
import '../domain/polling/polling.graphql.ts';
import '../domain/promise/promise.graphql.ts';
import '../domain/quotes/options.graphql.ts';
import '../domain/quotes/quote.graphql.ts';
import '../domain/quotes/quote-list.graphql.ts';
import '../domain/spend/invoices/invoice-lines.graphql.ts';
import '../domain/spend/invoices/invoices.graphql.ts';
import '../domain/tariffs/references.graphql.ts';
import '../domain/tariffs/tariff.graphql.ts';
import '../domain/tracking/changes/changes.graphql.ts';
import '../domain/tracking/changes/changes-proof.graphql.ts';
import '../domain/tracking/changes/live-changes.graphql.ts';
import '../domain/tracking/lists/shipment-list.graphql.ts';
import '../domain/tracking/shipment-lookups.graphql.ts';
import '../domain/tracking/tracking.graphql.ts';
import '../domain/warehouses/warehouses.graphql.ts';
import '../domain/webhooks/deliveries/deliveries.graphql.ts';
import '../domain/webhooks/endpoints/endpoints.graphql.ts';
import '../domain/webhooks/events/webhook-event.graphql.ts';
import { builder } from './builder.ts';

/** The graph: every domain hangs its types into the builder when it is imported. */
export const schema = builder.toSchema();
