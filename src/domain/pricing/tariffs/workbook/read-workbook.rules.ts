import { invalid } from '../../../../platform/fault.ts';
import { columnName, type Table } from '../../../../platform/tables/sent-table.ts';
import { isCellError, type Unit } from '../../../common/tables/cell-values.rules.ts';
import { normalName } from '../../../common/tables/header-names.rules.ts';
import { NumberColumns } from '../../../common/tables/number-columns.rules.ts';
import { partOf } from './form-tree.rules.ts';
import { PRICE_COLUMNS, PRICE_SHEET, readPrices } from './price-sheet.rules.ts';
import { objectIn, type Place, type PlacedCell, type Reading, type ReadRow, unitOf } from './read-rows.rules.ts';
import { cellIn, rowsOfSheet, type SheetRow, versionOf } from './sheet-rows.rules.ts';
import { inWords } from './workbook-columns.rules.ts';
import {
  leadingOf,
  NOTES,
  PART_SHEETS,
  type SheetOfPart,
  TARIFF_SHEET,
  VERSION,
  VERSION_SHEETS,
  VERSIONS_SHEET,
  ZONE,
} from './workbook-sheets.rules.ts';
import { columnsOfSheet } from './write-workbook.rules.ts';

/** Reads a tariff from the sheets of a workbook. The check of tariffs judges the result. */

/** A tariff that is not checked yet. */
interface ReadTariff {
  readonly tariff: unknown;
  /** The place of the nearest cell to a field of the tariff. */
  readonly placeOf: (path: readonly (string | number)[]) => Place;
}

/** Whether a table is the workbook of a tariff, and not a grid of bands. */
export function isTariffWorkbook({ sheets }: Table): boolean {
  return sheets.some(({ name }) => isNamed(name, VERSIONS_SHEET.name));
}

/** @throws Fault `validation_failed`; paths are sheet, row and column */
export function tariffOfWorkbook(table: Table): ReadTariff {
  return new WorkbookReader(table).read();
}

type Objects = Record<string, unknown>;

class WorkbookReader {
  readonly #table: Table;
  readonly #reading: Reading;
  readonly #numbers = new Map<string, NumberColumns>();

