import { type CompanyStatement, companyStatement, type Statement } from '../statements/statements.ts';
import type { Tenant } from '../tenancy/tenancy.ts';
import {
  boundsOf,
  type Count,
  type Direction,
  type Listed,
  Parameters,
  type PositionPage,
  type Stretch,
  type WalkedCount,
  type WalkedPage,
  walkedCount,
  walkedPage,
} from './index-walk.ts';

/** Lists that are filtered, as statements that are declared for each of the indexes that they can be walked along. */

/** A list as its filter and order ask for it. */
export interface WalkedList<Row> {
  /** What the list is sorted by before the ids, for its cursors; null where by ids alone. */
  readonly sortedBy: string | null;
  readonly read: (page: PositionPage) => Promise<WalkedPage<Row>>;
  readonly count: () => Promise<Count>;
}

/** What is asked of a walk: its rows between two positions, so many of each of its stretches, and what they must be. */
export interface AskedWalk<Walk, Conditions> {
  readonly walk: Walk;
  readonly stretch: Stretch;
  readonly window: number;
  /** The values of the parameters of all statements, by name; null where the filter does not have the condition. */
  readonly conditions: Conditions;
}

/** What a walk is declared by. */
interface Declaration extends Listed {
  readonly select: string;
  /** What rows are counted by, and the tables that this needs. */
  readonly counted: (value: Parameters['of']) => { readonly joins: string; readonly group: string };
}

interface Declared {
  readonly statement: CompanyStatement;
  readonly parameters: Parameters;
}

interface DeclaredWalk {
  readonly pages: Readonly<Record<Direction, Declared>>;
  readonly count: Declared;
}

/** The statements of one kind of list: a page in each direction, and a count, for each walk. */
export class WalkStatements<Walk extends string, Conditions extends object> {
  readonly #declared: ReadonlyMap<Walk, DeclaredWalk>;

  /** @param what the name of the rows in the names of the statements */
  constructor(
    what: string,
    walks: readonly Walk[],
    declare: (walk: Walk) => Declaration,
    options?: Pick<Statement, 'canLag'>,
  ) {
    this.#declared = new Map(walks.map(walk => [walk, declareWalk(`${what}-by-${walk}`, declare(walk), options)]));
  }

  /** A page in the order of a walk, with up to where it was looked. */
  page<Row>(tenant: Tenant, asked: AskedWalk<Walk, Conditions>, direction: Direction, limit: number): Promise<Row[]> {
    return run(tenant, this.#of(asked).pages[direction], asked, { limit });
  }

  /** How many there are, by stretch and group. */
  count(tenant: Tenant, asked: AskedWalk<Walk, Conditions>, more: object = {}): Promise<WalkedCount[]> {
    return run(tenant, this.#of(asked).count, asked, more);
  }

  #of({ walk }: AskedWalk<Walk, Conditions>): DeclaredWalk {
    return this.#declared.get(walk) as DeclaredWalk;
  }
}

function declareWalk(name: string, declaration: Declaration, options?: Pick<Statement, 'canLag'>): DeclaredWalk {
  const { select, counted } = declaration;
  const page = (direction: Direction): Declared => {
    const parameters = new Parameters();
    const text = walkedPage(declaration, direction, select, parameters);
    return { statement: companyStatement(`${name}-${direction}`, text, options), parameters };
  };
  const parameters = new Parameters();
  const { joins, group } = counted(parameters.of);
  const text = walkedCount({ ...declaration, joins }, group, parameters);
  const count = { statement: companyStatement(`count-${name}`, text, options), parameters };
  return { pages: { asc: page('asc'), desc: page('desc') }, count };
}

function run<Row>(
  tenant: Tenant,
  { statement, parameters }: Declared,
  { stretch, window, conditions }: AskedWalk<unknown, object>,
  more: object,
): Promise<Row[]> {
  return tenant.rows(statement, ...parameters.valuesOf({ ...boundsOf(stretch), ...conditions, window, ...more }));
}
