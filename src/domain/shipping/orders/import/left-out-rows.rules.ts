import { type Cell, type Row, textOf } from '../../../../platform/tables/sent-table.ts';
import { joinedText, type MappedSheet } from '../../../common/tables/mapped-table.rules.ts';
import { REPEATED_HEADER, TotalRows } from '../../../common/tables/total-rows.rules.ts';
import type { OrderField } from './order-columns.catalog.ts';

/** Finds the rows of a table of orders that are not orders: totals, cancelled orders, and rows that the mapping leaves out. */

/** The fields of an address: a row with none of them cannot be shipped. */
const PLACE: readonly OrderField[] = [
  'recipient.address',
  'recipient.postalCode',
  'recipient.city',
  'recipient.fullAddress',
];

/** The rows are given in their order, each once. */
export class LeftOutRows {
  readonly #found: MappedSheet<OrderField>;
  /** The last order that was left out, and the column that says why. */
  #order: { readonly number: string; readonly at: number; readonly row: number } | undefined;
  readonly #totals: TotalRows;

  constructor(found: MappedSheet<OrderField>) {
    this.#found = found;
    this.#totals = new TotalRows(found.header.names);
  }

  /** The reason why a row is not an order, as a sentence about the row; undefined for an order. */
  reasonOf({ row, cells }: Row): string | undefined {
    const { header, columns } = this.#found;
    const number = textIn(columns.get('orderNumber'), cells);
    // A repeated header has a text in each column that says why an order is left out.
    if (this.#totals.isHeader(cells)) return REPEATED_HEADER;
    const at = this.#found.skippedBy(cells);
    if (at !== undefined) {
      this.#order = { number, at, row };
      const value = textOf(cells[at]);
      return `its ${header.label(at)} is ${value === '' ? 'empty' : value}`;
    }
    if (this.#isOfOrderAbove(number, cells))
      return `it belongs to the order of row ${this.#order?.row}, which is left out`;
    return this.#totals.reasonOf(cells, number, this.#hasPlace(cells));
  }

  /** Whether a row is a further item of the order above, whose first row states the order's state. */
  #isOfOrderAbove(number: string, cells: readonly Cell[]): boolean {
    return number !== '' && this.#order?.number === number && textOf(cells[this.#order.at]) === '';
  }

  #hasPlace(cells: readonly Cell[]): boolean {
    return PLACE.some(field => textIn(this.#found.columns.get(field), cells) !== '');
  }
}

function textIn(column: Parameters<typeof joinedText>[0] | undefined, cells: readonly Cell[]): string {
  return column === undefined ? '' : joinedText(column, cells);
}
