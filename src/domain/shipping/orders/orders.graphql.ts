import { builder } from '../../../graphql/builder.ts';
import type { RequestContext } from '../../../graphql/context.ts';
import { batchCost } from '../../../graphql/costs.ts';
import { inputType } from '../../../graphql/input-type.ts';
import { connectionOf, LIST_ARGS, listCost, listPage } from '../../../graphql/lists.ts';
import { mutation } from '../../../graphql/mutation.ts';
import { nodeType, numberedNode } from '../../../graphql/nodes.ts';
import { lookUp, query } from '../../../graphql/query.ts';
import { UPSERTED } from '../../common/batch.graphql.ts';
import { MAX_BATCH, within } from '../../common/batch.rules.ts';
import { MetadataEntryRef, metadataEntries } from '../../common/metadata.graphql.ts';
import { RecipientRef } from '../../common/places/recipient.graphql.ts';
import { WarehouseRef, warehouseOf } from '../warehouses/warehouses.graphql.ts';
import type { OrderHead } from './order-head.rules.ts';
import { orderBy, orderInput } from './orders.input.ts';
import { countMarketplaces, marketplace, marketplaceNames, orderById } from './orders.repository.ts';
import type { Parcel, ParcelPallet } from './orders.rules.ts';
import { findOrder, upsertOrders } from './orders.service.ts';

const ParcelPalletRef = builder.objectRef<ParcelPallet>('ParcelPallet').implement({
  description: 'What pallets are.',
  fields: t => ({
    ...t.nullableColumns('String', { type: 'Type, as tariffs name it; null where none was sent.' }),
    isStackable: t.exposeBoolean('isStackable', { description: 'Whether something can stand on them.' }),
  }),
});

const ParcelRef = builder.objectRef<Parcel>('Parcel').implement({
  description: 'Equal parcels of an order.',
  fields: t => ({
    weight: t.expose('weight', { type: 'Decimal', description: 'Kilograms, each.' }),
    ...t.nullableColumns('Decimal', { length: 'Centimetres.', width: 'Centimetres.', height: 'Centimetres.' }),
    quantity: t.exposeInt('quantity', { description: 'Number of parcels of this kind.' }),
    pallet: t.nullable(
      ParcelPalletRef,
      'The pallet, if the parcels are pallets; null if they are not.',
      ({ pallet = null }) => pallet,
    ),
  }),
});

/** Resolves a part of the contents of an order: at once, unless the order was read without them. */
function contents<Part extends 'recipient' | 'parcels'>(part: Part) {
  return (order: OrderHead, _args: object, { tenant }: RequestContext) =>
    order[part] ?? findOrder(tenant, order).then(found => found[part]);
}

export const OrderRef = builder.objectRef<OrderHead>('Order').implement({
  description: 'An order of the platform.',
  fields: t => ({
    databaseId: t.exposeInt('id', { description: 'Number of the order: what REST and inputs call its id.' }),
    orderNumber: t.exposeString('orderNumber', { description: "The platform's internal order number." }),
    ...t.nullableColumns('String', {
      marketplace: 'The marketplace the order came from.',
      marketplaceOrderId: "The marketplace's identifier of the order.",
      marketplaceOrderNumber: 'Order number on the marketplace.',
      service: 'Code of the service by which it is to be shipped, as tariffs name it. Null for the cheapest.',
    }),
    warehouse: t.field({
      type: WarehouseRef,
      nullable: true,
      description: 'The warehouse that it is shipped from.',
      authScopes: { scope: 'warehouses:read' },
      resolve: ({ warehouseId }, _args, context) => warehouseOf(context, warehouseId),
    }),
    recipient: t.value(RecipientRef, 'The recipient.', contents('recipient')),
    parcels: t.value([ParcelRef], 'The parcels.', contents('parcels')),
    ...t.nullableColumns('Money', {
      codAmount: 'Cash on delivery, EUR.',
      insuranceAmount: 'Insured value, EUR.',
      goodsValue: 'What the goods are worth, EUR, for customs.',
    }),
    metadata: t.field({
      type: [MetadataEntryRef],
      description: "The platform's own values, sorted by its own keys.",
      resolve: (order, _args, { tenant }) =>
        order.metadata
          ? metadataEntries(order.metadata)
          : findOrder(tenant, order).then(found => metadataEntries(found.metadata)),
    }),
    ...t.columns('DateTime', { createdAt: 'Creation time.', updatedAt: 'Last update time.' }),
  }),
});

numberedNode(OrderRef, 'shipments:tracking', orderById);

/** The order behind a field of another type. */
export function orderOf({ tenant }: RequestContext, id: number | null) {
  return id === null ? null : orderById(tenant, id);
}

const MarketplaceRef = builder.objectRef<{ name: string }>('Marketplace').implement({
  description: 'A marketplace that orders came from.',
  fields: t => ({ name: t.exposeString('name', { description: 'Its name, as the orders have it.' }) }),
});

nodeType(MarketplaceRef, {
  scope: 'marketplaces:read',
  keyOf: ({ name }) => name,
  readKey: name => name,
  find: (name, { tenant }) => marketplace(tenant, name),
});

const MarketplaceConnection = connectionOf(MarketplaceRef);

query('order', {
  type: OrderRef,
  nullable: true,
  description: 'One order, by its id or its number. Null if the company has no such order.',
  authScopes: { scope: 'shipments:tracking' },
  args: builder.args(t => ({
    by: t.field({ type: inputType(orderBy), required: true, description: 'Its id or its number.' }),
  })),
  resolve: (_root, { by: { id, orderNumber } }, context) =>
    lookUp(context, () => findOrder(context.tenant, id == null ? { orderNumber: orderNumber ?? '' } : { id })),
});

query('marketplaces', {
  type: MarketplaceConnection,
  description: "The marketplaces the company's orders came from, by name.",
  authScopes: { scope: 'marketplaces:read' },
  args: LIST_ARGS,
  complexity: listCost,
  resolve: (_root, args, { tenant }) => {
    const rows = { keyOf: ({ name }: { name: string }) => name, count: () => countMarketplaces(tenant) };
    return listPage(
      args,
      name => name,
      rows,
      page => marketplaceNames(tenant, page),
    );
  },
});

mutation('upsertOrders', {
  description: `Creates or updates orders by \`orderNumber\`, at most ${MAX_BATCH}, in one transaction. If you send the same batch again, nothing changes and each item is \`UNCHANGED\`.`,
  scope: 'orders:write',
  items: { name: 'orders', schema: orderInput, description: `The orders, at most ${MAX_BATCH}.` },
  payload: UPSERTED,
  work: ({ orders }) => batchCost(orders),
  resolve: async ({ orders }, { tenant }) => within('orders', await upsertOrders(tenant, orders)),
});
