import { Fault, type Issue, requireNone } from '../../../platform/fault.ts';
import type { IssueCode } from '../../../platform/issue-codes.ts';
import { type Cell, columnName, textOf, textsOf } from '../../../platform/tables/sent-table.ts';
import type { Unit } from '../../common/tables/cell-values.rules.ts';
import { isNamed } from '../../common/tables/header-names.rules.ts';
import { NumberColumns, numberIssue } from '../../common/tables/number-columns.rules.ts';
import { MAX_BAND_KG, MAX_BANDS, MAX_PRICE } from '../format/parts.format.rules.ts';
import type { Tariff, Zone } from '../format/tariff.format.rules.ts';
import { DECIMALS, decimalNumber, scaled } from '../units.rules.ts';

/**
 * The grid of bands by zones, as a person keeps it in a spreadsheet: a row for each weight, a column for each zone. The
 * first column says up to which weight, in kg; a last row `+100` gives the price of each further 100 kg begun. A column
 * `over_kg` before it must equal the limit of the row above. A cell with `-` means that the zone does not have the
 * band.
 */
export interface Grid {
  readonly zones: readonly GridZone[];
}

interface GridZone {
  readonly code: string;
  /** Its column, as a spreadsheet names it. */
  readonly column: string;
  readonly bands: readonly GridBand[];
  readonly beyond?: GridStep;
}

interface GridBand {
  readonly upToKg: number;
  readonly price: number;
}

interface GridStep {
  readonly everyKg: number;
  readonly price: number;
}

const UP_TO = 'up_to_kg';
const OVER = 'over_kg';
const UP_TO_NAMES = [UP_TO, 'up to', 'fino a', 'fino a kg', 'peso fino a', 'peso fino a kg'];
const OVER_NAMES = [OVER, 'over', 'oltre', 'oltre kg', 'da', 'da kg', 'peso da', 'peso da kg'];
const NO_BAND = '-';

/**
 * Reads the cells of a grid. A path in its issues is row and column as a spreadsheet counts them: `[3, 'B']`.
 *
 * @param rows cells of each row, the header first
 * @throws Fault `validation_failed`
 */
export function readGrid(rows: readonly (readonly Cell[])[]): Grid {
  const [header = [], ...others] = rows;
  const reader = new GridReader(textsOf(header), others);
  for (const [i, cells] of others.entries()) if (textsOf(cells).length > 0) reader.read(i + 1, cells);
  return reader.finish();
}

interface ZoneColumn {
  readonly code: string;
  readonly column: number;
  readonly bands: GridBand[];
  beyond: GridStep | undefined;
  lastRow: number;
}

class GridReader {
  readonly #issues: Issue[] = [];
  readonly #width: number;
  /** Column of the weights; the columns of zones follow. */
  readonly #weights: number;
  readonly #zones: ZoneColumn[];
  readonly #numbers: NumberColumns;
  #lastKg = 0;
  #lastRow = 0;
  #furtherRow = 0;

