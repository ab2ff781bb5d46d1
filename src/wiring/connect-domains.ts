import { connectionChanged, credentialsChanged } from '../domain/carriers/carriers.announcements.ts';
import { pollChangedConnection, pollChangedShipments, pollNewShipments } from '../domain/polling/poll-rows.service.ts';
import { shipmentsCreated, shipmentsDelayed, statusesChanged } from '../domain/tracking/tracking.announcements.ts';
import { notifyOfChanges, notifyOfDelays } from '../domain/webhooks/events/fan-out.service.ts';
import { selectedData, selectionIssues } from '../domain/webhooks/events/selections.port.ts';
import { shipmentRecords } from '../domain/webhooks/events/shipment-records.port.ts';
import { noticeOfCredentials } from '../domain/webhooks/notices/credentials-notices.service.ts';

/**
 * Connects domains: which ones react to the announcements of others, and who provides the ports. The service and the
 * command line call it before they change anything; another call has no effect. Handlers run in this order.
 */
export function connectDomains(): void {
  connectionChanged.handleWith(pollChangedConnection);
  credentialsChanged.handleWith(noticeOfCredentials);
  shipmentsCreated.handleWith(pollNewShipments);
  statusesChanged.handleWith(pollChangedShipments, notifyOfChanges);
  shipmentsDelayed.handleWith(notifyOfDelays);
  // Loaded with the first event, because most commands have none and the graph takes a while to load.
  shipmentRecords.provide(async (shipments, publicUrl, promises) => {
    const { trackingRecords } = await import('../http/rest/tracking-records.ts');
    return trackingRecords(shipments, publicUrl, promises);
  });
  const selections = () => import('../graphql/selections.ts');
  selectionIssues.provide(async (...args) => (await selections()).issuesOfSelection(...args));
  selectedData.provide(async (...args) => (await selections()).showSelected(...args));
}
