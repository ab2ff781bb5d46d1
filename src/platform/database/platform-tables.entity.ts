import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from './tenancy/company-entity.ts';

// The tables of the platform itself: what the limits, the jobs, the secrets and the migrations keep in the database.

/** A request with an `Idempotency-Key`, and its response once there is one. */
export const IdempotentRequestEntity = defineEntity({
  name: 'IdempotentRequest',
  tableName: 'idempotent_request',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    apiKeyId: p.uuid().primary(),
    route: p.text().primary(),
    idempotencyKey: p
      .text()
      .primary()
      .check('char_length(idempotency_key) >= 1 and char_length(idempotency_key) <= 255'),
    claim: p.uuid(),
    request: p.blob(),
    claimedAt: p.datetime(3).defaultRaw('now()'),
    tookEffect: p.boolean().default(false),
    answer: p.blob().nullable(),
  },
  indexes: [{ name: 'idempotent_request_claimed', properties: ['claimedAt'] }],
  ...foreignKeys({ columns: ['company_id', 'api_key_id'], references: 'api_key', onDelete: 'cascade' }),
});

/** A job that waits until its company is resumed. */
export const SuspendedJobEntity = defineEntity({
  name: 'SuspendedJob',
  tableName: 'suspended_job',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    id: p.uuid().primary(),
    queue: p.text(),
    data: p.json<object>(),
    groupId: p.text().nullable(),
    singletonKey: p.text().nullable(),
  },
  ...foreignKeys({ columns: ['company_id'], references: 'company' }),
});

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

/** A key that secrets are encrypted with, by its id. */
export const SecretsKeyEntity = defineEntity({
  name: 'SecretsKey',
  tableName: 'secrets_key',
  properties: {
    id: p.blob().primary().check('octet_length(id) = 4'),
    registeredAt: p.datetime(6).defaultRaw('now()'),
  },
});

/** A version of the service that migrated the database, and the oldest one that runs on it since. */
export const MigratedVersionEntity = defineEntity({
  name: 'MigratedVersion',
  tableName: 'migrated_version',
  properties: {
    version: p.text().primary(),
    oldestBeside: p.text(),
    migratedAt: p.datetime(6).defaultRaw('now()'),
  },
});
