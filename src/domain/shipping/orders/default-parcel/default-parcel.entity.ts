import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from '../../../../platform/database/tenancy/company-entity.ts';

/** The parcel that a company's quotes take where sides or a volume are missing. */
export const DefaultParcelEntity = defineEntity({
  name: 'DefaultParcel',
  tableName: 'default_parcel',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    weight: p.decimal().nullable().check('weight > 0'),
    length: p.decimal().check('length > 0'),
    width: p.decimal().check('width > 0'),
    height: p.decimal().check('height > 0'),
  },
  ...foreignKeys({ columns: ['company_id'], references: 'company' }),
});
