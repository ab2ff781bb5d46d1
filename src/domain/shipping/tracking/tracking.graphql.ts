import { builder } from '../../../graphql/builder.ts';
import { batchCost } from '../../../graphql/costs.ts';
import { enumType } from '../../../graphql/enum-type.ts';
import { connectionOf, END_ARGS, endPage, LIST_ARGS, listCost, listPage } from '../../../graphql/lists.ts';
import { mutation } from '../../../graphql/mutation.ts';
import { bigintKey } from '../../../graphql/node-id.ts';
import { nodeType, numberedNode } from '../../../graphql/nodes.ts';
import { RECORDED, UPSERTED } from '../../common/batch.graphql.ts';
import { MAX_BATCH, within } from '../../common/batch.rules.ts';
import { MetadataEntryRef, metadataEntries } from '../../common/metadata.graphql.ts';
import { trackingKey } from '../../common/number.rules.ts';
import { RecipientRef } from '../../common/places/recipient.graphql.ts';
import { carrierOf, trackingPageOf } from '../carriers/carriers.catalog.ts';
import { CarrierConnectionRef, CarrierRef, carrierConnectionOf } from '../carriers/carriers.graphql.ts';
import { orderHead } from '../orders/order-head.rules.ts';
import { OrderRef, orderOf } from '../orders/orders.graphql.ts';
import { WarehouseRef, warehouseOf } from '../warehouses/warehouses.graphql.ts';
import { type EstimateRow, estimatesOf } from './estimates/estimates.repository.ts';
import { expectedDateOf, MAX_ESTIMATES, wasLate } from './estimates/estimates.rules.ts';
import { trackingEventInput } from './events.input.ts';
import { isOpenStatus } from './events.rules.ts';
import { recordTrackingEvents } from './events.service.ts';
import type { ShownShipment } from './lists/shipment-list.service.ts';
import { dateOf } from './promised.rules.ts';
import {
  type EventRow,
  eventById,
  type RelatedRow,
  relatedShipment,
  relatedShipments,
  shipmentMetadata,
  timelineEnd,
} from './shipment-parts.repository.ts';
import { shipmentInput } from './shipments.input.ts';
import { upsertShipments } from './shipments.service.ts';
import { STATUS_LABELS } from './status.rules.ts';
import { type ShipmentRow, shipmentById } from './tracking.repository.ts';

export const StatusCodeRef = enumType(
  'TrackingStatusCode',
  'Canonical states of a shipment. More can be added. None is renamed or removed.',
  STATUS_LABELS,
);

export const RelationTypeRef = enumType('RelatedShipmentType', 'Relation of a shipment to the one that is shown.', {
  parent: 'The shipment it came from.',
  forward: 'The shipment that forwards it.',
  return: 'The shipment that returns it.',
  child: 'A shipment that came from it.',
});

export const TrackingEventRef = builder.objectRef<EventRow>('TrackingEvent').implement({
  description: 'One entry of a timeline.',
  fields: t => ({
    occurredAt: t.expose('occurredAt', {
      type: 'DateTime',
      description: 'When it happened, according to the carrier.',
    }),
    statusCode: t.expose('statusCode', { type: StatusCodeRef, description: 'Canonical state.' }),
    statusLabel: t.value('String', 'Italian label of the state.', ({ statusCode }) => STATUS_LABELS[statusCode]),
    carrierStatusCode: t.exposeString('carrierStatusCode', { nullable: true, description: "The carrier's own code." }),
    description: t.exposeString('description', { nullable: true, description: "The carrier's own text." }),
    location: t.exposeString('location', { nullable: true, description: 'Where it happened.' }),
    note: t.exposeString('note', { nullable: true, description: 'Free remark.' }),
    ...t.nullableColumns('String', { label: 'The secondary label that it happened to. Null for the whole shipment.' }),
  }),
});

export const RelatedShipmentRef = builder.objectRef<RelatedRow>('RelatedShipment').implement({
  description: 'A shipment that belongs to another: its parent, a forward, a return, or a child.',
  fields: t => ({
    databaseId: t.exposeInt('id', {
      description: 'Number of the related shipment.',
      extensions: { openapi: { description: 'Shipment identifier.' } },
    }),
    type: t.expose('type', { type: RelationTypeRef, description: 'Its relation to the shipment that is shown.' }),
    trackingNumber: t.exposeString('trackingNumber', { description: 'Its main tracking number.' }),
    carrier: t.value(CarrierRef, 'Its carrier.', ({ carrierCode }) => carrierOf(carrierCode)),
    carrierName: t.value('String', "Its carrier's commercial name.", ({ carrierCode }) => carrierOf(carrierCode).name),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
  }),
});

