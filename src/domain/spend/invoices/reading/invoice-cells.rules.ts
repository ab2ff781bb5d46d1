import type { Issue } from '../../../../platform/fault.ts';
import { type Cell, columnName, type Row, textOf } from '../../../../platform/tables/sent-table.ts';
import { YEARS } from '../../../common/date-time.rules.ts';
import { RECIPIENT_TYPES } from '../../../common/places/recipient.rules.ts';
import { isNone, readDay } from '../../../common/tables/cell-values.rules.ts';
import { readNumberText } from '../../../common/tables/dated-numbers.rules.ts';
import { type FoundColumn, joinedText, wordTest } from '../../../common/tables/mapped-table.rules.ts';
import { JOINED, joinsRows } from '../../../common/tables/row-width.rules.ts';
import { isTotalLabel } from '../../../common/tables/total-rows.rules.ts';
import { unitAtEnd, withoutUnit } from '../../../common/tables/units-in-cells.rules.ts';
import { COD_PAYMENTS, forAmounts } from '../../../pricing/tariffs/shipment-terms.rules.ts';
import { DECIMALS } from '../../../pricing/tariffs/units.rules.ts';
import { type BilledLine, NOTHING_BILLED } from '../billed-line.rules.ts';
import { type ChargeReader, chargeReader, normal } from './invoice-charges.rules.ts';
import { type InvoiceHeader, namesOf, oneOf, type ReadColumn } from './invoice-header.rules.ts';
import { type ChargeKind, type ColumnName, type InvoiceMapping, NUMBERS } from './invoice-mapping.format.rules.ts';
import { InvoiceNumbers } from './invoice-numbers.rules.ts';

/** Reads the cells of a row of an invoice by a mapping. A path in its issues is row and column as in a spreadsheet. */

/** The columns of a mapping in a file, without those that the file lacks. */
interface Layout {
  readonly facts: ReadonlyMap<Exclude<ColumnName, 'currency'>, FoundColumn>;
  readonly currencies: readonly number[];
  readonly skip: readonly RowTest[];
  readonly corrections: readonly RowTest[];
}

/** The rows whose cell in a column has one of some values. */
interface RowTest {
  readonly at: number;
  readonly isOne: (text: string) => boolean;
}

/** Cells with one of some words, and the field of a mapping that translates others. */
const WORDS = {
  payment: { words: COD_PAYMENTS, translations: 'codPayments' },
  recipient: { words: RECIPIENT_TYPES, translations: 'recipientTypes' },
} as const;
type WordKind = keyof typeof WORDS;

/** A column with these names is the currency, whether or not the mapping names it. */
const CURRENCY = ['currency', 'Currency Code', 'Valuta', 'Divisa', 'Billing Currency', 'Invoice Currency Code'];

/** How a cell of each column is read, as text, a day, a word or a number of decimals, and the field of a line. */
const FACTS = {
  trackingNumber: ['number', 'trackingNumber'],
  parcelId: ['number', 'parcelId'],
  reference: ['number', 'reference'],
  orderNumber: ['number', 'orderNumber'],
  date: ['day', 'date'],
  zone: ['text', 'zone'],
  service: ['text', 'service'],
  chargeableKg: [DECIMALS.kg, 'chargeableGrams'],
  realKg: [DECIMALS.kg, 'realGrams'],
  volumetricKg: [DECIMALS.kg, 'volumetricGrams'],
  fuelPercent: [DECIMALS.percent, 'fuelPpm'],
  codAmount: [DECIMALS.money, 'codCents'],
  insuredValue: [DECIMALS.money, 'insuredCents'],
  storageDays: [0, 'storageDays'],
  waitingMinutes: [0, 'waitingMinutes'],
  pickups: [0, 'pickups'],
  codPayment: ['payment', 'codPayment'],
  monthlyShipments: [0, 'monthlyShipments'],
  pallets: [0, 'pallets'],
  palletType: ['text', 'palletType'],
  stackablePallets: [0, 'stackablePallets'],
  recipientType: ['recipient', 'recipientType'],
  ...forAmounts(({ field }) => [DECIMALS.money, field] as const),
  net: [DECIMALS.money, 'netCents'],
  vatPercent: [DECIMALS.percent, 'vatPpm'],
  vatAmount: [DECIMALS.money, 'vatCents'],
} as const satisfies Record<
  Exclude<ColumnName, 'currency' | 'shipmentNumber' | Unit>,
  readonly ['text' | 'number' | 'day' | WordKind | number, Exclude<keyof BilledLine, 'row' | 'charges'>]
