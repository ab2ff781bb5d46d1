import { builder } from '../../../graphql/builder.ts';
import { connectionOf, eachByItself, LIST_ARGS, listCost, listPage } from '../../../graphql/lists.ts';
import { bigintKey, numberSought } from '../../../graphql/node-id.ts';
import { requireAtMost } from '../../../graphql/nodes.ts';
import { idArg, lookUp, query } from '../../../graphql/query.ts';
import { OrderRef } from '../orders/orders.graphql.ts';
import { RelatedShipmentRef, ShipmentRef } from './tracking.graphql.ts';
import { countOfOrder, countOfOrderNumber, type ShipmentRow, shipmentsOfOrder } from './tracking.repository.ts';
import { shipment, trackByNumber, trackByOrderNumber } from './tracking.service.ts';

/** The queries for shipments: by id, by number, and by order. */

const MAX_NUMBERS = 100;

const BY_NUMBER =
  "The shipment with this number: its main number, a secondary label, parcelId, reference, or the order's identifiers on the marketplace, in this order.";
const BY_ORDER_NUMBER = 'The shipments of every order with exactly this order number on the marketplace, oldest first.';

export const ShipmentConnectionRef = connectionOf(ShipmentRef);
const shipmentKey = ({ id }: ShipmentRow) => id;

builder.objectField(RelatedShipmentRef, 'shipment', t =>
  t.field({
    type: ShipmentRef,
    description: 'The shipment itself, with its tracking.',
    resolve: ({ id }, _args, { tenant }) => shipment(tenant, id),
  }),
);

builder.objectField(OrderRef, 'shipments', t =>
  t.field({
    type: ShipmentConnectionRef,
    description: 'The shipments of the order, oldest first.',
    args: LIST_ARGS,
    complexity: listCost,
    resolve: ({ id }, args, { tenant }) => {
      const rows = { keyOf: shipmentKey, count: () => countOfOrder(tenant, id) };
      return listPage(args, bigintKey, rows, page => shipmentsOfOrder(tenant, id, page));
    },
  }),
);

query('shipment', {
  type: ShipmentRef,
  nullable: true,
  description: 'One shipment. Null if the company has none with this id.',
  authScopes: { scope: 'shipments:tracking' },
  args: idArg('Global id of the shipment, or its `databaseId`.'),
  resolve: (_root, { id }, context) => lookUp(context, () => shipment(context.tenant, numberSought('Shipment', id))),
});

query('trackingByNumber', {
  type: ShipmentRef,
  nullable: true,
  description: `${BY_NUMBER} Null if there is none.`,
  extensions: { openapi: { description: `${BY_NUMBER} \`shipment_not_found\` if there is none.` } },
  authScopes: { scope: 'shipments:tracking' },
  args: builder.args(t => ({
    trackingNumber: t.string({ required: true, description: 'Spaces, dots, case and a leading MUL do not matter.' }),
  })),
  resolve: async (_root, { trackingNumber }, context) => {
    const shipment = await lookUp(context, () => trackByNumber(context.tenant, trackingNumber));
    context.lastModified = shipment?.asOf;
    return shipment;
  },
});

query('trackingByNumbers', {
  type: [ShipmentRef],
  nullable: { list: false, items: true },
  description: `The shipments with these numbers, at most ${MAX_NUMBERS}, in the order of the numbers. Each is found as \`trackingByNumber\` finds it. The entry of a number that is not found is null.`,
  authScopes: { scope: 'shipments:tracking' },
  args: builder.args(t => ({
    numbers: t.stringList({ required: true, description: 'Spaces, dots, case and a leading MUL do not matter.' }),
  })),
  complexity: ({ numbers }) => ({ multiplier: numbers.length }),
  resolve: (_root, { numbers }, context) => {
    requireAtMost(MAX_NUMBERS, 'numbers', numbers);
    return eachByItself(numbers, number => lookUp(context, () => trackByNumber(context.tenant, number)));
  },
});

query('trackingByOrderNumber', {
  type: ShipmentConnectionRef,
  nullable: true,
  description: `${BY_ORDER_NUMBER} Null if there is no such order, or it has no shipment. The internal order number is another one: see \`order\`.`,
  extensions: {
    openapi: {
      description: `${BY_ORDER_NUMBER} \`order_not_found\` or \`shipment_not_found\` if there is none. The message says so if the number is an internal one.`,
    },
  },
  authScopes: { scope: 'shipments:tracking' },
  args: builder.args(t => ({
    orderNumber: t.string({ required: true, description: 'Order number on the marketplace, exactly as it is there.' }),
    ...LIST_ARGS,
  })),
  complexity: listCost,
  resolve: (_root, { orderNumber, ...args }, context) =>
    lookUp(context, async () => {
      const { tenant } = context;
      const rows = { keyOf: shipmentKey, count: () => countOfOrderNumber(tenant, orderNumber) };
      const page = listPage(args, bigintKey, rows, part => trackByOrderNumber(tenant, orderNumber, part));
      // Read before its fields are resolved, so that an error belongs to this field.
      await page.nodes;
      return page;
    }),
});
