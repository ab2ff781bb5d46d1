import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from '../../../../platform/database/tenancy/company-entity.ts';

/** A tariff that a connection has had, with its number, or a draft of one, without. */
export const CarrierTariffRevisionEntity = defineEntity({
  name: 'CarrierTariffRevision',
  tableName: 'carrier_tariff_revision',
  ...ofCompany,
  properties: {
    id: p.integer().primary().autoincrement().generated('by default as identity'),
    companyId: p.uuid().primary(),
    carrierConnectionId: p.integer(),
    number: p.integer().nullable().check('number > 0'),
    name: p.text().check('char_length(name) >= 1 and char_length(name) <= 200'),
    document: p.json<object>().check("jsonb_typeof(document) = 'object'"),
    restoredNumber: p.integer().nullable().check('restored_number > 0'),
    author: p.enum(['api_key', 'operator', 'unknown']),
    apiKeyId: p.uuid().nullable(),
    apiKeyLabel: p.text().nullable(),
    publishOn: p.date().nullable(),
    problem: p.text().nullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    publishedAt: p.datetime(3).nullable(),
  },
  checks: [
    {
      name: 'carrier_tariff_revision_check',
      expression: "(author = 'api_key') = ((api_key_id is not null) and (api_key_label is not null))",
    },
    {
      name: 'carrier_tariff_revision_published',
      expression: '(number is null) = (published_at is null)',
    },
    {
      name: 'carrier_tariff_revision_check2',
      expression: 'number is null or (publish_on is null and problem is null)',
    },
  ],
  indexes: [
    {
      name: 'carrier_tariff_revision_due',
      properties: ['publishOn'],
      where: 'publish_on is not null and problem is null',
    },
    { name: 'carrier_tariff_revision_list', properties: ['companyId', 'carrierConnectionId', 'id'] },
  ],
  uniques: [{ name: 'carrier_tariff_revision_number', properties: ['companyId', 'carrierConnectionId', 'number'] }],
  ...foreignKeys(
    { columns: ['company_id', 'carrier_connection_id'], references: 'carrier_connection', onDelete: 'cascade' },
    { columns: ['company_id'], references: 'company' },
  ),
});
