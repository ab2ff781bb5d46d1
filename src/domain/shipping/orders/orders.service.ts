import type { GatheredWrite } from '../../../platform/database/gather/gathered-writes.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { Fault } from '../../../platform/fault.ts';
import { type BatchResult, changes, type ItemResult, rejectedFor, summarize } from '../../common/batch.rules.ts';
import { checkEach, writeInPortions } from '../../common/batch.service.ts';
import { type Metadata, type MetadataPatch, mergedMetadata, metadataIssue } from '../../common/metadata.rules.ts';
import type { Contact } from '../../common/places/recipient.rules.ts';
import { existingWarehouses } from '../warehouses/warehouses.service.ts';
import { OrderEntity, type OrderRecord } from './orders.entity.ts';
import { type OrderInput, orderFields, orderInput } from './orders.input.ts';
import {
  contactsOf,
  lockOrders,
  type OrderRow,
  orderById,
  orderByNumber,
  ordersByNumber,
  saveContacts,
} from './orders.repository.ts';
import type { OrderFields } from './orders.rules.ts';

export { newestOrders, orderById, orderByNumber, orderIdsByNumber, ordersChanged } from './orders.repository.ts';

/** An order by its id, or by the platform's number. @throws Fault `order_not_found` */
export async function findOrder(
  tenant: Tenant,
  by: { readonly id: number } | { readonly orderNumber: string },
): Promise<OrderRow> {
  const found = 'id' in by ? await orderById(tenant, by.id) : await orderByNumber(tenant, by.orderNumber);
  if (!found) throw new Fault('order_not_found');
  return found;
}

interface CheckedOrder {
  readonly index: number;
  readonly fields: Partial<OrderFields> & { orderNumber: string };
  readonly contact: Contact;
  readonly metadata: MetadataPatch | undefined;
}

interface KnownOrder {
  readonly entity: OrderRecord;
  contact: Contact | undefined;
}

/**
 * Creates or updates orders, by their numbers, in one transaction; an invalid item does not stop the others.
 *
 * @throws Fault `validation_failed` for more than 1,000 items
 */
export async function upsertOrders(tenant: Tenant, inputs: readonly OrderInput[]): Promise<BatchResult> {
  const { items, rejections } = await checkEach(tenant.companyId, inputs, orderInput, orderFields);
  return summarize([...rejections, ...(await tenant.gathered(UPSERT, { items }))]);
}

/** The orders of a batch that would be rejected, without storing anything. */
export async function checkOrders(tenant: Tenant, inputs: readonly OrderInput[]): Promise<readonly ItemResult[]> {
  const { items, rejections } = await checkEach(tenant.companyId, inputs, orderInput, orderFields);
  const found = await tenant.transaction(async tx => {
    const warehouseIds = await existingWarehouses(
      tx,
      items.map(({ fields }) => fields.warehouseId),
    );
    const numbers = items.flatMap(({ fields, metadata }) => (metadata ? [fields.orderNumber] : []));
    const known = new Map(
      (await ordersByNumber(tx, numbers)).map(({ orderNumber, metadata }) => [orderNumber, metadata]),
    );
    return items.map(item => {
      const { orderNumber } = item.fields;
      const { rejection, metadata } = checked(item, warehouseIds, known.get(orderNumber));
      if (metadata) known.set(orderNumber, metadata);
      return rejection;
    });
  });
  return [...rejections, ...found.filter(rejection => rejection !== undefined)];
}

/** Checks an order against stored records; returns its merged metadata, or its rejection. */
function checked(
  { index, fields, metadata: patch }: CheckedOrder,
  warehouseIds: ReadonlySet<number>,
  known: Metadata = {},
): { readonly rejection?: ItemResult; readonly metadata?: Metadata } {
  if (fields.warehouseId != null && !warehouseIds.has(fields.warehouseId)) {
    const message = 'must be the id of a warehouse of the company';
    return { rejection: rejectedFor(index, ['warehouseId'], 'warehouse_not_found', message) };
  }
  if (patch === undefined) return {};
  const metadata = mergedMetadata(known, patch);
  const issue = metadataIssue(metadata);
  return issue ? { rejection: rejectedFor(index, ['metadata'], issue.code, issue.message) } : { metadata };
}

interface Call {
  readonly items: readonly CheckedOrder[];
}

const UPSERT: GatheredWrite<Call, readonly ItemResult[]> = { name: 'orders', write: upsertCalls };

async function upsertCalls(tx: TenantTransaction, calls: readonly Call[]): Promise<ItemResult[][]> {
  const all = calls.flatMap(({ items }) => items);
  const warehouseIds = await existingWarehouses(
    tx,
    all.map(({ fields }) => fields.warehouseId),
  );
  await lockOrders(
    tx,
    all.map(({ fields }) => fields.orderNumber),
  );
  const numberOf = ({ fields }: CheckedOrder) => fields.orderNumber;
  return writeInPortions(tx, calls, numberOf, portion => upsertPortion(tx, portion, warehouseIds));
}

async function upsertPortion(
  tx: TenantTransaction,
  orders: readonly CheckedOrder[],
  warehouseIds: ReadonlySet<number>,
): Promise<ReadonlyMap<CheckedOrder, ItemResult>> {
  const entities = await ordersByNumber(
    tx,
    orders.map(({ fields }) => fields.orderNumber),
  );
  const contacts = await contactsOf(
    tx,
    entities.map(({ id }) => id),
  );
  const known = new Map<string, KnownOrder>(
    entities.map(entity => [entity.orderNumber, { entity, contact: contacts.get(entity.id) }]),
  );

  const results = new Map<CheckedOrder, ItemResult>();
  const accepted: { item: CheckedOrder; outcome: 'created' | 'updated' | 'unchanged'; order: KnownOrder }[] = [];
  const newContacts = new Set<KnownOrder>();
  for (const item of orders) {
    const { fields, contact } = item;
    const former = known.get(fields.orderNumber);
    const { rejection, metadata } = checked(item, warehouseIds, former?.entity.metadata);
    if (rejection) {
      results.set(item, rejection);
      continue;
    }
    const wanted = metadata === undefined ? fields : { ...fields, metadata };
    const order = former ?? { entity: tx.em.create(OrderEntity, newOrder(tx, wanted)), contact: undefined };
    known.set(fields.orderNumber, order);
    const changed = changes(order.entity, wanted);
    if (former) tx.em.assign(order.entity, changed);
    const contactChanged = Object.keys(changes(order.contact ?? {}, contact)).length > 0;
    if (contactChanged) {
      newContacts.add(order);
      // A contact is not a field of the order's row, so the unit of work would not count its change.
      if (former) order.entity.updatedAt = new Date();
    }
    order.contact = contact;
    const isChanged = contactChanged || Object.keys(changed).length > 0;
    accepted.push({ item, outcome: former ? (isChanged ? 'updated' : 'unchanged') : 'created', order });
  }
  await tx.em.flush();
  await saveContacts(tx, new Map([...newContacts].map(({ entity, contact }) => [entity.id, contact as Contact])));
  for (const { item, outcome, order } of accepted) {
    results.set(item, { index: item.index, outcome, type: 'Order', id: String(order.entity.id), issues: [] });
  }
  return results;
}

function newOrder(tx: TenantTransaction, fields: CheckedOrder['fields']) {
  return { companyId: tx.companyId, parcels: [], metadata: {}, ...fields } as unknown as OrderRecord;
}