>;

type Unit = 'chargeableUnit' | 'realUnit';

function isUnit(name: ColumnName): name is Unit {
  return name === 'chargeableUnit' || name === 'realUnit';
}

/** Grams of the units of weight, as carriers abbreviate them. */
const GRAMS: Readonly<Record<string, number>> = {
  ...{ k: 1000, kg: 1000, kgs: 1000, g: 1, gr: 1 },
  ...{ l: 453.592_37, lb: 453.592_37, lbs: 453.592_37, o: 28.349_523_125, oz: 28.349_523_125 },
};

/** Numbers that find a shipment if the carrier's own are missing. */
const NUMBERS_OF_SENDER: ReadonlySet<string> = new Set(['reference', 'orderNumber']);

/** Why the text of a number cannot be what the carrier wrote, as the rest of a sentence. No carrier numbers by days. */
function damage(cell: Cell | undefined): string | undefined {
  const read = readNumberText(cell, true);
  return 'message' in read ? read.message : undefined;
}

const EURO = /^(€|eur|euro)$/i;

/** The limit on a value in a message. */
const MAX_SHOWN = 60;

/** Codes of the tariff by the names of the invoice. */
function byName(names: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  return new Map(Object.entries(names).map(([name, code]) => [normal(name), code]));
}

/** A row as it was read. */
export interface ReadRow {
  readonly line: BilledLine;
  /** The number that the rows of the packages of a shipment share. */
  readonly shipmentNumber: string | null;
  /** Whether the mapping takes the row for information. */
  readonly isNothing: boolean;
}

function isAmong(tests: readonly RowTest[], cells: readonly string[]): boolean {
  return tests.some(({ at, isOne }) => isOne(cells[at] ?? ''));
}

function isNoNumber(text: string): boolean {
  return text === '' || isTotalLabel(text);
}

/** Reads the rows below a header. */
export class RowReader {
  readonly #header: InvoiceHeader;
  readonly #numbers: InvoiceNumbers;
  #given: readonly Cell[] = [];
  readonly #mapping: InvoiceMapping;
  readonly #layout: Layout;
  readonly #charges: ChargeReader;
  readonly #issues: Issue[];
  readonly #zones: ReadonlyMap<string, string>;
  readonly #services: ReadonlyMap<string, string>;
  readonly #words: Readonly<Record<WordKind, ReadonlyMap<string, string>>>;

