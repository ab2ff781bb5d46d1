import type { Feature } from '../../feature.ts';
import * as entities from './audit.entity.ts';

/** Who did what. */
export const audit: Feature = {
  entities: [entities],
  graph: () => import('./audit.graphql.ts'),
};
