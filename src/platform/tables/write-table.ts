import { inThread, type TaskOwner } from '../threads/threads.ts';
import type { WrittenSheet } from './write-workbook.ts';

/** The way to write a workbook while requests are served: in a thread, because a long one takes seconds. */

const THREAD = new URL('./table.thread.ts', import.meta.url);

export function writeTable(owner: TaskOwner, sheets: readonly WrittenSheet[]): Promise<Uint8Array> {
  return inThread(owner, THREAD, 'writeWorkbook', [sheets]);
}
