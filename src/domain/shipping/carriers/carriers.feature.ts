import type { Feature } from '../../../feature.ts';
import * as calls from './calls/carrier-calls.entity.ts';
import { connectionChanged, credentialsChanged } from './carriers.announcements.ts';
import * as connections from './carriers.entity.ts';
import { CARRIER_CALL_RETENTION } from './carriers.jobs.ts';
import { CREDENTIALS } from './carriers.service.ts';
import { measureCredentials } from './credentials.service.ts';

/** Connections with carriers, and the calls to them. */
export const carriers: Feature = {
  entities: [calls, connections],
  graph: () => Promise.all([import('./carriers.graphql.ts'), import('./calls/carrier-calls.graphql.ts')]),
  retention: [CARRIER_CALL_RETENTION],
  measures: [measureCredentials],
  secrets: [CREDENTIALS],
  announces: [connectionChanged, credentialsChanged],
};
