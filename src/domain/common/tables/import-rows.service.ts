import type { Issue } from '../../../platform/fault.ts';
import type { BatchResult, ItemResult } from '../batch.rules.ts';
import { type ImportedRow, problemOf, type RowProblem } from './row-problem.rules.ts';

/**
 * Imports the rows of a file: it checks all of them first, and sends them in batches only if none is wrong. Each batch is
 * a transaction, so the rows before an interruption stay stored.
 */

interface ImportPlan {
  /** The rows from their beginning; they are read twice. */
  readonly rows: () => AsyncIterable<ImportedRow> | Iterable<ImportedRow>;
  /** The rejected ones of a batch, without storing anything. */
  readonly check: (inputs: readonly unknown[]) => Promise<readonly ItemResult[]>;
  readonly send: (inputs: readonly unknown[]) => Promise<BatchResult>;
  readonly batchSize: number;
  readonly fromRow?: number;
  /** Stores nothing. */
  readonly dryRun?: boolean;
  /** Sends the good rows, and reads the file once. */
  readonly acceptGoodRows?: boolean;
  /** Stops after the current batch. */
  readonly signal?: AbortSignal;
  readonly onProblem: (problem: RowProblem) => Promise<void> | void;
  readonly onProgress?: (step: 'checked' | 'imported', nextRow: number, rejected: number) => void;
}

export interface Imported {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  /** Records that were read, rejected ones included. */
  readonly read: number;
  readonly rows: RowCounts;
  /** The row to continue from; null if all rows are done. */
  readonly nextRow: number | null;
  /** Whether good rows were not stored, since it was a dry run or others are wrong. */
  readonly isOnlyChecked: boolean;
}

/** The rows below the header, or from the first row that was asked for. Each is read, left out or wrong. */
export interface RowCounts {
  readonly total: number;
  /** Rows of good records. */
  readonly read: number;
  /** Rows that are not records, such as totals. */
  readonly leftOut: number;
  /** Rows of records with problems. */
  readonly wrong: number;
}

/** Fewer than in a transaction, so that what a check leaves behind is young and cheap to collect. */
const CHECKED_AT_ONCE = 100;

const NOTHING = { created: 0, updated: 0, unchanged: 0 };

export async function importRows(plan: ImportPlan): Promise<Imported> {
  const { dryRun = false, acceptGoodRows = false } = plan;
  const onlyChecks = dryRun || !acceptGoodRows;
  if (!onlyChecks) return sendRows(plan);
  const checked = await checkRows(plan);
  if (dryRun || checked.rejected > 0 || checked.nextRow !== null) return checked;
  return sendRows(plan);
}

async function checkRows(plan: ImportPlan): Promise<Imported> {
  const {
    rejected: count,
    read,
    rows,
    nextRow,
  } = await inBatches({ ...plan, batchSize: CHECKED_AT_ONCE }, 'checked', async inputs => ({
    ...NOTHING,
    results: await plan.check(inputs),
  }));
  return { ...NOTHING, rejected: count, read, rows, nextRow, isOnlyChecked: true };
}

async function sendRows(plan: ImportPlan): Promise<Imported> {
  return { ...(await inBatches(plan, 'imported', plan.send)), isOnlyChecked: false };
}

async function inBatches(
  { rows, batchSize, fromRow = 1, signal, onProblem, onProgress }: ImportPlan,
  step: 'checked' | 'imported',
  send: (inputs: readonly unknown[]) => Promise<Omit<BatchResult, 'rejected'>>,
): Promise<Omit<Imported, 'isOnlyChecked'>> {
  const counts = { created: 0, updated: 0, unchanged: 0, rejected: 0, read: 0 };
  const ofFile = { total: 0, read: 0, leftOut: 0, wrong: 0 };
  const countRows = (kind: 'read' | 'leftOut' | 'wrong', { rows: count = 1 }: ImportedRow) => {
    ofFile.total += count;
    ofFile[kind] += count;
  };
  let batch: ImportedRow[] = [];
  let nextRow = fromRow;
  const sendBatch = async () => {
    // All errors of a row are reported at once, so a row that could not be read is checked too, as far as it goes.
    const sendable = step === 'checked' ? batch.filter(isRecord) : batch.filter(({ issues }) => issues.length === 0);
    const { results, ...sent } = await send(sendable.map(({ value }) => value));
    for (const outcome of ['created', 'updated', 'unchanged'] as const) counts[outcome] += sent[outcome];
    const found = new Map(results.map(({ index, issues }) => [sendable[index], issues]));
    for (const row of batch) {
      const issues = [...row.issues, ...(found.get(row) ?? []).map(withoutIndex).filter(isOther(row.issues))];
      if (issues.length > 0) counts.rejected++;
      countRows(issues.length > 0 ? 'wrong' : 'read', row);
      for (const issue of issues) await onProblem(problemOf(row, issue));
    }
    counts.read += batch.length;
    nextRow = (batch.at(-1)?.row ?? 0) + 1;
    batch = [];
    onProgress?.(step, nextRow, counts.rejected);
  };
  for await (const row of rows()) {
    if (signal?.aborted) break;
    if (row.row < fromRow) continue;
    if (row.leftOut !== undefined) {
      countRows('leftOut', row);
      continue;
    }
    batch.push(row);
    if (batch.length === batchSize) await sendBatch();
  }
  if (!signal?.aborted && batch.length > 0) await sendBatch();
  return { ...counts, rows: ofFile, nextRow: signal?.aborted ? nextRow : null };
}

function isRecord({ value }: ImportedRow): boolean {
  return typeof value === 'object' && value !== null;
}

/** A path starts with the number of the item in the batch. */
function withoutIndex({ path, ...issue }: Issue): Issue {
  return { ...issue, path: path.slice(1) };
}

/** Whether an issue is about another place than those that are wrong already. */
function isOther(known: readonly Issue[]): (issue: Issue) => boolean {
  const paths = known.map(({ path }) => path.join('.'));
  return ({ path }) => !paths.includes(path.join('.'));
}
