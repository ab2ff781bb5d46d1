import { setTimeout } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { isLockFailure, isTimeout } from '../connections/database-errors.ts';
import type { Database } from '../database.ts';
import type { Tenant } from '../tenancy/tenancy.ts';
import type { TenantTransaction } from '../tenancy/tenant-transaction.ts';
import { type Statement, serviceStatement } from './statements.ts';
import { rowsWithin } from './transaction.ts';

/**
 * Removes or changes any number of rows in small transactions, so that whoever needs one of the rows, or writes beside
 * them, waits for a moment only. The number of rows follows the time that batches take. PostgreSQL itself cancels a
 * statement that takes longer than it may, and the batch is done again with fewer rows. Each batch is committed: work that
 * is interrupted goes on from there when it is begun again.
 */

/** What a batch should take. */
const AIM_MS = 40;
/** What a statement of a batch may take. Beside it, locks are held while the transaction is committed. */
const LIMIT_MS = 90;
const FIRST_ROWS = 100;
const MOST_ROWS = 5_000;
/** As much time as a batch took is left to others, up to this. */
const MAX_PAUSE_MS = 100;

const LIMIT = serviceStatement('limit-batch', "select set_config('statement_timeout', $1, true)");
const noop = () => undefined;

/** What came of a batch. */
export interface Batch {
  /** How many rows were removed or changed. */
  readonly rows: number;
  /** Whether no rows are left. */
  readonly isLast: boolean;
}

/** What came of all batches. */
export interface Batches {
  readonly rows: number;
  /** False where the work was stopped before its end. */
  readonly isComplete: boolean;
}

interface Options {
  /** Stops the work after the batch that is under way. */
  readonly signal?: AbortSignal | undefined;
  /** The most rows of a batch. */
  readonly mostRows?: number;
}

/** What came of a statement that meets at most so many rows, by the number that it did meet. */
export function batchOf(rows: number, atMost: number): Batch {
  return { rows, isLast: rows < atMost };
}

/**
 * Batches of one company.
 *
 * @param work one statement, which removes or changes at most so many rows. It may be done again where it failed.
 */
export function inBatches(
  tenant: Tenant,
  work: (tx: TenantTransaction, atMost: number) => Promise<Batch>,
  options?: Options,
): Promise<Batches> {
  const transaction = (use: (em: EntityManager, tx: TenantTransaction) => Promise<Batch>) =>
    tenant.transaction(tx => use(tx.em, tx));
  return repeat(transaction, work, options);
}

/** Runs a statement of a transaction. */
type Run = <Row>(statement: Statement, values: readonly unknown[]) => Promise<Row[]>;

/** Batches of all companies together. */
export function inBatchesOfAll(
  database: Database,
  work: (run: Run, atMost: number) => Promise<Batch>,
  options?: Options,
): Promise<Batches> {
  const transaction = (use: (em: EntityManager, run: Run) => Promise<Batch>) =>
    database.transaction(em => use(em, (statement, values) => rowsWithin(em, statement, values)));
  return repeat(transaction, work, options);
}

async function repeat<Within>(
  transaction: (use: (em: EntityManager, within: Within) => Promise<Batch>) => Promise<Batch>,
  work: (within: Within, atMost: number) => Promise<Batch>,
  { signal, mostRows = MOST_ROWS }: Options = {},
): Promise<Batches> {
  let atMost = Math.min(FIRST_ROWS, mostRows);
  let rows = 0;
  while (!signal?.aborted) {
    let startedAtMs = 0;
    try {
      const batch = await transaction((em, within) => {
        startedAtMs = performance.now();
        // A row that takes longer all by itself, or that somebody else holds, takes what it takes.
        if (atMost > 1) rowsWithin(em, LIMIT, [String(LIMIT_MS)]).catch(noop);
        return work(within, atMost);
      });
      rows += batch.rows;
      if (batch.isLast) return { rows, isComplete: true };
    } catch (error) {
      if (atMost === 1 || !(isTimeout(error) || isLockFailure(error))) throw error;
      atMost = Math.ceil(atMost / 8);
      continue;
    }
    const tookMs = performance.now() - startedAtMs;
    atMost = Math.max(1, Math.min(mostRows, atMost * 2, Math.floor((atMost * AIM_MS) / tookMs)));
    await setTimeout(Math.min(tookMs, MAX_PAUSE_MS));
  }
  return { rows, isComplete: false };
}
