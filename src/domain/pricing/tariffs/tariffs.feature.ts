import type { Feature } from '../../../feature.ts';
import * as references from './references/references.entity.ts';
import * as revisions from './revisions/revisions.entity.ts';
import { TARIFF_SCHEDULES } from './revisions/revisions.jobs.ts';
import * as tariff from './tariff.entity.ts';
import { measureTariffs } from './tariff-metrics.service.ts';

/** Price lists of carriers, and their revisions. */
export const tariffs: Feature = {
  entities: [references, revisions, tariff],
  graph: () =>
    Promise.all([
      import('./tariff.graphql.ts'),
      import('./tariff-import.graphql.ts'),
      import('./references/references.graphql.ts'),
      import('./revisions/drafts.graphql.ts'),
      import('./revisions/revisions.graphql.ts'),
      import('./revisions/tariff-diff.graphql.ts'),
    ]),
  schedules: TARIFF_SCHEDULES,
  measures: [measureTariffs],
};
