import type { Issue } from '../../../../platform/fault.ts';
import { type Cell, columnName, type Row, textOf } from '../../../../platform/tables/sent-table.ts';
import { YEARS } from '../../../common/date-time.rules.ts';
import { readDay } from '../../../common/tables/cell-values.rules.ts';
import { type FoundColumn, joinedText, wordTest } from '../../../common/tables/mapped-table.rules.ts';
import { RECIPIENT_TYPES } from '../../../places/recipient.rules.ts';
import { COD_PAYMENTS } from '../../../tariffs/conditions/payments-condition.rules.ts';
import { DECIMALS } from '../../../tariffs/units.rules.ts';
import { type BilledCharge, type BilledLine, NOTHING_BILLED } from '../billed-line.rules.ts';
import { type InvoiceHeader, namesOf, type ReadColumn } from './invoice-header.rules.ts';
import {
  CHARGE_KINDS,
  type ChargeKind,
  type ChargeMeaning,
  type ColumnName,
  type InvoiceMapping,
  type MappedColumn,
  NUMBERS,
} from './invoice-mapping.format.rules.ts';
import { InvoiceNumbers } from './invoice-numbers.rules.ts';

/** Reads the cells of a row of an invoice by a mapping. A path in its issues is row and column as in a spreadsheet. */

/** The columns of a mapping in a file, without those that the file lacks. */
interface Layout {
  readonly facts: ReadonlyMap<ColumnName, FoundColumn>;
  readonly skip: readonly { readonly at: number; readonly isOne: (text: string) => boolean }[];
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
  trackingNumber: ['text', 'trackingNumber'],
  parcelId: ['text', 'parcelId'],
  reference: ['text', 'reference'],
  orderNumber: ['text', 'orderNumber'],
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
  goodsValue: [DECIMALS.money, 'goodsCents'],
  dutiesAmount: [DECIMALS.money, 'dutiesCents'],
  net: [DECIMALS.money, 'netCents'],
  vatPercent: [DECIMALS.percent, 'vatPpm'],
  vatAmount: [DECIMALS.money, 'vatCents'],
} as const satisfies Record<
  Exclude<ColumnName, 'currency'>,
  readonly ['text' | 'day' | WordKind | number, Exclude<keyof BilledLine, 'row' | 'charges'>]
>;

const EURO = /^(€|eur|euro)$/i;

/** The limit on a value in a message. */
const MAX_SHOWN = 60;

/** Names of charges and zones are compared without case, blanks and accents. */
function normal(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\p{M}\s._]+/gu, '')
    .toLowerCase();
}

/** Codes of the tariff by the names of the invoice. */
function byName(names: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  return new Map(Object.entries(names).map(([name, code]) => [normal(name), code]));
}

