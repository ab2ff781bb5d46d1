import { connectionChanged } from './domain/carriers/carriers.announcements.ts';
import { pollChangedConnection, pollChangedShipments, pollNewShipments } from './domain/polling/poll-rows.service.ts';
import { shipmentsCreated, statusesChanged } from './domain/tracking/tracking.announcements.ts';
import { notifyOfChanges } from './domain/webhooks/events/fan-out.service.ts';

/**
 * Says which domains react to what others announce. The service and the command line call it before they change anything;
 * calling it again has no effect. Handlers run in the order given here.
 */
export function connectDomains(): void {
  connectionChanged.handleWith(pollChangedConnection);
  shipmentsCreated.handleWith(pollNewShipments);
  statusesChanged.handleWith(pollChangedShipments, notifyOfChanges);
}
