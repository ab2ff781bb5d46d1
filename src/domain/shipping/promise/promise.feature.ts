import type { Feature } from '../../../feature.ts';
import * as entities from './promise.entity.ts';
import { PROMISE_SCHEDULES, promiseJob } from './promise.jobs.ts';

/** Estimated arrivals by the company's own deliveries, and how they and the carriers' dates were kept. */
export const promise: Feature = {
  entities: [entities],
  graph: () => Promise.all([import('./promise.graphql.ts'), import('./scorecard/scorecard.graphql.ts')]),
  jobs: [promiseJob],
  schedules: PROMISE_SCHEDULES,
};
