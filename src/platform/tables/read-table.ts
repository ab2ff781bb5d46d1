import { Fault } from '../fault.ts';
import { inThread, type TaskOwner } from '../threads/threads.ts';
import { isWorkbook, packTable } from './pack-table.ts';
import { type PackedTable, tableOf } from './packed-rows.ts';
import { TABLE_LIMITS, type Table, UnreadableTable } from './sent-table.ts';

/** The way to read a table that people send: an `.xlsx` workbook, or CSV or TSV in one of the usual encodings. */

const THREAD = new URL('./table.thread.ts', import.meta.url);

/** A text of this length takes some milliseconds, which a thread would only lengthen. */
const SMALL_BYTES = 64 * 1024;

/**
 * The sheets of a table.
 *
 * @param keptBytes the limit on the bytes of all cells
 * @throws UnreadableTable
 */
export async function readTable(
  owner: TaskOwner,
  bytes: Uint8Array,
  keptBytes: number = TABLE_LIMITS.keptBytes,
): Promise<Table> {
  return tableOf(await readPackedTable(owner, bytes, keptBytes));
}

/** A table for a thread that reads its rows. @throws UnreadableTable */
export async function readPackedTable(owner: TaskOwner, bytes: Uint8Array, keptBytes: number): Promise<PackedTable> {
  requireSize(bytes.length, isWorkbook(bytes));
  return packedBy(owner, bytes, keptBytes);
}

/** @throws UnreadableTable for a file that is too large, before anything looks at its content */
export function requireSize(length: number, isOfWorkbook: boolean): void {
  const most = isOfWorkbook ? TABLE_LIMITS.workbookBytes : TABLE_LIMITS.textBytes;
  if (length <= most) return;
  const what = isOfWorkbook ? 'a workbook' : 'a table';
  throw new UnreadableTable(`has ${megabytes(length)} MB, and ${what} may have ${megabytes(most)}`);
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024);
}

async function packedBy(owner: TaskOwner, bytes: Uint8Array, keptBytes: number): Promise<PackedTable> {
  if (bytes.length <= SMALL_BYTES && !isWorkbook(bytes)) {
    return packTable(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), keptBytes);
  }
  try {
    return await inThread<PackedTable>(owner, THREAD, 'readTable', [bytes, keptBytes]);
  } catch (error) {
    const issue = error instanceof Fault ? error.options.issues?.[0] : undefined;
    if (issue) throw new UnreadableTable(issue.message, issue.path);
    const isTooMuch = error instanceof Fault && error.code === 'request_too_expensive';
    throw isTooMuch ? new UnreadableTable('takes too much memory or time: divide it into several files') : error;
  }
}
