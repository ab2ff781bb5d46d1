import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { asCreated, ofCompany } from '../../platform/database/company-entity.ts';
import type { Metadata } from '../metadata.rules.ts';
import type { Recipient } from '../places/recipient.rules.ts';
import type { Parcel } from './orders.rules.ts';

export const OrderEntity = defineEntity({
  name: 'Order',
  tableName: 'customer_order',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    id: p.integer().primary().autoincrement().generated('by default as identity'),
    orderNumber: p.text(),
    marketplace: p.text().nullable(),
    marketplaceOrderId: p.text().nullable(),
    marketplaceOrderIdKey: p.text().nullable(),
    marketplaceOrderNumber: p.text().nullable(),
    marketplaceOrderNumberKey: p.text().nullable(),
    warehouseId: p.integer().nullable(),
    recipient: p.json<Recipient>(),
    parcels: p.json<Parcel[]>(),
    codAmount: p.decimal().nullable(),
    insuranceAmount: p.decimal().nullable(),
    metadata: p.json<Metadata>(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: p
      .datetime(3)
      .onCreate(asCreated)
      .onUpdate(() => new Date()),
  },
});
export type OrderRecord = InferEntity<typeof OrderEntity>;

export const OrderContactEntity = defineEntity({
  name: 'OrderContact',
  tableName: 'order_contact',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    orderId: p.integer().primary(),
    email: p.text().nullable(),
    telephone: p.text().nullable(),
  },
});
