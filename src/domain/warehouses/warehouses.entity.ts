import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { asCreated, ofCompany } from '../../platform/database/company-entity.ts';

export const WarehouseEntity = defineEntity({
  name: 'Warehouse',
  tableName: 'warehouse',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    id: p.integer().primary().autoincrement().generated('by default as identity'),
    name: p.text(),
    typeId: p.smallint(),
    address: p.text(),
    postalCode: p.text(),
    city: p.text(),
    state: p.text(),
    country: p.text(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: p
      .datetime(3)
      .onCreate(asCreated)
      .onUpdate(() => new Date()),
  },
});
export type Warehouse = InferEntity<typeof WarehouseEntity>;
