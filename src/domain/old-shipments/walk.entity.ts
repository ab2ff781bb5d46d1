import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from '../../platform/database/tenancy/company-entity.ts';

/** How far the deletion of old records has come in a company. */
export const OldShipmentWalkEntity = defineEntity({
  name: 'OldShipmentWalk',
  tableName: 'old_shipment_walk',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    walk: p.enum(['ended', 'silent', 'orders', 'timelines']).primary(),
    at: p.datetime(3),
    id: p.integer(),
  },
  ...foreignKeys({ columns: ['company_id'], references: 'company' }),
});
