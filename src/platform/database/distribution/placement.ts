import type { EntityManager } from '@mikro-orm/postgresql';
import { type StatementForEach, serviceStatement } from '../statements/statements.ts';
import { rowsWithin } from '../statements/transaction.ts';
import type { CompanyId } from '../tenancy/company-id.ts';

/**
 * Differences if the tables are distributed by company over the nodes of a Citus cluster. Only this module knows both
 * placements; the other files ask the placement of their database.
 */
export interface Placement {
  /** Whether one statement may read or lock rows of several companies. */
  readonly spansCompanies: boolean;
  /** Whether the address for reads leads to a replica. */
  readonly hasReplicas: boolean;
  /** Whether a line of the shape of the database can be compared with what the migrations make. */
  isComparable(shapeLine: string): boolean;
  /** Runs a statement for rows of many companies in a transaction; without rows it does not run. */
  rowsForEach<Row>(em: EntityManager, statement: StatementForEach, rows: readonly CompanyRow[]): Promise<Row[]>;
  /** Makes a transaction commit its jobs and the rows of a company together. */
  commitJointly(em: EntityManager): Promise<void>;
}

/** A row of the input of a statement for rows of many companies. */
interface CompanyRow {
  readonly companyId: CompanyId;
  /** By the order of the columns that the statement declares. */
  readonly values: readonly unknown[];
}

/** A condition of SQL: only a distributed database has a `commit_point`. */
export const IS_DISTRIBUTED = `to_regclass('commit_point') is not null`;

/**
 * One server with the rows of all companies, where a statement for rows of many companies is one call. A call for each
 * company would cost more: 500 results of webhooks take 30 µs of PostgreSQL's CPU each with one call, and 32, 43 and
 * 369 µs with a call for each of 1, 20 and 500 companies.
 */
export const ON_ONE_SERVER: Placement = {
  spansCompanies: true,
  hasReplicas: true,
  isComparable: () => true,
  rowsForEach: async <Row>(em: EntityManager, { spanning }: StatementForEach, rows: readonly CompanyRow[]) => {
    if (rows.length === 0) return [];
    return rowsWithin<Row>(em, spanning, [rows.map(({ companyId }) => companyId), ...columnsOf(rows)]);
  },
  commitJointly: async () => undefined,
};

// Changes nothing and locks nothing: the table is empty.
const COMMIT_JOINTLY = serviceStatement('commit-jointly', 'delete from commit_point where id = 0');

/**
 * The nodes of a cluster, each with the rows of its companies. A statement for several companies would ask every node,
 * and could lock nothing, so there is a call for each company. Reads may lead to a worker, which does not replicate the
 * others, and the coordinator has other indexes, constraints and triggers.
 *
 * A transaction that changes jobs and rows of a company needs two-phase commit if they are on different nodes. Citus
 * does so only for tables that it knows, and it does not know pg-boss' tables: it would commit on the company's node
 * first and on the coordinator second, and a crash in between would lose the jobs of a change. So such a transaction
 * also uses a table that Citus knows.
 */
export const BY_COMPANY: Placement = {
  spansCompanies: false,
  hasReplicas: false,
  isComparable: line => /^(table|column) /.test(line),
  rowsForEach: async <Row>(em: EntityManager, { ofOne }: StatementForEach, rows: readonly CompanyRow[]) => {
    // In one order for all, so that two transactions never wait for each other.
    const byCompany = [...Map.groupBy(rows, ({ companyId }) => companyId)].sort(([a], [b]) => (a < b ? -1 : 1));
    const found: Row[] = [];
    for (const [companyId, own] of byCompany)
      found.push(...(await rowsWithin<Row>(em, ofOne, [companyId, ...columnsOf(own)])));
    return found;
  },
  commitJointly: async em => {
    await rowsWithin(em, COMMIT_JOINTLY, []);
  },
};

function columnsOf(rows: readonly CompanyRow[]): unknown[][] {
  return rows[0]?.values.map((_, i) => rows.map(({ values }) => values[i])) ?? [];
}
