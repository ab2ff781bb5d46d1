import { LockMode } from '@mikro-orm/core';
import { rowLoader } from '../../../platform/database/gather/loader.ts';
import { type ListPage, WHOLE_LIST } from '../../../platform/database/lists/page.ts';
import { ms } from '../../../platform/database/statements/sql.ts';
import { companyStatement } from '../../../platform/database/statements/statements.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { countryOfPlace } from '../../common/places/places.rules.ts';
import { type Warehouse, WarehouseEntity } from './warehouses.entity.ts';

const COLUMNS = `id, name, type_id as "typeId", address, postal_code as "postalCode", city, state, country,
  ${ms('created_at')} as "createdAt", ${ms('updated_at')} as "updatedAt"`;

const LIST = companyStatement(
  'warehouses',
  `select ${COLUMNS} from warehouse where company_id = $1 and ($2::bigint is null or id > $2) order by id limit $3`,
);
const COUNT = companyStatement(
  'count-warehouses',
  'select count(*)::integer as count from warehouse where company_id = $1',
);
const BY_ID = rowLoader<[id: number], WarehouseRow>({
  name: 'warehouse-by-id',
  key: { id: 'integer' },
  text: `select ${COLUMNS} from warehouse where company_id = each.company_id and id = each.id`,
});
// Read for every quote, together with the reads of other quotes. A cache in memory cost more: quotes then completed one
// at a time and not several per turn of the event loop, for 410 to 430 µs of CPU each, PostgreSQL's included, and not
// 350 to 400 µs.
const PLACE = rowLoader<[id: number], WarehousePlace>({
  name: 'warehouse-place',
  key: { id: 'integer' },
  text: `select country, postal_code as "postalCode", city, state from warehouse where company_id = each.company_id and id = each.id`,
});
const REFERENCES = companyStatement(
  'warehouse-references',
  `select (select count(*)::integer from customer_order where company_id = $1 and warehouse_id = $2) as orders,
    (select count(*)::integer from shipment where company_id = $1 and warehouse_id = $2) as shipments`,
);

/** Written as dates, but read as milliseconds since 1970: reading a thousand dates takes longer than the rest. */
export type WarehouseRow = Omit<Warehouse, 'companyId' | 'createdAt' | 'updatedAt'> & {
  readonly createdAt: Date | number;
  readonly updatedAt: Date | number;
};

export function listWarehouses(tenant: Tenant, page: ListPage<number> = WHOLE_LIST): Promise<WarehouseRow[]> {
  return tenant.rows<WarehouseRow>(LIST, page.after, page.limit);
}

export async function countWarehouses(reader: Pick<Tenant | TenantTransaction, 'rows'>): Promise<number> {
  const [row] = await reader.rows<{ count: number }>(COUNT);
  return row?.count ?? 0;
}

export function warehouseById(tenant: Tenant, id: number): Promise<WarehouseRow | undefined> {
  return tenant.load(BY_ID, id);
}

/** The address of a warehouse, as it was written. */
export interface WarehousePlace {
  readonly country: string;
  readonly postalCode: string;
  readonly city: string;
  readonly state: string;
}

export function placeOf(tenant: Tenant, id: number): Promise<WarehousePlace | undefined> {
  return tenant.load(PLACE, id);
}

const ORIGIN = companyStatement(
  'shipping-origin',
  `select country, nullif(postal_code, '') as zip, city from warehouse where company_id = $1
    order by (type_id = 1) desc, id limit 1`,
);

/** The origin of a company's shipments: its first principal warehouse, or else its first. */
export async function shippingOrigin(
  tenant: Tenant,
): Promise<{ country: string; zip: string | null; city: string } | undefined> {
  const [origin] = await tenant.rows<{ country: string; zip: string | null; city: string }>(ORIGIN);
  return origin && { ...origin, country: countryOfPlace(origin.country, origin.zip ?? '') };
}

export async function lockWarehouse(tx: TenantTransaction, id: number): Promise<Warehouse | null> {
  return tx.em.findOne(WarehouseEntity, { companyId: tx.companyId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

export async function countReferences(
  tx: TenantTransaction,
  id: number,
): Promise<{ orders: number; shipments: number }> {
  const [counts] = await tx.rows<{ orders: number; shipments: number }>(REFERENCES, id);
  return counts ?? { orders: 0, shipments: 0 };
}

const EXISTING = companyStatement(
  'warehouses-existing',
  // Locked as a foreign key's check would: none can be deleted before the referring transaction ends.
  'select id from warehouse where company_id = $1 and id = any($2::integer[]) order by id for key share',
);

export async function existingWarehouseIds(tx: TenantTransaction, ids: readonly number[]): Promise<Set<number>> {
  const rows = await tx.rows<{ id: number }>(EXISTING, ids);
  return new Set(rows.map(({ id }) => id));
}
