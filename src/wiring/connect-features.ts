import { selectedData, selectionIssues, shipmentRecords } from '../domain/exchange/webhooks/events/event.port.ts';
import { FEATURES } from '../features.ts';

/**
 * Registers how features act on what the others announce, in the order of the features, and provides the ports through
 * which webhooks use the graph. The service and the command line call it before they change anything; another call has
 * no effect.
 */
export function connectFeatures(): void {
  for (const announcement of FEATURES.flatMap(({ announces = [] }) => announces)) announcement.open();
  for (const register of FEATURES.flatMap(({ reactions = [] }) => reactions)) register();
  // Loaded with the first event, because most commands have none and the graph takes a while to load.
  shipmentRecords.provide(async (shipments, publicUrl, promises) => {
    const { trackingRecords } = await import('../http/rest/tracking-records.ts');
    return trackingRecords(shipments, publicUrl, promises);
  });
  const selections = () => import('../graphql/selections.ts');
  selectionIssues.provide(async (...args) => (await selections()).issuesOfSelection(...args));
  selectedData.provide(async (...args) => (await selections()).showSelected(...args));
}
