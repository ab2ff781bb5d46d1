import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const CompanyEntity = defineEntity({
  name: 'Company',
  tableName: 'company',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    createdAt: p.datetime().onCreate(() => new Date()),
  },
});

export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    companyId: p.uuid().primary(),
    id: p.uuid().primary(),
    secretHash: p.blob(),
    last4: p.text(),
    label: p.text(),
    scopes: p.array(),
    /** Rates of its own, as `Partial<Rates>`. */
    rates: p.json<Record<string, number>>().nullable(),
    /** In whose counters it counts; null for its own. */
    rateKeyId: p.uuid().nullable(),
    createdAt: p.datetime().onCreate(() => new Date()),
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
  },
});
export type ApiKeyRecord = InferEntity<typeof ApiKeyEntity>;
