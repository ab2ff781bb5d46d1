import { defineEntity, p } from '@mikro-orm/core';

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
