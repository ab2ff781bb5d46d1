import type { Issue } from '../../../platform/fault.ts';
import type { IssueCode } from '../../../platform/issue-codes.ts';
import { type Cell, type Row, textOf } from '../../../platform/tables/sent-table.ts';
import {
  brokenCell,
  type ReadText,
  readText,
  type Unit,
  type WrongCell,
} from '../../common/tables/cell-values.rules.ts';
import { type FoundColumn, joinedText, type MappedSheet, wordTest } from '../../common/tables/mapped-table.rules.ts';
import { NumberColumns, numberIssue } from '../../common/tables/number-columns.rules.ts';
import type { ReadAs } from '../../common/tables/shown-mapping.rules.ts';
import { countryNamed } from '../../places/country-names.rules.ts';
import { withLeadingZeros } from '../../places/postal-codes.rules.ts';
import { kilogramsOf } from '../orders.rules.ts';
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
  readonly #cod: { payment: FoundColumn; amount: FoundColumn; isCash: (text: string) => boolean } | undefined;

  constructor(found: MappedSheet<OrderField>, { decimals, metadata, cashOnDelivery, values }: OrderMapping) {
    this.#found = found;
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
    this.#cod = undefined;
    if (cashOnDelivery) {
      const { words } = cashOnDelivery;
      const [payment, amount] = [header.find(cashOnDelivery.payment), header.find(cashOnDelivery.amount)];
      if (payment && amount) this.#cod = { payment, amount, isCash: wordTest(words) };
      for (const i of amount?.at ?? []) units.set(i, 'money');
    }
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
      ...of(CASH_PAYMENT, this.#cod?.payment),
      ...of(CASH_AMOUNT, this.#cod?.amount),
    ];
  }

  read({ cells }: Row): ReadRow {
    const issues: Issue[] = [];
    const fields = new Map<string, ReadField>();
    const parcel: Record<string, unknown> = {};
    const at = new Map<string, number>();
    const wrong = (path: Issue['path'], code: IssueCode, message: string) => issues.push({ path, code, message });
    for (const [field, column] of this.#found.columns) {
      const first = column.at.find(i => textOf(cells[i]) !== '');
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
    this.#readCashOnDelivery(cells, fields, wrong);
    for (const { key, column } of this.#metadata) {
      const at = column.at.find(i => textOf(cells[i]) !== '');
      if (at === undefined) continue;
      const content = readJoined(column, cells);
      fields.set(`metadata.${key}`, { value: 'value' in content ? content.value : undefined, at });
      if ('code' in content) wrong(['metadata', key], content.code, content.message);
    }
    divideAddress(fields);
    addZeros(fields, cells, String(this.values['recipient.countryCode'] ?? 'IT'));
    return { fields, parcel: parcelOf(parcel, at), issues };
  }

  #contentOf(field: OrderField, column: FoundColumn, cells: readonly Cell[]): Content {
    const { is }: OrderColumn = ORDER_COLUMNS[field];
    if (isUnit(is) || is === 'grams') {
      const cell = cells[column.at[0] ?? 0] ?? '';
      const broken = brokenCell(cell);
      if (broken) return broken;
      const read = this.#numbers.read(cell, is === 'grams' ? 'count' : is);
      if ('wrong' in read) return { code: 'invalid_decimal', message: numberIssue(read) };
      if (is === 'grams') return gramsIn(read.decimal);
      return { value: is === 'count' ? countOf(read.decimal) : read.decimal };
    }
    const content = readJoined(column, cells);
    return 'code' in content ? content : contentOf(is, content.value);
  }

  #readCashOnDelivery(
    cells: readonly Cell[],
    fields: Map<string, ReadField>,
    wrong: (path: Issue['path'], code: IssueCode, message: string) => void,
  ): void {
    if (this.#cod === undefined || fields.has('codAmount')) return;
    const { payment, amount, isCash } = this.#cod;
    const paid = payment.at.find(i => brokenCell(cells[i]));
    const [at = 0] = paid === undefined ? amount.at : [paid];
    const cell = cells[at] ?? '';
    if (paid === undefined && (!isCash(joinedText(payment, cells)) || textOf(cell) === '')) return;
    const broken = brokenCell(cell);
    if (broken) {
      // A payment that is not known may be cash on delivery.
      fields.set('codAmount', { value: undefined, at });
      wrong(['codAmount'], broken.code, broken.message);
      return;
    }
    const read = this.#numbers.read(cell, 'money');
    fields.set('codAmount', { value: 'decimal' in read ? read.decimal : undefined, at });
    if ('wrong' in read) wrong(['codAmount'], 'invalid_decimal', numberIssue(read));
  }
}

type Content = { readonly value: unknown } | WrongCell;

/** The texts of a column, joined where there are several; wrong if one of them is. */
function readJoined(column: FoundColumn, cells: readonly Cell[]): ReadText {
  return column.at.map(i => readText(cells[i])).find(read => 'code' in read) ?? { value: joinedText(column, cells) };
}

/** The content of a text in a column of this kind. */
function contentOf(is: OrderColumn['is'], text: string): Content {
  if (is === 'count') return { value: countOf(text) };
  if (is === 'country') return { value: countryNamed(text) ?? text };
  if (is === 'recipientType') return recipientTypeIn(text);
  if (is === 'size') return orElse(sidesIn(text), 'must be three sides in centimetres, such as 40x30x20');
  if (is === 'address')
    return orElse(addressIn(text), 'must be street, city, province and postal code, with commas between them');
  return is === 'json' ? jsonIn(text) : { value: text };
}

function recipientTypeIn(text: string): Content {
  if (isBusiness(text)) return { value: 'business' };
  if (isPrivate(text)) return { value: 'private' };
  return { code: 'not_allowed', message: 'must be business or private (azienda, privato)' };
}

function orElse(value: unknown, message: string): Content {
  return value === undefined ? { code: 'invalid_format', message } : { value };
}

function jsonIn(text: string): Content {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { code: 'malformed_json', message: 'must be a JSON array, such as []' };
  }
}

/** The fields of a parcel by the fields of a row. */
const PARCEL_FIELDS: Readonly<Record<string, string>> = { grams: 'weight', totalWeight: 'weight', size: 'length' };

/** Replaces an address in one cell by its parts. */
function divideAddress(fields: Map<string, ReadField>): void {
  const address = fields.get('recipient.fullAddress');
  fields.delete('recipient.fullAddress');
  if (address?.value !== undefined) {
    for (const [name, value] of Object.entries(address.value as object)) {
      if (!fields.has(name)) fields.set(name, { value, at: address.at });
    }
  }
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

/** A postal code that a workbook holds as a number has lost its zeros. */
function addZeros(fields: Map<string, ReadField>, cells: readonly Cell[], otherwise: string): void {
  const code = fields.get('recipient.postalCode');
  const country = String(fields.get('recipient.countryCode')?.value ?? otherwise);
  if (code === undefined || typeof cells[code.at] !== 'number') return;
  fields.set('recipient.postalCode', { ...code, value: withLeadingZeros(country.toUpperCase(), String(code.value)) });
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
