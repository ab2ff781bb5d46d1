import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { Fault, requireNone } from '../../../platform/fault.ts';
import { type Caps, MAX_WAITING_CHANGES, requireRoom } from '../../../platform/limits/caps.ts';
import { WarehouseEntity } from './warehouses.entity.ts';
import type { WarehouseFields, WarehousePatch } from './warehouses.input.ts';
import {
  countReferences,
  countWarehouses,
  existingWarehouseIds,
  lockWarehouse,
  placeOf,
  type WarehousePlace,
  type WarehouseRow,
  warehouseById,
} from './warehouses.repository.ts';
import { postalCodeAfter } from './warehouses.rules.ts';

export { listWarehouses, shippingOrigin, type WarehouseRow, warehouseById } from './warehouses.repository.ts';

/** @throws Fault `warehouse_not_found`, for unknown ids and ids of other companies alike */
export async function warehouse(tenant: Tenant, id: number): Promise<WarehouseRow> {
  const found = await warehouseById(tenant, id);
  if (!found) throw new Fault('warehouse_not_found');
  return found;
}

/** The origin of a warehouse's shipments. @throws Fault `warehouse_not_found` */
export async function warehousePlace(tenant: Tenant, id: number): Promise<WarehousePlace> {
  const place = await placeOf(tenant, id);
  if (place === undefined) throw new Fault('warehouse_not_found');
  return place;
}

/** @throws Fault `warehouse_limit_reached` */
export async function createWarehouse(
  tenant: Tenant,
  caps: Pick<Caps, 'warehouses'>,
  fields: WarehouseFields,
): Promise<WarehouseRow> {
  const create = async (tx: TenantTransaction) => {
    requireRoom('warehouse_limit_reached', await countWarehouses(tx), caps.warehouses, 'warehouses');
    const created = tx.em.create(WarehouseEntity, { companyId: tx.companyId, ...fields });
    await tx.em.flush();
    return created;
  };
  return tenant.exclusively('warehouses', create, MAX_WAITING_CHANGES);
}

/** @throws Fault `validation_failed`, `warehouse_not_found` */
export async function updateWarehouse(tenant: Tenant, id: number, fields: WarehousePatch): Promise<WarehouseRow> {
  return tenant.transaction(async tx => {
    const found = await lockWarehouse(tx, id);
    if (!found) throw new Fault('warehouse_not_found');
    const { issues, ...after } = postalCodeAfter(found, fields);
    requireNone(issues);
    tx.em.assign(found, { ...fields, ...after });
    await tx.em.flush();
    return found;
  });
}

/** Deletes permanently. @throws Fault `warehouse_not_found`; `warehouse_in_use` if orders or shipments refer to it */
export async function deleteWarehouse(tenant: Tenant, id: number): Promise<WarehouseRow> {
  return tenant.transaction(async tx => {
    // The lock blocks new references until the end, because a foreign key's check waits for it.
    const found = await lockWarehouse(tx, id);
    if (!found) throw new Fault('warehouse_not_found');
    const { orders, shipments } = await countReferences(tx, id);
    if (orders + shipments > 0) {
      const detail = `The warehouse is still referenced by ${orders} orders and ${shipments} shipments.`;
      throw new Fault('warehouse_in_use', { detail, members: { orders, shipments } });
    }
    const deleted = { ...found };
    tx.em.remove(found);
    await tx.em.flush();
    return deleted;
  });
}

/** The given ids that are warehouses of the company, which stay until the transaction ends. */
export async function existingWarehouses(
  tx: TenantTransaction,
  ids: readonly (number | null | undefined)[],
): Promise<Set<number>> {
  const wanted = ids.filter(id => id != null);
  return wanted.length === 0 ? new Set() : existingWarehouseIds(tx, wanted);
}
