import type { Feature } from '../../../feature.ts';
import * as entities from './warehouses.entity.ts';

/** Warehouses, from which shipments leave. */
export const warehouses: Feature = {
  entities: [entities],
  graph: () => import('./warehouses.graphql.ts'),
};
