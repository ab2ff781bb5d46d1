import type { Feature } from '../../../feature.ts';
import * as entities from './access.entity.ts';
import { keyUsed } from './access.jobs.ts';

/** Companies, their sandboxes and their keys. */
export const access: Feature = {
  entities: [entities],
  graph: () => Promise.all([import('./access.graphql.ts'), import('./keys.graphql.ts')]),
  jobs: [keyUsed],
};
