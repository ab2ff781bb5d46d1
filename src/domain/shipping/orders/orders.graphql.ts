import { builder } from '../../../graphql/builder.ts';
import type { RequestContext } from '../../../graphql/context.ts';
import { batchCost } from '../../../graphql/costs.ts';
import { inputType } from '../../../graphql/input-type.ts';
import { connectionOf, LIST_ARGS, listCost, listPage } from '../../../graphql/lists.ts';
import { lookUp } from '../../../graphql/look-up.ts';
import { mutation } from '../../../graphql/mutation.ts';
import { integerKey } from '../../../graphql/node-id.ts';
import { nodeType } from '../../../graphql/nodes.ts';
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
    type: t.exposeString('type', {
      nullable: true,
      description: 'Type, as tariffs name it; null where none was sent.',
    }),
    isStackable: t.exposeBoolean('isStackable', { description: 'Whether something can stand on them.' }),
  }),
});

const ParcelRef = builder.objectRef<Parcel>('Parcel').implement({
  description: 'Equal parcels of an order.',
  fields: t => ({
    weight: t.expose('weight', { type: 'Decimal', description: 'Kilograms, each.' }),
    length: t.expose('length', { type: 'Decimal', nullable: true, description: 'Centimetres.' }),
    width: t.expose('width', { type: 'Decimal', nullable: true, description: 'Centimetres.' }),
    height: t.expose('height', { type: 'Decimal', nullable: true, description: 'Centimetres.' }),
    quantity: t.exposeInt('quantity', { description: 'Number of parcels of this kind.' }),
    pallet: t.field({
      type: ParcelPalletRef,
      nullable: true,
      description: 'The pallet, if the parcels are pallets; null if they are not.',
      resolve: ({ pallet = null }) => pallet,
    }),
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
    marketplace: t.exposeString('marketplace', { nullable: true, description: 'The marketplace the order came from.' }),
    marketplaceOrderId: t.exposeString('marketplaceOrderId', {
      nullable: true,
      description: "The marketplace's identifier of the order.",
    }),
    marketplaceOrderNumber: t.exposeString('marketplaceOrderNumber', {
      nullable: true,
      description: 'Order number on the marketplace.',
    }),
    warehouse: t.field({
      type: WarehouseRef,
      nullable: true,
      description: 'The warehouse that it is shipped from.',
      authScopes: { scope: 'warehouses:read' },
      resolve: ({ warehouseId }, _args, context) => warehouseOf(context, warehouseId),
    }),
    recipient: t.field({
      type: RecipientRef,
      description: 'The recipient.',
      resolve: contents('recipient'),
    }),
    parcels: t.field({
      type: [ParcelRef],
      description: 'The parcels.',
      resolve: contents('parcels'),
    }),
    codAmount: t.expose('codAmount', { type: 'Money', nullable: true, description: 'Cash on delivery, EUR.' }),
    insuranceAmount: t.expose('insuranceAmount', {
      type: 'Money',
      nullable: true,
      description: 'Insured value, EUR.',
    }),
    service: t.exposeString('service', {
      nullable: true,
      description: 'Code of the service by which it is to be shipped, as tariffs name it. Null for the cheapest.',
    }),
    goodsValue: t.expose('goodsValue', {
      type: 'Money',
      nullable: true,
      description: 'What the goods are worth, EUR, for customs.',
    }),
    metadata: t.field({
      type: [MetadataEntryRef],
      description: "The platform's own values, sorted by its own keys.",
      resolve: (order, _args, { tenant }) =>
        order.metadata
          ? metadataEntries(order.metadata)
          : findOrder(tenant, order).then(found => metadataEntries(found.metadata)),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Last update time.' }),
  }),
});

nodeType(OrderRef, {
  scope: 'shipments:tracking',
  keyOf: ({ id }) => id,
  readKey: integerKey,
  find: (id, { tenant }) => orderById(tenant, id),
});

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

builder.queryFields(t => ({
  order: t.field({
    type: OrderRef,
    nullable: true,
    description: 'One order, by its id or its number. Null if the company has no such order.',
    authScopes: { scope: 'shipments:tracking' },
    args: { by: t.arg({ type: inputType(orderBy), required: true, description: 'Its id or its number.' }) },
    resolve: (_root, { by: { id, orderNumber } }, context) =>
      lookUp(context, () => findOrder(context.tenant, id == null ? { orderNumber: orderNumber ?? '' } : { id })),
  }),
  marketplaces: t.field({
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
  }),
}));

mutation('upsertOrders', {
  description: `Creates or updates orders by \`orderNumber\`, at most ${MAX_BATCH}, in one transaction. If you send the same batch again, nothing changes and each item is \`UNCHANGED\`.`,
  scope: 'orders:write',
  items: { name: 'orders', schema: orderInput, description: `The orders, at most ${MAX_BATCH}.` },
  payload: UPSERTED,
  work: ({ orders }) => batchCost(orders),
  resolve: async ({ orders }, { tenant }) => within('orders', await upsertOrders(tenant, orders)),
});
