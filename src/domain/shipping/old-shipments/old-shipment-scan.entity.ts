import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from '../../../platform/database/tenancy/company-entity.ts';

/** The position of the deletion of old records in a company. */
export const OldShipmentScanEntity = defineEntity({
  name: 'OldShipmentScan',
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
