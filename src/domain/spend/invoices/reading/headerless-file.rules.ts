import { columnName, type Row, type Sheet, textOf } from '../../../../platform/tables/sent-table.ts';
import { readNumber } from '../../../common/tables/cell-values.rules.ts';
import { findColumns, Header } from '../../../common/tables/mapped-table.rules.ts';
import { amountColumns, type InvoiceMapping } from './invoice-mapping.format.rules.ts';

/** Gives a file without a header the names of its mapping, as a row 0 above its rows. */

/** A header has more than one known name by chance. */
const FEW = 2;

/** The sheets as they are, unless the mapping names the columns of a file that has no header. */
export function withHeader(sheets: readonly Sheet[], mapping: InvoiceMapping): readonly Sheet[] {
  const { header, skip } = mapping;
  if (header === undefined) return sheets;
  const columns = { ...mapping.columns, ...amountColumns(mapping) };
  return sheets.map(sheet => {
    const found = findColumns<string>([sheet], columns, { skip });
    if (found !== undefined && found.columns.size > FEW) return sheet;
    return isBelow(header, sheet, mapping) ? named(sheet, header) : sheet;
  });
}

/** Whether the first row has an amount where the mapping looks for amounts, and as many cells as the mapping has names. */
function isBelow(header: readonly string[], sheet: Sheet, mapping: InvoiceMapping): boolean {
  const [first] = sheet.rows();
  if (first === undefined || first.cells.length > header.length) return false;
  const names = new Header({ row: 0, cells: header });
  const positions = Object.values(amountColumns(mapping)).flatMap(column => names.find(column)?.at ?? []);
  const isAmount = (at: number) => 'decimal' in readNumber(first.cells[at] ?? '', 'money', undefined);
  return positions.some(at => textOf(first.cells[at]) !== '' && isAmount(at));
}

/** Workbooks leave out empty cells at the end of a row. */
function named(sheet: Sheet, header: readonly string[]): Sheet {
  const { name } = sheet;
  const cells = header.map((text, at) => (text === '' ? columnName(at) : text));
  return {
    name,
    *rows(): Generator<Row> {
      yield { row: 0, cells };
      for (const row of sheet.rows()) {
        const missing = name === null ? 0 : Math.max(0, cells.length - row.cells.length);
        yield { ...row, cells: [...row.cells, ...Array.from({ length: missing }, () => '')] };
      }
    },
  };
}
