import { type QuoteSources, quoteShipment, readQuote } from '../domain/quotes/quote.service.ts';
import { listWarehouses } from '../domain/warehouses/warehouses.service.ts';
import type { Database } from '../platform/database/database.ts';
import { Tenant } from '../platform/database/tenancy/tenancy.ts';
import { DEMO_COMPANY_ID } from './demo-company.ts';

/** The shipment of the example in the contract: from the first warehouse to Palermo. */
const SHIPMENT = {
  destination: { postalCode: '90139', city: 'Palermo', province: 'PA' },
  parcels: [{ weight: 4, length: 40, width: 30, height: 30 }],
  codAmount: 100,
  insuranceAmount: 200,
};

/** Quotes a shipment of the demo company, for the home page of the documentation. It fails without a demo company. */
export async function liveQuote(database: Database, sources: QuoteSources) {
  const tenant = new Tenant(DEMO_COMPANY_ID, database);
  const [warehouse] = await listWarehouses(tenant);
  const { items } = await quoteShipment(
    tenant,
    sources,
    readQuote({ ...SHIPMENT, warehouseId: warehouse?.id }, undefined),
  );
  return items;
}
