import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from '../database/tenancy/company-entity.ts';

/** A job that waits until its company is resumed. */
export const SuspendedJobEntity = defineEntity({
  name: 'SuspendedJob',
  tableName: 'suspended_job',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    id: p.uuid().primary(),
    queue: p.text(),
    data: p.json<object>(),
    groupId: p.text().nullable(),
    singletonKey: p.text().nullable(),
  },
  ...foreignKeys({ columns: ['company_id'], references: 'company' }),
});
