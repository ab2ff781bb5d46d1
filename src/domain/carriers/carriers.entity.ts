import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { ofCompany } from '../../platform/company-entity.ts';

export const CarrierConnectionEntity = defineEntity({
  name: 'CarrierConnection',
  tableName: 'carrier_connection',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    id: p.integer().primary().autoincrement(),
    carrierCode: p.text(),
    label: p.text(),
    isActive: p.boolean(),
    createdAt: p.datetime().onCreate(() => new Date()),
    updatedAt: p
      .datetime()
      .onCreate(() => new Date())
      .onUpdate(() => new Date()),
  },
});
export type CarrierConnectionRecord = InferEntity<typeof CarrierConnectionEntity>;
