import type { BatchResult } from '../domain/common/batch.rules.ts';
import type { Issue } from '../platform/fault.ts';
import type { Report } from './import-report.ts';
import type { FileRow } from './import-rows.ts';
import type { Progress } from './progress.ts';

interface Plan {
  readonly report: Report;
  readonly batchSize: number;
  /** The first row to send. */
  readonly fromRow: number;
  /** Stops after the current batch. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** How much of the file is read, from 0 to 1; undefined if its size is unknown. */
  readonly share: () => number | undefined;
}

export interface Imported extends Record<'created' | 'updated' | 'unchanged' | 'rejected', number> {
  /** The row to continue from; null if all rows are done. */
  readonly nextRow: number | null;
}

/** Sends rows in batches, each in its own transaction; sent rows stay stored if a later batch fails. */
export async function importRows(
  rows: AsyncIterable<FileRow>,
  { report, batchSize, fromRow, signal, progress, share }: Plan,
  send: (inputs: readonly unknown[]) => Promise<BatchResult>,
): Promise<Imported> {
  const counts = { created: 0, updated: 0, unchanged: 0, rejected: 0 };
  let batch: FileRow[] = [];
  let nextRow = fromRow;
  const sendCurrent = async () => {
    const { rejections, ...sent } = await sendBatch(batch, send);
    for (const { row, issues } of rejections) await report.add(row, issues);
    for (const outcome of ['created', 'updated', 'unchanged'] as const) counts[outcome] += sent[outcome];
    counts.rejected += rejections.length;
    nextRow = (batch.at(-1)?.row ?? 0) + 1;
    batch = [];
    progress.update(nextRow - fromRow, share(), `${counts.rejected} rejected`);
  };
  try {
    for await (const row of rows) {
      if (signal.aborted) break;
      if (row.row < fromRow) continue;
      batch.push(row);
      if (batch.length === batchSize) await sendCurrent();
    }
    if (!signal.aborted && batch.length > 0) await sendCurrent();
  } catch (error) {
    if (!signal.aborted) {
      progress.end();
      sayWhereToGoOn(nextRow, fromRow);
      throw error;
    }
  }
  progress.end();
  if (signal.aborted) sayWhereToGoOn(nextRow, fromRow);
  return { ...counts, nextRow: signal.aborted ? nextRow : null };
}

function sayWhereToGoOn(nextRow: number, fromRow: number): void {
  const done = nextRow > fromRow ? `The rows before row ${nextRow} are imported` : 'Nothing was imported';
  process.stderr.write(`${done}: continue with --from-row ${nextRow}.\n`);
}

async function sendBatch(batch: readonly FileRow[], send: (inputs: readonly unknown[]) => Promise<BatchResult>) {
  const rejections: { row: number; issues: readonly Issue[] }[] = [];
  const readable: FileRow[] = [];
  for (const row of batch) {
    if (row.issues.length > 0) rejections.push(row);
    else readable.push(row);
  }
  const { results, ...counts } = await send(readable.map(({ value }) => value));
  for (const { index, issues } of results) {
    const row = readable[index]?.row ?? 0;
    // A path starts with the number of the item in the batch.
    if (issues.length > 0)
      rejections.push({ row, issues: issues.map(({ path, ...rest }) => ({ path: path.slice(1), ...rest })) });
  }
  return { ...counts, rejections: rejections.sort((a, b) => a.row - b.row) };
}
