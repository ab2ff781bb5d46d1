import { setTimeout } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { isLockFailure, isTimeout } from '../connections/database-errors.ts';
import type { Database } from '../database.ts';
import type { Tenant } from '../tenancy/tenancy.ts';
import type { TenantTransaction } from '../tenancy/tenant-transaction.ts';
import { type Statement, serviceStatement } from './statements.ts';
import { rowsWithin } from './transaction.ts';

/**
 * Removes or changes any number of rows in small transactions, so that other users of the rows wait for a moment only.
 * The number of rows follows the time that batches take. PostgreSQL itself cancels a statement that exceeds its time,
 * and the batch is repeated with fewer rows. Each batch is committed: interrupted work continues from there when it is
 * started again.
 */

/** The intended duration of a batch. */
const AIM_MS = 40;
/** The limit on a statement of a batch. In addition, locks are held during the commit. */
const LIMIT_MS = 90;
const FIRST_ROWS = 100;
const MOST_ROWS = 5_000;
/** The pause after a batch is as long as the batch, up to this limit. */
const MAX_PAUSE_MS = 100;

const LIMIT = serviceStatement('limit-batch', "select set_config('statement_timeout', $1, true)");
const noop = () => undefined;

interface Batch {
  readonly rows: number;
  /** Whether no rows are left. */
  readonly isLast: boolean;
}

export interface Batches {
  readonly rows: number;
  /** False if the work was stopped before its end. */
  readonly isComplete: boolean;
}

interface Options {
  /** Stops the work after the current batch. */
  readonly signal?: AbortSignal | undefined;
  readonly mostRows?: number;
}

/** The result of a statement with a limit on rows, from the number of rows that it met. */
export function batchOf(rows: number, atMost: number): Batch {
  return { rows, isLast: rows < atMost };
}

/**
 * Batches of one company.
 *
 * @param work one statement, which removes or changes at most the given number of rows. It may be repeated after a
 *   failure.
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
        // A single row that takes longer, or that another transaction has locked, gets all the time it needs.
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
