import { stat } from 'node:fs/promises';
import type { CompanyId } from '../platform/database/tenancy/company-id.ts';
import { readTable, requireSize } from '../platform/tables/read-table.ts';
import { type Cell, type Sheet, type Table, UnreadableTable } from '../platform/tables/sent-table.ts';
import { closeThreads } from '../platform/threads/threads.ts';
import { placeInTable, type ReadFile, readBytes, readFrom } from './files.ts';
import { RejectedFile } from './rejected-file.ts';

/** Reads tables from files: `.xlsx` workbooks, CSV and TSV. */

/** A command runs for nobody else, so its tasks wait for no other company, and the largest file may take its time. */
const OPERATOR = { companyId: 'operator' as CompanyId, taskMs: 300_000 };

/** Whether the name of a file says that it is a table, perhaps of a kind that is refused, and not JSON. */
export function isTable(file: string): boolean {
  return /\.(csv|tsv|xls[xmb]?|ods|html?|pdf)$/i.test(file);
}

/** `-` is standard input. @throws RejectedFile */
export async function readTableFile(file: string): Promise<ReadFile<Table>> {
  try {
    // A file that is too large is rejected before it is read.
    const { size = 0 } = file === '-' ? {} : await stat(file).catch(() => ({}) as { size?: number });
    requireSize(size, false);
    const table = await readTable(OPERATOR, await readBytes(file));
    if (table.isWindows1252)
      process.stderr.write(`${file} is not UTF-8, and is read as Windows-1252, in which Excel saves CSV files.\n`);
    return readFrom(file, table, placeInTable);
  } catch (error) {
    if (!(error instanceof UnreadableTable)) throw error;
    const place = placeInTable(error.path);
    throw new RejectedFile([`${place === '' ? file : `${file}:${place}`} ${error.message}`]);
  } finally {
    // The memory of the thread is not needed for what follows.
    await closeThreads();
  }
}

/** The rows of the first sheet that has any. */
export async function readRows(file: string): Promise<ReadFile<(readonly Cell[])[]>> {
  return firstRows(file, (await readTableFile(file)).value);
}

/** The rows of the first sheet that has any; row 3 is the third, also where rows before it are empty. */
function firstRows(file: string, { sheets }: Table): ReadFile<(readonly Cell[])[]> {
  return readFrom(file, sheets.map(allRows).find(found => found.length > 0) ?? [], placeInTable);
}

function allRows(sheet: Sheet): (readonly Cell[])[] {
  const rows: (readonly Cell[])[] = [];
  for (const { row, cells } of sheet.rows()) {
    while (rows.length < row - 1) rows.push([]);
    rows.push(cells);
  }
  return rows;
}
