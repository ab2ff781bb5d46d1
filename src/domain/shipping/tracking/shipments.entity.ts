import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { changeTime, creationTime, foreignKeys, ofCompany } from '../../../platform/database/tenancy/company-entity.ts';
import type { Metadata } from '../../common/metadata.rules.ts';
import type { Recipient } from '../../common/places/recipient.rules.ts';

/**
 * One row for the data of a shipment and for the state that its events change. Lists and jobs need indexes on the status,
 * its times and the last change, so no update is HOT, and each writes an entry to nearly every index. A narrow table for
 * the state was tried: batches of 1,000 events, of which half change the status, on 100,000 shipments. PostgreSQL's CPU
 * time of an event in the statement that records events:
 *
 * | Indexes | us |
 * |---|---|
 * | the 14 that this table had | 75 |
 * | … without `shipment_by_updated` | 71 |
 * | … and without `shipment_silent` (half of the updates are HOT) | 47 |
 * | … and without `shipment_by_status` (all updates are HOT) | 27 |
 * | narrow table: by status, update, delivery, expected date and silence | 41 |
 * | narrow table: by status and update | 36 |
 *
 * Without the three indexes, the orders by the last change and by the last news are lost, and lists and counts by status.
 * The narrow table keeps them, but each read by number joins it, which takes 4 to 8 us of 45 to 95, and touches 20 pages
 * in place of 16, where the data exceed the cache too. It hardly saves WAL (3,500 in place of 3,650 bytes an event). A
 * fillfactor of 80 alone saves nothing.
 */
export const ShipmentEntity = defineEntity({
  name: 'Shipment',
  tableName: 'shipment',
  ...ofCompany,
  properties: {
    id: p.integer().primary().autoincrement().generated('by default as identity'),
    companyId: p.uuid().primary(),
    carrierConnectionId: p.integer(),
    trackingNumber: p.text(),
    trackingKey: p.text().check("tracking_key <> ''"),
    orderId: p.integer().nullable(),
    warehouseId: p.integer().nullable(),
    quoteId: p.integer().nullable(),
    recipient: p.json<Recipient>().nullable(),
    reference: p.text().nullable(),
    referenceKey: p.text().nullable(),
    parcelId: p.text().nullable(),
    parcelIdKey: p.text().nullable(),
    parcelCount: p.integer().name('parcel_number').check('parcel_number > 0'),
    weight: p.decimal().nullable().check('weight >= 0'),
    volume: p.decimal().nullable().check('volume >= 0'),
    trackingUrl: p.text().nullable(),
    hops: p.smallint().default(0),
    // As the platform stated them.
    shippedAt: p.datetime(3).name('shipment_date').nullable(),
    expectedDeliveryAt: p.datetime(3).name('expected_delivery_date').nullable(),
    statusCode: p.text(),
    statusAt: p.datetime(3).nullable(),
    deliveredAt: p.datetime(3).nullable(),
    firstScanAt: p.datetime(3).nullable(),
    firstShippedAt: p.datetime(3).name('shipped_at').nullable(),
    metadata: p.json<Metadata>().defaultRaw("'{}'"),
    createdAt: creationTime(),
    updatedAt: changeTime(),
    // Statements of the fan-out and of polling read and write these.
    eventCount: p.integer().nullable(),
    eventSequence: p.integer().defaultRaw('0'),
    // The state of the fold of its events: they are read again unless it counts them all.
    foldedEvents: p.integer().nullable(),
    foldedTo: p.datetime(3).nullable(),
    isReturning: p.boolean().default(false),
    delayToldAt: p.datetime(3).nullable(),
    stallToldAt: p.datetime(3).nullable(),
    carrierExpectedAt: p.datetime(3).nullable(),
  },
  checks: [{ name: 'shipment_recipient', expression: 'recipient is not null or order_id is not null' }],
  indexes: [
    { name: 'shipment_by_connection', properties: ['companyId', 'carrierConnectionId', 'id'] },
    { name: 'shipment_by_created', properties: ['companyId', 'createdAt', 'id'] },
    {
      name: 'shipment_by_delivered',
      expression:
        'create index shipment_by_delivered on shipment (company_id, delivered_at, id) include (carrier_connection_id, carrier_expected_at, expected_delivery_date) where delivered_at is not null',
    },
    {
      name: 'shipment_by_expected',
      expression:
        'create index shipment_by_expected on shipment (company_id, ((delay_told_at is null)), coalesce(carrier_expected_at, expected_delivery_date), id) where delivered_at is null',
    },
    // Not unique, because carriers use numbers again.
    { name: 'shipment_by_number', properties: ['companyId', 'trackingKey', 'carrierConnectionId', 'id'] },
    { name: 'shipment_by_order', properties: ['companyId', 'orderId', 'id'], where: 'order_id is not null' },
    {
      name: 'shipment_by_parcel_id',
      properties: ['companyId', 'parcelIdKey', 'id'],
      where: 'parcel_id_key is not null',
    },
    {
      name: 'shipment_by_reference',
      properties: ['companyId', 'referenceKey', 'id'],
      where: 'reference_key is not null',
    },
    { name: 'shipment_by_status', properties: ['companyId', 'statusCode', 'id'] },
    { name: 'shipment_by_updated', properties: ['companyId', 'updatedAt', 'id'] },
    { name: 'shipment_by_warehouse', properties: ['companyId', 'warehouseId'], where: 'warehouse_id is not null' },
    {
      name: 'shipment_silent',
      expression:
        'create index shipment_silent on shipment (company_id, ((stall_told_at is null)), status_code, greatest(status_at, created_at), id) where delivered_at is null',
    },
  ],
  ...foreignKeys(
    { columns: ['company_id', 'carrier_connection_id'], references: 'carrier_connection', name: 'shipment_carrier' },
    { columns: ['company_id'], references: 'company' },
    { columns: ['company_id', 'order_id'], references: 'customer_order', name: 'shipment_order' },
    { columns: ['company_id', 'quote_id'], references: 'saved_quote', name: 'shipment_quote' },
    { columns: ['company_id', 'warehouse_id'], references: 'warehouse', name: 'shipment_warehouse' },
  ),
});
export type ShipmentRecord = InferEntity<typeof ShipmentEntity>;

