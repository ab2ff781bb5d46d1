import type { GatheredWrite } from '../../../platform/database/gather/gathered-writes.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { type BatchResult, changes, type ItemResult, rejectedFor, summarize } from '../../common/batch.rules.ts';
import { checkEach, writeInPortions } from '../../common/batch.service.ts';
import { mergedMetadata, metadataIssue } from '../../common/metadata.rules.ts';
import { existingConnections } from '../carriers/carriers.service.ts';
import { orderIdsByNumber, ordersChanged } from '../orders/orders.service.ts';
import { existingWarehouses } from '../warehouses/warehouses.service.ts';
import { appendChangesAtEnd } from './changes/changes.repository.ts';
import type { NewChange } from './changes/changes.rules.ts';
import { REUSED_AFTER_DAYS, shipmentOfNumber } from './reused-number.rules.ts';
import { ShipmentEntity, type ShipmentRecord } from './shipments.entity.ts';
import {
  type CheckedShipment,
  changedFields,
  type ShipmentInput,
  shipmentFields,
  shipmentInput,
} from './shipments.input.ts';
import {
  existingQuotes,
  lockShipments,
  partsOf,
  SHIPMENTS_LOCK,
  saveParts,
  shipmentsByNumber,
} from './shipments.repository.ts';
import type { ShipmentParts } from './shipments.rules.ts';
import type { StatusCode } from './status.rules.ts';
import { shipmentsCreated } from './tracking.announcements.ts';

interface Item extends CheckedShipment {
  readonly index: number;
}

interface KnownShipment {
  readonly entity: ShipmentRecord;
  parts: ShipmentParts;
}

const identity = (shipment: { carrierConnectionId: number; trackingKey: string }) =>
  `${shipment.carrierConnectionId} ${shipment.trackingKey}`;

/**
 * Creates or updates shipments, by carrier connection and normalized tracking number, in one transaction; an invalid
 * item does not stop the others.
 *
 * @throws Fault `validation_failed` for more than 1,000 items
 */
export async function upsertShipments(tenant: Tenant, inputs: readonly ShipmentInput[]): Promise<BatchResult> {
  const { items, rejections } = await checkEach(tenant.companyId, inputs, shipmentInput, shipmentFields);
  return summarize([...rejections, ...(await tenant.gathered(UPSERT, { items }))]);
}

interface Call {
  readonly items: readonly Item[];
}

const UPSERT: GatheredWrite<Call, readonly ItemResult[]> = { name: SHIPMENTS_LOCK, write: upsertCalls };

async function upsertCalls(tx: TenantTransaction, calls: readonly Call[]): Promise<ItemResult[][]> {
  const all = calls.flatMap(({ items }) => items);
  const references = await referencesOf(tx, all);
  await lockShipments(
    tx,
    all.map(({ fields }) => fields),
  );
  const identityOf = ({ fields }: Item) => identity(fields);
  const news: NewChange[] = [];
  const results = await writeInPortions(tx, calls, identityOf, portion => upsertPortion(tx, portion, references, news));
  const created = results.flat().filter(({ outcome }) => outcome === 'created');
  await shipmentsCreated.announce(
    tx,
    created.map(({ id }) => Number(id)),
  );
  appendChangesAtEnd(tx, news);
  return results;
}

type References = Awaited<ReturnType<typeof referencesOf>>;

async function upsertPortion(
  tx: TenantTransaction,
  items: readonly Item[],
  references: References,
  news: NewChange[],
): Promise<ReadonlyMap<Item, ItemResult>> {
  const entities = await shipmentsByNumber(
    tx,
    items.map(({ fields }) => fields),
  );
  const parts = await partsOf(
    tx,
    entities.map(({ id }) => id),
  );
  const known = Map.groupBy(
    entities.map((entity): KnownShipment => ({ entity, parts: parts.get(entity.id) ?? {} })),
    ({ entity }) => identity(entity),
  );
  const now = new Date();

  const results = new Map<Item, ItemResult>();
  const accepted: { item: Item; changed: readonly string[] | 'created'; shipment: KnownShipment }[] = [];
  const changedParts = new Map<KnownShipment, ShipmentParts>();
  const formerOrders = new Set<number>();
  for (const item of items) {
    const { fields } = item;
    const orderId = item.orderNumber == null ? item.orderNumber : references.orderIds.get(item.orderNumber);
    const ofNumber = known.get(identity(fields)) ?? [];
    known.set(identity(fields), ofNumber);
    const { former, isInUse } = formerOf(ofNumber, item, orderId, now);
    const metadata = item.metadata && mergedMetadata(former?.entity.metadata ?? {}, item.metadata);
    const excess = metadata && metadataIssue(metadata);
    const rejection =
      references.rejectionOf(item) ??
      (isInUse && rejectedFor(item.index, ['trackingNumber'], 'tracking_number_in_use', IN_USE)) ??
      withoutRecipient(item, former?.entity, orderId) ??
      (excess && rejectedFor(item.index, ['metadata'], excess.code, excess.message));
    if (rejection) {
      results.set(item, rejection);
      continue;
    }
    const wanted = {
      ...fields,
      ...(item.orderNumber !== undefined && { orderId: orderId ?? null }),
      ...(item.metadata !== undefined && { metadata: metadata ?? {} }),
    };
    const shipment = former ?? { entity: tx.em.create(ShipmentEntity, newShipment(tx, wanted)), parts: {} };
    if (!former) ofNumber.push(shipment);
    const changed = changes(shipment.entity, wanted);
    if (former?.entity.orderId != null && 'orderId' in changed) formerOrders.add(former.entity.orderId);
    if (former) tx.em.assign(shipment.entity, changed);
    const changedPart = changes(shipment.parts, item.parts);
    shipment.parts = { ...shipment.parts, ...changedPart };
    // Which labels it has decides when it has ended.
    if (former && ('parcelCount' in changed || 'labels' in changedPart)) shipment.entity.foldedEvents = null;
    changedParts.set(shipment, { ...changedParts.get(shipment), ...changedPart });
    if (former && Object.keys(changedPart).length > 0) shipment.entity.updatedAt = new Date();
    const ofBoth = [...Object.keys(changed), ...Object.keys(changedPart)];
    accepted.push({ item, changed: former ? ofBoth : 'created', shipment });
  }
  await tx.em.flush();
  // An order is anonymized with its last shipment, or by its own last change if it has none any more.
  await ordersChanged(tx, [...formerOrders]);
  await saveParts(tx, new Map([...changedParts].map(([{ entity }, part]) => [entity.id, part])));
  for (const { item, changed, shipment } of accepted) {
    const shipmentId = shipment.entity.id;
    const outcome = changed === 'created' ? changed : changed.length > 0 ? 'updated' : 'unchanged';
    if (outcome === 'created') news.push({ kind: outcome, shipmentId });
    if (outcome === 'updated')
      news.push({ kind: outcome, shipmentId, detail: { fields: changedFields([...changed]) } });
    results.set(item, { index: item.index, outcome, type: 'Shipment', id: String(shipmentId), issues: [] });
  }
  return results;
}

