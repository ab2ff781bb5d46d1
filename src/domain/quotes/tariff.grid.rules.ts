import { type Issue, invalid } from '../../platform/fault.ts';
import type { Band, Tariff, Zone } from './tariff.format.rules.ts';
import { DECIMALS, scaled } from './units.rules.ts';

/**
 * The grid of bands by zones, as a person keeps it in a spreadsheet: a row for each weight, a column for each zone. The
 * first column says up to which weight, in kg; a last row `+100` gives the price of each further 100 kg begun. A column
 * `over_kg` before it is checked to be where the row above ends. An empty cell: the zone has no such band.
 */
export interface Grid {
  readonly zones: readonly {
    readonly code: string;
    readonly bands: readonly Band[];
    readonly beyond?: Zone['beyond'];
  }[];
}

const UP_TO = 'up_to_kg';
const OVER = 'over_kg';

/**
 * Reads the cells of a grid. A path in its refusals is row and column as a spreadsheet counts them: `[3, 'B']`.
 *
 * @param rows cells of each row, the header first
 * @throws Fault `validation_failed`
 */
export function readGrid(rows: readonly (readonly string[])[]): Grid {
  const issues: Issue[] = [];
  const add = (row: number, column: number, code: string, message: string) =>
    issues.push({ path: [row + 1, columnName(column)], code, message });
  const header = (rows[0] ?? []).map(cell => cell.trim());
  const upToColumn = header[0] === OVER ? 1 : 0;
  const firstZone = upToColumn + 1;
  if (header[upToColumn] !== UP_TO) add(0, upToColumn, 'required', `must be ${UP_TO} (or ${OVER} and ${UP_TO})`);
  if (header.length <= firstZone) add(0, firstZone, 'required', 'must name a zone');

  const zones = header
    .slice(firstZone)
    .map(code => ({ code, bands: [] as Band[], beyond: undefined as Zone['beyond'], ends: -1 }));
  for (const [i, { code }] of zones.entries()) {
    if (code === '') add(0, firstZone + i, 'required', 'must name a zone');
    else if (header.indexOf(code) !== firstZone + i) add(0, firstZone + i, 'duplicate', `names ${code} a second time`);
  }
  let last = 0;
  let lastRow = 0;
  for (const [r, cells] of rows.entries()) {
    if (r === 0) continue;
    if (cells.length > header.length) add(r, header.length, 'unknown_field', 'has more cells than the first row');
    const [, plus, weight = ''] = /^(\+?)(.*)$/.exec((cells[upToColumn] ?? '').trim()) ?? [];
    const kg = numberIn(weight, DECIMALS.kg);
    if (kg === undefined || kg === 0) {
      add(
        r,
        upToColumn,
        'invalid_decimal',
        'must be a weight in kg above 0 with at most 3 decimals, or +100 for each further 100 kg',
      );
      continue;
    }
    if (lastRow > 0 && !plus)
      add(r, upToColumn, 'not_allowed', `must not follow the row of further weight, ${lastRow + 1}`);
    if (plus) lastRow = r;
    else if (kg <= last) add(r, upToColumn, 'overlap', `must be more than in the row above, ${last}`);
    if (upToColumn === 1) {
      const over = numberIn((cells[0] ?? '').trim(), DECIMALS.kg);
      if (over !== last && !(plus && (cells[0] ?? '').trim() === '')) {
        add(r, 0, over !== undefined && over > last ? 'gap' : 'overlap', `must be where the row above ends, ${last}`);
      }
    }
    for (const [i, zone] of zones.entries()) {
      const column = firstZone + i;
      const cell = (cells[column] ?? '').trim();
      if (cell === '') continue;
      const price = numberIn(cell, DECIMALS.money);
      if (price === undefined) add(r, column, 'invalid_decimal', 'must be a price from 0 with at most 2 decimals');
      else if (plus && zone.beyond) add(r, column, 'duplicate', 'must not be the second step of its zone');
      else if (plus) zone.beyond = { everyKg: kg, price };
      else if (zone.bands.length > 0 && zone.ends !== r - 1)
        add(r, column, 'gap', `must not follow an empty cell, in row ${r}`);
      else {
        zone.bands.push({ upToKg: kg, price });
        zone.ends = r;
      }
    }
    if (!plus) last = Math.max(last, kg);
  }
  for (const [i, { bands, beyond }] of zones.entries()) {
    if (bands.length === 0)
      add(0, firstZone + i, 'required', beyond ? 'must have a band before +' : 'must have at least one band');
  }
  if (issues.length > 0) throw invalid(issues);
  return { zones: zones.map(({ code, bands, beyond }) => ({ code, bands, ...(beyond && { beyond }) })) };
}

