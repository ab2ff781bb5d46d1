import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { changeTime, creationTime, foreignKeys, ofCompany } from '../../../platform/database/tenancy/company-entity.ts';

export const WarehouseEntity = defineEntity({
  name: 'Warehouse',
  tableName: 'warehouse',
  ...ofCompany,
  properties: {
    id: p.integer().primary().autoincrement().generated('by default as identity'),
    companyId: p.uuid().primary(),
    name: p.text(),
    typeId: p.smallint().check('type_id >= 1 and type_id <= 4'),
    address: p.text(),
    postalCode: p.text(),
    city: p.text(),
    state: p.text(),
    country: p.text().check("country ~ '^[A-Z]{2}$'"),
    createdAt: creationTime(),
    updatedAt: changeTime(),
  },
  ...foreignKeys({ columns: ['company_id'], references: 'company' }),
});
export type Warehouse = InferEntity<typeof WarehouseEntity>;
