import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { changeTime, creationTime, foreignKeys, ofCompany } from '../../../platform/database/tenancy/company-entity.ts';
import type { Metadata } from '../../common/metadata.rules.ts';
import type { Recipient } from '../../common/places/recipient.rules.ts';
import type { Parcel } from './orders.rules.ts';

export const OrderEntity = defineEntity({
  name: 'Order',
  tableName: 'customer_order',
  ...ofCompany,
  properties: {
    id: p.integer().primary().autoincrement().generated('by default as identity'),
    companyId: p.uuid().primary(),
    orderNumber: p.text(),
    marketplace: p.text().nullable(),
    marketplaceOrderId: p.text().nullable(),
    marketplaceOrderIdKey: p.text().nullable(),
    marketplaceOrderNumber: p.text().nullable(),
    marketplaceOrderNumberKey: p.text().nullable(),
    warehouseId: p.integer().nullable(),
    recipient: p.json<Recipient>(),
    parcels: p.json<Parcel[]>(),
    codAmount: p.decimal().nullable().check('cod_amount >= 0'),
    insuranceAmount: p.decimal().nullable().check('insurance_amount >= 0'),
    service: p.text().nullable(),
    goodsValue: p.decimal().nullable(),
    metadata: p.json<Metadata>().defaultRaw("'{}'"),
    createdAt: creationTime(),
    updatedAt: changeTime(),
  },
  indexes: [
    { name: 'customer_order_by_created', properties: ['companyId', 'createdAt', 'id'] },
    {
      name: 'customer_order_by_marketplace_id',
      properties: ['companyId', 'marketplaceOrderIdKey'],
      where: 'marketplace_order_id_key is not null',
    },
    {
      name: 'customer_order_by_marketplace_number',
      properties: ['companyId', 'marketplaceOrderNumberKey'],
      where: 'marketplace_order_number_key is not null',
    },
    { name: 'customer_order_by_updated', properties: ['companyId', 'updatedAt', 'id'] },
    {
      name: 'customer_order_by_warehouse',
      properties: ['companyId', 'warehouseId'],
      where: 'warehouse_id is not null',
    },
    {
      name: 'customer_order_of_marketplace',
      properties: ['companyId', 'marketplace', 'id'],
      where: 'marketplace is not null',
    },
  ],
  uniques: [{ name: 'customer_order_company_id_order_number_key', properties: ['companyId', 'orderNumber'] }],
  ...foreignKeys(
    { columns: ['company_id'], references: 'company' },
    { columns: ['company_id', 'warehouse_id'], references: 'warehouse', name: 'customer_order_warehouse' },
  ),
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
  ...foreignKeys({ columns: ['company_id', 'order_id'], references: 'customer_order', onDelete: 'cascade' }),
});
