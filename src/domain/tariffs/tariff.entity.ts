import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from '../../platform/database/tenancy/company-entity.ts';

/** The tariff that a connection has. */
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
    // MikroORM takes a column with a sequence for its own kind, which has no default.
    revision: p.bigint('number').defaultRaw("nextval('tariff_revision')").ignoreSchemaChanges('default'),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
    format: p.smallint().default(1),
    endTold: p.date().nullable(),
  },
  checks: [{ name: 'tariff_format', expression: 'format in (1, 2)' }],
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
  ),
});

/** What a tariff says from a day on. */
export const TariffVersionEntity = defineEntity({
  name: 'TariffVersion',
  tableName: 'tariff_version',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    tariffId: p.integer().primary(),
    validFrom: p.date().primary(),
    label: p.text().check('char_length(label) >= 1 and char_length(label) <= 200'),
    rules: p.json<object>().check("jsonb_typeof(rules) = 'object'"),
  },
  ...foreignKeys({ columns: ['company_id', 'tariff_id'], references: 'tariff', onDelete: 'cascade' }),
});

/** Where a version has prices of its own. */
export const TariffZoneEntity = defineEntity({
  name: 'TariffZone',
  tableName: 'tariff_zone',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    tariffId: p.integer().primary(),
    validFrom: p.date().primary(),
    code: p.text().primary().check("code ~ '^[A-Za-z0-9_-]{1,40}$'"),
    position: p.integer().check('position >= 0'),
    name: p.text().check('char_length(name) >= 1 and char_length(name) <= 200'),
    deliveryDays: p.integer().nullable().check('delivery_days >= 0 and delivery_days <= 365'),
    notServed: p.text().nullable().check('char_length(not_served) >= 1 and char_length(not_served) <= 200'),
    stepGrams: p.integer().nullable().check('step_grams >= 1 and step_grams <= 100000000'),
    stepCents: p.integer().nullable().check('step_cents >= 0 and step_cents <= 10000000'),
    rules: p.json<object>().nullable(),
  },
  checks: [
    { name: 'tariff_zone_check', expression: '(step_grams is null) = (step_cents is null)' },
    { name: 'tariff_zone_check1', expression: 'not_served is null or step_grams is null' },
    { name: 'tariff_zone_rules', expression: "jsonb_typeof(rules) = 'object'" },
  ],
  uniques: [
    {
      name: 'tariff_zone_company_id_tariff_id_valid_from_position_key',
      properties: ['companyId', 'tariffId', 'validFrom', 'position'],
    },
  ],
  ...foreignKeys({
    columns: ['company_id', 'tariff_id', 'valid_from'],
    references: 'tariff_version',
    to: ['company_id', 'tariff_id', 'valid_from'],
    onDelete: 'cascade',
  }),
});

/** A place of a zone. */
export const TariffPlaceEntity = defineEntity({
  name: 'TariffPlace',
  tableName: 'tariff_place',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    tariffId: p.integer().primary(),
    validFrom: p.date().primary(),
    zoneCode: p.text().primary(),
    kind: p.enum(['postalCodes', 'municipalities', 'provinces', 'regions', 'countries', 'anywhere']).primary(),
    position: p.integer().primary().check('position >= 0'),
    place: p.text().check('char_length(place) >= 1 and char_length(place) <= 200'),
    origins: p.text().default(''),
  },
  uniques: [
    { name: 'tariff_place_of_origins', properties: ['companyId', 'tariffId', 'validFrom', 'kind', 'place', 'origins'] },
  ],
  ...foreignKeys({
    columns: ['company_id', 'tariff_id', 'valid_from', 'zone_code'],
    references: 'tariff_zone',
    to: ['company_id', 'tariff_id', 'valid_from', 'code'],
    onDelete: 'cascade',
  }),
});

/** The price up to a weight. */
export const TariffBandEntity = defineEntity({
  name: 'TariffBand',
  tableName: 'tariff_band',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    tariffId: p.integer().primary(),
    validFrom: p.date().primary(),
    zoneCode: p.text().primary(),
    upToGrams: p.integer().primary().check('up_to_grams >= 1 and up_to_grams <= 100000000'),
    priceCents: p.integer().check('price_cents >= 0 and price_cents <= 10000000'),
    rules: p.json<object>().nullable(),
  },
  checks: [{ name: 'tariff_band_rules', expression: "jsonb_typeof(rules) = 'object'" }],
  ...foreignKeys({
    columns: ['company_id', 'tariff_id', 'valid_from', 'zone_code'],
    references: 'tariff_zone',
    to: ['company_id', 'tariff_id', 'valid_from', 'code'],
    onDelete: 'cascade',
  }),
});
