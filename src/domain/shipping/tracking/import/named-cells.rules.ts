import type { Issue } from '../../../../platform/fault.ts';
import { type Cell, type Row, textOf } from '../../../../platform/tables/sent-table.ts';
import { countryNamed } from '../../../common/places/country-names.rules.ts';
import { postalCodeOfCell } from '../../../common/places/postal-codes.rules.ts';
import {
  brokenCell,
  jsonIn,
  readMoment,
  readText,
  type Unit,
  type WrongCell,
} from '../../../common/tables/cell-values.rules.ts';
import { readNumberText } from '../../../common/tables/dated-numbers.rules.ts';
import { LOCALES, type Locale } from '../../../common/tables/locales.catalog.ts';
import { putField, rowFields } from '../../../common/tables/mapped-table.rules.ts';
import { NumberColumns, numberIssue } from '../../../common/tables/number-columns.rules.ts';
import { inUnit, unitAtEnd, withoutUnit } from '../../../common/tables/units-in-cells.rules.ts';

/** Reads the cells of a table whose columns have the names of fields, as cells of orders are read. */

/** A field of an input that one cell of a table can hold. */
export interface NamedColumn {
  /** The path of the field, such as `['recipient', 'city']`. */
  readonly path: readonly string[];
  /** `keys` is one column for each key of the caller, whose name follows the name of the field. */
  readonly holds: 'text' | 'decimal' | 'whole number' | 'time' | 'list' | 'keys';
  /** Whether every input needs it. */
  readonly isRequired: boolean;
}

/** Fields whose numbers a spreadsheet may take for a date. */
const NUMBERS = new Set(['trackingNumber', 'orderNumber', 'reference', 'parcelId', 'carrierStatusCode', 'address']);

interface TableFacts {
  /** The rows below the header. */
  readonly rows: () => Iterable<Row>;
  readonly isWorkbook: boolean;
  readonly locale: Locale | undefined;
}

export class NamedCells {
  /** Sentences about defaults of the rows that were read. */
  readonly assumed = new Set<string>();
  readonly #header: readonly NamedColumn[];
  readonly #numbers: NumberColumns;
  readonly #facts: TableFacts;

  constructor(header: readonly NamedColumn[], facts: TableFacts) {
    this.#header = header;
    this.#facts = facts;
    const units = header.flatMap((column, at): [number, Unit][] =>
      column.holds === 'decimal' ? [[at, unitOf(column)]] : [],
    );
    this.#numbers = new NumberColumns(facts.rows, new Map(units), facts.locale && LOCALES[facts.locale].decimals);
  }

  /** The input in a row of cells; an empty cell leaves its field out. */
  read(cells: readonly Cell[]): { value: object; issues: Issue[] } {
    const value = rowFields();
    const issues: Issue[] = [];
    for (const [at, column] of this.#header.entries()) {
      if (textOf(cells[at]) === '') continue;
      const read = brokenCell(cells[at]) ?? this.#contentOf(column, cells[at] ?? '', cells);
      if ('code' in read) issues.push({ path: column.path, ...read });
      else if (read.value !== '') putField(value, column.path, read.value);
    }
    return { value, issues };
  }

  #contentOf(column: NamedColumn, cell: Cell, cells: readonly Cell[]): { readonly value: unknown } | WrongCell {
    const { isWorkbook, locale } = this.#facts;
    const text = textOf(cell);
    switch (column.holds) {
      case 'list':
        return jsonIn(text);
      case 'decimal':
        return this.#decimalIn(column, cell);
      case 'whole number': {
        const [, digits] = /^(-?\d{1,15})(?:[.,]0*)?$/.exec(text) ?? [];
        // Any other text stays a string, and is rejected as one.
        return { value: digits === undefined ? text : Number(digits) };
      }
      case 'time': {
        const read = readMoment(cell, locale && LOCALES[locale].dates);
        if ('assumed' in read) for (const sentence of read.assumed) this.assumed.add(sentence);
        return read;
      }
    }
    const name = column.path.at(-1) ?? '';
    const isNumber = NUMBERS.has(name);
    const read = isNumber ? readNumberText(cell, isWorkbook) : readText(cell);
    if ('code' in read) return read;
    if (name === 'countryCode') return { value: countryNamed(read.value) ?? read.value };
    if (name === 'postalCode') return { value: postalCodeOfCell(this.#countryIn(cells), cell, read.value) };
    if (isNumber && typeof cell === 'number') this.assumed.add(numbersOf(column.path.join('.')));
    return read;
  }

  #decimalIn(column: NamedColumn, cell: Cell): { readonly value: string } | WrongCell {
    const unit = unitOf(column);
    const read = this.#numbers.read(unit === 'kg' ? withoutUnit(cell, unit) : cell, unit);
    if ('wrong' in read) return { code: 'invalid_decimal', message: numberIssue(read) };
    return { value: unit === 'kg' ? inUnit(read.decimal, unitAtEnd(textOf(cell), unit) ?? 1, unit) : read.decimal };
  }

  #countryIn(cells: readonly Cell[]): string {
    const at = this.#header.findIndex(({ path }) => path.at(-1) === 'countryCode');
    return countryNamed(textOf(cells[at])) ?? 'IT';
  }
}

const numbersOf = (name: string) =>
  `${name} has numbers in place of texts: a number that began with zeros has lost them in the workbook.`;

/** A volume is a number without a unit. */
function unitOf({ path }: NamedColumn): 'kg' | 'count' {
  return path.at(-1) === 'weight' ? 'kg' : 'count';
}