numberedNode(TrackingEventRef, 'shipments:tracking', eventById, bigintKey);

/** The ids of the shown shipment and of the related one. */
const RELATION = /^(\d{1,10})\.(\d{1,10})$/;

nodeType(RelatedShipmentRef, {
  scope: 'shipments:tracking',
  keyOf: ({ id, shipmentId }) => `${shipmentId}.${id}`,
  readKey: key => (RELATION.test(key) ? key.split('.').map(Number) : undefined),
  find: ([shipmentId = 0, id = 0], { tenant }) => relatedShipment(tenant, shipmentId, id),
});

const TimelineConnection = connectionOf(TrackingEventRef, { isCounted: false });
const RelatedConnection = connectionOf(RelatedShipmentRef, { isCounted: false });
const RELATED = { keyOf: ({ id }: RelatedRow) => id };

const CarrierEstimateRef = builder.objectRef<EstimateRow>('CarrierEstimate').implement({
  description: "A carrier's estimate of a delivery.",
  fields: t => ({
    expectedAt: t.expose('date', {
      type: 'DateTime',
      description:
        'The time by which it is to be delivered. If the carrier names a day only, the end of that day in Italy.',
    }),
    receivedAt: t.expose('toldAt', { type: 'DateTime', description: 'When the service received it.' }),
  }),
});

/** Uses the carrier's form of the number, however it is written. */
function trackingPage({ trackingUrl, carrierCode, trackingNumber }: ShipmentRow): string | null {
  return trackingUrl ?? trackingPageOf(carrierOf(carrierCode), trackingKey(trackingNumber));
}

export const ShipmentRef = builder.objectRef<ShipmentRow | ShownShipment>('Shipment').implement({
  description: 'A shipment and its tracking.',
  fields: t => ({
    databaseId: t.exposeInt('id', { description: 'Number of the shipment.' }),
    trackingNumber: t.exposeString('trackingNumber', { description: 'Main tracking number.' }),
    statusLabel: t.string({
      description: 'Italian label of the current state.',
      resolve: ({ statusCode }) => STATUS_LABELS[statusCode],
    }),
    ...t.columns(StatusCodeRef, {
      statusCode:
        'Current state. It follows from all events in the order of their own time, in whatever order they arrived. After a final state, only another final state or an event that reopens the shipment changes it. With several parcels, a final state counts once each parcel has one. `unknown` only if no event has another state.',
    }),
    ...t.nullableColumns('DateTime', {
      statusAt: 'Time of the last event that set or confirmed the current state.',
      shippedAt: "When it was shipped: the platform's date, otherwise the time of the first `shipped` event.",
      deliveredAt: 'When it was delivered.',
    }),
    expectedDeliveryAt: t.nullable(
      'DateTime',
      "When it is expected: the carrier's latest estimate, otherwise the platform's date, otherwise the service's own estimate from the company's deliveries (`deliveryEstimate`), which is made when you read it and never past.",
      (shipment, _args, { promises }) => expectedDateOf(shipment) ?? dateOf(promises.promiseOf(shipment)),
    ),
    isLate: t.boolean({
      description:
        'Whether it is open and past the date on which the carrier or the platform expects it, as in the filter `isLate`.',
      resolve: shipment => {
        const expected = expectedDateOf(shipment);
        return expected !== null && expected < Date.now() && isOpenStatus(shipment.statusCode);
      },
    }),
    wasLate: t.nullable(
      'Boolean',
      'Whether it was delivered after the date on which the carrier, otherwise the platform, expected it, as in the filter `wasLate`. Null if it is not delivered, or if there was no such date.',
      wasLate,
    ),
    carrierEstimates: t.field({
      type: [CarrierEstimateRef],
      description: `The carrier's estimates of the delivery, newest first. At most the newest ${MAX_ESTIMATES}.`,
      complexity: { multiplier: MAX_ESTIMATES },
      resolve: ({ id }, _args, { tenant }) => estimatesOf(tenant, id),
    }),
    parcelCount: t.exposeInt('parcelCount', { description: 'Number of parcels.' }),
    ...t.nullableColumns('Decimal', { weight: 'Kilograms.', volume: 'Cubic centimetres.' }),
    trackingUrl: t.nullable(
      'URL',
      "The public tracking page: the platform's, otherwise the carrier's page for the number.",
      trackingPage,
    ),
    ...t.nullableColumns('String', {
      reference: "The sender's reference.",
      parcelId: "The carrier's identifier of the parcel.",
      orderNumber: "The platform's internal order number.",
      marketplaceOrderNumber: 'Order number on the marketplace.',
    }),
    order: t.nullable(OrderRef, 'The order of the shipment.', (shipment, _args, context) =>
      'orderMarketplace' in shipment ? orderHead(shipment) : orderOf(context, shipment.orderId),
    ),
    warehouse: t.field({
      type: WarehouseRef,
      nullable: true,
      description: 'The warehouse that it left.',
      authScopes: { scope: 'warehouses:read' },
      resolve: (shipment, _args, context) =>
        'warehouse' in shipment ? (shipment.warehouse ?? null) : warehouseOf(context, shipment.warehouseId),
    }),
    carrierConnection: t.field({
      type: CarrierConnectionRef,
      nullable: true,
      description: "The company's account that it was shipped with.",
      authScopes: { scope: 'carriers:read' },
      resolve: ({ carrierConnectionId }, _args, context) => carrierConnectionOf(context, carrierConnectionId),
    }),
    carrier: t.value(CarrierRef, 'The carrier.', ({ carrierCode }) => carrierOf(carrierCode)),
    recipient: t.field({
      type: RecipientRef,
      description: 'The recipient. If the shipment has none of its own, the recipient of the order.',
      resolve: ({ recipient }) => recipient,
    }),
    timeline: t.field({
      type: TimelineConnection,
      description:
        'The tracking events, from oldest to newest. Events with equal times are in the order of their arrival.',
      args: END_ARGS,
      complexity: listCost,
      resolve: ({ id, timeline }, args, { tenant }) => endPage(args, end => timelineEnd(tenant, id, end), timeline),
    }),
    relatedShipments: t.field({
      type: RelatedConnection,
      description: 'Parent, forwarded, returned and child shipments, by ascending id.',
      args: LIST_ARGS,
      complexity: listCost,
      resolve: ({ id, relatedShipments: related }, args, { tenant }) =>
        listPage(args, bigintKey, RELATED, page => relatedShipments(tenant, id, page), related),
    }),
    metadata: t.field({
      type: [MetadataEntryRef],
      description: "The platform's own values, sorted by its own keys. The order has its own.",
      resolve: ({ id, metadata }, _args, { tenant }) =>
        metadata ? metadataEntries(metadata) : shipmentMetadata(tenant, id).then(metadataEntries),
    }),
    ...t.columns('DateTime', { createdAt: 'Creation time.', updatedAt: 'Last update time.' }),
  }),
});