  constructor(header: readonly string[], others: readonly (readonly Cell[])[]) {
    this.#width = header.length;
    this.#weights = isNamed(header[0] ?? '', OVER_NAMES) ? 1 : 0;
    const units = header.map((_, at): [number, Unit] => [at, at <= this.#weights ? 'kg' : 'money']);
    const rows = others.map((cells, i) => ({ row: i + 2, cells }));
    this.#numbers = new NumberColumns(() => rows, new Map(units), undefined);
    const first = this.#weights + 1;
    this.#zones = header
      .slice(first)
      .map((code, i) => ({ code, column: first + i, bands: [], beyond: undefined, lastRow: 0 }));
    if (!isNamed(header[first - 1] ?? '', UP_TO_NAMES))
      this.#reject(0, first - 1, 'required', `must be ${UP_TO} (or ${OVER} and ${UP_TO})`);
    if (this.#zones.length === 0) this.#reject(0, first, 'required', 'must name a zone');
    for (const { code, column } of this.#zones) {
      if (code === '' || isNamed(code, [...UP_TO_NAMES, ...OVER_NAMES]))
        this.#reject(0, column, 'required', 'must name a zone');
      else if (header.indexOf(code) !== column) this.#reject(0, column, 'duplicate', `names ${code} a second time`);
    }
  }

  read(row: number, cells: readonly Cell[]): void {
    if (textsOf(cells).length > this.#width)
      this.#reject(row, this.#width, 'unknown_field', 'has more cells than the first row');
    const weight = cells[this.#weights] ?? '';
    const plus = textOf(weight).startsWith('+');
    const kg = this.#number(plus ? textOf(weight).slice(1) : weight, 'kg', row, this.#weights);
    if (kg === 'rejected') return;
    if (kg === undefined || kg === 0 || kg > MAX_BAND_KG) {
      const allowed = `must be a weight in kg above 0 and at most ${MAX_BAND_KG} with at most 3 decimals, or +100 for each further 100 kg`;
      this.#reject(row, this.#weights, 'invalid_decimal', allowed);
    } else if (plus) {
      this.#furtherRow = row;
      this.#readPrices(row, cells, (zone, price) => {
        if (zone.beyond) this.#reject(row, zone.column, 'duplicate', 'must not be the second step of its zone');
        zone.beyond = { everyKg: kg, price };
      });
    } else {
      this.#checkWeight(row, kg, cells[0] ?? '');
      this.#readPrices(row, cells, (zone, price) => {
        const isGap = zone.bands.length > 0 && zone.lastRow !== this.#lastRow;
        if (isGap) this.#reject(row, zone.column, 'gap', `must not follow a ${NO_BAND} of its column`);
        zone.bands.push({ upToKg: kg, price });
        zone.lastRow = row;
      });
      this.#lastRow = row;
      this.#lastKg = Math.max(this.#lastKg, kg);
    }
  }

  finish(): Grid {
    for (const { column, bands } of this.#zones) {
      if (bands.length === 0) this.#reject(0, column, 'required', 'must have at least one band below it');
      if (bands.length > MAX_BANDS) this.#reject(0, column, 'too_many', `must have at most ${MAX_BANDS} bands`);
    }
    requireNone(this.#issues);
    const zones = this.#zones.map(({ code, column, bands, beyond }) => ({
      code,
      column: columnName(column),
      bands,
      ...(beyond && { beyond }),
    }));
    return { zones };
  }

  #reject(row: number, column: number, code: IssueCode, message: string): void {
    this.#issues.push({ path: [row + 1, columnName(column)], code, message });
  }

  /** A number, undefined for another text, or `rejected` for one that can be read in two ways. */
  #number(cell: Cell, unit: 'kg' | 'money', row: number, column: number): number | 'rejected' | undefined {
    const read = this.#numbers.read(cell, unit);
    if ('decimal' in read) {
      const count = scaled(read.decimal, DECIMALS[unit]);
      return count === undefined ? undefined : decimalNumber(count, DECIMALS[unit]);
    }
    if (read.wrong === 'number') return undefined;
    this.#reject(row, column, 'invalid_decimal', numberIssue(read));
    return 'rejected';
  }

  #checkWeight(row: number, kg: number, first: Cell): void {
    const last = this.#lastKg;
    const at = this.#weights;
    if (this.#furtherRow > 0) {
      this.#reject(row, at, 'not_allowed', `must not follow the further weight of row ${this.#furtherRow + 1}`);
    } else if (kg <= last) this.#reject(row, at, 'overlap', `must be more than in the row above, ${last}`);
    const over = at === 1 ? this.#number(first, 'kg', row, 0) : last;
    if (over !== 'rejected' && over !== last) {
      this.#reject(
        row,
        0,
        over !== undefined && over < last ? 'overlap' : 'gap',
        `must be where the row above ends, ${last}`,
      );
    }
  }

  #readPrices(row: number, cells: readonly Cell[], take: (zone: ZoneColumn, price: number) => void): void {
    for (const zone of this.#zones) {
      const cell = cells[zone.column] ?? '';
      if (textOf(cell) === NO_BAND) continue;
      // Without this check, a missing price would silently give way to the price of the next band.
      if (textOf(cell) === '') {
        this.#reject(row, zone.column, 'required', `must be a price, or ${NO_BAND} where the zone has no such band`);
        zone.lastRow = row;
        continue;
      }
      const price = this.#number(cell, 'money', row, zone.column);
      if (price === undefined || (price !== 'rejected' && price > MAX_PRICE)) {
        const allowed = `must be a price from 0 to ${MAX_PRICE} with at most 2 decimals`;
        this.#reject(row, zone.column, 'invalid_decimal', allowed);
      }
      // A rejected price keeps its place in the column.
      take(zone, typeof price === 'number' ? price : 0);
    }
  }
}

