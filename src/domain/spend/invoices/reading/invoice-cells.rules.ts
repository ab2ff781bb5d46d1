import { type Issue, MAX_ISSUES } from '../../../../platform/fault.ts';
import { columnName, type Row, textOf } from '../../../../platform/tables/sent-table.ts';
import { RECIPIENT_TYPES } from '../../../places/recipient.rules.ts';
import { COD_PAYMENTS } from '../../../tariffs/conditions/payments-condition.rules.ts';
import { DECIMALS } from '../../../tariffs/units.rules.ts';
import { type BilledCharge, type BilledLine, NOTHING_BILLED } from '../billed-line.rules.ts';
import { InvoiceLines } from './invoice-lines.rules.ts';
import {
  CHARGE_KINDS,
  type ChargeKind,
  type ChargeMeaning,
  type ColumnName,
  type InvoiceMapping,
  type MappedColumn,
} from './invoice-mapping.format.rules.ts';
import { readDay, readNumber } from './invoice-values.rules.ts';

/** Reads the cells of an invoice by a mapping. A path in its issues is row and column as in a spreadsheet. */

export interface ReadInvoice {
  readonly lines: readonly BilledLine[];
  /** Its possible charges: a line with a base price bills the missing ones with 0.00. */
  readonly covers: readonly ChargeKind[];
}

/** The limit on the lines of one invoice. */
export const MAX_LINES = 500_000;

/** The limit on numbers of days, minutes, pallets and shipments. */
const MAX_COUNT = 10_000_000;

/** The columns of a mapping in a file, without those that the file lacks. */
interface Layout {
  readonly facts: ReadonlyMap<ColumnName, number>;
  readonly skip: readonly { readonly at: number; readonly values: ReadonlySet<string> }[];
}

/** Cells with one of some words, and the field of a mapping that translates others. */
const WORDS = {
  payment: { words: COD_PAYMENTS, translations: 'codPayments' },
  recipient: { words: RECIPIENT_TYPES, translations: 'recipientTypes' },
} as const;
type WordKind = keyof typeof WORDS;

const FACTS = {
  trackingNumber: 'text',
  parcelId: 'text',
  reference: 'text',
  orderNumber: 'text',
  date: 'day',
  zone: 'text',
  service: 'text',
  chargeableKg: DECIMALS.kg,
  realKg: DECIMALS.kg,
  volumetricKg: DECIMALS.kg,
  fuelPercent: DECIMALS.percent,
  codAmount: DECIMALS.money,
  insuredValue: DECIMALS.money,
  storageDays: 0,
  waitingMinutes: 0,
  pickups: 0,
  codPayment: 'payment',
  monthlyShipments: 0,
  pallets: 0,
  palletType: 'text',
  stackablePallets: 0,
  recipientType: 'recipient',
  goodsValue: DECIMALS.money,
  dutiesAmount: DECIMALS.money,
  net: DECIMALS.money,
  vatPercent: DECIMALS.percent,
  vatAmount: DECIMALS.money,
} as const satisfies Record<Exclude<ColumnName, 'currency'>, 'text' | 'day' | WordKind | number>;

const FIELDS = {
  trackingNumber: 'trackingNumber',
  parcelId: 'parcelId',
  reference: 'reference',
  orderNumber: 'orderNumber',
  date: 'date',
  zone: 'zone',
  service: 'service',
  chargeableKg: 'chargeableGrams',
  realKg: 'realGrams',
  volumetricKg: 'volumetricGrams',
  fuelPercent: 'fuelPpm',
  codAmount: 'codCents',
  insuredValue: 'insuredCents',
  storageDays: 'storageDays',
  waitingMinutes: 'waitingMinutes',
  pickups: 'pickups',
  codPayment: 'codPayment',
  monthlyShipments: 'monthlyShipments',
  pallets: 'pallets',
  palletType: 'palletType',
  stackablePallets: 'stackablePallets',
  recipientType: 'recipientType',
  goodsValue: 'goodsCents',
  dutiesAmount: 'dutiesCents',
  net: 'netCents',
  vatPercent: 'vatPpm',
  vatAmount: 'vatCents',
} as const satisfies Record<Exclude<ColumnName, 'currency'>, Exclude<keyof BilledLine, 'row' | 'charges'>>;

const EURO = /^(€|eur|euro)$/i;

/** Reads an invoice row by row, the header first. */
export class InvoiceReader {
  readonly #mapping: InvoiceMapping;
  readonly #issues: Issue[] = [];
  readonly #lines: InvoiceLines;
  #reader: RowReader | undefined;

