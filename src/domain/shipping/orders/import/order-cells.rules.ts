import type { Issue } from '../../../../platform/fault.ts';
import type { IssueCode } from '../../../../platform/issue-codes.ts';
import { type Cell, type Row, textOf } from '../../../../platform/tables/sent-table.ts';
import { countryNamed } from '../../../common/places/country-names.rules.ts';
import { capCanBelong, provinceCode } from '../../../common/places/italy.rules.ts';
import { postalCodeOfCell } from '../../../common/places/postal-codes.rules.ts';
import {
  brokenCell,
  isNone,
  jsonIn,
  type ReadText,
  readText,
  type Unit,
  type WrongCell,
} from '../../../common/tables/cell-values.rules.ts';
import { readNumberText } from '../../../common/tables/dated-numbers.rules.ts';
import { type FoundColumn, joinedText, type MappedSheet, wordTest } from '../../../common/tables/mapped-table.rules.ts';
import { NumberColumns, numberIssue } from '../../../common/tables/number-columns.rules.ts';
import type { ReadAs } from '../../../common/tables/shown-mapping.rules.ts';
import { inUnit, type Measure, unitAtEnd, withoutUnit } from '../../../common/tables/units-in-cells.rules.ts';
import { kilogramsOf } from '../orders.rules.ts';
import { CashReader } from './cash-on-delivery.rules.ts';
import {
  CASH_AMOUNT,
  CASH_PAYMENT,
  ORDER_COLUMNS,
  type OrderColumn,
  type OrderField,
} from './order-columns.catalog.ts';
import type { OrderMapping } from './order-mapping.format.rules.ts';
import { type RowParcel, sidesIn } from './order-parcels.rules.ts';

/** Reads the cells of a row of orders by the meaning of their columns. */

export interface ReadField {
  readonly value: unknown;
  readonly at: number;
}

interface ReadRow {
  readonly fields: ReadonlyMap<string, ReadField>;
  readonly parcel: RowParcel | undefined;
  /** A path begins with `parcel` where it is about the parcel of the row. */
  readonly issues: readonly Issue[];
  /** A payment that is not cash on delivery. */
  readonly otherPayment: string | undefined;
}

const UNITS: readonly string[] = ['money', 'kg', 'cm', 'percent', 'count'] satisfies readonly Unit[];
const isUnit = (is: OrderColumn['is']): is is Unit => UNITS.includes(is);

const isBusiness = wordTest(['business', 'azienda', 'ditta', 'società', 'impresa', 'company', 'b2b']);
const isPrivate = wordTest(['private', 'privato', 'consumatore', 'consumer', 'residential', 'residenziale', 'b2c']);

export class CellReader {
  /** The values of orders whose row has none. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly #found: MappedSheet<OrderField>;
  readonly #numbers: NumberColumns;
  readonly #metadata: readonly { readonly key: string; readonly column: FoundColumn }[];
  readonly cash: CashReader | undefined;
  readonly #hasCountry: boolean;

  constructor(found: MappedSheet<OrderField>, { decimals, metadata, cashOnDelivery, values }: OrderMapping) {
    this.#found = found;
    this.#hasCountry = found.columns.has('recipient.countryCode') || values['recipient.countryCode'] !== undefined;
    this.values = Object.fromEntries(
      Object.entries(values).map(([field, text]) => {
        const content = contentOf(ORDER_COLUMNS[field as keyof typeof values].is, text);
        // The schema rejects a text that cannot be read, in each row.
        return [field, 'value' in content ? content.value : text];
      }),
    );
    const { header } = found;
    const units = new Map<number, Unit>();
    for (const [field, { at }] of found.columns) {
      const { is } = ORDER_COLUMNS[field];
      if (is === 'grams') for (const i of at) units.set(i, 'count');
      else if (isUnit(is)) for (const i of at) units.set(i, is);
    }
    this.cash = cashOnDelivery && CashReader.of(header, cashOnDelivery);
    for (const i of this.cash?.amounts ?? []) units.set(i, 'money');
    this.#numbers = new NumberColumns(found.rows, units, decimals);
    this.#metadata = [
      ...Object.entries(metadata).flatMap(([key, column]) => {
        const at = header.find(column);
        return at ? [{ key, column: at }] : [];
      }),
      ...header.names.flatMap((name, i) => {
        const [, key] = /^metadata\.(.+)$/.exec(name) ?? [];
        return key === undefined ? [] : [{ key, column: { at: [i], by: ' ' } }];
      }),
    ];
  }

  /** Columns that hold no field of an order: metadata, and the payment and amount of a cash on delivery. */
  get otherColumns(): readonly ReadAs[] {
    const of = (field: string, column: FoundColumn | undefined) => (column?.at ?? []).map(at => ({ field, at }));
    return [
      ...this.#metadata.flatMap(({ key, column }) => of(`metadata.${key}`, column)),
      ...of(CASH_PAYMENT, this.cash?.payment),
      ...of(CASH_AMOUNT, this.cash?.amount),
    ];
  }

