import { MetadataDiscovery, type MetadataStorage } from '@mikro-orm/core';
import { Database } from '../../src/platform/database/database.ts';

// MikroORM discovers the entities whenever a database is opened, which takes 15 ms of a processor. The service opens one
// in a process. Tests open hundreds, with the same entities, and share what the first one discovered.

const { connect } = Database;
const { discoverSync } = MetadataDiscovery.prototype;
let discovered: MetadataStorage | undefined;
let isShared = false;

Database.connect = (...args) => {
  isShared = true;
  try {
    // It makes its MikroORM before the first `await`.
    return connect.apply(Database, args);
  } finally {
    isShared = false;
  }
};

MetadataDiscovery.prototype.discoverSync = function () {
  if (!isShared) return discoverSync.call(this);
  discovered ??= discoverSync.call(this);
  return discovered;
};
