import type { Feature } from '../../../feature.ts';

/** Checks of addresses by carriers. */
export const addresses: Feature = {
  graph: () => import('./addresses.graphql.ts'),
};