  constructor(table: Table) {
    this.#table = table;
    this.#reading = {
      issues: [],
      places: new Map(),
      readNumber: (cell, unit, [sheet = '']) => {
        const columns = this.#numbers.get(String(sheet)) ?? new NumberColumns(() => [], new Map(), undefined);
        return columns.read(cell, unit);
      },
    };
  }

  read(): ReadTariff {
    this.#rejectUnknownSheets();
    const [tariff = {}] = this.#objects(TARIFF_SHEET, () => []);
    const versions = this.#objects(VERSIONS_SHEET, i => ['versions', i]) as Objects[];
    const days = versions.map(({ validFrom }) => String(validFrom));
    for (const sheet of VERSION_SHEETS) this.#putIn(sheet, versions, days);
    this.#putPrices(versions, days);
    const { issues, places } = this.#reading;
    if (issues.length > 0) throw invalid(issues);
    return { tariff: { ...tariff, versions }, placeOf: path => nearest(places, path) };
  }

  #rejectUnknownSheets(): void {
    const names = [...PART_SHEETS.map(({ name }) => name), PRICE_SHEET, ...NOTES];
    for (const name of this.#table.hiddenSheets) {
      if (!names.some(one => isNamed(name, one))) continue;
      this.#reading.issues.push({ path: [name], code: 'not_allowed', message: 'is hidden: show or delete it' });
    }
    for (const { name } of this.#table.sheets) {
      if (names.some(one => isNamed(name, one))) continue;
      const message = `must be one of ${names.join(', ')}`;
      this.#reading.issues.push({ path: [name ?? ''], code: 'not_allowed', message });
    }
  }

  /** The objects of a sheet, each with the rows that state it. */
  #grouped(sheet: SheetOfPart): { rows: ReadRow[]; first: SheetRow }[] {
    const rows = this.#rows(sheet.name);
    const columns = this.#columns(sheet, rows);
    const groups: { rows: ReadRow[]; first: SheetRow }[] = [];
    for (const row of rows) {
      const cells = new Map<string, PlacedCell>();
      for (const [i, path] of columns) {
        const cell = row.cells[i];
        if (cell) cells.set(path, cell);
      }
      const last = groups.at(-1);
      const begins = sheet.begins === undefined ? last === undefined || cells.has(VERSION) : cells.has(sheet.begins);
      if (begins || last === undefined) groups.push({ rows: [{ cells }], first: row });
      else last.rows.push({ cells });
    }
    return groups;
  }

  #objects(sheet: SheetOfPart, at: (i: number) => (string | number)[]): object[] {
    const part = partOf(sheet.path);
    return this.#grouped(sheet).map(({ rows }, i) => objectIn(part, rows, at(i), this.#reading) ?? {});
  }

  #putIn(sheet: SheetOfPart, versions: readonly Objects[], days: readonly string[]): void {
    const part = partOf(sheet.path);
    const name = sheet.path.at(-1) ?? '';
    for (const { rows, first } of this.#grouped(sheet)) {
      const owner = this.#ownerOf(sheet, first, versions, days);
      if (owner === undefined) continue;
      const at = [...owner.at, name];
      if (sheet.begins === undefined) {
        owner.object[name] = objectIn(part, rows, at, this.#reading) ?? {};
        continue;
      }
      owner.object[name] ??= [];
      const list = owner.object[name] as object[];
      list.push(objectIn(part, rows, [...at, list.length], this.#reading) ?? {});
    }
  }

  /** The version, or its zone, to which a row adds a field. */
  #ownerOf(
    sheet: SheetOfPart,
    row: SheetRow,
    versions: readonly Objects[],
    days: readonly string[],
  ): { readonly object: Objects; readonly at: readonly (string | number)[] } | undefined {
    const day = versionOf(row, days, this.#reading);
    const version = day === undefined ? undefined : versions[days.indexOf(day)];
    if (day === undefined || version === undefined) return undefined;
    const at = ['versions', days.indexOf(day)];
    if (!leadingOf(sheet).includes(ZONE)) return { object: version, at };
    const stated = cellIn(row, ZONE);
    const zones = zonesOf(version);
    const position = zones.findIndex(({ code }) => code === String(stated?.cell));
    const zone = zones[position];
    if (zone) return { object: zone, at: [...at, 'zones', position] };
    const message = 'must be the code of a zone of the version';
    this.#reading.issues.push({ path: stated?.place ?? row.place, code: 'unknown_zone', message });
    return undefined;
  }

  #putPrices(versions: readonly Objects[], days: readonly string[]): void {
    const codes = new Map(days.map((day, i) => [day, zonesOf(versions[i]).map(({ code }) => String(code))]));
    const rows = this.#rows(PRICE_SHEET);
    const named = new Set(Object.keys(PRICE_COLUMNS).map(normalName));
    const units = new Map<number, Unit>();
    for (const [i, name] of (rows[0]?.header.names ?? []).entries())
      units.set(i, named.has(normalName(name)) ? 'kg' : 'money');
    this.#readNumbersOf(PRICE_SHEET, units);
    const prices = readPrices(rows, codes, this.#reading);
    for (const [i, version] of versions.entries()) {
      for (const zone of zonesOf(version)) Object.assign(zone, prices.get(`${days[i]} ${zone.code}`));
    }
  }

  #rows(name: string): SheetRow[] {
    const rows = this.#table.sheets.filter(sheet => isNamed(sheet.name, name)).flatMap(rowsOfSheet);
    for (const found of rows.flatMap(({ cells }) => cells)) {
      if (found === undefined || !isCellError(found.cell)) continue;
      const message = `shows ${found.cell} in place of a value`;
      this.#reading.issues.push({ path: found.place, code: 'invalid_text', message });
    }
    return rows;
  }

  /** The paths of the columns of a sheet. */
  #columns(sheet: SheetOfPart, rows: readonly SheetRow[]): [number, string][] {
    const leading = leadingOf(sheet);
    const known = new Map(columnsOfSheet(sheet).map(column => [normalName(column.header), column]));
    const units = new Map<number, Unit>();
    const columns: [number, string][] = [];
    for (const [i, header] of (rows[0]?.header.names ?? []).entries()) {
      const column = known.get(normalName(header));
      if (leading.includes(normalName(header))) columns.push([i, normalName(header)]);
      else if (column) {
        columns.push([i, column.path]);
        if (column.leaf) units.set(i, unitOf(column.path));
      } else if (header !== '') {
        const path = [sheet.name, 1, columnName(i)];
        const message = `must be a column of this sheet, as the sheet "Columns" lists them, and is "${header}"`;
        this.#reading.issues.push({ path, code: 'unknown_field', message });
      }
    }
    this.#readNumbersOf(sheet.name, units);
    return columns;
  }

  #readNumbersOf(name: string, units: ReadonlyMap<number, Unit>): void {
    const rows = () =>
      this.#table.sheets.filter(sheet => isNamed(sheet.name, name)).flatMap(sheet => [...sheet.rows()].slice(1));
    this.#numbers.set(name, new NumberColumns(rows, units, undefined));
  }
}

const zonesOf = (version: Objects | undefined) => (version?.zones ?? []) as Objects[];

function isNamed(name: string | null, known: string): boolean {
  return normalName(name ?? '') === normalName(known);
}

/** The place of a field. A missing one is in the row of the nearest object around it, in the column of its name. */
function nearest(places: ReadonlyMap<string, Place>, path: readonly (string | number)[]): Place {
  for (let length = path.length; length > 0; length--) {
    const prefix = path.slice(0, length).join('.');
    const exact = places.get(prefix);
    const found = exact ?? [...places].find(([known]) => known.startsWith(`${prefix}.`))?.[1];
    const missing = path.slice(length).filter(part => typeof part === 'string');
    if (found) return missing.length === 0 ? found : [...found.slice(0, 2), `"${inWords(missing.join('.'))}"`];
  }
  return [];
}
