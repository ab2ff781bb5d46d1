import type { Feature } from '../../../feature.ts';
import * as changes from './changes/changes.entity.ts';
import * as estimates from './estimates/estimates.entity.ts';
import * as events from './events.entity.ts';
import * as newCodes from './new-codes/new-codes.entity.ts';
import * as shipments from './shipments.entity.ts';
import { shipmentsCreated, shipmentsDelayed, statusesChanged } from './tracking.announcements.ts';
import { CHANGE_RETENTION, NEW_CODE_RETENTION, TRACKING_SCHEDULES } from './tracking.jobs.ts';

/** Shipments, their events and their change log. */
export const tracking: Feature = {
  entities: [changes, estimates, events, newCodes, shipments],
  graph: () =>
    Promise.all([
      import('./tracking.graphql.ts'),
      import('./shipment-lookups.graphql.ts'),
      import('./lists/shipment-list.graphql.ts'),
      import('./changes/changes.graphql.ts'),
      import('./changes/live-changes.graphql.ts'),
      import('./changes/shipment-delayed.graphql.ts'),
    ]),
  schedules: TRACKING_SCHEDULES,
  retention: [CHANGE_RETENTION, NEW_CODE_RETENTION],
  announces: [shipmentsCreated, statusesChanged, shipmentsDelayed],
};