/**
 * The cells of a version's grid, the header first. Where a zone has fewer bands than others, its wider ones are
 * repeated.
 */
export function gridOf(zones: readonly Zone[]): string[][] {
  const served = zones.filter(({ notServed }) => notServed === undefined).map(columnOf);
  const weights = [...new Set(served.flatMap(({ bands }) => bands.map(({ upToKg }) => upToKg)))].toSorted(
    (a, b) => a - b,
  );
  const steps = [...new Set(served.flatMap(({ beyond }) => (beyond ? [beyond.everyKg] : [])))].toSorted(
    (a, b) => a - b,
  );
  return [
    [UP_TO, ...served.map(({ code }) => code)],
    ...weights.map(kg => [
      weightCell(kg),
      ...served.map(({ bands }) => cell(bands.find(({ upToKg }) => upToKg >= kg)?.price)),
    ]),
    ...steps.map(kg => [
      `+${weightCell(kg)}`,
      ...served.map(({ beyond }) => cell(beyond?.everyKg === kg ? beyond.price : undefined)),
    ]),
  ];
}

/** A zone as a column. @throws Fault `validation_failed` where it says more than a column can */
function columnOf({ code, bands, beyond, pallets }: Zone): Omit<GridZone, 'column'> {
  const [step, ...others] = beyond;
  const isMore = bands.some(band => Object.keys(band).some(field => !['overKg', 'upToKg', 'price'].includes(field)));
  if (isMore || pallets.length > 0 || others.length > 0 || step?.upToKg !== undefined) {
    const detail = `The zone ${code} has prices that a grid can't hold: by kilogram, by several steps or by pallets. Export JSON.`;
    throw new Fault('validation_failed', { detail });
  }
  return {
    code,
    bands: bands.map(({ upToKg, price = 0 }) => ({ upToKg, price })),
    ...(step && { beyond: { everyKg: step.everyKg, price: step.price } }),
  };
}

/**
 * Replaces the bands of a version by a grid.
 *
 * @throws Fault `validation_failed` for a column that names no zone, or a zone without a column
 */
export function withGrid(tariff: Tariff, grid: Grid, validFrom: string): Tariff {
  const version = tariff.versions.find(one => one.validFrom === validFrom);
  const codes = (version?.zones ?? []).filter(({ notServed }) => notServed === undefined).map(({ code }) => code);
  const columns = new Map(grid.zones.map(zone => [zone.code, zone]));
  const issues: Issue[] = [];
  for (const { code, column } of grid.zones) {
    if (codes.includes(code)) continue;
    issues.push({ path: [1, column], code: 'unknown_zone', message: `must be one of ${codes.join(', ')}` });
  }
  for (const code of codes) {
    if (columns.has(code)) continue;
    issues.push({ path: [1], code: 'required', message: `must have a column for the zone ${code}` });
  }
  requireNone(issues);
  const replaced = (zone: Zone): Zone => {
    const column = columns.get(zone.code);
    if (!column) return zone;
    return { ...zone, bands: [...column.bands], beyond: column.beyond ? [{ ...column.beyond }] : [] };
  };
  return {
    ...tariff,
    versions: tariff.versions.map(one =>
      one.validFrom === validFrom ? { ...one, zones: one.zones.map(replaced) } : one,
    ),
  };
}

/** Writes a price with a decimal comma, so that Italian spreadsheets do not take it for a date. */
function cell(price: number | undefined): string {
  return price === undefined ? NO_BAND : price.toFixed(DECIMALS.money).replace('.', ',');
}

/** Writes a weight with a decimal comma. Three decimals get a zero behind, since `1,125` could be read as thousands. */
function weightCell(kg: number): string {
  const text = String(kg).replace('.', ',');
  return /,\d{3}$/.test(text) ? `${text}0` : text;
}