/** Reads the rows below a header. */
export class RowReader {
  readonly covers: readonly ChargeKind[];
  readonly #header: InvoiceHeader;
  readonly #numbers: InvoiceNumbers;
  #given: readonly Cell[] = [];
  readonly #mapping: InvoiceMapping;
  readonly #layout: Layout;
  readonly #charges: (cells: readonly string[], row: number) => BilledCharge[];
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
    const currency = [...[mapping.columns.currency ?? []].flat(), ...CURRENCY];
    const facts = new Map<ColumnName, FoundColumn>();
    for (const [name, column] of Object.entries({ ...mapping.columns, currency })) {
      const found = column === undefined ? undefined : header.found(column, name);
      if (found) facts.set(name as ColumnName, found);
    }
    if (!NUMBERS.some(name => facts.has(name))) {
      const sought = oneOf(NUMBERS.flatMap(name => namesOf(mapping.columns[name])));
      const message = `must have a column that finds shipments${sought}`;
      issues.push({ path: [header.row], code: 'required', message });
    }
    const skip = mapping.skip.flatMap(({ column, values }) => {
      const at = header.find(column);
      return at < 0 ? [] : [{ at, isOne: wordTest(values) }];
    });
    this.#layout = { facts, skip };
    const decimals = new Map<number, number>();
    for (const [name, { at }] of facts) {
      const is = name === 'currency' ? 'text' : FACTS[name][0];
      if (typeof is === 'number') for (const i of at) decimals.set(i, is);
    }
    const amounts = 'name' in mapping.charges ? [mapping.charges.amount] : mapping.charges.map(({ column }) => column);
    for (const column of amounts) decimals.set(header.find(column), DECIMALS.money);
    this.#numbers = new InvoiceNumbers(mapping, rows, decimals);
    const { charges } = mapping;
    if ('name' in charges) {
      this.covers = CHARGE_KINDS;
      this.#charges = this.#inRows(charges);
    } else {
      const found = charges
        .map(charge => ({
          ...charge,
          at: header.find(charge.column, [...(charge.kinds ?? []), ...(charge.lines ?? [])].join(', ')),
        }))
        .filter(({ at }) => at >= 0);
      if (found.length === 0) {
        const sought = oneOf(charges.flatMap(({ column }) => namesOf(column)));
        issues.push({ path: [header.row], code: 'required', message: `must have a column with amounts${sought}` });
      }
      this.covers = CHARGE_KINDS.filter(kind => found.some(({ kinds }) => kinds?.includes(kind)));
      this.#charges = (cells, row) =>
        found.flatMap(({ at, ...meaning }) => {
          const cents = this.#number(cells[at] ?? '', DECIMALS.money, row, at);
          return cents === null ? [] : [chargeOf(meaning, normal(header.names[at] ?? ''), cents)];
        });
    }
  }

  get columns(): readonly ReadColumn[] {
    return this.#header.columns;
  }

  skips(cells: readonly string[]): boolean {
    return this.#layout.skip.some(({ at, isOne }) => isOne(cells[at] ?? ''));
  }

  /** A line, or undefined if the number of cells differs from the header's. */
  read({ row, cells: given }: Row): BilledLine | undefined {
    this.#given = given;
    const cells = given.map(textOf);
    if (!this.#hasCellsOfHeader(row, cells)) return undefined;
    const unreadable = cells.findIndex(cell => cell.includes('\0'));
    if (unreadable >= 0) this.#add(row, unreadable, 'invalid_text', 'must not contain the character U+0000');
    const line: Record<string, unknown> = { ...NOTHING_BILLED, row };
    for (const [name, column] of this.#layout.facts) {
      const [at = 0] = column.at;
      const cell = joinedText(column, cells);
      if (cell === '') continue;
      if (name === 'currency') {
        if (!EURO.test(cell))
          this.#add(row, at, 'not_allowed', 'must be EUR: amounts in other currencies cannot be checked');
        continue;
      }
      const [is, field] = FACTS[name];
      line[field] = this.#fact(is, cell, row, at);
    }
    if (typeof line.zone === 'string') line.zone = this.#zones.get(normal(line.zone)) ?? line.zone;
    if (typeof line.service === 'string') line.service = this.#services.get(normal(line.service)) ?? line.service;
    line.charges = this.#charges(cells, row);
    return line as unknown as BilledLine;
  }

  #fact(is: (typeof FACTS)[keyof typeof FACTS][0], cell: string, row: number, at: number): string | number | null {
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

  #inRows({ name, amount, charges, otherwise }: Extract<InvoiceMapping['charges'], { name: MappedColumn }>) {
    const [nameAt, amountAt] = [
      this.#header.find(name, 'name of the charge'),
      this.#header.find(amount, 'amount of the charge'),
    ];
    for (const [at, column] of [
      [nameAt, name],
      [amountAt, amount],
    ] as const) {
      if (at >= 0) continue;
      const message = `must have the column ${namesOf(column).join(' or ')}`;
      this.#issues.push({ path: [this.#header.row], code: 'required', message });
    }
    const known = charges.flatMap(({ named, ...meaning }) =>
      named.map(one => ({ meaning, isBeginning: one.endsWith('*'), text: normal(one.replace(/\*$/, '')) })),
    );
    return (cells: readonly string[], row: number): BilledCharge[] => {
      const text = cells[nameAt] ?? '';
      const sought = normal(text);
      const cents = this.#number(cells[amountAt] ?? '', DECIMALS.money, row, amountAt) ?? 0;
      const found = known.find(one => (one.isBeginning ? sought.startsWith(one.text) : sought === one.text));
      return [chargeOf(found?.meaning ?? { kinds: [otherwise] }, text, cents)];
    };
  }

  #number(cell: string, decimals: number, row: number, at: number): number | null {
    if (cell === '') return null;
    const read = this.#numbers.read(this.#given[at] ?? '', decimals);
    if (typeof read === 'number') return read;
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

/** The names of columns at the end of a message; nothing if the mapping has none. */
function oneOf(names: readonly string[]): string {
  return names.length === 0 ? '' : `: one of ${names.join(', ')}`;
}

function chargeOf({ kinds = [], lines = [] }: ChargeMeaning, name: string, cents: number): BilledCharge {
  return { kinds, lines, name, cents };
}
