import { OPERATIONS } from '../../src/http/rest/operations.ts';
import type { Database } from '../../src/platform/database/database.ts';
import type { LoadRequest } from './load.ts';
import { type TrackedCompany, trackedCompany } from './seed.ts';

export const COMPANIES = 20;
/** Shipments of each company. */
export const SHIPMENTS = 5_000;
const REST = '/api/v1/integrations/shipments/tracking/by-tracking-number/';

/** 100,000 shipments with their events, of 20 companies. */
export async function seedTracking(database: Database): Promise<TrackedCompany[]> {
  const companies: TrackedCompany[] = [];
  for (let i = 0; i < COMPANIES; i++) companies.push(await trackedCompany(database, `Company ${i}`, SHIPMENTS));
  await database.pool.query('analyze');
  return companies;
}

/** One of a company's shipments. */
export interface Sample {
  readonly company: TrackedCompany;
  /** Its number among those that the company grew by, from 1. */
  readonly n: number;
  readonly number: string;
}

export function sample(company: TrackedCompany, n: number): Sample {
  return { company, n, number: `BULK${String(n).padStart(9, '0')}` };
}

/** 2,000 of them, spread over companies and shipments. */
export function samples(companies: readonly TrackedCompany[]): Sample[] {
  return Array.from({ length: 2_000 }, (_, i) =>
    sample(companies[i % companies.length] as TrackedCompany, ((i * 7919) % SHIPMENTS) + 1),
  );
}

export function restRequest({ company, number }: Sample): LoadRequest {
  return { method: 'GET', path: REST + number, headers: { 'x-api-key': company.apiKey } };
}

export function graphqlRequest({ apiKey }: TrackedCompany, query: string, variables: object): LoadRequest {
  return {
    method: 'POST',
    path: '/graphql',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  };
}

export function restRequests(companies: readonly TrackedCompany[]): LoadRequest[] {
  return samples(companies).map(restRequest);
}

export function graphqlRequests(companies: readonly TrackedCompany[]): LoadRequest[] {
  return samples(companies).map(({ company, number }) =>
    graphqlRequest(company, OPERATIONS.trackByNumber, { trackingNumber: number }),
  );
}