numberedNode(ShipmentRef, 'shipments:tracking', shipmentById);

mutation('upsertShipments', {
  description: `Creates or updates shipments by \`carrierConnectionId\` and \`trackingNumber\`, at most ${MAX_BATCH}, in one transaction. If you send the same batch again, nothing changes and each item is \`UNCHANGED\`.`,
  scope: 'shipments:write',
  items: { name: 'shipments', schema: shipmentInput, description: `The shipments, at most ${MAX_BATCH}.` },
  payload: UPSERTED,
  work: ({ shipments }) => batchCost(shipments),
  resolve: async ({ shipments }, { tenant }) => within('shipments', await upsertShipments(tenant, shipments)),
});

mutation('recordTrackingEvents', {
  description: `Records tracking events, at most ${MAX_BATCH}, in one transaction. The new events move each shipment through their states in the order of their own times, and each step sends its webhook event. An event that is older than the current state, or whose state is \`UNKNOWN\`, is added to the timeline and does not change the state. An event that is sent twice is stored once. An event that breaks a rule is rejected without the others: its time cannot be read (\`INVALID_DATE_TIME\`) or is more than 24 hours ahead of the clock (\`IN_THE_FUTURE\`), or its shipment has as many events as it may have (\`TOO_MANY_EVENTS\`). A batch is rejected as a whole if a value has the wrong JSON type or is not in its enum, a required field is missing, or a field is unknown.`,
  scope: 'tracking:write',
  items: { name: 'events', schema: trackingEventInput, description: `The events, at most ${MAX_BATCH}.` },
  payload: RECORDED,
  work: ({ events }) => batchCost(events),
  resolve: async ({ events }, { tenant, jobs, publicUrl, promiseBook: promises, caps, log, metrics, requestId }) => {
    const announcer = { jobs, publicUrl, promises, log, metrics };
    return within('events', await recordTrackingEvents(tenant, events, announcer, caps, log.child({ requestId })));
  },
});
