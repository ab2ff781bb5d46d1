import writeExcelFile, { type Cell } from 'write-excel-file/node';
import {
  getOrderOfSiblings,
  insertElementMarkupAccordingToOrderOfSiblings,
  sanitizeAttributeValue,
  sanitizeTextContent,
} from 'write-excel-file/utility';
import { columnName } from './sent-table.ts';

/** Writes an `.xlsx` workbook: sheets with a header, a note on each column, and drop-downs. */

/** A day is a cell with a date. */
export type WrittenCell = string | number | { readonly day: string };

export interface WrittenColumn {
  readonly header: string;
  /** Shown beside a cell of the column that is selected. */
  readonly description: string;
  /** The only values of its cells, if there are such. */
  readonly options: readonly string[];
  /** In characters. */
  readonly width?: number;
}

export interface WrittenSheet {
  readonly name: string;
  readonly columns: readonly WrittenColumn[];
  readonly rows: readonly (readonly (WrittenCell | undefined)[])[];
}

/** Rows below those that are written, in which drop-downs and notes stand too. */
const ROWS_TO_FILL_IN = 1_000;
/** The limit on the characters of a note, and of the values of a drop-down together. */
const MAX_PROMPT = 255;
const [NARROWEST, WIDEST] = [8, 40];
const SHEET = 'xl/worksheets/sheet{id}.xml';
/** The beginning of a text that a reader would take for a character, such as `_x0041_`. */
const ESCAPED = /_(?=x[\dA-F]{4}_)/gi;

/** @param sheets with different names of 31 characters at most */
export async function workbookOf(sheets: readonly WrittenSheet[]): Promise<Buffer> {
  const written = sheets.map(({ name, columns, rows }) => ({
    sheet: name,
    columns: columns.map(column => ({ width: widthOf(column) })),
    stickyRowsCount: 1,
    data: [columns.map(headerCell), ...rows.map(row => row.map(cellOf))],
  }));
  // The library leaves notes and drop-downs to others.
  const feature = {
    files: {
      transform: {
        [SHEET]: {
          transform: (xml: string, _: object, { sheetIndex }: { sheetIndex: number }) =>
            withDropDowns(xml, sheets[sheetIndex]),
        },
      },
    },
  };
  return writeExcelFile(written, { features: [feature] }).toBuffer();
}

function widthOf({ header, width }: WrittenColumn): number {
  return width ?? Math.min(WIDEST, Math.max(NARROWEST, header.length + 2));
}

function headerCell({ header }: WrittenColumn): Cell {
  return {
    type: String,
    value: header,
    fontWeight: 'bold',
    backgroundColor: '#e8eef4',
    wrap: true,
    alignVertical: 'top',
  };
}

function cellOf(cell: WrittenCell | undefined): Cell {
  if (cell === undefined) return null;
  if (typeof cell === 'number') return { type: Number, value: cell };
  // As a text, `00186` keeps its zeros, and no text is a formula.
  if (typeof cell === 'string') return { type: String, value: cell.replace(ESCAPED, '_x005F_'), format: '@' };
  return { type: Date, value: new Date(`${cell.day}T00:00:00Z`), format: 'yyyy-mm-dd' };
}

function withDropDowns(xml: string, sheet: WrittenSheet | undefined): string {
  const { columns = [], rows = [] } = sheet ?? {};
  const validations = columns.flatMap((column, i) => validationOf(column, columnName(i), rows.length));
  if (validations.length === 0) return xml;
  const markup = `<dataValidations count="${validations.length}">${validations.join('')}</dataValidations>`;
  const order = getOrderOfSiblings(SHEET, 'worksheet') ?? [];
  return insertElementMarkupAccordingToOrderOfSiblings(xml, markup, order, 'worksheet');
}

function validationOf({ header, description, options }: WrittenColumn, column: string, rows: number): string[] {
  if (description === '' && options.length === 0) return [];
  const list = `"${options.join(',')}"`;
  const isList = options.length > 0 && list.length <= MAX_PROMPT;
  const attributes = {
    ...(isList && { type: 'list', showErrorMessage: '1' }),
    allowBlank: '1',
    showInputMessage: '1',
    // 32 characters are the limit of a title.
    promptTitle: header.slice(0, 32),
    prompt: description.length > MAX_PROMPT ? `${description.slice(0, MAX_PROMPT - 1)}…` : description,
    sqref: `${column}2:${column}${rows + ROWS_TO_FILL_IN}`,
  };
  const stated = Object.entries(attributes).map(([name, value]) => `${name}="${sanitizeAttributeValue(value)}"`);
  const content = isList ? `<formula1>${sanitizeTextContent(list)}</formula1>` : '';
  return [`<dataValidation ${stated.join(' ')}>${content}</dataValidation>`];
}
