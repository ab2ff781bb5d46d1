import { access } from './domain/access/access.feature.ts';
import { addresses } from './domain/addresses/addresses.feature.ts';
import { audit } from './domain/audit/audit.feature.ts';
import { carriers } from './domain/carriers/carriers.feature.ts';
import { companies } from './domain/companies/companies.feature.ts';
import { oldShipments } from './domain/old-shipments/old-shipments.feature.ts';
import { orders } from './domain/orders/orders.feature.ts';
import { polling } from './domain/polling/polling.feature.ts';
import { promise } from './domain/promise/promise.feature.ts';
import { quotes } from './domain/quotes/quotes.feature.ts';
import { savedQuotes } from './domain/saved-quotes/saved-quotes.feature.ts';
import { spend } from './domain/spend/spend.feature.ts';
import { tariffs } from './domain/tariffs/tariffs.feature.ts';
import { tracking } from './domain/tracking/tracking.feature.ts';
import { warehouses } from './domain/warehouses/warehouses.feature.ts';
import { webhooks } from './domain/webhooks/webhooks.feature.ts';
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
