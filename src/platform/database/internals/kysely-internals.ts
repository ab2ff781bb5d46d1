import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';

/**
 * Undeclared behaviour of Kysely that the service relies on: the dialect only takes connections from its pool, and only
 * sends statements to a connection and returns it. `test/platform/library-internals.test.ts` checks it.
 */

const kyselys = new WeakMap<pg.PoolClient, Kysely<unknown>>();
const noop = () => undefined;

/** A Kysely on one connection, which it never returns. It is kept, because making one is not cheap. */
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
