import type { Issue } from '../../../../platform/fault.ts';
import type { Cell } from '../../../../platform/tables/sent-table.ts';
import { YEARS } from '../../../common/date-time.rules.ts';
import { type ReadNumber, readDay, type Unit } from '../../../common/tables/cell-values.rules.ts';
import { numberIssue } from '../../../common/tables/number-columns.rules.ts';
import { UNITS_OF } from '../format/field-units.format.rules.ts';
import type { Field, Group, Leaf } from './form-tree.rules.ts';
import { readRange } from './range-text.rules.ts';
import { NOTHING, numbered } from './workbook-columns.rules.ts';

/** Reads a part of a tariff from rows of cells. */

/** Where a cell is: sheet, row and column. */
export type Place = readonly (string | number)[];

export interface PlacedCell {
  readonly cell: Cell;
  readonly place: Place;
}

/** The cells of a row by the paths of their columns, without empty ones. */
export interface ReadRow {
  readonly cells: ReadonlyMap<string, PlacedCell>;
}

export interface Reading {
  readonly issues: Issue[];
  /** The places of the fields that were read, by their paths in the tariff. */
  readonly places: Map<string, Place>;
  readonly readNumber: (cell: Cell, unit: Unit, place: Place) => ReadNumber;
}

/** The object that rows state; undefined if the rows state no part. @param at its path in the tariff */
export function objectIn(
  group: Group,
  rows: readonly ReadRow[],
  at: readonly (string | number)[],
  reading: Reading,
  path = '',
): object | undefined {
  const fields = [...group.fields].flatMap(([name, field]) => {
    const fieldPath = path === '' ? name : `${path}.${name}`;
    const value = valueIn(field, rows, [...at, name], reading, fieldPath);
    return value === undefined ? [] : [[name, value] as const];
  });
  if (fields.length > 0) return Object.fromEntries(fields);
  const presence = rows.flatMap(({ cells }) => cells.get(path) ?? []);
  return presence.some(({ cell }) => cell === NOTHING) ? {} : undefined;
}

function valueIn(
  field: Field,
  rows: readonly ReadRow[],
  at: readonly (string | number)[],
  reading: Reading,
  path: string,
): unknown {
  if (field.kind === 'group') return objectIn(field, rows, at, reading, path);
  if (field.kind === 'repeated') return objectsIn(field.item, rows, at, reading, path);
  const found = rows.flatMap(({ cells }) => cells.get(path) ?? []);
  const [first] = found;
  if (first === undefined) return undefined;
  reading.places.set(at.join('.'), first.place);
  if (field.kind === 'list') return found.flatMap(one => itemsOf(field, path, one, reading));
  const [, second] = found;
  if (second) issue(reading, second, 'duplicate', 'must be stated once: the rows above state it already');
  return leafOf(field, path, first, reading);
}

function objectsIn(
  item: Group,
  rows: readonly ReadRow[],
  at: readonly (string | number)[],
  reading: Reading,
  path: string,
): object[] | undefined {
  const byNumber = new Map<number, ReadRow[]>();
  for (const row of rows) {
    const number = row.cells.get(numbered(path));
    if (number === undefined) {
      const below = [...row.cells].find(([column]) => column === path || column.startsWith(`${path}.`))?.[1];
      if (below) issue(reading, below, 'required', `must have a number beside it, in the column "${path} no."`);
      continue;
    }
    const position = Number(number.cell);
    if (!Number.isInteger(position)) issue(reading, number, 'invalid_decimal', 'must be a whole number');
    byNumber.set(position, [...(byNumber.get(position) ?? []), row]);
  }
  if (byNumber.size === 0) return undefined;
  const inOrder = [...byNumber].toSorted(([one], [other]) => one - other);
  return inOrder.map(([, own], i) => objectIn(item, own, [...at, i], reading, path) ?? {});
}

function leafOf(leaf: Leaf, path: string, one: PlacedCell, reading: Reading): unknown {
  const { cell } = one;
  const text = String(cell).trim();
  switch (leaf.kind) {
    case 'number':
    case 'whole':
      return numberOf(path, one, reading);
    case 'day': {
      const day = readDay(cell);
      return (
        day ?? issue(reading, one, 'invalid_date_time', `must be a day ${YEARS}, such as 03/11/2026 or 2026-11-03`)
      );
    }
    case 'yes':
    case 'boolean': {
      const isYes = YES.has(text.toLowerCase());
      if (!isYes && !NO.has(text.toLowerCase())) issue(reading, one, 'not_allowed', 'must be yes or no');
      return isYes || (leaf.kind === 'boolean' ? false : undefined);
    }
    case 'range': {
      const range = readRange(text);
      if (range === undefined)
        return issue(reading, one, 'invalid_format', 'must be a range, such as > 30 or >= 10 <= 50');
      return 'wrong' in range ? issue(reading, one, 'invalid_decimal', notANumber(range)) : range;
    }
    default:
      return text;
  }
}

const YES: ReadonlySet<string> = new Set(['yes', 'true', 'sì', 'si', 'x', '1']);
const NO: ReadonlySet<string> = new Set(['no', 'false', '0']);

function numberOf(path: string, { cell, place }: PlacedCell, reading: Reading): number | undefined {
  const read = reading.readNumber(cell, unitOf(path), place);
  if (!('wrong' in read)) return Number(read.decimal);
  return issue(reading, { cell, place }, 'invalid_decimal', notANumber(read));
}

/** Why a cell is not a number. A workbook has cells for numbers, so an ambiguous text need not be judged. */
export function notANumber(read: Extract<ReadNumber, { wrong: string }>): string {
  if (read.wrong !== 'ambiguous') return numberIssue(read);
  return `must be unambiguous: it can be ${read.readings?.join(' or ')}. Enter it as a number, not as a text`;
}

const UNITS: Readonly<Partial<Record<string, Unit>>> = {
  kg: 'kg',
  cm: 'cm',
  percent: 'percent',
  money: 'money',
  eurPerKg: 'money',
};

/** The unit of a column of numbers, as its cells may name it. */
export function unitOf(path: string): Unit {
  return UNITS[UNITS_OF[nameOf(path)] ?? ''] ?? 'count';
}

const nameOf = (path: string) => path.split('.').at(-1) ?? '';

/** Digits of an Italian postal code, of which a spreadsheet drops the zeros in front. */
const CAP_DIGITS = 5;

function itemsOf(leaf: Leaf, path: string, one: PlacedCell, reading: Reading): unknown[] {
  if (leaf.items === 'whole' && typeof one.cell === 'number') return [one.cell];
  if (typeof one.cell === 'number' && nameOf(path) === 'postalCodes')
    return [String(one.cell).padStart(CAP_DIGITS, '0')];
  const items = String(one.cell)
    .split(/[;\n]/)
    .map(item => item.trim())
    .filter(item => item !== '');
  if (leaf.items !== 'whole') return items;
  const numbers = items.map(Number);
  if (numbers.every(Number.isInteger)) return numbers;
  issue(reading, one, 'invalid_decimal', 'must be whole numbers with ; between them');
  return [];
}

function issue({ issues }: Reading, { place }: PlacedCell, code: Issue['code'], message: string): undefined {
  issues.push({ path: place, code, message });
  return undefined;
}
