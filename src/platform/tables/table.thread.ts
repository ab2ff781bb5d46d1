import { Fault } from '../fault.ts';
import { asTask } from '../threads/task.ts';
import { packTable } from './pack-table.ts';
import type { PackedTable } from './packed-rows.ts';
import { UnreadableTable } from './sent-table.ts';
import type { WrittenSheet } from './write-workbook.ts';

/** Reads and writes tables in a thread, which has a limit of memory. An error loses its class on the way, so it is sent as a fault. */
export const readTable = asTask(async (bytes: Uint8Array, keptBytes: number): Promise<PackedTable> => {
  try {
    return await packTable(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), keptBytes);
  } catch (error) {
    if (!(error instanceof UnreadableTable)) throw error;
    const { message, path } = error;
    throw new Fault('validation_failed', { issues: [{ path, code: 'invalid_text', message }] });
  }
});

/** The library is loaded for workbooks that are written, since most threads only read. */
export const writeWorkbook = asTask(async (sheets: readonly WrittenSheet[]): Promise<Uint8Array> => {
  const { workbookOf } = await import('./write-workbook.ts');
  return workbookOf(sheets);
});