  constructor(header: InvoiceHeader, mapping: InvoiceMapping, issues: Issue[], rows: () => Iterable<Row>) {
    this.#header = header;
    this.#mapping = mapping;
    this.#issues = issues;
    this.#zones = byName(mapping.zones);
    this.#services = byName(mapping.services);
    const wordsOf = ({ words, translations }: (typeof WORDS)[WordKind]) =>
      byName({ ...Object.fromEntries(words.map(word => [word, word])), ...mapping[translations] });
    this.#words = { payment: wordsOf(WORDS.payment), recipient: wordsOf(WORDS.recipient) };
    const { currency, ...columns } = mapping.columns;
    const named = [...[currency ?? []].flat(), ...CURRENCY].map(one => header.find(one, 'currency'));
    const currencies = [...new Set(named)].filter(at => at >= 0);
    const facts = new Map<Exclude<ColumnName, 'currency'>, FoundColumn>();
    for (const [name, column] of Object.entries(columns)) {
      const found = column === undefined ? undefined : header.found(column, name);
      if (found) facts.set(name as Exclude<ColumnName, 'currency'>, found);
    }
    if (!NUMBERS.some(name => facts.has(name))) {
      const sought = oneOf(NUMBERS.flatMap(name => namesOf(mapping.columns[name])));
      const message = `must have a column that finds shipments${sought}`;
      issues.push({ path: [header.row], code: 'required', message });
    }
    const testsOf = (rows: InvoiceMapping['skip'] = []) =>
      rows.flatMap(({ column, values }): RowTest[] => {
        const at = header.find(column);
        return at < 0 ? [] : [{ at, isOne: wordTest(values) }];
      });
    this.#layout = { facts, currencies, skip: testsOf(mapping.skip), corrections: testsOf(mapping.corrections) };
    const decimals = new Map<number, number>();
    for (const [name, { at }] of facts) {
      const is = name === 'shipmentNumber' || isUnit(name) ? 'text' : FACTS[name][0];
      if (typeof is === 'number') for (const i of at) decimals.set(i, is);
    }
    this.#charges = chargeReader(header, mapping, issues);
    for (const at of this.#charges.amountsAt) decimals.set(at, DECIMALS.money);
    this.#numbers = new InvoiceNumbers(mapping, rows, decimals);
  }

  get covers(): readonly ChargeKind[] {
    return this.#charges.covers;
  }

  get columns(): readonly ReadColumn[] {
    return this.#header.columns;
  }

  skips(cells: readonly string[]): boolean {
    return isAmong(this.#layout.skip, cells);
  }

  /** A row, or undefined if its cells do not stand below the header. */
  read({ row, cells: given }: Row): ReadRow | undefined {
    this.#given = given;
    const cells = given.map(textOf);
    if (!this.#hasCellsOfHeader(row, cells)) return undefined;
    const joined = given.findIndex(cell => joinsRows(cell, this.#header.names.length));
    if (joined >= 0) this.#add(row, joined, 'not_allowed', JOINED);
    const unreadable = cells.findIndex(cell => cell.includes('\0'));
    if (unreadable >= 0) this.#add(row, unreadable, 'invalid_text', 'must not contain the character U+0000');
    const line: Record<string, unknown> = { ...NOTHING_BILLED, row };
    if (isAmong(this.#layout.corrections, cells)) line.isCorrection = true;
    const hasNumber = NUMBERS.some(name => !isNoNumber(this.#textOf(name, cells)));
    let shipmentNumber: string | null = null;
    for (const [name, column] of this.#layout.facts) {
      const [at = 0] = column.at;
      const cell = joinedText(column, cells);
      // The label of a row of totals may stand in any column.
      if (cell === '' || isUnit(name) || (!hasNumber && isTotalLabel(cell))) continue;
      if (name === 'shipmentNumber') shipmentNumber = this.#numberText(cell, row, column);
      else {
        const [is, field] = FACTS[name];
        // A number that is not needed may be damaged.
        const isSpare = NUMBERS_OF_SENDER.has(name) && line.trackingNumber !== null;
        const value = is === 'number' ? this.#numberText(cell, row, column, isSpare) : this.#fact(is, cell, row, at);
        line[field] = is === DECIMALS.kg ? this.#grams(value as number | null, name, cells, row) : value;
      }
    }
    for (const at of this.#layout.currencies) {
      if (cells[at] !== '' && !EURO.test(cells[at] ?? ''))
        this.#add(row, at, 'not_allowed', 'must be EUR: amounts in other currencies cannot be checked');
    }
    if (typeof line.zone === 'string') line.zone = this.#zones.get(normal(line.zone)) ?? line.zone;
    if (typeof line.service === 'string') line.service = this.#services.get(normal(line.service)) ?? line.service;
    const centsAt = (at: number) => this.#number(cells[at] ?? '', DECIMALS.money, row, at);
    const { charges, vatCents, isNothing } = this.#charges.read(cells, centsAt, line.netCents as number | null);
    if (vatCents !== undefined) line.vatCents = vatCents;
    line.charges = charges;
    return { line: line as unknown as BilledLine, shipmentNumber, isNothing: isNothing === true };
  }

  /** Reports a row that cannot be a line. */
  reject({ row, cells }: Row, message: string): void {
    this.#given = cells;
    const [column] = NUMBERS.flatMap(name => this.#layout.facts.get(name)?.at ?? []);
    this.#add(row, column ?? 0, 'required', message);
  }

  #textOf(name: Exclude<ColumnName, 'currency'>, cells: readonly string[]): string {
    const column = this.#layout.facts.get(name);
    return column === undefined ? '' : joinedText(column, cells);
  }

  /** The number of a shipment as its text; a spreadsheet may have damaged it. */
  #numberText(cell: string, row: number, { at }: FoundColumn, isSpare = false): string | null {
    const wrong = at.flatMap(i => {
      const message = damage(this.#given[i]);
      return message === undefined ? [] : [{ i, message }];
    });
    if (isSpare && wrong.length > 0) return null;
    for (const { i, message } of wrong) this.#add(row, i, 'invalid_text', message);
    return wrong.length > 0 ? null : cell;
  }

  /** A weight of zero is none: rows of other charges of a shipment have it. */
  #grams(read: number | null, name: string, cells: readonly string[], row: number): number | null {
    if (read === null || read === 0) return null;
    const unit = this.#layout.facts.get(name === 'chargeableKg' ? 'chargeableUnit' : 'realUnit');
    if (unit === undefined) return read;
    const grams = GRAMS[normal(joinedText(unit, cells))];
    if (grams !== undefined) return Math.round((read * grams) / 1000);
    this.#add(row, unit.at[0] ?? 0, 'not_allowed', 'must be the unit of the weight: K or KG, G, L or LB, O or OZ');
    return null;
  }

  #fact(
    is: Exclude<(typeof FACTS)[keyof typeof FACTS][0], 'number'>,
    cell: string,
    row: number,
    at: number,
  ): string | number | null {
    if (is === 'text') return cell;
    if (is === 'day') return this.#day(cell, row, at);
    if (typeof is === 'number') return this.#number(cell, is, row, at);
    return this.#word(is, cell, row, at);
  }

  /** A row of another length was split at wrong places, for example at a comma within a number. */
  #hasCellsOfHeader(row: number, cells: readonly string[]): boolean {
    const count = this.#header.names.length;
    const beyond = cells.findIndex((cell, at) => at >= count && cell !== '');
    if (beyond < 0 && cells.length >= count) return true;
    const message = `must have ${count} cells, as many as the header, but has ${cells.length}`;
    const path = beyond < 0 ? [row] : [row, columnName(beyond)];
    this.#issues.push({ path, code: beyond < 0 ? 'required' : 'too_many', message });
    return false;
  }

  #number(cell: string, decimals: number, row: number, at: number): number | null {
    if (cell === '' || (decimals === DECIMALS.money && isNone(cell))) return null;
    const [given, isWeight] = [this.#given[at] ?? '', decimals === DECIMALS.kg];
    const read = this.#numbers.read(isWeight ? withoutUnit(given, 'kg') : given, decimals);
    if (typeof read === 'number') return isWeight ? Math.round(read * (unitAtEnd(cell, 'kg') ?? 1)) : read;
    this.#add(row, at, read.code, read.message);
    return null;
  }

  #day(cell: string, row: number, at: number): string | null {
    const day = readDay(cell, this.#mapping.dates);
    if (day !== undefined) return day;
    this.#add(row, at, 'invalid_format', `must be a day ${YEARS}, such as 2026-12-31 or 31/12/2026`);
    return null;
  }

  #word(kind: WordKind, cell: string, row: number, at: number): string | null {
    const word = this.#words[kind].get(normal(cell));
    if (word !== undefined) return word;
    const { words, translations } = WORDS[kind];
    const message = `must be one of ${words.join(', ')}, or a word that \`${translations}\` of the mapping translates`;
    this.#add(row, at, 'not_allowed', message);
    return null;
  }

  #add(row: number, at: number, code: Issue['code'], message: string): void {
    const value = row === this.#header.row ? '' : textOf(this.#given[at]).slice(0, MAX_SHOWN);
    const shown = value === '' ? message : `${message}, and is ${JSON.stringify(value)}`;
    this.#issues.push({ path: [row, columnName(at)], code, message: shown });
  }
}
