import { defineEntity, p } from '@mikro-orm/core';
import { ofCompany } from '../database/tenancy/company-entity.ts';

/** What a key has used of a rate in a window of time. The table is not logged: after a crash of the database it is empty. */
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
