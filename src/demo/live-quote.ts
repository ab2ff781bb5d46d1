import { type QuoteSources, quoteShipment, readQuote } from '../domain/pricing/quotes/quote.service.ts';
import { listWarehouses } from '../domain/shipping/warehouses/warehouses.service.ts';
import { sampled } from '../platform/caches/sampled.ts';
import type { Database } from '../platform/database/database.ts';
import { Tenant } from '../platform/database/tenancy/tenancy.ts';
import { DEMO_COMPANY_ID } from './demo-company.ts';

/** The shipment of the example in the contract: from the first warehouse to Palermo. */
const SHIPMENT = {
  destination: { postalCode: '90139', city: 'Palermo', province: 'PA' },
  parcels: [{ weight: 4, length: 40, width: 30, height: 30 }],
};
const VALUES = { codAmount: 100, insuranceAmount: 200 };

/** How often the shipment is priced again. */
const EVERY_MS = 60_000;

/** Quotes of a shipment of the demo company, for the home page of the documentation; undefined without a demo company. */
export function liveQuotes(database: Database, sources: QuoteSources) {
  return sampled(() => quote(database, sources), EVERY_MS);
}

async function quote(database: Database, sources: QuoteSources) {
  const tenant = new Tenant(DEMO_COMPANY_ID, database);
  const [warehouse] = await listWarehouses(tenant);
  const shipment = { parcels: { ...SHIPMENT, warehouseId: warehouse?.id } };
  const { items } = await quoteShipment(tenant, sources, readQuote({ shipment, ...VALUES }, undefined));
  return items;
}
