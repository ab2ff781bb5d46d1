import { RowPacker, type TableBudget } from './packed-rows.ts';
import { type Cell, shown, TABLE_LIMITS, UnreadableTable } from './sent-table.ts';
import { cellOfNumber, columnOf, lengthened, type NumberKind, unescaped } from './workbook-cells.rules.ts';
import type { XmlHandler } from './workbook-xml.ts';

/** Reads the rows of one sheet. Formulas are not calculated: their cells have the values that were saved with them. */

export interface WorkbookFacts {
  readonly texts: readonly string[];
  readonly kinds: readonly NumberKind[];
  readonly is1904: boolean;
}

/** The cell of a formula whose value was not saved. */
const NO_VALUE = '#FORMULA!';

export class SheetReader implements XmlHandler {
  readonly #packer: RowPacker;
  readonly #facts: WorkbookFacts;
  #row = 0;
  #width = 0;
  #cells: Cell[] = [];
  #column = -1;
  #type = 'n';
  #style = 0;
  #value = '';
  #isFormula = false;
  #isTaken = false;
  #isPhonetic = false;

  constructor(facts: WorkbookFacts, budget: TableBudget) {
    this.#facts = facts;
    this.#packer = new RowPacker(budget);
  }

  readonly open = (name: string, attributes: Readonly<Record<string, string>>): void => {
    if (name === 'row') this.#beginRow(attributes.r);
    else if (name === 'c') this.#beginCell(attributes);
    else if (name === 'f') this.#isFormula = true;
    else if (name === 'rPh') this.#isPhonetic = true;
    this.#isTaken = (name === 'v' || name === 't') && !this.#isPhonetic;
  };

  readonly text = (text: string): void => {
    if (this.#isTaken) this.#value = lengthened(this.#value, text, [this.#row]);
  };

  readonly close = (name: string): void => {
    this.#isTaken = false;
    if (name === 'c') this.#endCell();
    else if (name === 'rPh') this.#isPhonetic = false;
    else if (name === 'row') this.#endRow();
  };

  end(): readonly Uint8Array[] {
    return this.#packer.end();
  }

  #beginRow(number: string | undefined): void {
    const row = number === undefined ? this.#row + 1 : Number(number);
    if (!Number.isInteger(row) || row <= this.#row || row > TABLE_LIMITS.lastRow)
      throw new UnreadableTable(
        `has a row ${shown(number)} after row ${this.#row}, or beyond row ${TABLE_LIMITS.lastRow}`,
      );
    this.#row = row;
    this.#cells = [];
    this.#column = -1;
  }

  #beginCell({ r: reference, t: type = 'n', s: style }: Readonly<Record<string, string>>): void {
    const column = reference === undefined ? this.#column + 1 : columnOf(reference);
    if (column === undefined || column <= this.#column || column >= TABLE_LIMITS.columns)
      throw new UnreadableTable(
        `has a cell ${shown(reference)} in row ${this.#row}, which is out of order or beyond column ${TABLE_LIMITS.columns}`,
      );
    this.#column = column;
    this.#type = type;
    this.#style = Number(style ?? 0);
    this.#value = '';
    this.#isFormula = false;
  }

  #endCell(): void {
    const cell = this.#cell();
    if (cell === '') return;
    while (this.#cells.length < this.#column) this.#cells.push('');
    this.#cells[this.#column] = cell;
  }

  #endRow(): void {
    this.#width = Math.max(this.#width, this.#cells.length);
    // A workbook leaves empty cells out, wherever they are.
    while (this.#cells.length > 0 && this.#cells.length < this.#width) this.#cells.push('');
    this.#packer.add(this.#row, this.#cells);
  }

  #sharedText(index: string): string {
    const text = this.#facts.texts[Number(index)];
    if (text === undefined) throw new UnreadableTable('has a cell whose text is not in the workbook', [this.#row]);
    return text;
  }

  #cell(): Cell {
    const value = this.#value;
    if (value === '') return this.#isFormula && this.#type !== 'str' ? NO_VALUE : '';
    switch (this.#type) {
      case 's':
        return this.#sharedText(value);
      case 'b':
        return value === '1';
      case 'n':
        return cellOfNumber(value, this.#facts.kinds[this.#style] ?? 'number', this.#facts.is1904);
      default:
        // Texts, dates in ISO 8601, and errors such as #N/A.
        return unescaped(value);
    }
  }
}
