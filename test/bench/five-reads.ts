import { BASE_PATH } from '../../src/http/rest/endpoints.ts';
import type { OperationName } from '../../src/http/rest/operations.ts';
import type { LoadRequest } from './load.ts';
import type { TrackedCompany } from './seed.ts';
import { samples } from './tracking-load.ts';

/** Reads of the REST contract that SOFA can make of the graph as they are. */
export const READS: readonly OperationName[] = [
  'trackByNumber',
  'trackByOrderNumber',
  'listWarehouses',
  'getWarehouse',
  'listCarriers',
];

/** The five by turns, of companies by turns. */
export function fiveReads(companies: readonly TrackedCompany[]): LoadRequest[] {
  return samples(companies).map(({ company, n, number }, i) => {
    const paths = [
      `/shipments/tracking/by-tracking-number/${number}`,
      `/shipments/tracking/by-order-number/B-${n}`,
      '/warehouses',
      `/warehouses/${company.warehouseId}`,
      '/carriers',
    ];
    const path = `${BASE_PATH}${paths[i % paths.length]}`;
    return { method: 'GET', path, headers: { 'x-api-key': company.apiKey } };
  });
}
