import type { Feature } from '../../../feature.ts';
import { connectionChanged } from '../carriers/carriers.announcements.ts';
import { shipmentsCreated, statusesChanged } from '../tracking/tracking.announcements.ts';
import * as poll from './poll.entity.ts';
import { POLL_SCHEDULES } from './poll.jobs.ts';
import { polls } from './poll.queues.ts';
import { pollChangedConnection, pollChangedShipments, pollNewShipments } from './poll-rows.service.ts';

/** Asking carriers about open shipments. */
export const polling: Feature = {
  entities: [poll],
  graph: () => import('./polling.graphql.ts'),
  queues: [polls],
  schedules: POLL_SCHEDULES,
  reactions: [
    connectionChanged.handledBy(pollChangedConnection),
    shipmentsCreated.handledBy(pollNewShipments),
    statusesChanged.handledBy(pollChangedShipments),
  ],
};
