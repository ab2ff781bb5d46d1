import { type Cell, textOf } from '../../../platform/tables/sent-table.ts';
import { numberIn } from './cell-values.rules.ts';
import { normalName } from './header-names.rules.ts';

/** Finds the rows of a table that are not records: totals, by their label or as sums of the rows above, and headers. */

const TOTAL =
  /^\W*(?:(sub|grand|gran|overall|sotto|zwischen|gesamt|end)[\s-]*)?(tot(al|ale|ali|als|aux|ales|aal)?\b|somm[ae]|summe|suma\b|sums?\b|gesamt|riepilogo|complessivo|razem|(a\s)?riporto?\b|a riportare|übertrag|(carried|brought) forward)/i;

/** Whether a text is the label of a row of totals, such as `Totale generale`. */
export function isTotalLabel(text: string): boolean {
  return TOTAL.test(text.trim());
}

export const REPEATED_HEADER = 'it repeats the header';

/** The rows are given in their order, each once. */
export class TotalRows {
  readonly #header: readonly string[];
  /** The sum of each column above. */
  readonly #sums = new Map<number, number>();

  constructor(header: readonly string[]) {
    this.#header = header.map(normalName);
  }

  /**
   * The reason why a row is not a record, as a sentence about the row; undefined for a record.
   *
   * @param number the number of the record, or an empty text
   * @param isRecord whether the row has what only records have, such as an address
   */
  reasonOf(cells: readonly Cell[], number: string, isRecord: boolean): string | undefined {
    if (this.isHeader(cells)) return REPEATED_HEADER;
    if (!isRecord) {
      const label = cells.map(textOf).find(text => text !== '') ?? '';
      if (isTotalLabel(label)) return 'it is a total';
      if (number === '' && this.#isSum(cells)) return 'it is the sum of the rows above';
    }
    for (const [at, cell] of cells.entries()) {
      const read = numberIn(cell);
      if (read !== undefined) this.#sums.set(at, (this.#sums.get(at) ?? 0) + read);
    }
    return undefined;
  }

  isHeader(cells: readonly Cell[]): boolean {
    return cells.length > 1 && this.#header.every((name, at) => name === normalName(textOf(cells[at])));
  }

  #isSum(cells: readonly Cell[]): boolean {
    const filled = cells.flatMap((cell, at) => (textOf(cell) === '' ? [] : [{ at, number: numberIn(cell) }]));
    return (
      filled.length > 0 &&
      filled.every(({ at, number }) => number !== undefined && Math.abs(number - (this.#sums.get(at) ?? NaN)) < 0.005)
    );
  }
}
