import { builder } from '../../../graphql/builder.ts';
import type { RequestContext } from '../../../graphql/context.ts';
import { connectionOf, LIST_ARGS, listCost, listPage } from '../../../graphql/lists.ts';
import { mutation, numberId } from '../../../graphql/mutation.ts';
import { integerKey, numberSought } from '../../../graphql/node-id.ts';
import { numberedNode } from '../../../graphql/nodes.ts';
import { idArg, lookUp, query } from '../../../graphql/query.ts';
import { createWarehouseInput, updateWarehouseInput } from './warehouses.input.ts';
import { countWarehouses, listWarehouses, type WarehouseRow, warehouseById } from './warehouses.repository.ts';
import { isPrincipal, WAREHOUSE_TYPES } from './warehouses.rules.ts';
import { createWarehouse, deleteWarehouse, updateWarehouse, warehouse } from './warehouses.service.ts';

const DATABASE_ID = {
  description: 'Number of the warehouse: what REST and inputs call its id.',
  extensions: { openapi: { description: 'Warehouse identifier.' } },
};

const WarehouseType = builder.objectRef<{ id: number; name: string }>('WarehouseType').implement({
  description: 'A kind of warehouse.',
  fields: t => ({
    databaseId: t.exposeInt('id', { description: '1 to 4, equal to `typeId`.' }),
    name: t.exposeString('name', { description: 'Principale, Logistica, Drop Shipping or Secondario.' }),
  }),
});

export const WarehouseRef = builder.objectRef<WarehouseRow>('Warehouse').implement({
  description: 'A place that parcels are shipped from.',
  fields: t => ({
    databaseId: t.exposeInt('id', DATABASE_ID),
    name: t.exposeString('name', { description: 'Warehouse name.' }),
    typeId: t.exposeInt('typeId', { description: '1 Principale, 2 Logistica, 3 Drop Shipping, 4 Secondario.' }),
    address: t.exposeString('address', { description: 'Street and house number.' }),
    postalCode: t.exposeString('postalCode', {
      description: 'Postal code, in the form of its country; empty where the warehouse has none.',
    }),
    city: t.exposeString('city', { description: 'City.' }),
    state: t.exposeString('state', { description: 'Province or state.' }),
    country: t.exposeString('country', { description: 'ISO 3166-1 alpha-2 country code.' }),
    isPrincipal: t.value('Boolean', 'True exactly when `typeId` is 1.', ({ typeId }) => isPrincipal(typeId)),
    warehouseType: t.field({
      type: WarehouseType,
      description: 'The type, with its name.',
      resolve: ({ typeId }) => ({ id: typeId, name: WAREHOUSE_TYPES[typeId] ?? '' }),
    }),
    ...t.columns('DateTime', { createdAt: 'Creation time.', updatedAt: 'Last update time.' }),
  }),
});

numberedNode(WarehouseRef, 'warehouses:read', warehouseById);

const Connection = connectionOf(WarehouseRef);

/** The warehouse behind a field of another type. */
export function warehouseOf({ tenant }: RequestContext, id: number | null | undefined) {
  return id == null ? null : warehouseById(tenant, id);
}

query('warehouses', {
  type: Connection,
  description: "The company's warehouses, by ascending id.",
  authScopes: { scope: 'warehouses:read' },
  args: LIST_ARGS,
  complexity: listCost,
  resolve: (_root, args, { tenant }) => {
    const rows = { keyOf: ({ id }: WarehouseRow) => id, count: () => countWarehouses(tenant) };
    return listPage(args, integerKey, rows, page => listWarehouses(tenant, page));
  },
});

query('warehouse', {
  type: WarehouseRef,
  nullable: true,
  description: 'One warehouse. Null if the company has none with this id.',
  extensions: {
    openapi: { description: 'One warehouse. `warehouse_not_found` if the company has none with this id.' },
  },
  authScopes: { scope: 'warehouses:read' },
  args: idArg('Global id of the warehouse, or its `databaseId`.'),
  resolve: (_root, { id }, context) => lookUp(context, () => warehouse(context.tenant, numberSought('Warehouse', id))),
});

mutation('createWarehouse', {
  description: 'Creates a warehouse. `WAREHOUSE_LIMIT_REACHED` if the company has as many as it may have.',
  scope: 'warehouses:create',
  fields: createWarehouseInput,
  payload: { warehouse: { type: WarehouseRef, description: 'The new warehouse.' } },
  resolve: async (fields, { tenant, caps }) => ({ warehouse: await createWarehouse(tenant, caps, fields) }),
});

mutation('updateWarehouse', {
  description: 'Changes the fields that are sent and returns the whole warehouse.',
  scope: 'warehouses:update',
  ids: { id: numberId('Warehouse', 'The warehouse.') },
  fields: updateWarehouseInput,
  payload: { warehouse: { type: WarehouseRef, description: 'The warehouse as it is now.' } },
  resolve: async ({ id, ...fields }, { tenant }) => ({ warehouse: await updateWarehouse(tenant, id, fields) }),
});

mutation('deleteWarehouse', {
  description:
    'Deletes a warehouse permanently and returns it as it was. `WAREHOUSE_IN_USE` if orders or shipments refer to it.',
  scope: 'warehouses:delete',
  ids: { id: numberId('Warehouse', 'The warehouse.') },
  payload: { warehouse: { type: WarehouseRef, description: 'The warehouse as it was.' } },
  resolve: async ({ id }, { tenant }) => ({ warehouse: await deleteWarehouse(tenant, id) }),
});
