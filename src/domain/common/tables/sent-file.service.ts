import { type Issue, invalid } from '../../../platform/fault.ts';
import { type PackedTable, tableOf } from '../../../platform/tables/packed-rows.ts';
import { readPackedTable } from '../../../platform/tables/read-table.ts';
import { TABLE_LIMITS, type Table, UnreadableTable } from '../../../platform/tables/sent-table.ts';
import type { TaskOwner } from '../../../platform/threads/threads.ts';

/** A file as a text, or as bytes in Base64. */
export interface SentFile {
  readonly text?: string | null | undefined;
  readonly base64?: string | null | undefined;
}

/**
 * The table in a file that a caller sent.
 *
 * @param path the field of the input that has the file
 * @throws Fault `validation_failed`
 */
export async function readSentTable(owner: TaskOwner, file: SentFile, path: Issue['path']): Promise<Table> {
  return tableOf(await readPackedSentTable(owner, file, path));
}

/** The table in a file that a caller sent, for a thread. @throws Fault `validation_failed` */
export async function readPackedSentTable(
  owner: TaskOwner,
  { text, base64 }: SentFile,
  path: Issue['path'],
): Promise<PackedTable> {
  const bytes = text == null ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
  try {
    return await readPackedTable(owner, bytes, TABLE_LIMITS.keptBytesOfRequest);
  } catch (error) {
    if (!(error instanceof UnreadableTable)) throw error;
    throw invalid([{ path: [...path, ...error.path], code: 'invalid_text', message: error.message }]);
  }
}
