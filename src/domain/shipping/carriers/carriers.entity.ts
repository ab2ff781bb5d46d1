import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { changeTime, creationTime, foreignKeys, ofCompany } from '../../../platform/database/tenancy/company-entity.ts';
import type { CredentialsState } from './account.rules.ts';
import type { Question } from './carriers.catalog.ts';

export const CarrierConnectionEntity = defineEntity({
  name: 'CarrierConnection',
  tableName: 'carrier_connection',
  ...ofCompany,
  properties: {
    id: p.integer().primary().autoincrement().generated('by default as identity'),
    companyId: p.uuid().primary(),
    carrierCode: p.text(),
    label: p.text().check('char_length(label) >= 1 and char_length(label) <= 200'),
    isActive: p.boolean(),
    environment: p.enum(['live', 'sandbox']).default('live'),
    baseUrl: p.text().nullable().check('char_length(base_url) <= 2048'),
    credentials: p.blob().nullable(),
    credentialsState: p.text().$type<CredentialsState>().nullable(),
    /** The state of credentials that are for tracking alone, where the carrier has such. */
    trackingCredentialsState: p.text().$type<CredentialsState>().nullable(),
    /** The questions that the carrier answers with the credentials, or to anyone; null if it answers none, and in rows of 1.0. */
    questions: p.array<Question>().nullable(),
    disconnectedAt: p.datetime(3).nullable(),
    /** The last shipment that got a poll row, while more need one. */
    followAfter: p.integer().nullable(),
    createdAt: creationTime(),
    updatedAt: changeTime(),
  },
  checks: [
    {
      name: 'carrier_connection_check',
      expression: 'disconnected_at is null or (credentials is null and (not is_active))',
    },
    { name: 'carrier_connection_credentials_state', expression: "credentials_state in ('refused', 'changed')" },
    {
      name: 'carrier_connection_tracking_credentials_state',
      expression: "tracking_credentials_state in ('refused', 'changed')",
    },
  ],
  indexes: [
    { name: 'carrier_connection_refused', properties: ['carrierCode'], where: "credentials_state = 'refused'" },
    {
      name: 'carrier_connection_tracking_refused',
      properties: ['carrierCode'],
      where: "tracking_credentials_state = 'refused'",
    },
  ],
  ...foreignKeys({ columns: ['company_id'], references: 'company' }),
});
export type CarrierConnectionRecord = InferEntity<typeof CarrierConnectionEntity>;
