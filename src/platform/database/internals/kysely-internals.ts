import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';

/**
 * What the service relies on of Kysely that it does not declare: of a pool its dialect asks for nothing but a connection, and of a
 * connection only that it sends statements and is given back. `test/platform/library-internals.test.ts` says whether it is still so.
 */

const kyselys = new WeakMap<pg.PoolClient, Kysely<unknown>>();
const noop = () => undefined;

/** What runs statements on one connection, which it never gives back. One for each connection, since making it is not cheap. */
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
