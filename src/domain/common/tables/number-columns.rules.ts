import type { Cell, Row } from '../../../platform/tables/sent-table.ts';
import { type DecimalSign, type ReadNumber, readNumber, signIn, type Unit } from './cell-values.rules.ts';

/**
 * Reads numbers of a table whose decimal sign may be shown by other cells: `1.234` is 1234 where another amount is
 * `12,50`. Weights and amounts may come from different programs, so each unit has a sign of its own.
 */
export class NumberColumns {
  readonly #rows: () => Iterable<Row>;
  readonly #units: ReadonlyMap<number, Unit>;
  readonly #stated: DecimalSign | undefined;
  #shown: ReadonlyMap<Unit, DecimalSign | undefined> | undefined;

  /**
   * @param rows all rows below the header
   * @param units the unit of each column of numbers
   * @param stated the sign that the mapping states
   */
  constructor(rows: () => Iterable<Row>, units: ReadonlyMap<number, Unit>, stated: DecimalSign | undefined) {
    this.#rows = rows;
    this.#units = units;
    this.#stated = stated;
  }

  read(cell: Cell, unit: Unit): ReadNumber {
    const read = readNumber(cell, unit, this.#stated);
    if (!('wrong' in read) || read.wrong !== 'ambiguous') return read;
    // The table is only looked through if a cell needs it.
    this.#shown ??= this.#signs();
    const sign = this.#shown.get(unit);
    return sign === undefined ? read : readNumber(cell, unit, sign);
  }

  #signs(): ReadonlyMap<Unit, DecimalSign | undefined> {
    const shown = new Map<Unit, DecimalSign | undefined>();
    for (const { cells } of this.#rows()) {
      for (const [at, unit] of this.#units) {
        const sign = signIn(cells[at] ?? '', unit);
        if (sign === undefined) continue;
        // Cells that contradict each other show nothing.
        shown.set(unit, !shown.has(unit) || shown.get(unit) === sign ? sign : undefined);
      }
    }
    return shown;
  }
}

/** Why a number was not read, as the rest of a sentence about the cell. */
export function numberIssue({ wrong, readings }: Extract<ReadNumber, { wrong: string }>): string {
  if (wrong === 'currency') return 'must be in EUR';
  if (wrong === 'number') return 'must be a number';
  if (wrong !== 'ambiguous')
    return `must be a number with a ${wrong} before its decimals, by the mapping. State the locale if the file has another sign`;
  return `must be unambiguous: it can be ${readings?.join(' or ')}. State \`decimals\` in the mapping, or the locale`;
}
