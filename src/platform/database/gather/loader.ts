import { type ColumnType, type StatementForEach, statementForEach } from '../statements/statements.ts';
import type { CompanyId } from '../tenancy/company-id.ts';

/**
 * Declares reads by key, each beside the repository's other statements. A tenant and its transaction load with them
 * (`tenancy.ts`); loads of tenants are gathered across requests (`gathered-reads.ts`).
 */

interface Declaration {
  readonly name: string;
  /** The parts of a key by name, in their order. */
  readonly key: Readonly<Record<string, ColumnType>>;
  /** Selects the rows of one key, which is the row `each`: its company and the parts of the key. */
  readonly text: string;
  /** The order of the rows of a key. */
  readonly order?: string;
  /** Whether the data may be slightly old, and so come from a replica. */
  readonly canLag?: boolean;
  /** Whether a statement reads for one company only. Used for long data, so that one company does not delay others. */
  readonly isSplitByCompany?: boolean;
}

/** A statement that reads the values of many keys. */
export interface Loader<Key extends readonly unknown[], Value> {
  readonly statement: StatementForEach;
  readonly isSplitByCompany: boolean;
  readonly toValue: (rows: readonly object[]) => Value;
  /** Never set: it carries the type of the keys. */
  readonly key?: Key;
}

export type AnyLoader<Value = unknown> = Loader<readonly unknown[], Value>;

/** Declares a read of at most one row by key. */
export function rowLoader<Key extends readonly unknown[], Row extends object>(
  declaration: Declaration,
): Loader<Key, Row | undefined>;
/** @param toValue makes the value of a key from its row */
export function rowLoader<Key extends readonly unknown[], Row extends object, Value>(
  declaration: Declaration,
  toValue: (row: Row | undefined) => Value,
): Loader<Key, Value>;
export function rowLoader<Key extends readonly unknown[], Row extends object, Value>(
  declaration: Declaration,
  toValue?: (row: Row | undefined) => Value,
): Loader<Key, Value | Row | undefined> {
  return loaderOf(declaration, ([row]) => (toValue ? toValue(row as Row | undefined) : (row as Row | undefined)));
}

/** Declares a read of all rows of a key. */
export function listLoader<Key extends readonly unknown[], Row extends object>(
  declaration: Declaration,
): Loader<Key, readonly Row[]> {
  return loaderOf(declaration, rows => rows as readonly Row[]);
}

function loaderOf<Key extends readonly unknown[], Value>(
  { name, key, text, order, canLag = false, isSplitByCompany = false }: Declaration,
  toValue: (rows: readonly object[]) => Value,
): Loader<Key, Value> {
  const ordered = order === undefined ? '' : ` order by ${order}`;
  const read = (keys: string) => `select each.n::integer, r.* from ${keys} cross join lateral (${text}) r${ordered}`;
  return { statement: statementForEach(name, key, read, { canLag }), isSplitByCompany, toValue };
}

export interface CompanyKey {
  readonly companyId: CompanyId;
  readonly key: readonly unknown[];
}

/**
 * Reads with a loader's statement: the value of each key, in the order of the keys.
 *
 * @param run asks for the rows of keys, which are given by the parts of the keys
 */
export async function readKeys<Value>(
  { statement, toValue }: AnyLoader<Value>,
  keys: readonly CompanyKey[],
  run: (
    statement: StatementForEach,
    columns: readonly (readonly unknown[])[],
    companyIds: readonly CompanyId[],
  ) => Promise<{ readonly n: number }[]>,
): Promise<Value[]> {
  const [first] = keys;
  if (first === undefined) return [];
  const columns = first.key.map((_, i) => keys.map(({ key }) => key[i]));
  const rows = await run(
    statement,
    columns,
    keys.map(({ companyId }) => companyId),
  );
  const rowsOf: object[][] = keys.map(() => []);
  for (const row of rows) rowsOf[row.n - 1]?.push(row);
  return rowsOf.map(toValue);
}