/** A secondary label of a shipment: its number finds the shipment too. */
export const ShipmentLabelEntity = defineEntity({
  name: 'ShipmentLabel',
  tableName: 'shipment_label',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    shipmentId: p.integer().primary(),
    position: p.smallint().primary(),
    trackingNumber: p.text(),
    trackingKey: p.text().check("tracking_key <> ''"),
  },
  indexes: [{ name: 'shipment_label_by_tracking_key', properties: ['companyId', 'trackingKey', 'shipmentId'] }],
  ...foreignKeys({ columns: ['company_id', 'shipment_id'], references: 'shipment', onDelete: 'cascade' }),
});

export const ShipmentRelationEntity = defineEntity({
  name: 'ShipmentRelation',
  tableName: 'shipment_relation',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    shipmentId: p.integer().primary(),
    relatedKey: p.text().primary().check("related_key <> ''"),
    type: p.enum(['parent', 'forward', 'return', 'child']),
  },
  indexes: [{ name: 'shipment_relation_by_related_key', properties: ['companyId', 'relatedKey'] }],
  ...foreignKeys({ columns: ['company_id', 'shipment_id'], references: 'shipment', onDelete: 'cascade' }),
});

export const ShipmentContactEntity = defineEntity({
  name: 'ShipmentContact',
  tableName: 'shipment_contact',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    shipmentId: p.integer().primary(),
    email: p.text().nullable(),
    telephone: p.text().nullable(),
  },
  ...foreignKeys({ columns: ['company_id', 'shipment_id'], references: 'shipment', onDelete: 'cascade' }),
});
