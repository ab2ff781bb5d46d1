import type { Feature } from '../../../feature.ts';
import * as entities from './audit.entity.ts';

/** The audit trail. */
export const audit: Feature = {
  entities: [entities],
  graph: () => import('./audit.graphql.ts'),
};
