import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { ofEnvironment } from '../../platform/database/company-entity.ts';
import type { Environment } from '../../platform/environment.ts';

export const CompanyEntity = defineEntity({
  name: 'Company',
  tableName: 'company',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    suspendedAt: p.datetime(3).nullable(),
  },
});

export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  filters: ofEnvironment,
  properties: {
    companyId: p.uuid().primary(),
    id: p.uuid().primary(),
    secretHash: p.blob(),
    last4: p.text(),
    label: p.text(),
    scopes: p.array(),
    environment: p.text().$type<Environment>(),
    /** Rates of its own, as `Partial<Rates>`. */
    rates: p.json<Record<string, number>>().nullable(),
    /** In whose counters it counts; null for its own. */
    rateKeyId: p.uuid().nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    rotatedAt: p.datetime(3).nullable(),
    lastUsedAt: p.datetime(3).nullable(),
  },
});
export type ApiKeyRecord = InferEntity<typeof ApiKeyEntity>;
