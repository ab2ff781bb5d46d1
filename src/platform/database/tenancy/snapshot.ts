import type { Database } from '../database.ts';
import { type Loader, readKeys } from '../gather/loader.ts';
import type { CompanyStatement, Statement } from '../statements/statements.ts';
import type { CompanyId } from './company-id.ts';
import type { Reader } from './tenancy.ts';

/** A company at one moment, however long it is read. It takes no lock that blocks writers. */
export interface Snapshot extends Reader {
  readonly at: Date;
  rows<Row>(statement: CompanyStatement, ...values: unknown[]): Promise<Row[]>;
}

/** Reads companies in one transaction that does not see later commits, and changes nothing. */
export function inSnapshot<T>(
  database: Database,
  companyIds: readonly CompanyId[],
  work: (snapshots: readonly Snapshot[]) => Promise<T>,
): Promise<T> {
  return database.patiently(async client => {
    // Between two reads the rows are written to a file, whose disk may be slow.
    await client.query('set idle_in_transaction_session_timeout = 0');
    await client.query('begin isolation level repeatable read, read only');
    await client.query(`set local timezone = 'UTC'`);
    const run = async <Row>({ text }: Statement, values: readonly unknown[]) =>
      (await client.query(text, [...values])).rows as Row[];
    const { rows } = await client.query('select now() as at');
    const snapshots = companyIds.map((companyId): Snapshot => {
      const loadAll = <Key extends readonly unknown[], Value>(loader: Loader<Key, Value>, keys: readonly Key[]) =>
        readKeys(
          loader,
          keys.map(key => ({ companyId, key })),
          ({ ofOne }, columns) => run(ofOne, [companyId, ...columns]),
        );
      return {
        companyId,
        at: rows[0].at,
        rows: (statement, ...values) => run(statement, [companyId, ...values]),
        loadAll,
        load: async (loader, ...key) => (await loadAll(loader, [key]))[0] as never,
      };
    });
    const result = await work(snapshots);
    await client.query('commit');
    return result;
  });
}
