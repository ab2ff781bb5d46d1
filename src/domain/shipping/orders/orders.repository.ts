import { rowLoader } from '../../../platform/database/gather/loader.ts';
import { type ListPage, MAX_COUNT } from '../../../platform/database/lists/page.ts';
import { ms } from '../../../platform/database/statements/sql.ts';
import { companyStatement } from '../../../platform/database/statements/statements.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import type { Contact } from '../../common/places/recipient.rules.ts';
import { OrderContactEntity, OrderEntity, type OrderRecord } from './orders.entity.ts';

export const ORDER_COLUMNS = `o.id, o.order_number as "orderNumber", o.marketplace, o.marketplace_order_id as "marketplaceOrderId",
  o.marketplace_order_number as "marketplaceOrderNumber", o.warehouse_id as "warehouseId", o.recipient, o.parcels,
  o.cod_amount as "codAmount", o.insurance_amount as "insuranceAmount", o.service, o.goods_value as "goodsValue", o.metadata,
  ${ms('o.created_at')} as "createdAt", ${ms('o.updated_at')} as "updatedAt"`;

/** Times are milliseconds since 1970, as they are read. */
export type OrderRow = Omit<
  OrderRecord,
  'companyId' | 'marketplaceOrderIdKey' | 'marketplaceOrderNumberKey' | 'createdAt' | 'updatedAt'
> & {
  readonly createdAt: number;
  readonly updatedAt: number;
};

const BY_ID = rowLoader<[id: number], OrderRow>({
  name: 'order-by-id',
  key: { id: 'integer' },
  text: `select ${ORDER_COLUMNS} from customer_order o where o.company_id = each.company_id and o.id = each.id`,
});

export function orderById(tenant: Tenant, id: number): Promise<OrderRow | undefined> {
  return tenant.load(BY_ID, id);
}

const BY_NUMBER = rowLoader<[orderNumber: string], OrderRow>({
  name: 'order-by-number',
  key: { number: 'text' },
  text: `select ${ORDER_COLUMNS} from customer_order o where o.company_id = each.company_id and o.order_number = each.number`,
});

export function orderByNumber(tenant: Tenant, orderNumber: string): Promise<OrderRow | undefined> {
  return tenant.load(BY_NUMBER, orderNumber);
}

const NEWEST = companyStatement(
  'orders-newest',
  `select id, order_number as "orderNumber" from customer_order where company_id = $1 order by id desc limit $2`,
);

export function newestOrders(tenant: Tenant, limit: number): Promise<Pick<OrderRow, 'id' | 'orderNumber'>[]> {
  return tenant.rows(NEWEST, limit);
}

const MARKETPLACE = rowLoader<[name: string], { name: string }>({
  name: 'marketplace',
  key: { name: 'text' },
  text: `select o.marketplace as name from customer_order o
    where o.company_id = each.company_id and o.marketplace = each.name limit 1`,
});

/** A marketplace of orders by its exact name. */
export function marketplace(tenant: Tenant, name: string): Promise<{ name: string } | undefined> {
  return tenant.load(MARKETPLACE, name);
}

// Steps from one marketplace to the next in the index, because a plain `distinct` would read every order.
const marketplaces = (selected: string) => `with recursive step as (
      (select marketplace as name from customer_order
        where company_id = $1 and marketplace is not null and ($2::text is null or marketplace > $2) order by marketplace limit 1)
      union all
      select (select marketplace from customer_order
        where company_id = $1 and marketplace > step.name order by marketplace limit 1)
      from step where step.name is not null
    )
    select ${selected} from (select name from step where name is not null limit $3) names`;
const MARKETPLACES = companyStatement('marketplaces', marketplaces('name'));
const COUNT_MARKETPLACES = companyStatement('count-marketplaces', marketplaces('count(*)::integer as count'));

export function marketplaceNames(tenant: Tenant, page: ListPage<string>): Promise<{ name: string }[]> {
  return tenant.rows(MARKETPLACES, page.after, page.limit);
}

export async function countMarketplaces(tenant: Tenant): Promise<number> {
  const [row] = await tenant.rows<{ count: number }>(COUNT_MARKETPLACES, null, MAX_COUNT);
  return row?.count ?? 0;
}

const IDS_BY_NUMBER = companyStatement(
  'order-ids-by-number',
  `select id, order_number as "orderNumber" from customer_order
    where company_id = $1 and order_number = any($2::text[]) order by id for key share`,
);

/** Ids of orders, by their numbers; the orders stay until the transaction ends. */
export async function orderIdsByNumber(
  tx: TenantTransaction,
  orderNumbers: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.rows<{ id: number; orderNumber: string }>(IDS_BY_NUMBER, orderNumbers);
  return new Map(rows.map(({ orderNumber, id }) => [orderNumber, id]));
}

const CHANGED = companyStatement(
  'orders-changed',
  `with held as materialized (
      select id from customer_order where company_id = $1 and id = any($2::integer[]) order by id for no key update
    )
    update customer_order set updated_at = now() where company_id = $1 and id = any(array(select id from held))`,
);

/** Marks orders as changed now. */
export async function ordersChanged(tx: TenantTransaction, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx.rows(CHANGED, ids);
}

// The keys of orders do not change. So this lock does not wait for shipments that are about to refer to the orders, and
// which may wait for it because they change their former orders.
const LOCK = companyStatement(
  'lock-orders',
  `select id from customer_order where company_id = $1 and order_number = any($2::text[]) order by id for no key update`,
);

/** Locks orders until the transaction ends, always in one order, so that two batches cannot deadlock. */
export async function lockOrders(tx: TenantTransaction, orderNumbers: readonly string[]): Promise<void> {
  await tx.rows(LOCK, orderNumbers);
}

export function ordersByNumber(tx: TenantTransaction, orderNumbers: readonly string[]): Promise<OrderRecord[]> {
  return tx.em.find(OrderEntity, { companyId: tx.companyId, orderNumber: { $in: [...orderNumbers] } });
}

export async function contactsOf(tx: TenantTransaction, orderIds: readonly number[]): Promise<Map<number, Contact>> {
  const contacts = await tx.em.find(OrderContactEntity, { companyId: tx.companyId, orderId: { $in: [...orderIds] } });
  return new Map(contacts.map(({ orderId, email = null, telephone = null }) => [orderId, { email, telephone }]));
}

export async function saveContacts(tx: TenantTransaction, contacts: ReadonlyMap<number, Contact>): Promise<void> {
  const orderIds = [...contacts.keys()];
  await tx.em.nativeDelete(OrderContactEntity, { companyId: tx.companyId, orderId: { $in: orderIds } });
  const known = [...contacts].filter(([, { email, telephone }]) => email !== null || telephone !== null);
  await tx.em.insertMany(
    OrderContactEntity,
    known.map(([orderId, contact]) => ({ companyId: tx.companyId, orderId, ...contact })),
  );
}
