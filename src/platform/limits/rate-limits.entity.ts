import { defineEntity, p } from '@mikro-orm/core';
import { ofCompany } from '../database/tenancy/company-entity.ts';

/** The use of a rate by a key in a window of time. The table is unlogged: it is empty after a crash of the database. */
export const RateUseEntity = defineEntity({
  name: 'RateUse',
  tableName: 'rate_use',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    apiKeyId: p.uuid().primary(),
    rateClass: p.text().primary(),
    timeWindow: p.integer(),
    used: p.integer(),
  },
});
