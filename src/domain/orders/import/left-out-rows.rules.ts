import { type Cell, type Row, textOf } from '../../../platform/tables/sent-table.ts';
import { numberIn } from '../../common/tables/cell-values.rules.ts';
import { joinedText, type MappedSheet, wordTest } from '../../common/tables/mapped-table.rules.ts';
import type { OrderField } from './order-columns.catalog.ts';

/** Finds the rows of a table of orders that are not orders: totals, cancelled orders, and what the mapping leaves out. */

const isTotal = wordTest([
  ...['total*', 'grand total*', 'sub total*', 'subtotal*', 'overall total*', 'sum', 'sums'],
  ...['totale*', 'totali*', 'tot', 'tot generale*', 'somma', 'somme', 'riepilogo*', 'complessivo*', 'sub totale*'],
  ...['summe*', 'gesamt*', 'zwischensumme*', 'endsumme*', 'suma', 'sumatorio', 'somme totale*', 'totaal*', 'razem'],
]);

/** Without one of these, a row has no place to ship to. */
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
  /** The sum of each column above, for rows of sums. */
  readonly #sums = new Map<number, number>();

  constructor(found: MappedSheet<OrderField>) {
    this.#found = found;
  }

  /** The reason why a row is not an order, as a sentence about the row; undefined for an order. */
  reasonOf({ row, cells }: Row): string | undefined {
    const { header, columns } = this.#found;
    const number = textIn(columns.get('orderNumber'), cells);
    const at = this.#found.skippedBy(cells);
    if (at !== undefined) {
      this.#order = { number, at, row };
      const value = textOf(cells[at]);
      return `its ${header.label(at)} is ${value === '' ? 'empty' : value}`;
    }
    if (this.#isOfOrderAbove(number, cells))
      return `it belongs to the order of row ${this.#order?.row}, which is left out`;
    if (!this.#hasPlace(cells)) {
      const label = cells.map(textOf).find(text => text !== '') ?? '';
      if (isTotal(label)) return 'it is a total';
      if (number === '' && this.#isSum(cells)) return 'it is the sum of the rows above';
    }
    this.#add(cells);
    return undefined;
  }

  /** A row of an item says nothing of its own about the state of the order. */
  #isOfOrderAbove(number: string, cells: readonly Cell[]): boolean {
    return number !== '' && this.#order?.number === number && textOf(cells[this.#order.at]) === '';
  }

  #hasPlace(cells: readonly Cell[]): boolean {
    return PLACE.some(field => textIn(this.#found.columns.get(field), cells) !== '');
  }

  #isSum(cells: readonly Cell[]): boolean {
    const filled = cells.flatMap((cell, at) => (textOf(cell) === '' ? [] : [{ at, number: numberIn(cell) }]));
    return (
      filled.length > 0 &&
      filled.every(({ at, number }) => number !== undefined && Math.abs(number - (this.#sums.get(at) ?? NaN)) < 0.005)
    );
  }

  #add(cells: readonly Cell[]): void {
    for (const [at, cell] of cells.entries()) {
      const number = numberIn(cell);
      if (number !== undefined) this.#sums.set(at, (this.#sums.get(at) ?? 0) + number);
    }
  }
}

function textIn(column: Parameters<typeof joinedText>[0] | undefined, cells: readonly Cell[]): string {
  return column === undefined ? '' : joinedText(column, cells);
}
