import { defineEntity, p } from '@mikro-orm/core';

/** A key that secrets are encrypted with, by its id. */
export const SecretsKeyEntity = defineEntity({
  name: 'SecretsKey',
  tableName: 'secrets_key',
  properties: {
    id: p.blob().primary().check('octet_length(id) = 4'),
    registeredAt: p.datetime(6).defaultRaw('now()'),
  },
});
