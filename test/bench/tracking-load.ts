import { OPERATIONS } from '../../src/http/rest/operations.ts';
import type { Database } from '../../src/platform/database/database.ts';
import type { LoadRequest } from './load.ts';
import { type TrackedCompany, trackedCompany } from './seed.ts';

export const COMPANIES = 20;
/** Of each. */
export const SHIPMENTS = 5_000;
const REST = '/api/v1/integrations/shipments/tracking/by-tracking-number/';

/** 100,000 shipments with their events, of 20 companies. */
export async function seedTracking(database: Database): Promise<TrackedCompany[]> {
  const companies: TrackedCompany[] = [];
  for (let i = 0; i < COMPANIES; i++) companies.push(await trackedCompany(database, `Company ${i}`, SHIPMENTS));
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
