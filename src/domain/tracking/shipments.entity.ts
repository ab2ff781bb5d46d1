import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { asCreated, ofCompany } from '../../platform/database/company-entity.ts';
import type { Metadata } from '../metadata.rules.ts';
import type { Recipient } from '../places/recipient.rules.ts';

export const ShipmentEntity = defineEntity({
  name: 'Shipment',
  tableName: 'shipment',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    id: p.integer().primary().autoincrement().generated('by default as identity'),
    carrierConnectionId: p.integer(),
    trackingNumber: p.text(),
    trackingKey: p.text(),
    orderId: p.integer().nullable(),
    warehouseId: p.integer().nullable(),
    quoteId: p.integer().nullable(),
    recipient: p.json<Recipient>().nullable(),
    reference: p.text().nullable(),
    referenceKey: p.text().nullable(),
    parcelId: p.text().nullable(),
    parcelIdKey: p.text().nullable(),
    parcelNumber: p.integer(),
    weight: p.decimal().nullable(),
    volume: p.decimal().nullable(),
    trackingUrl: p.text().nullable(),
    hops: p.smallint(),
    shipmentDate: p.datetime(3).nullable(),
    expectedDeliveryDate: p.datetime(3).nullable(),
    statusCode: p.text(),
    statusAt: p.datetime(3).nullable(),
    deliveredAt: p.datetime(3).nullable(),
    firstScanAt: p.datetime(3).nullable(),
    shippedAt: p.datetime(3).nullable(),
    metadata: p.json<Metadata>(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: p
      .datetime(3)
      .onCreate(asCreated)
      .onUpdate(() => new Date()),
  },
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
    trackingKey: p.text(),
  },
});

export const ShipmentRelationEntity = defineEntity({
  name: 'ShipmentRelation',
  tableName: 'shipment_relation',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    shipmentId: p.integer().primary(),
    relatedKey: p.text().primary(),
    type: p.text(),
  },
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
});
