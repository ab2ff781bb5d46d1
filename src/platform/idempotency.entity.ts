import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from './database/tenancy/company-entity.ts';

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
