import type { Statement } from './database.ts';
import type { CompanyId } from './tenancy.ts';

/**
 * Declares reads by key, each beside the repository's other statements. A tenant and its transaction load by them
 * (`tenancy.ts`); what a tenant loads is gathered with what others ask for (`gathered-reads.ts`).
 */

/** What a part of a key is to PostgreSQL. */
type ColumnType = 'integer' | 'bigint' | 'boolean' | 'text' | 'uuid' | 'timestamptz';

interface Declaration {
  readonly name: string;
  /** The parts of a key by name, in their order. */
  readonly key: Readonly<Record<string, ColumnType>>;
  /** Selects what belongs to one key, which is the row `each`: its company and the parts of the key. */
  readonly text: string;
  /** The order of the rows of a key. */
  readonly order?: string;
  /** A read that bears to be a moment old, and so may come from a replica. */
  readonly canLag?: boolean;
  /**
   * Has one statement read for one company only. For what may be long: what one company reads keeps no other company
   * waiting.
   */
  readonly isSplitByCompany?: boolean;
}

/** A statement that reads what belongs to each of many keys. */
export interface Loader<Key extends readonly unknown[], Value> {
  readonly statement: Statement;
  readonly isSplitByCompany: boolean;
  readonly toValue: (rows: readonly object[]) => Value;
  /** Only a type: that of the keys. */
  readonly key?: Key;
}

/** A loader whatever its keys are. */
export type AnyLoader<Value = unknown> = Loader<readonly unknown[], Value>;

/** Declares a read of the one row that a key has, or of none. */
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

/** Declares a read of all rows that a key has. */
export function listLoader<Key extends readonly unknown[], Row extends object>(
  declaration: Declaration,
): Loader<Key, readonly Row[]> {
  return loaderOf(declaration, rows => rows as readonly Row[]);
}

/** @throws Error for a statement whose rows need not be of the company that its input `each` names */
export function requireCompanyOfEach(name: string, text: string): void {
  if (text.includes('company_id = each.company_id')) return;
  throw new Error(`Statement ${name} lacks the predicate company_id = each.company_id`);
}

function loaderOf<Key extends readonly unknown[], Value>(
  { name, key, text, order, canLag = false, isSplitByCompany = false }: Declaration,
  toValue: (rows: readonly object[]) => Value,
): Loader<Key, Value> {
  requireCompanyOfEach(name, text);
  const parameters = ['uuid', ...Object.values(key)].map((type, i) => `$${i + 1}::${type}[]`);
  const columns = ['company_id', ...Object.keys(key), 'n'];
  const statement = `select each.n::integer, r.* from unnest(${parameters.join(', ')}) with ordinality each(${columns.join(', ')})
    cross join lateral (${text}) r${order === undefined ? '' : ` order by ${order}`}`;
  return { statement: { name, text: statement, canLag }, isSplitByCompany, toValue };
}

/** A key of a company. */
export interface CompanyKey {
  readonly companyId: CompanyId;
  readonly key: readonly unknown[];
}

/** Reads by a loader's statement: the value of each key, in the order of the keys. */
export async function readKeys<Value>(
  { statement, toValue }: AnyLoader<Value>,
  keys: readonly CompanyKey[],
  run: (statement: Statement, values: readonly unknown[][]) => Promise<{ readonly n: number }[]>,
): Promise<Value[]> {
  const [first] = keys;
  if (first === undefined) return [];
  const columns = [keys.map(({ companyId }) => companyId), ...first.key.map((_, i) => keys.map(({ key }) => key[i]))];
  const rowsOf: object[][] = keys.map(() => []);
  for (const row of await run(statement, columns)) rowsOf[row.n - 1]?.push(row);
  return rowsOf.map(toValue);
}
