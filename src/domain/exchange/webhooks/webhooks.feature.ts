import type { Feature } from '../../../feature.ts';
import { credentialsChanged } from '../../shipping/carriers/carriers.announcements.ts';
import { shipmentsDelayed, statusesChanged } from '../../shipping/tracking/tracking.announcements.ts';
import * as deliveryEntities from './deliveries/deliveries.entity.ts';
import { measureEndpoints } from './endpoints/endpoint-metrics.service.ts';
import { notifyOfChanges, notifyOfDelays } from './events/fan-out.service.ts';
import * as events from './events/webhook-events.entity.ts';
import { noticeOfCredentials } from './notices/endpoint-notices.service.ts';
import { WEBHOOK_SECRETS } from './secrets/webhook-secrets.service.ts';
import * as endpoints from './webhooks.entity.ts';
import {
  clearEndpoint,
  drainEndpoint,
  forwardNotice,
  probeEndpoint,
  WEBHOOK_RETENTION_RULES,
  WEBHOOK_SCHEDULES,
} from './webhooks.jobs.ts';
import { deadDeliveries, deliveries } from './webhooks.queues.ts';

/** Events that are sent to subscribers, and notices about the service. */
export const webhooks: Feature = {
  entities: [deliveryEntities, events, endpoints],
  graph: () =>
    Promise.all([
      import('./endpoints/endpoints.graphql.ts'),
      import('./deliveries/deliveries.graphql.ts'),
      import('./events/webhook-event.graphql.ts'),
      import('./notices/notice-endpoints.graphql.ts'),
    ]),
  jobs: [probeEndpoint, clearEndpoint, drainEndpoint, forwardNotice],
  queues: [deadDeliveries, deliveries],
  schedules: WEBHOOK_SCHEDULES,
  retention: WEBHOOK_RETENTION_RULES,
  measures: [measureEndpoints],
  secrets: [WEBHOOK_SECRETS],
  reactions: [
    credentialsChanged.handledBy(noticeOfCredentials),
    statusesChanged.handledBy(notifyOfChanges),
    shipmentsDelayed.handledBy(notifyOfDelays),
  ],
};
