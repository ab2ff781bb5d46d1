import { type Cell, columnName, type Row, type Sheet, textOf } from '../../../../platform/tables/sent-table.ts';
import { readNumber } from '../../../common/tables/cell-values.rules.ts';
import { normalName } from '../../../common/tables/header-names.rules.ts';
import { findColumns, Header, ROWS_FOR_HEADER } from '../../../common/tables/mapped-table.rules.ts';
import { namesOf } from './invoice-header.rules.ts';
import { amountColumns, type InvoiceMapping, pairsOf } from './invoice-mapping.format.rules.ts';

/** Gives a file without a header the names of its mapping, as a row 0 above its rows, and repeated names a number. */

/** A header has more than one known name by chance. */
const FEW = 2;

/** The sheets as they are, unless the mapping names the columns of a file that has no header. */
export function withHeader(sent: readonly Sheet[], mapping: InvoiceMapping): readonly Sheet[] {
  const sheets = withNumberedNames(sent, mapping);
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

/** Workbooks leave out empty cells at the end of a row, and a spreadsheet saves a text without its last columns if all are empty. */
function named(sheet: Sheet, header: readonly string[]): Sheet {
  const { name } = sheet;
  const [first] = sheet.rows();
  const width = Math.max(first?.cells.length ?? 0, header.findLastIndex(text => text !== '') + 1);
  const names = name === null ? header.slice(0, width) : header;
  const cells = names.map((text, at) => (text === '' ? columnName(at) : text));
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

/** The names of pairs of which the mapping has a second, such as `Charge` and `Charge 2`. */
function repeatedNames(mapping: InvoiceMapping): ReadonlySet<string> {
  const pairs = pairsOf(mapping).flatMap(one => one.pairs);
  const names = pairs.flatMap(({ name, code, amount }) => [name, code ?? [], amount].flatMap(namesOf).map(normalName));
  const known = new Set(names);
  return new Set(names.filter(name => known.has(`${name}2`)));
}

/** The sheets, in whose header the second column of a repeated name has it with a 2, and so on. */
function withNumberedNames(sheets: readonly Sheet[], mapping: InvoiceMapping): readonly Sheet[] {
  const repeated = repeatedNames(mapping);
  if (repeated.size === 0) return sheets;
  return sheets.map(sheet => ({
    name: sheet.name,
    *rows(): Generator<Row> {
      let [above, first] = [ROWS_FOR_HEADER, undefined as Cell | undefined];
      for (const row of sheet.rows()) {
        const isFirst = above-- > 0 && row.cells.some(cell => repeated.has(normalName(textOf(cell))));
        if (isFirst) [above, first] = [0, row.cells[0]];
        // The file may repeat its header.
        const isHeader = isFirst || (first !== undefined && row.cells[0] === first);
        yield isHeader ? { ...row, cells: numbered(row.cells, repeated) } : row;
      }
    },
  }));
}

function numbered(cells: readonly Cell[], repeated: ReadonlySet<string>): Cell[] {
  const counts = new Map<string, number>();
  return cells.map(cell => {
    const name = normalName(textOf(cell));
    if (!repeated.has(name)) return cell;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? cell : `${textOf(cell)} ${count}`;
  });
}
