import { companyStatement } from '../../../platform/database/statements/statements.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { trackingKey } from '../../common/number.rules.ts';
import type { Contact } from '../../common/places/recipient.rules.ts';
import {
  ShipmentContactEntity,
  ShipmentEntity,
  ShipmentLabelEntity,
  type ShipmentRecord,
  ShipmentRelationEntity,
} from './shipments.entity.ts';
import type { RelationType, ShipmentParts } from './shipments.rules.ts';

/** The company's lock for creating and updating shipments. */
export const SHIPMENTS_LOCK = 'shipments';

/** The keys of shipments: a connection, and a normalized tracking number. */
type Numbers = readonly { carrierConnectionId: number; trackingKey: string }[];

const EXISTING_QUOTES = companyStatement(
  'existing-saved-quotes',
  'select id from saved_quote where company_id = $1 and id = any($2::integer[]) for key share',
);

/**
 * The given saved quotes that the company has, which stay until the transaction ends. Nothing is read without ids, as
 * for most shipments.
 */
export async function existingQuotes(
  tx: TenantTransaction,
  ids: readonly (number | null | undefined)[],
): Promise<ReadonlySet<number>> {
  const named = [...new Set(ids.filter(id => id != null))];
  const rows = named.length === 0 ? [] : await tx.rows<{ id: number }>(EXISTING_QUOTES, named);
  return new Set(rows.map(({ id }) => id));
}

const LOCK = companyStatement(
  'lock-shipments-by-number',
  `select id from shipment where company_id = $1 and tracking_key = any($2::text[]) and carrier_connection_id = any($3::integer[])
    order by id for update`,
);

/** Locks shipments until the transaction ends, always in one order, so that two batches cannot deadlock. */
export async function lockShipments(tx: TenantTransaction, numbers: Numbers): Promise<void> {
  const connectionIds = new Set(numbers.map(({ carrierConnectionId }) => carrierConnectionId));
  await tx.rows(
    LOCK,
    numbers.map(({ trackingKey }) => trackingKey),
    [...connectionIds],
  );
}

/** The shipments that have had these numbers, oldest first. */
export function shipmentsByNumber(tx: TenantTransaction, numbers: Numbers): Promise<ShipmentRecord[]> {
  const where = {
    companyId: tx.companyId,
    trackingKey: { $in: numbers.map(number => number.trackingKey) },
    carrierConnectionId: { $in: [...new Set(numbers.map(number => number.carrierConnectionId))] },
  };
  return tx.em.find(ShipmentEntity, where, { orderBy: { id: 'asc' } });
}

/** The parts of shipments in other tables, by shipment id. */
export async function partsOf(
  tx: TenantTransaction,
  shipmentIds: readonly number[],
): Promise<Map<number, Required<ShipmentParts>>> {
  const where = { companyId: tx.companyId, shipmentId: { $in: [...shipmentIds] } };
  const labels = await tx.em.find(ShipmentLabelEntity, where, { orderBy: { position: 'asc' } });
  const relations = await tx.em.find(ShipmentRelationEntity, where);
  const contacts = await tx.em.find(ShipmentContactEntity, where);
  const parts = new Map(
    shipmentIds.map(id => [
      id,
      {
        contact: { email: null, telephone: null } as Contact,
        labels: [] as string[],
        relatedShipments: {} as Record<string, RelationType>,
      },
    ]),
  );
  for (const { shipmentId, trackingNumber } of labels) parts.get(shipmentId)?.labels.push(trackingNumber);
  for (const { shipmentId, relatedKey, type } of relations) {
    const part = parts.get(shipmentId);
    if (part) part.relatedShipments[relatedKey] = type as RelationType;
  }
  for (const { shipmentId, email = null, telephone = null } of contacts) {
    const part = parts.get(shipmentId);
    if (part) part.contact = { email, telephone };
  }
  return parts;
}

/** Replaces the parts that are given; the others stay. */
export async function saveParts(tx: TenantTransaction, changed: ReadonlyMap<number, ShipmentParts>): Promise<void> {
  const { companyId, em } = tx;
  const having = <Part extends keyof ShipmentParts>(part: Part) =>
    [...changed]
      .filter(([, parts]) => parts[part] !== undefined)
      .map(([shipmentId, parts]) => ({ shipmentId, part: parts[part] }));
  const of = (rows: readonly { shipmentId: number }[]) => ({
    companyId,
    shipmentId: { $in: rows.map(row => row.shipmentId) },
  });

  const labels = having('labels');
  await em.nativeDelete(ShipmentLabelEntity, of(labels));
  await em.insertMany(
    ShipmentLabelEntity,
    labels.flatMap(({ shipmentId, part = [] }) =>
      part.map((trackingNumber, position) => ({
        companyId,
        shipmentId,
        position,
        trackingNumber,
        trackingKey: trackingKey(trackingNumber),
      })),
    ),
  );

  const relations = having('relatedShipments');
  await em.nativeDelete(ShipmentRelationEntity, of(relations));
  await em.insertMany(
    ShipmentRelationEntity,
    relations.flatMap(({ shipmentId, part = {} }) =>
      Object.entries(part).map(([relatedKey, type]) => ({ companyId, shipmentId, relatedKey, type })),
    ),
  );

  const contacts = having('contact');
  await em.nativeDelete(ShipmentContactEntity, of(contacts));
  await em.insertMany(
    ShipmentContactEntity,
    contacts.flatMap(({ shipmentId, part }) =>
      part && (part.email !== null || part.telephone !== null) ? [{ companyId, shipmentId, ...part }] : [],
    ),
  );
}
