import { growCompany } from '../../src/demo/growth.ts';
import { AccessAdministration } from '../../src/domain/access/access.service.ts';
import { createWarehouse } from '../../src/domain/warehouses/warehouses.service.ts';
import type { Database } from '../../src/platform/database.ts';
import { type CompanyId, Tenant } from '../../src/platform/tenancy.ts';
import { OPERATIONS } from '../../src/rest/operations.ts';
import type { LoadRequest } from './load.ts';
import { connectWithoutAccount } from './seed.ts';

export const COMPANIES = 20;
/** Of each. */
export const SHIPMENTS = 5_000;
const REST = '/api/v1/integrations/shipments/tracking/by-tracking-number/';

/** A company with its share of the shipments. */
export interface TrackedCompany {
  readonly companyId: CompanyId;
  readonly apiKey: string;
}

/** 100,000 shipments with their events, of 20 companies. */
export async function seedTracking(database: Database): Promise<TrackedCompany[]> {
  const administration = new AccessAdministration(database);
  const companies: TrackedCompany[] = [];
  for (let i = 0; i < COMPANIES; i++) {
    const { companyId } = await administration.createCompany(`Company ${i}`);
    const { apiKey } = await administration.createKey({ companyId, label: 'Bench', scopes: ['all'] });
    const tenant = new Tenant(companyId, database);
    const place = { address: 'Via Roma 1', postalCode: '20121', city: 'Milano', state: 'MI', country: 'IT' };
    await createWarehouse(tenant, { name: 'Magazzino', typeId: 1, ...place });
    for (const carrierCode of ['BRT', 'GLS', 'DHL']) await connectWithoutAccount(tenant, carrierCode);
    await growCompany(database, companyId, SHIPMENTS);
    companies.push({ companyId, apiKey });
  }
  await database.pool.query('analyze');
  return companies;
}

/** 2,000 numbers, spread over companies and shipments. */
function samples(companies: readonly TrackedCompany[]): { apiKey: string; number: string }[] {
  return Array.from({ length: 2_000 }, (_, i) => ({
    apiKey: companies[i % COMPANIES]?.apiKey ?? '',
    number: `BULK${String(((i * 7919) % SHIPMENTS) + 1).padStart(9, '0')}`,
  }));
}

export function restRequests(companies: readonly TrackedCompany[]): LoadRequest[] {
  return samples(companies).map(({ apiKey, number }) => ({
    method: 'GET',
    path: REST + number,
    headers: { 'x-api-key': apiKey },
  }));
}

export function graphqlRequests(companies: readonly TrackedCompany[]): LoadRequest[] {
  return samples(companies).map(({ apiKey, number }) => ({
    method: 'POST',
    path: '/graphql',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ query: OPERATIONS.trackByNumber, variables: { trackingNumber: number } }),
  }));
}
