import { access } from './domain/account/access/access.feature.ts';
import { audit } from './domain/account/audit/audit.feature.ts';
import { addresses } from './domain/exchange/addresses/addresses.feature.ts';
import { webhooks } from './domain/exchange/webhooks/webhooks.feature.ts';
import { companies } from './domain/operations/companies/companies.feature.ts';
import { quotes } from './domain/pricing/quotes/quotes.feature.ts';
import { savedQuotes } from './domain/pricing/saved-quotes/saved-quotes.feature.ts';
import { tariffs } from './domain/pricing/tariffs/tariffs.feature.ts';
import { carriers } from './domain/shipping/carriers/carriers.feature.ts';
import { oldShipments } from './domain/shipping/old-shipments/old-shipments.feature.ts';
import { orders } from './domain/shipping/orders/orders.feature.ts';
import { polling } from './domain/shipping/polling/polling.feature.ts';
import { promise } from './domain/shipping/promise/promise.feature.ts';
import { tracking } from './domain/shipping/tracking/tracking.feature.ts';
import { warehouses } from './domain/shipping/warehouses/warehouses.feature.ts';
import { spend } from './domain/spend/spend.feature.ts';
import type { Feature } from './feature.ts';
import { mcp } from './http/mcp/mcp.feature.ts';
import { platform } from './platform.feature.ts';

/**
 * The features of the service; nothing else names all of them. The order counts twice: features react to
 * an announcement in this order, and expired rows are removed in it, from the tables that grow fast first.
 */
export const FEATURES: readonly Feature[] = [
  platform,
  // Polling acts on a status before webhooks do ("A recorded event" in README.md draws it).
  polling,
  webhooks,
  carriers,
  tracking,
  spend,
  oldShipments,
  access,
  addresses,
  audit,
  companies,
  orders,
  promise,
  quotes,
  savedQuotes,
  tariffs,
  warehouses,
  mcp,
];