/** The cells of a version's grid, the header first. Where a zone has fewer bands than others, its wider ones are repeated. */
export function gridOf(zones: readonly Zone[]): string[][] {
  const served = zones.filter(({ notServed }) => notServed === undefined);
  const weights = [...new Set(served.flatMap(({ bands }) => bands.map(({ upToKg }) => upToKg)))].toSorted(
    (a, b) => a - b,
  );
  const steps = [...new Set(served.flatMap(({ beyond }) => (beyond ? [beyond.everyKg] : [])))].toSorted(
    (a, b) => a - b,
  );
  return [
    [UP_TO, ...served.map(({ code }) => code)],
    ...weights.map(kg => [
      String(kg),
      ...served.map(({ bands }) => cell(bands.find(({ upToKg }) => upToKg >= kg)?.price)),
    ]),
    ...steps.map(kg => [
      `+${kg}`,
      ...served.map(({ beyond }) => cell(beyond?.everyKg === kg ? beyond.price : undefined)),
    ]),
  ];
}

/**
 * A tariff with a grid in the place of the bands of its version.
 *
 * @throws Fault `validation_failed` for a column that is no zone, or a zone without a column
 */
export function withGrid(tariff: Tariff, grid: Grid, validFrom: string): Tariff {
  const version = tariff.versions.find(one => one.validFrom === validFrom);
  const codes = new Set(version?.zones.map(({ code }) => code));
  const issues: Issue[] = grid.zones.flatMap(({ code }) =>
    codes.has(code)
      ? []
      : [{ path: [1, code], code: 'unknown_zone', message: `must be one of ${[...codes].join(', ')}` }],
  );
  const columns = new Map(grid.zones.map(zone => [zone.code, zone]));
  for (const { code, notServed } of version?.zones ?? []) {
    if (columns.has(code) || notServed !== undefined) continue;
    issues.push({ path: [1], code: 'required', message: `must have a column for the zone ${code}` });
  }
  if (issues.length > 0) throw invalid(issues);
  const replaced = (zone: Zone): Zone => {
    const column = columns.get(zone.code);
    if (!column) return zone;
    const { beyond: _, ...rest } = zone;
    return { ...rest, bands: [...column.bands], ...(column.beyond && { beyond: column.beyond }) };
  };
  return {
    ...tariff,
    versions: tariff.versions.map(one =>
      one.validFrom === validFrom ? { ...one, zones: one.zones.map(replaced) } : one,
    ),
  };
}

/** `1.234,50`, `1234,50` and `1234.50` alike; undefined for what is no number of so many decimals. */
function numberIn(cell: string, decimals: number): number | undefined {
  const plain = cell.includes(',') ? cell.replaceAll(/\.(?=\d{3}(?:[.,]|$))/g, '').replace(',', '.') : cell;
  return scaled(plain, decimals) === undefined ? undefined : Number(plain);
}

function cell(price: number | undefined): string {
  return price === undefined ? '' : String(price);
}

/** `A`, `B`, … `Z`, `AA`, as a spreadsheet names its columns. */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}
