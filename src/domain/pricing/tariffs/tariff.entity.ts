import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from '../../../platform/database/tenancy/company-entity.ts';

/** The tariff of a connection: its revision in force, and the fields that lists show. */
export const TariffEntity = defineEntity({
  name: 'Tariff',
  tableName: 'tariff',
  ...ofCompany,
  properties: {
    id: p.integer().primary().autoincrement().generated('by default as identity'),
    companyId: p.uuid().primary(),
    carrierConnectionId: p.integer(),
    name: p.text().check('char_length(name) >= 1 and char_length(name) <= 200'),
    validUntil: p.date().nullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
    endTold: p.date().nullable(),
    revisionId: p.integer(),
    versions: p.json<readonly object[]>().defaultRaw("'[]'"),
  },
  indexes: [
    {
      name: 'tariff_end_untold',
      properties: ['companyId', 'validUntil'],
      where: 'valid_until is distinct from end_told',
    },
  ],
  uniques: [{ name: 'tariff_of_connection', properties: ['companyId', 'carrierConnectionId'] }],
  ...foreignKeys(
    { columns: ['company_id', 'carrier_connection_id'], references: 'carrier_connection', onDelete: 'cascade' },
    { columns: ['company_id'], references: 'company' },
    { columns: ['company_id', 'revision_id'], references: 'carrier_tariff_revision' },
  ),
});
