import { type CompanyStatement, companyStatement, type Statement } from '../statements/statements.ts';
import type { Tenant } from '../tenancy/tenancy.ts';
import {
  boundsOf,
  type Count,
  type Direction,
  type KeyRange,
  type Listed,
  Parameters,
  type PositionPage,
  type ScanCount,
  type ScannedPage,
  scanCount,
  scannedPage,
} from './index-scan.ts';

/** Filtered lists: one statement is declared for each index that can serve the list. */

/** A list with its filter and order. */
export interface ScannedList<Row> {
  /** The name of the sort order in its cursors; null if the list is sorted by ids alone. */
  readonly sortedBy: string | null;
  readonly read: (page: PositionPage) => Promise<ScannedPage<Row>>;
  readonly count: () => Promise<Count>;
}

/** A request for a scan: its rows between two positions, a limit for each of its ranges, and the conditions. */
export interface ScanRequest<Scan, Conditions> {
  readonly scan: Scan;
  readonly keyRange: KeyRange;
  readonly window: number;
  /** Values of the parameters of all statements, by name; null if the filter lacks the condition. */
  readonly conditions: Conditions;
}

interface Declaration extends Listed {
  readonly select: (value: Parameters['of']) => string;
  /** The groups of counts, and the tables that this needs. */
  readonly counted: (value: Parameters['of']) => { readonly joins: string; readonly group: string };
}

interface Declared {
  readonly statement: CompanyStatement;
  readonly parameters: Parameters;
}

interface DeclaredScan {
  readonly pages: Readonly<Record<Direction, Declared>>;
  readonly count: Declared;
}

/** The statements of one kind of list: a page in each direction, and a count, for each scan. */
export class ScanStatements<Scan extends string, Conditions extends object> {
  readonly #declared: ReadonlyMap<Scan, DeclaredScan>;

  /** @param what the name of the rows in the names of the statements */
  constructor(
    what: string,
    scans: readonly Scan[],
    declare: (scan: Scan) => Declaration,
    options?: Pick<Statement, 'canLag'>,
  ) {
    this.#declared = new Map(scans.map(scan => [scan, declareScan(`${what}-by-${scan}`, declare(scan), options)]));
  }

  /** A page in the order of a scan, with the position up to which it looked. */
  page<Row>(
    tenant: Tenant,
    asked: ScanRequest<Scan, Conditions>,
    direction: Direction,
    limit: number,
    more: object = {},
  ): Promise<Row[]> {
    return run(tenant, this.#of(asked).pages[direction], asked, { limit, ...more });
  }

  /** The number of rows, by range and group. */
  count(tenant: Tenant, asked: ScanRequest<Scan, Conditions>, more: object = {}): Promise<ScanCount[]> {
    return run(tenant, this.#of(asked).count, asked, more);
  }

  #of({ scan }: ScanRequest<Scan, Conditions>): DeclaredScan {
    return this.#declared.get(scan) as DeclaredScan;
  }
}

function declareScan(name: string, declaration: Declaration, options?: Pick<Statement, 'canLag'>): DeclaredScan {
  const { select, counted } = declaration;
  const page = (direction: Direction): Declared => {
    const parameters = new Parameters();
    const text = scannedPage(declaration, direction, select(parameters.of), parameters);
    return { statement: companyStatement(`${name}-${direction}`, text, options), parameters };
  };
  const parameters = new Parameters();
  const { joins, group } = counted(parameters.of);
  const text = scanCount({ ...declaration, joins }, group, parameters);
  const count = { statement: companyStatement(`count-${name}`, text, options), parameters };
  return { pages: { asc: page('asc'), desc: page('desc') }, count };
}

function run<Row>(
  tenant: Tenant,
  { statement, parameters }: Declared,
  { keyRange, window, conditions }: ScanRequest<unknown, object>,
  more: object,
): Promise<Row[]> {
  return tenant.rows(statement, ...parameters.valuesOf({ ...boundsOf(keyRange), ...conditions, window, ...more }));
}
