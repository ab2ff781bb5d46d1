import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';

/**
 * The undeclared parts of Kysely that the service relies on. Its dialect requests nothing but a connection from a pool, and only sends
 * statements on a connection and releases it. `test/platform/library-internals.test.ts` checks this after an upgrade.
 */

const kyselys = new WeakMap<pg.PoolClient, Kysely<unknown>>();
const noop = () => undefined;

/** Kysely on one connection, which it never releases. Each connection keeps its own, because making one is not cheap. */
export function kyselyOn(client: pg.PoolClient): Kysely<unknown> {
  let kysely = kyselys.get(client);
  if (kysely === undefined) {
    const only = { query: client.query.bind(client), release: noop } as unknown as PostgresPoolClient;
    const pool = { connect: async () => only, end: async () => undefined, options: {} };
    kysely = new Kysely({ dialect: new PostgresDialect({ pool }) });
    kyselys.set(client, kysely);
  }
  return kysely;
}
