import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from '../../../../platform/database/tenancy/company-entity.ts';

/** A code of a live connection's carrier that its table of codes has no row for. */
export const NewCarrierCodeEntity = defineEntity({
  name: 'NewCarrierCode',
  tableName: 'new_carrier_code',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    carrierConnectionId: p.integer().primary(),
    code: p.text().primary(),
    firstSeenAt: p.datetime(3).defaultRaw('now()'),
    lastSeenAt: p.datetime(3).defaultRaw('now()'),
  },
  indexes: [{ name: 'new_carrier_code_by_age', properties: ['lastSeenAt'] }],
  ...foreignKeys({ columns: ['company_id', 'carrier_connection_id'], references: 'carrier_connection' }),
});
