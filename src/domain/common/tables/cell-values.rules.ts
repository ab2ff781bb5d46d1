import { decodeHTMLStrict } from 'entities';
import type { IssueCode } from '../../../platform/issue-codes.ts';
import { type Cell, textOf } from '../../../platform/tables/sent-table.ts';
import { momentsInItaly } from '../date-time.rules.ts';

/** Reads texts, numbers and days as people write them in tables. A cell that can be read in two ways is never guessed. */

/** The sign before the decimals: `1.234,56` or `1,234.56`. */
export type DecimalSign = 'comma' | 'point';

/** The order of a day such as `03/11/2026`. */
type DayOrder = 'day_first' | 'month_first';

export type Unit = 'money' | 'kg' | 'cm' | 'percent' | 'count';

export type ReadNumber =
  | { readonly decimal: string }
  | {
      readonly wrong: 'ambiguous' | 'currency' | 'number' | DecimalSign;
      readonly readings?: readonly [string, string];
    };

/** Currencies and units, which may stand before or behind a number. */
const NOISE: Readonly<Record<Unit, RegExp>> = {
  money: /^(?:€|eur|euro)|(?:€|eur|euro)$/i,
  kg: /kg\.?$/i,
  cm: /cm\.?$/i,
  percent: /%$/,
  count: /^$/,
};
const OTHER_CURRENCY = /[$£¥]|\b(?:usd|gbp|chf|pln|sek|dkk|czk|huf|ron|jpy)\b/i;
const MAX_LENGTH = 40;
/** Digits in groups of three, or without groups. */
const WHOLE: Readonly<Record<string, RegExp>> = {
  '.': /^\d{1,3}(\.\d{3})+$|^\d+$/,
  ',': /^\d{1,3}(,\d{3})+$|^\d+$/,
};
const THOUSANDS_OR_DECIMALS = /^[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * A number as a plain decimal such as `-1234.5`. A minus may stand before or after it.
 *
 * @param sign stated or shown by other cells; without it `12,5` and `12.5` are read alike, and `1.234` is ambiguous
 */
export function readNumber(cell: Cell, unit: Unit, sign: DecimalSign | undefined): ReadNumber {
  if (typeof cell === 'number') return { decimal: plain(cell) };
  const [before, digits, behind] = partsOf(cell, unit) ?? [];
  if (digits === undefined) {
    const isOther = unit === 'money' && OTHER_CURRENCY.test(String(cell)) && /\d/.test(String(cell));
    return { wrong: isOther ? 'currency' : 'number' };
  }
  if (sign === undefined && THOUSANDS_OR_DECIMALS.test(digits))
    return { wrong: 'ambiguous', readings: [digits.replace(/[.,]/, ''), digits.replace(',', '.')] };
  const decimal = decimalOf(digits, sign ?? likelySign(digits));
  // The number is right by the other sign, which the mapping excludes.
  if (decimal === undefined) return { wrong: sign && decimalOf(digits, likelySign(digits)) ? sign : 'number' };
  return { decimal: before === '-' || behind === '-' ? `-${decimal}` : decimal };
}

/** The number in a cell by its likely sign, for sums that are only compared; undefined for another text. */
export function numberIn(cell: Cell): number | undefined {
  const [digits] = textOf(cell).match(/^-?[\d.,]{1,20}$/) ?? [];
  const read = digits === undefined ? undefined : readNumber(digits, 'money', likelySign(digits.replace('-', '')));
  return read !== undefined && 'decimal' in read ? Number(read.decimal) : undefined;
}

/** Whether a cell of amounts has what people and spreadsheets (`€ -`) write in the place of none. */
export function isNone(text: string): boolean {
  return NONE.test(text);
}

const NONE = /^(?:no|nein|none|nessuno|nessuna|false|falso|n\.?[/ ]?[da]\.?|€? ?[-–—/.]+ ?€?)$/i;

/** The decimal sign that a cell shows without doubt. */
export function signIn(cell: Cell, unit: Unit): DecimalSign | undefined {
  if (typeof cell !== 'string') return undefined;
  const [, digits] = partsOf(cell, unit) ?? [];
  if (digits === undefined || !/[.,]/.test(digits) || THOUSANDS_OR_DECIMALS.test(digits)) return undefined;
  const sign = likelySign(digits);
  return decimalOf(digits, sign) === undefined ? undefined : sign;
}

/** The sign before, the digits and the sign behind. */
function partsOf(cell: Cell, unit: Unit): [string, string, string] | undefined {
  const text = String(cell);
  if (text.length > MAX_LENGTH) return undefined;
  // A blank or an apostrophe may group digits, as in `1 234,50`.
  const bare = text
    .trim()
    .replace(NOISE[unit], '')
    .trim()
    .replace(/(?<=\d)[\s'’](?=\d{3}(?:\D|$))/g, '');
  const [, before = '', digits, behind = ''] = /^(-?) ?([\d.,]+)(-?)$/.exec(bare) ?? [];
  return digits === undefined || (before !== '' && behind !== '') ? undefined : [before, digits, behind];
}

function decimalOf(digits: string, sign: DecimalSign): string | undefined {
  const [decimal, group] = sign === 'comma' ? [',', '.'] : ['.', ','];
  const at = digits.lastIndexOf(decimal);
  const whole = at < 0 ? digits : digits.slice(0, at);
  const fraction = at < 0 ? '' : digits.slice(at + 1);
  const isWhole = WHOLE[group]?.test(whole) || (whole === '' && fraction !== '');
  if (!isWhole || !/^\d*$/.test(fraction)) return undefined;
  const bare = whole.replaceAll(group, '') || '0';
  return fraction === '' ? bare : `${bare}.${fraction}`;
}

/** The last of the signs; a sign that occurs several times groups digits. */
function likelySign(digits: string): DecimalSign {
  const [comma, point] = [digits.lastIndexOf(','), digits.lastIndexOf('.')];
  if (comma < 0) return digits.indexOf('.') === point ? 'point' : 'comma';
  if (point < 0) return digits.indexOf(',') === comma ? 'comma' : 'point';
  return comma > point ? 'comma' : 'point';
}

/** A number of a workbook without an exponent. */
function plain(number: number): string {
  const text = String(number);
  return text.includes('e') ? number.toFixed(12).replace(/(?<![.0])0+$|\.0+$/, '') : text;
}

/** A day as `YYYY-MM-DD`, from that form, `31/12/2026`, `31.12.26` or `20261231`; a time after it is dropped. */
export function readDay(cell: Cell, order: DayOrder = 'day_first'): string | undefined {
  const [day = ''] = String(cell).trim().split(/[T ]/);
  const found =
    /^(?<year>20\d\d)[-/]?(?<month>\d\d)[-/]?(?<day>\d\d)$/.exec(day) ??
    (order === 'day_first'
      ? /^(?<day>\d{1,2})[./-](?<month>\d{1,2})[./-](?<year>(20)?\d\d)$/
      : /^(?<month>\d{1,2})[./-](?<day>\d{1,2})[./-](?<year>(20)?\d\d)$/
    ).exec(day);
  if (!found?.groups) return undefined;
  const { year = '', month = '', day: of = '' } = found.groups;
  const text = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${of.padStart(2, '0')}`;
  const at = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== text ? undefined : text;
}

/**
 * The errors that spreadsheets show, in English, Italian, German, French and Spanish, the signs of a column that is too
 * narrow, which are saved as CSV, and a formula whose value was not saved.
 */
const CELL_ERROR =
  /^#(?:N\/[AD]|NV|[¡¿]?(?:REF|RIF|BEZUG|VALUE|VALORE|VALEUR|VALOR|WERT|DIV\/0|NUM|ZAHL|NOMBRE|NULL|NULLO|NUL|NULO|NAME|NOME|NOM|SPILL|CALC|ESPANSIONE|FORMULA)[!?]|#+)$/i;

/** Why a cell cannot be read, as the rest of a sentence about it. */
export interface WrongCell {
  readonly code: IssueCode;
  readonly message: string;
}

export type ReadText = { readonly value: string } | WrongCell;

const BROKEN: WrongCell = { code: 'invalid_text', message: 'must be a value, not a spreadsheet error such as #N/A' };
const LOST: WrongCell = {
  code: 'invalid_text',
  message: 'must be saved as text: the spreadsheet has shortened the number',
};
/** A long number that a spreadsheet has shortened, such as `8,01234E+12`. */
const SHORTENED = /^\d(?:[.,]\d+E\+?|E\+)\d+$/i;
const MAX_EXACT = 999_999_999_999_999;

export function isCellError(cell: Cell | undefined): boolean {
  return CELL_ERROR.test(textOf(cell));
}

const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/i;
/** Some shops write the sign of an entity as an entity. */
const TIMES = 2;

/** A text whose entities, such as `&#039;`, are the letters that they stand for: exports are made of web pages. */
export function withoutEntities(text: string): string {
  let decoded = text;
  for (let time = 0; time < TIMES && ENTITY.test(decoded); time++) decoded = decodeHTMLStrict(decoded);
  return decoded;
}

/** The apostrophe before a number by which people keep a spreadsheet from changing it. A name such as `'s-Gravenhage` has no digit. */
const TEXT_MARK = /^['’](?=\p{L}*\d[\p{L}\d./_-]*$)/u;

/** The text of a cell without entities and the mark of a text. */
export function plainText(cell: Cell | undefined): string {
  return withoutEntities(textOf(cell)).replace(TEXT_MARK, '');
}

/** Rejects a cell of any kind that shows an error in place of a value. */
export function brokenCell(cell: Cell | undefined): WrongCell | undefined {
  return isCellError(cell) ? BROKEN : undefined;
}

/**
 * A cell of a column of texts. A long number, such as the number of a shipment, may differ from the number that was
 * entered.
 */
export function readText(cell: Cell | undefined): ReadText {
  const text = textOf(cell);
  const isLost = typeof cell === 'number' ? Math.abs(cell) > MAX_EXACT : SHORTENED.test(text);
  return brokenCell(cell) ?? (isLost ? LOST : { value: plainText(cell) });
}

/** A list as JSON. */
export function jsonIn(text: string): { readonly value: unknown } | WrongCell {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { code: 'malformed_json', message: 'must be a JSON array, such as []' };
  }
}

const ITALIAN_TIME = 'Times without an offset are read as times in Italy.';
const DAY_FIRST = 'Days such as 03/11/2026 are read with the day first.';

type ReadMoment =
  | {
      /** A date-time with an offset or a day as `YYYY-MM-DD`; any other text is unchanged. */
      readonly value: string;
      /** Sentences about defaults. */
      readonly assumed: readonly string[];
    }
  | WrongCell;

const WITH_TIME = /^(\S{6,10})[T ,]{1,2}(\d{1,2})[:.](\d\d)(?:[:.](\d\d))?$/;
const EITHER_ORDER = /^(?:0?[1-9]|1[0-2])[./-](?:0?[1-9]|1[0-2])[./-]/;

/**
 * A moment as people write it in tables: `21/11/2026 09:30`, or a cell with a date and a time.
 *
 * @param order whether the day or the month is first, if it is stated
 */
export function readMoment(cell: Cell | undefined, order: DayOrder | undefined): ReadMoment {
  const text = textOf(cell);
  const [, date = text, hour, minute, second = '00'] = WITH_TIME.exec(text) ?? [];
  // A date-time with an offset is not a day.
  const day = /[T ]/.test(date) ? undefined : readDay(date, order);
  if (day === undefined) return { value: text, assumed: [] };
  const ofDay = order === undefined && EITHER_ORDER.test(date) ? [DAY_FIRST] : [];
  if (hour === undefined) return { value: day, assumed: ofDay };
  const [at, again] = momentsInItaly(day, `${hour.padStart(2, '0')}:${minute}:${second}`);
  if (at !== undefined && again === undefined) return { value: at.toISOString(), assumed: [...ofDay, ITALIAN_TIME] };
  const why =
    again === undefined
      ? 'a time that exists in Italy'
      : `unambiguous: it is ${[at, again].map(one => one?.toISOString()).join(' or ')}`;
  return { code: 'invalid_date_time', message: `must be ${why}` };
}
