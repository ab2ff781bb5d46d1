import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { asCreated, ofCompany, ofEnvironment } from '../../platform/database/company-entity.ts';
import type { CredentialsState } from './account.rules.ts';
import type { CarrierEnvironment } from './carrier.port.ts';

export const CarrierConnectionEntity = defineEntity({
  name: 'CarrierConnection',
  tableName: 'carrier_connection',
  filters: { ...ofCompany.filters, ...ofEnvironment },
  properties: {
    companyId: p.uuid().primary(),
    id: p.integer().primary().autoincrement().generated('by default as identity'),
    carrierCode: p.text(),
    label: p.text(),
    isActive: p.boolean(),
    environment: p.text().$type<CarrierEnvironment>(),
    baseUrl: p.text().nullable(),
    /** Sealed. */
    credentials: p.blob().nullable(),
    credentialsState: p.text().$type<CredentialsState>().nullable(),
    disconnectedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: p
      .datetime(3)
      .onCreate(asCreated)
      .onUpdate(() => new Date()),
  },
});
export type CarrierConnectionRecord = InferEntity<typeof CarrierConnectionEntity>;
