import { builder } from '../../graphql/builder.ts';
import { batchCost } from '../../graphql/costs.ts';
import { inputType } from '../../graphql/input-type.ts';
import { eachByItself, listCost, PAGE_ARGS, PART_ARGS, pageById, pageCost, partByNumber } from '../../graphql/lists.ts';
import { mutation } from '../../graphql/mutation.ts';
import { numberNamed } from '../../graphql/node-id.ts';
import { requireAtMost } from '../../graphql/nodes.ts';
import { RECORDED, UPSERTED } from '../batch.graphql.ts';
import { MAX_BATCH, within } from '../batch.rules.ts';
import { trackingEventInput } from './events.input.ts';
import { recordTrackingEvents } from './events.service.ts';
import { shipmentFilter, shipmentInput } from './shipments.input.ts';
import { upsertShipments } from './shipments.service.ts';
import { ShipmentConnectionRef, ShipmentRef } from './tracking.graphql.ts';
import { countShipments, shipment, shipmentsPage, trackByNumber, trackByOrderNumber } from './tracking.service.ts';

/** How shipments are found, and how the platform feeds them and their events. */

const MAX_NUMBERS = 100;

builder.queryField('shipment', t =>
  t.field({
    type: ShipmentRef,
    nullable: true,
    description: 'One shipment; `shipment_not_found` for an id the company does not have.',
    authScopes: { scope: 'shipments:tracking' },
    args: { id: t.arg.id({ required: true, description: 'Global id of the shipment, or its `databaseId`.' }) },
    resolve: (_root, { id }, { tenant }) => shipment(tenant, numberNamed('Shipment', id)),
  }),
);

builder.queryField('trackingByNumber', t =>
  t.field({
    type: ShipmentRef,
    nullable: true,
    description:
      "The shipment a number means: its main number, a secondary label, parcelId, reference, or the order's identifiers on the marketplace, in this order; `shipment_not_found` where there is none.",
    authScopes: { scope: 'shipments:tracking' },
    args: {
      trackingNumber: t.arg.string({
        required: true,
        description: 'Spaces, dots, case and a leading MUL do not matter.',
      }),
    },
    resolve: async (_root, { trackingNumber }, context) => {
      const shipment = await trackByNumber(context.tenant, trackingNumber);
      context.lastModified = shipment.asOf;
      return shipment;
    },
  }),
);

builder.queryField('trackingByNumbers', t =>
  t.field({
    type: [ShipmentRef],
    nullable: { list: false, items: true },
    description: `The shipments some numbers mean, as \`trackingByNumber\`, at most ${MAX_NUMBERS}, in their order; null for a number that means none, with \`shipment_not_found\` beside.`,
    authScopes: { scope: 'shipments:tracking' },
    args: {
      numbers: t.arg.stringList({
        required: true,
        description: 'Spaces, dots, case and a leading MUL do not matter.',
      }),
    },
    complexity: ({ numbers }) => ({ multiplier: numbers.length }),
    resolve: (_root, { numbers }, { tenant }) => {
      requireAtMost(MAX_NUMBERS, 'numbers', numbers);
      return eachByItself(numbers, number => trackByNumber(tenant, number));
    },
  }),
);

builder.queryField('trackingByOrderNumber', t =>
  t.field({
    type: [ShipmentRef],
    nullable: true,
    description:
      'The shipments of every order with exactly this order number on the marketplace, oldest first; `order_not_found` or `shipment_not_found` where there is none, which say so where the number is an internal one.',
    authScopes: { scope: 'shipments:tracking' },
    args: {
      orderNumber: t.arg.string({ required: true, description: 'Order number on the marketplace, to the letter.' }),
      ...PART_ARGS,
    },
    complexity: listCost,
    resolve: (_root, { orderNumber, ...args }, { tenant }) =>
      trackByOrderNumber(tenant, orderNumber, partByNumber('Shipment', args)),
  }),
);

builder.queryField('shipments', t =>
  t.field({
    type: ShipmentConnectionRef,
    description: "The company's shipments, newest first, 50 a page unless `first` (at most 250) says otherwise.",
    authScopes: { scope: 'shipments:tracking' },
    args: { ...PAGE_ARGS, filter: t.arg({ type: inputType(shipmentFilter), description: 'Which shipments.' }) },
    complexity: pageCost,
    resolve: (_root, args, { tenant }) => {
      const filter = args.filter ?? {};
      const count = () => countShipments(tenant, filter);
      return pageById(args, count, page => shipmentsPage(tenant, filter, page));
    },
  }),
);

mutation('upsertShipments', {
  description: `Creates shipments or brings them up to date, by \`carrierCompanyId\` and \`trackingNumber\`; at most ${MAX_BATCH}, in one transaction. Sending the same again changes nothing and says so.`,
  scope: 'shipments:write',
  items: { name: 'shipments', schema: shipmentInput, description: `The shipments, at most ${MAX_BATCH}.` },
  payload: UPSERTED,
  work: ({ shipments }) => batchCost(shipments),
  resolve: async ({ shipments }, { tenant }) => within('shipments', await upsertShipments(tenant, shipments)),
});

mutation('recordTrackingEvents', {
  description: `Records tracking events, at most ${MAX_BATCH}, in one transaction, and moves each shipment through the states of the new ones in the order of their own time: each step fires its webhook event. One that is older than the current state, or \`unknown\`, enters the timeline and moves nothing. The same event sent twice is stored once. An event that breaks a rule is rejected and stops no other: its time cannot be read (\`invalid_date_time\`) or is more than 24 hours ahead of the clock (\`in_the_future\`), its state is not in the list (\`not_allowed\`), or its shipment has as many events as it may have (\`too_many_events\`). A batch in which a value has the wrong JSON type, a required field is missing or a field is unknown is rejected as a whole.`,
  scope: 'tracking:write',
  items: { name: 'events', schema: trackingEventInput, description: `The events, at most ${MAX_BATCH}.` },
  payload: RECORDED,
  work: ({ events }) => batchCost(events),
  resolve: async ({ events }, { tenant, jobs, publicUrl, promiseBook: promises, caps, log, requestId }) => {
    const announcer = { jobs, publicUrl, promises };
    return within('events', await recordTrackingEvents(tenant, events, announcer, caps, log.child({ requestId })));
  },
});
