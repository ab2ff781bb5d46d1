import { builder } from '../../../../graphql/builder.ts';
import { ShipmentRef, StatusCodeRef, TrackingEventRef } from '../../../shipping/tracking/tracking.graphql.ts';
import { EventTypeRef } from '../endpoints/endpoints.graphql.ts';
import type { SelectedEvent } from './event.port.ts';

// No field of the graph returns it: endpoints select the content of their payloads from it.
builder.objectRef<SelectedEvent>('WebhookEvent').implement({
  description:
    'An event of a shipment, as the `selection` of a webhook endpoint sees it. The shipment is as it is when the event is first sent. Fields that need another scope than `shipments:tracking` cannot be selected.',
  fields: t => ({
    eventId: t.expose('id', { type: 'UUID', description: 'The event, as receivers see it in `webhook-id`.' }),
    type: t.expose('type', { type: EventTypeRef, description: 'What happened.' }),
    recordedAt: t.expose('at', { type: 'DateTime', description: 'When the service recorded it.' }),
    sequence: t.exposeInt('sequence', { description: 'Counts the events of the shipment from 1. 0 in a test.' }),
    number: t.exposeInt('change', {
      nullable: true,
      description: "Its number in the company's change log. Null in a test, and for a delay that no carrier reported.",
    }),
    statusCode: t.expose('statusCode', { type: StatusCodeRef, description: 'The state that it left the shipment in.' }),
    previousStatusCode: t.expose('previousStatusCode', { type: StatusCodeRef, description: 'The state before.' }),
    ...t.nullableColumns(TrackingEventRef, {
      event: 'The entry of the timeline that changed the state. If none did, the newest one.',
    }),
    ...t.columns(ShipmentRef, { shipment: 'The shipment as it is when the event is first sent.' }),
  }),
});