/** The items' references that the company has, locked until the transaction ends. */
async function referencesOf(tx: TenantTransaction, items: readonly Item[]) {
  const connectionIds = await existingConnections(
    tx,
    items.map(({ fields }) => fields.carrierConnectionId),
  );
  const warehouseIds = await existingWarehouses(
    tx,
    items.map(({ fields }) => fields.warehouseId),
  );
  const orderIds = await orderIdsByNumber(
    tx,
    items.flatMap(({ orderNumber }) => orderNumber ?? []),
  );
  const quoteIds = await existingQuotes(
    tx,
    items.map(({ fields }) => fields.quoteId),
  );
  return {
    orderIds,
    rejectionOf({ index, fields, orderNumber }: Item): ItemResult | undefined {
      if (!connectionIds.has(fields.carrierConnectionId)) {
        const message = 'must be the id of a carrier connection of the company';
        return rejectedFor(index, ['carrierConnectionId'], 'carrier_connection_not_found', message);
      }
      if (fields.warehouseId != null && !warehouseIds.has(fields.warehouseId)) {
        return rejectedFor(
          index,
          ['warehouseId'],
          'warehouse_not_found',
          'must be the id of a warehouse of the company',
        );
      }
      if (fields.quoteId != null && !quoteIds.has(fields.quoteId)) {
        const message = 'must be the id of a saved quote of the company';
        return rejectedFor(index, ['quoteId'], 'saved_quote_not_found', message);
      }
      if (orderNumber != null && !orderIds.has(orderNumber)) {
        return rejectedFor(index, ['orderNumber'], 'order_not_found', 'must be the number of an order of the company');
      }
      return undefined;
    },
  };
}

const IN_USE = `must not be the number of a shipment of another order that ended less than ${REUSED_AFTER_DAYS} days ago`;

/**
 * The shipment that an item updates, of those that have had its number, oldest first: the one of its order or, failing
 * that, the newest, unless that one is of another parcel.
 */
function formerOf(
  known: readonly KnownShipment[],
  { fields: { recipient } }: Item,
  orderId: number | null | undefined,
  now: Date,
): { readonly former?: KnownShipment | undefined; readonly isInUse?: true | undefined } {
  const ofOrder = orderId == null ? undefined : known.findLast(({ entity }) => entity.orderId === orderId);
  const newest = known.at(-1);
  if (ofOrder || !newest) return { former: ofOrder };
  const { statusCode, statusAt = null, orderId: knownOrderId = null, recipient: knownRecipient = null } = newest.entity;
  const numbered = { statusCode: statusCode as StatusCode, statusAt, orderId: knownOrderId, recipient: knownRecipient };
  const found = shipmentOfNumber(numbered, { orderId, recipient }, now);
  if (found === 'in_use') return { former: newest, isInUse: true };
  return { former: found === 'same' ? newest : undefined };
}

/** A shipment without a recipient takes its order's, so one of the two must exist. */
function withoutRecipient(
  item: Item,
  known: ShipmentRecord | undefined,
  orderId: number | null | undefined,
): ItemResult | undefined {
  const recipient = item.fields.recipient === undefined ? known?.recipient : item.fields.recipient;
  const order = orderId === undefined ? known?.orderId : orderId;
  if (recipient != null || order != null) return undefined;
  return rejectedFor(
    item.index,
    ['recipient'],
    'required',
    'must be given, or an orderNumber whose recipient is taken',
  );
}

function newShipment(tx: TenantTransaction, fields: Item['fields']) {
  return {
    companyId: tx.companyId,
    parcelCount: 1,
    statusCode: 'created',
    hops: 0,
    metadata: {},
    ...fields,
  } as unknown as ShipmentRecord;
}