  read({ cells }: Row): ReadRow {
    const issues: Issue[] = [];
    const fields = new Map<string, ReadField>();
    const parcel: Record<string, unknown> = {};
    const at = new Map<string, number>();
    const wrong = (path: Issue['path'], code: IssueCode, message: string) => issues.push({ path, code, message });
    for (const [field, column] of this.#found.columns) {
      const isMoney = ORDER_COLUMNS[field].is === 'money';
      const first = column.at.find(i => textOf(cells[i]) !== '' && !(isMoney && isNone(textOf(cells[i]))));
      if (first === undefined) continue;
      const [group, name = ''] = field.split('.');
      const path = group === 'parcel' ? ['parcel', PARCEL_FIELDS[name] ?? name] : field.split('.');
      const place = (value: unknown) => {
        if (group === 'parcel') {
          parcel[name] = value;
          at.set(PARCEL_FIELDS[name] ?? name, first);
        } else fields.set(field, { value, at: first });
      };
      const content = this.#contentOf(field, column, cells);
      // The place of a wrong value is known, whether or not it was read.
      place('value' in content ? content.value : undefined);
      if ('code' in content) wrong(path, content.code, content.message);
    }
    const cash = fields.has('codAmount') ? undefined : this.cash?.read(cells, this.#numbers);
    if (cash && 'at' in cash) {
      fields.set('codAmount', { value: 'value' in cash ? cash.value : undefined, at: cash.at });
      if ('code' in cash) wrong(['codAmount'], cash.code, cash.message);
    }
    for (const { key, column } of this.#metadata) {
      const at = column.at.find(i => textOf(cells[i]) !== '');
      if (at === undefined) continue;
      const content = readJoined(column, cells);
      fields.set(`metadata.${key}`, { value: 'value' in content ? content.value : undefined, at });
      if ('code' in content) wrong(['metadata', key], content.code, content.message);
    }
    const ofAddress = fields.get('recipient.fullAddress');
    if (divideAddress(fields) && ofAddress && !this.#hasCountry && !isItalian(fields)) {
      fields.set('recipient.countryCode', { value: undefined, at: ofAddress.at });
      wrong(['recipient', 'countryCode'], 'required', NO_COUNTRY);
    }
    addZeros(fields, cells, String(this.values['recipient.countryCode'] ?? 'IT'));
    const otherPayment = cash && 'otherPayment' in cash ? cash.otherPayment : undefined;
    return { fields, parcel: parcelOf(parcel, at), issues, otherPayment };
  }

  #contentOf(field: OrderField, column: FoundColumn, cells: readonly Cell[]): Content {
    const { is }: OrderColumn = ORDER_COLUMNS[field];
    if (isUnit(is) || is === 'grams') {
      const cell = cells[column.at[0] ?? 0] ?? '';
      const broken = brokenCell(cell);
      if (broken) return broken;
      const measure = is === 'kg' || is === 'cm' ? is : undefined;
      const bare = measure ? withoutUnit(cell, measure) : cell;
      const read = this.#numbers.read(bare, is === 'grams' ? 'count' : is);
      if ('wrong' in read)
        return { code: 'invalid_decimal', message: YES.test(textOf(cell)) ? ONLY_YES : numberIssue(read) };
      if (is === 'grams') return gramsIn(read.decimal);
      if (measure) return { value: inUnit(read.decimal, this.#factor(cell, column, measure), measure) };
      return { value: is === 'count' ? countOf(read.decimal) : read.decimal };
    }
    // An entity in JSON may stand for its quote.
    if (is === 'json') return brokenCell(cells[column.at[0] ?? 0]) ?? jsonIn(textOf(cells[column.at[0] ?? 0]));
    const ofNumber = WITH_NUMBERS.has(field) ? { isWorkbook: this.#found.sheet.name !== null } : undefined;
    const content = readJoined(column, cells, ofNumber);
    if ('code' in content) return content;
    if (is === 'size') return sizeIn(content.value, this.#factor('', column, 'cm'));
    return contentOf(is, content.value);
  }

  /** How many kilograms or centimetres the unit of a cell has, which may stand in the header. */
  #factor(cell: Cell, column: FoundColumn, measure: Measure): number {
    const header = this.#found.header.label(column.at[0] ?? 0);
    return unitAtEnd(textOf(cell), measure) ?? unitAtEnd(header, measure) ?? 1;
  }
}

/** Fields whose numbers a spreadsheet may take for a date. */
const WITH_NUMBERS: ReadonlySet<OrderField> = new Set([
  'orderNumber',
  'marketplaceOrderId',
  'marketplaceOrderNumber',
  'recipient.address',
]);

type Content = { readonly value: unknown } | WrongCell;

/** The texts of a column, joined where there are several; wrong if one of them is. */
function readJoined(
  column: FoundColumn,
  cells: readonly Cell[],
  ofNumber?: { readonly isWorkbook: boolean },
): ReadText {
  const read = (i: number) => (ofNumber ? readNumberText(cells[i], ofNumber.isWorkbook) : readText(cells[i]));
  return column.at.map(read).find(read => 'code' in read) ?? { value: joinedText(column, cells) };
}

/** The content of a text in a column of this kind. */
function contentOf(is: OrderColumn['is'], text: string): Content {
  if (is === 'count') return { value: countOf(text) };
  if (is === 'country') return { value: countryNamed(text) ?? text };
  if (is === 'recipientType') return recipientTypeIn(text);
  if (is === 'size') return sizeIn(text, 1);
  if (is === 'address')
    return orElse(addressIn(text), 'must be street, city, province and postal code, with commas between them');
  return is === 'json' ? jsonIn(text) : { value: text };
}

/** Three sides such as `10/12/20` of which a spreadsheet has made a date. */
const DATED_SIZE = /^\d{1,2}\/\d{1,2}\/20\d\d$/;

function sizeIn(text: string, factor: number): Content {
  if (DATED_SIZE.test(text))
    return { code: 'invalid_format', message: `must be three sides, and saved as text: ${text} is a date` };
  const [either] = /\d{1,3}[.,]\d{3}(?!\d)/.exec(text) ?? [];
  const why =
    either === undefined ? '' : `; ${either} can be ${either.replace(/[.,]/, '')} or ${either.replace(',', '.')}`;
  return orElse(sidesIn(text, factor), `must be three sides, such as 40x30x20, 40/30/20 or 400x300x200 mm${why}`);
}

function recipientTypeIn(text: string): Content {
  if (isBusiness(text)) return { value: 'business' };
  if (isPrivate(text)) return { value: 'private' };
  return { code: 'not_allowed', message: 'must be business or private (azienda, privato)' };
}

function orElse(value: unknown, message: string): Content {
  return value === undefined ? { code: 'invalid_format', message } : { value };
}

const YES = /^(?:s[iì]'?|s|yes|y|x|true|vero|ja|oui|✓|✔)$/i;
const ONLY_YES = 'must be an amount or a number, not only a yes';

/** The fields of a parcel by the fields of a row. */
const PARCEL_FIELDS: Readonly<Record<string, string>> = { grams: 'weight', totalWeight: 'weight', size: 'length' };

const NO_COUNTRY =
  'must be known: the file has no column of countries, and the address has no Italian province with this postal code. Add a column Country to the export, or state recipient.countryCode in `values` of a mapping';

/** Whether province and postal code say that an address is in Italy. Five digits alone are German or French too. */
function isItalian(fields: ReadonlyMap<string, ReadField>): boolean {
  const [province, postalCode] = ['recipient.province', 'recipient.postalCode'].map(
    name => fields.get(name)?.value ?? '',
  );
  const code = provinceCode(String(province));
  return code !== undefined && capCanBelong(String(postalCode), code);
}

/** Replaces an address in one cell by its parts, if there is one. */
function divideAddress(fields: Map<string, ReadField>): boolean {
  const address = fields.get('recipient.fullAddress');
  fields.delete('recipient.fullAddress');
  if (address?.value !== undefined) {
    for (const [name, value] of Object.entries(address.value as object)) {
      if (!fields.has(name)) fields.set(name, { value, at: address.at });
    }
  }
  return address?.value !== undefined;
}

/** The parcel of a row that has any column of one. */
function parcelOf(fields: Readonly<Record<string, unknown>>, at: ReadonlyMap<string, number>): RowParcel | undefined {
  if (at.size === 0) return undefined;
  const { grams, size, ...others } = fields;
  const [length, width, height] = Array.isArray(size) ? size : [];
  return { ...(length && { length, width, height }), ...(grams !== undefined && { weight: grams }), ...others, at };
}

/** The kilograms of whole grams. */
function gramsIn(decimal: string): Content {
  if (/^\d{1,9}(\.0*)?$/.test(decimal)) return { value: kilogramsOf(Number(decimal)) };
  return { code: 'invalid_decimal', message: 'must be whole grams' };
}

/** A whole number, or the text for the schema to reject. */
function countOf(decimal: string): unknown {
  return /^-?\d{1,15}(\.0*)?$/.test(decimal) ? Number(decimal) : decimal;
}

function addZeros(fields: Map<string, ReadField>, cells: readonly Cell[], otherwise: string): void {
  const code = fields.get('recipient.postalCode');
  if (code?.value === undefined) return;
  const country = String(fields.get('recipient.countryCode')?.value ?? otherwise).toUpperCase();
  fields.set('recipient.postalCode', { ...code, value: postalCodeOfCell(country, cells[code.at], String(code.value)) });
}

/** The parts of an address in one cell, from its end; the street may have commas. */
function addressIn(text: string): Readonly<Record<string, string>> | undefined {
  const parts = text.split(',').map(part => part.trim());
  const [postalCode, province, city, ...street] = parts.reverse();
  if (!postalCode || !city || street.length === 0) return undefined;
  return {
    'recipient.address': street.reverse().join(', '),
    'recipient.city': city,
    ...(province && { 'recipient.province': province }),
    'recipient.postalCode': postalCode,
  };
}
