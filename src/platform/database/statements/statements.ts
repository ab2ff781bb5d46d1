/**
 * All SQL of the service is declared here, by name, when its module loads. So a test can check whose rows each statement
 * meets.
 */

declare const declaredBrand: unique symbol;

/** A prepared statement: PostgreSQL plans it once a connection, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** The name of the plan on a connection, if it differs: there, one name stands for one text. */
  readonly preparedAs?: string;
  /** Whether the data may be slightly old, and so come from a replica. */
  readonly canLag?: boolean;
  /** A type only: undeclared statements cannot be run. */
  readonly [declaredBrand]: true;
}

/** A statement that has the company in its predicate as `$1`. */
export interface CompanyStatement extends Statement {
  readonly company: true;
}

/** A statement, and whether `$1` is the company whose rows alone it meets. */
interface Declared extends Omit<Statement, typeof declaredBrand> {
  readonly isOfOneCompany: boolean;
}

const declared = new Map<string, Declared>();

/** @throws Error if the name has another text already, because a connection prepares one statement per name */
function declare(statement: Declared): Statement {
  const { name, text } = statement;
  if ((declared.get(name)?.text ?? text) !== text) throw new Error(`There are two statements ${name}`);
  declared.set(name, statement);
  return statement as Declared & Statement;
}

/** Every statement of the loaded modules; of those with two texts, the one for one company. */
export function declaredStatements(): readonly Declared[] {
  return [...declared.values()];
}

type Options = Pick<Statement, 'canLag'>;

/**
 * Declares a statement of a company. Without `company_id = $1` it cannot be declared: forgetting the company is an
 * error when the module loads, not a leak when it runs.
 */
export function companyStatement(name: string, text: string, options: Options = {}): CompanyStatement {
  if (!text.includes('company_id = $1')) throw new Error(`Statement ${name} lacks the predicate company_id = $1`);
  return { ...declare({ name, text, ...options, isOfOneCompany: true }), company: true };
}

/**
 * Declares a statement for the service itself or its operators, over all companies or none. Those that read companies'
 * tables are listed in test/contract/one-company.test.ts, each with its reason.
 */
export function serviceStatement(name: string, text: string, options: Options = {}): Statement {
  return declare({ name, text, ...options, isOfOneCompany: false });
}

/** A statement of a library, on its own tables. It is not declared, because its text is known only when it runs. */
export function statementOfLibrary(name: string, text: string): Statement {
  return { name, text } as Statement;
}

/** The name of a statement is enough in traces; its values may be personal data. */
export const DATABASE_SPAN = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const;

/** The types that PostgreSQL knows columns by. */
export type ColumnType =
  | 'integer'
  | 'smallint'
  | 'bigint'
  | 'float8'
  | 'boolean'
  | 'text'
  | 'uuid'
  | 'timestamptz'
  | 'jsonb';

/**
 * A statement for the rows of many companies at once, with a second text for the rows of one company. In that text the
 * company is a parameter, so that PostgreSQL can see that the statement meets the rows of one company.
 */
export interface StatementForEach {
  /** `$1` and on are arrays: the companies, and the columns. */
  readonly spanning: Statement;
  /** `$1` is the company; `$2` and on are the columns. */
  readonly ofOne: Statement;
}

/** A predicate on the company of each row, or an insert of nothing but rows with that company. */
const NAMES_COMPANY =
  /company_id = each\.company_id|^insert into \w+ \(company_id\b[^)]*\)\s+select each\.company_id\b/;

/**
 * Declares a statement whose input is rows, each of which names its company and meets only that company's rows.
 *
 * @param columns of the input by name, beside `company_id` and `n`, which numbers the rows from 1
 * @param text selects from its argument, under the name `each`
 */
export function statementForEach(
  name: string,
  columns: Readonly<Record<string, ColumnType>>,
  text: (input: string) => string,
  options: Options = {},
): StatementForEach {
  const names = Object.keys(columns);
  // Selected, so that PostgreSQL plans for any number of rows and keeps the plan. It would see the length of a
  // parameter, find a plan for so few rows cheaper than the generic one, and plan again each time: for 1 to 8 trackings
  // by number that is 670 to 1,100 µs of CPU a statement, and 200 to 560 µs with a kept plan.
  const arrays = (first: number, types: readonly string[]) =>
    types.map((type, i) => `(select $${first + i}::${type}[])`).join(', ');
  const types = Object.values(columns);
  const input = (parameters: string, given: readonly string[]) =>
    `unnest(${parameters}) with ordinality as each(${[...given, 'n'].join(', ')})`;
  const spanning = text(input(arrays(1, ['uuid', ...types]), ['company_id', ...names]));
  if (!NAMES_COMPANY.test(spanning)) {
    throw new Error(`Statement ${name} lacks the predicate company_id = each.company_id`);
  }
  const ofOne = text(input(arrays(2, types), names)).replaceAll('each.company_id', '$1::uuid');
  declare({ name, text: ofOne, ...options, isOfOneCompany: true });
  const both = { name, ...options };
  return {
    spanning: { ...both, text: spanning } as Statement,
    ofOne: { ...both, preparedAs: `${name}-of-one`, text: ofOne } as Statement,
  };
}
