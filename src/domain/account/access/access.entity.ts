import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { creationTime, foreignKeys, ofCompany } from '../../../platform/database/tenancy/company-entity.ts';

export const CompanyEntity = defineEntity({
  name: 'Company',
  tableName: 'company',
  properties: {
    id: p.uuid().primary(),
    name: p.text().check('char_length(name) >= 1 and char_length(name) <= 200'),
    createdAt: creationTime(),
    suspendedAt: p.datetime(3).nullable(),
    /** The live company of this sandbox. */
    sandboxOf: p.uuid().nullable(),
    /** Processes of 1.0.0 read it. To be dropped in 1.2. */
    sealedFor: p.uuid().nullable(),
  },
  uniques: [{ name: 'company_sandbox_of', properties: ['sandboxOf'] }],
  ...foreignKeys({ columns: ['sandbox_of'], references: 'company', to: ['id'] }),
});

export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    id: p.uuid().primary(),
    secretHash: p.blob().check('octet_length(secret_hash) = 32'),
    last4: p.text(),
    label: p.text().check('char_length(label) >= 1 and char_length(label) <= 200'),
    scopes: p.array(),
    /** The key's own rates, as `Partial<Rates>`. */
    rates: p.json<Record<string, number>>().nullable(),
    /** The key whose counters are used; null for its own. */
    rateKeyId: p.uuid().nullable(),
    createdAt: creationTime(),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    rotatedAt: p.datetime(3).nullable(),
    lastUsedAt: p.datetime(3).nullable(),
    /** When its owner was notified of the expiry. */
    expiryToldAt: p.datetime(3).nullable(),
  },
  indexes: [
    {
      name: 'api_key_expiry_untold',
      properties: ['companyId', 'expiresAt'],
      where: 'expires_at is not null and revoked_at is null and rotated_at is null and expiry_told_at is null',
    },
  ],
  uniques: [{ name: 'api_key_by_id', properties: ['id'] }],
  ...foreignKeys({ columns: ['company_id'], references: 'company' }),
});
export type ApiKeyRecord = InferEntity<typeof ApiKeyEntity>;
