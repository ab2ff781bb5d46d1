import { InvalidArgumentError } from 'commander';
import {
  isTariffWorkbook,
  readGrid,
  readTariff,
  tariffInWorkbook,
  versionNamed,
  withGrid,
} from '../domain/tariffs/tariff.service.ts';
import type { Table } from '../platform/tables/sent-table.ts';
import { type ReadFile, readJson } from './files.ts';
import { firstRows, isTable, readTableFile } from './table-files.ts';

export interface GridOptions {
  readonly grid?: string;
  readonly validFrom?: string;
}

export type Tariff = ReturnType<typeof readTariff>;

interface TariffFiles {
  /** Undefined if the only file is a grid. */
  readonly tariff: Tariff | undefined;
  readonly zones: ReturnType<typeof readGrid>['zones'];
  /** A tariff with the grid in it; columns that do not match its zones are errors of the grid. */
  readonly putGridIn: (tariff: Tariff) => Tariff;
}

/** @throws RejectedFile naming file, row and column */
export async function readTariffFiles(file: string, { grid, validFrom }: GridOptions): Promise<TariffFiles> {
  if (isTable(file) && grid !== undefined) {
    throw new InvalidArgumentError('A table is the grid already: leave out --grid.');
  }
  const gridFile = isTable(file) ? file : grid;
  const table = gridFile === undefined ? undefined : await readTableFile(gridFile);
  if (table && isTariffWorkbook(table.value)) return ofWorkbook(table, { grid, validFrom });
  if (table === undefined && validFrom !== undefined) {
    throw new InvalidArgumentError('--valid-from says which version a grid is for: give one.');
  }
  const cells = table && firstRows(gridFile ?? file, table.value);
  const read = cells?.within(() => readGrid(cells.value));
  const putGridIn = (tariff: Tariff) => {
    const at = versionNamed(tariff, validFrom).validFrom;
    return cells && read ? cells.within(() => withGrid(tariff, read, at)) : tariff;
  };
  if (isTable(file)) return { tariff: undefined, zones: read?.zones ?? [], putGridIn };
  const source = await readJson(file);
  return { tariff: source.within(() => readTariff(source.value, [], { complete: putGridIn })), zones: [], putGridIn };
}

function ofWorkbook(table: ReadFile<Table>, { grid, validFrom }: GridOptions): TariffFiles {
  if (grid !== undefined || validFrom !== undefined) {
    throw new InvalidArgumentError('A workbook states a whole tariff: leave out --grid and --valid-from.');
  }
  const tariff = table.within(() => tariffInWorkbook(table.value));
  return { tariff, zones: [], putGridIn: () => tariff };
}

export function countsOf({ versions }: Tariff): { versions: number; zones: number; places: number; bands: number } {
  const zones = versions.flatMap(version => version.zones);
  const places = zones.flatMap(({ to }) => Object.values(to).map(list => (Array.isArray(list) ? list.length : 1)));
  return {
    versions: versions.length,
    zones: zones.length,
    places: places.reduce((sum, count) => sum + count, 0),
    bands: zones.reduce((sum, { bands }) => sum + bands.length, 0),
  };
}
