import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from '../../../../platform/database/tenancy/company-entity.ts';

/** A list of places or a fuel index that tariffs of a carrier name. */
export const CarrierReferenceEntity = defineEntity({
  name: 'CarrierReference',
  tableName: 'carrier_reference',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    carrierCode: p.text().primary(),
    kind: p.enum(['list', 'index']).primary(),
    name: p.text().primary().check("name ~ '^[a-z][a-z0-9_]{0,39}$'"),
    content: p.json<object>(),
    // MikroORM takes a column with a sequence for its own kind, which has no default.
    revision: p.bigint('number').defaultRaw("nextval('tariff_revision')").ignoreSchemaChanges('default'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
  ...foreignKeys({ columns: ['company_id'], references: 'company' }),
});