  constructor(mapping: InvoiceMapping) {
    this.#mapping = mapping;
    this.#lines = new InvoiceLines('name' in mapping.charges);
  }

  /** Whether reading can stop. */
  get isFull(): boolean {
    return this.#issues.length >= MAX_ISSUES || this.#lines.all.length > MAX_LINES;
  }

  get hasHeader(): boolean {
    return this.#reader !== undefined;
  }

  add({ row, cells: given }: Row): void {
    const cells = given.map(textOf);
    if (this.#reader === undefined) this.#reader = new RowReader(cells.map(normal), this.#mapping, this.#issues);
    else if (!this.#reader.skips(cells)) {
      const line = this.#reader.read(row, cells);
      if (line !== undefined) this.#lines.add(line);
    }
  }

  /** The lines of the invoice, and the issues of its cells. */
  end(): { readonly invoice: ReadInvoice; readonly issues: readonly Issue[] } {
    const { all } = this.#lines;
    const { covers } = this.#reader ?? new RowReader([], this.#mapping, this.#issues);
    if (this.#issues.length === 0 && all.length === 0)
      this.#issues.push({ path: [1], code: 'empty', message: 'must be followed by the lines of the invoice' });
    const tooMany = all[MAX_LINES];
    if (tooMany !== undefined) {
      const message = `is beyond the ${MAX_LINES} lines that an invoice may have`;
      this.#issues.push({ path: [tooMany.row], code: 'too_many', message });
    }
    return { invoice: { lines: all, covers }, issues: this.#issues };
  }
}

/** Header names and charges are compared without case, blanks and accents. */
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

class RowReader {
  readonly covers: readonly ChargeKind[];
  readonly #header: readonly string[];
  readonly #mapping: InvoiceMapping;
  readonly #layout: Layout;
  readonly #charges: (cells: readonly string[], row: number) => BilledCharge[];
  readonly #issues: Issue[];
  readonly #zones: ReadonlyMap<string, string>;
  readonly #services: ReadonlyMap<string, string>;
  readonly #words: Readonly<Record<WordKind, ReadonlyMap<string, string>>>;

  constructor(header: readonly string[], mapping: InvoiceMapping, issues: Issue[]) {
    this.#header = header;
    this.#mapping = mapping;
    this.#issues = issues;
    this.#zones = byName(mapping.zones);
    this.#services = byName(mapping.services);
    const wordsOf = ({ words, translations }: (typeof WORDS)[WordKind]) =>
      byName({ ...Object.fromEntries(words.map(word => [word, word])), ...mapping[translations] });
    this.#words = { payment: wordsOf(WORDS.payment), recipient: wordsOf(WORDS.recipient) };
    const facts = new Map<ColumnName, number>();
    for (const [name, column] of Object.entries(mapping.columns)) {
      const at = column === undefined ? -1 : this.#find(column);
      if (at >= 0) facts.set(name as ColumnName, at);
    }
    const numbers = ['trackingNumber', 'parcelId', 'reference', 'orderNumber'] as const;
    if (!numbers.some(name => facts.has(name))) {
      const sought = numbers.flatMap(name => mapping.columns[name] ?? []).join(', ');
      issues.push({
        path: [1],
        code: 'required',
        message: `must have a column that finds shipments: one of ${sought}`,
      });
    }
    const skip = mapping.skip.flatMap(({ column, values }) => {
      const at = this.#find(column);
      return at < 0 ? [] : [{ at, values: new Set(values.map(normal)) }];
    });
    this.#layout = { facts, skip };
    const { charges } = mapping;
    if ('name' in charges) {
      this.covers = CHARGE_KINDS;
      this.#charges = this.#inRows(charges);
    } else {
      const found = charges.map(charge => ({ ...charge, at: this.#find(charge.column) })).filter(({ at }) => at >= 0);
      if (found.length === 0) {
        const sought = charges.flatMap(({ column }) => column).join(', ');
        issues.push({ path: [1], code: 'required', message: `must have a column with amounts: one of ${sought}` });
      }
      this.covers = CHARGE_KINDS.filter(kind => found.some(({ kinds }) => kinds?.includes(kind)));
      this.#charges = (cells, row) =>
        found.flatMap(({ at, ...meaning }) => {
          const cents = this.#number(cells[at] ?? '', DECIMALS.money, row, at);
          return cents === null ? [] : [chargeOf(meaning, this.#header[at] ?? '', cents)];
        });
    }
  }

  skips(cells: readonly string[]): boolean {
    return this.#layout.skip.some(({ at, values }) => values.has(normal(cells[at] ?? '')));
  }

  /** A line, or undefined if the number of cells differs from the header's. */
  read(row: number, cells: readonly string[]): BilledLine | undefined {
    if (!this.#hasCellsOfHeader(row, cells)) return undefined;
    const unreadable = cells.findIndex(cell => cell.includes('\0'));
    if (unreadable >= 0) this.#add(row, unreadable, 'invalid_text', 'must not contain the character U+0000');
    const line: Record<string, unknown> = { ...NOTHING_BILLED, row };
    for (const [name, at] of this.#layout.facts) {
      const cell = cells[at] ?? '';
      if (cell === '') continue;
      if (name === 'currency') {
        if (!EURO.test(cell))
          this.#add(row, at, 'not_allowed', 'must be EUR: amounts in other currencies cannot be checked');
        continue;
      }
      const is = FACTS[name];
      line[FIELDS[name]] = this.#fact(is, cell, row, at);
    }
    if (typeof line.zone === 'string') line.zone = this.#zones.get(normal(line.zone)) ?? line.zone;
    if (typeof line.service === 'string') line.service = this.#services.get(normal(line.service)) ?? line.service;
    line.charges = this.#charges(cells, row);
    return line as unknown as BilledLine;
  }

  #fact(is: (typeof FACTS)[keyof typeof FACTS], cell: string, row: number, at: number): string | number | null {
    if (is === 'text') return cell;
    if (is === 'day') return this.#day(cell, row, at);
    if (typeof is === 'number') return this.#number(cell, is, row, at);
    return this.#word(is, cell, row, at);
  }

  /** A row of another length was split at wrong places, for example at a comma within a number. */
  #hasCellsOfHeader(row: number, cells: readonly string[]): boolean {
    const count = this.#header.length;
    const beyond = cells.findIndex((cell, at) => at >= count && cell !== '');
    if (beyond < 0 && cells.length >= count) return true;
    const message = `must have ${count} cells, as many as the header, but has ${cells.length}`;
    const path = beyond < 0 ? [row] : [row, columnName(beyond)];
    this.#issues.push({ path, code: beyond < 0 ? 'required' : 'too_many', message });
    return false;
  }

  #inRows({ name, amount, charges, otherwise }: Extract<InvoiceMapping['charges'], { name: MappedColumn }>) {
    const [nameAt, amountAt] = [this.#find(name), this.#find(amount)];
    for (const [at, column] of [
      [nameAt, name],
      [amountAt, amount],
    ] as const) {
      if (at >= 0) continue;
      const message = `must have the column ${[column].flat().join(' or ')}`;
      this.#issues.push({ path: [1], code: 'required', message });
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

  #find(column: MappedColumn): number {
    for (const name of [column].flat()) {
      const sought = normal(name);
      const at = this.#header.indexOf(sought);
      if (at < 0) continue;
      const again = this.#header.indexOf(sought, at + 1);
      if (again >= 0) this.#add(1, again, 'duplicate', `must have another name: column ${columnName(at)} has this one`);
      return at;
    }
    return -1;
  }

  #number(cell: string, decimals: number, row: number, at: number): number | null {
    if (cell === '') return null;
    const count = readNumber(cell, decimals, this.#mapping.decimals);
    if (typeof count === 'number' && (decimals > 0 || (count >= 0 && count <= MAX_COUNT))) return count;
    if (typeof count === 'number') {
      this.#add(row, at, 'out_of_range', `must be from 0 to ${MAX_COUNT}`);
      return null;
    }
    const message =
      count === undefined
        ? 'must be a number'
        : 'must be unambiguous: it has three decimals or a sign for thousands. Write 1234 or 1234.00, or set `decimals` in a mapping of your own';
    this.#add(row, at, 'invalid_decimal', message);
    return null;
  }

  #day(cell: string, row: number, at: number): string | null {
    const day = readDay(cell);
    if (day !== undefined) return day;
    this.#add(row, at, 'invalid_format', 'must be a day, such as 2026-12-31 or 31/12/2026');
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
    this.#issues.push({ path: [row, columnName(at)], code, message });
  }
}

function chargeOf({ kinds = [], lines = [] }: ChargeMeaning, name: string, cents: number): BilledCharge {
  return { kinds, lines, name, cents };
}
