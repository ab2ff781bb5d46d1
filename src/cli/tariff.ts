import { type Command, InvalidArgumentError, Option } from 'commander';
import { tenantOfConnection } from '../domain/carriers/connection-admin.service.ts';
import {
  changeTariff,
  exportTariffOf,
  gridOf,
  putTariff,
  readGrid,
  readTariff,
  versionNamed,
  withGrid,
} from '../domain/quotes/tariff.service.ts';
import { connectionsWithTariffs } from '../domain/quotes/tariff-admin.service.ts';
import { readCells, readJson, writeText } from './files.ts';
import { CONNECTION } from './options.ts';
import type { Answering } from './output.ts';
import { withDatabase } from './session.ts';

interface GridOptions {
  readonly grid?: string;
  readonly validFrom?: string;
}

type Tariff = ReturnType<typeof readTariff>;

const VALID_FROM = ['--valid-from <date>', 'the version that begins on this day; the newest where left out'] as const;

/** `cli tariff …`: what carriers charge, kept in JSON files and spreadsheets. */
export function addTariffCommands(program: Command, answering: Answering): void {
  const tariff = program.command('tariff').description('Tariffs: what carriers charge on a connection');
  tariff
    .command('import')
    .description('put a tariff in the place of the one a connection has, whole or not at all')
    .argument('<file>', 'the tariff in JSON, or a CSV grid of bands by zones for a version the connection has')
    .requiredOption(...CONNECTION)
    .option('--grid <csv>', 'with a JSON file: the grid of bands by zones of one version')
    .option(...VALID_FROM)
    .action(
      answering((file: string, options: GridOptions & { connection: number }) =>
        withDatabase(async ({ database }) => {
          const tenant = await tenantOfConnection(database, options.connection);
          const files = await readFiles(file, options);
          let imported = files.tariff;
          const { id, name } = imported
            ? await putTariff(tenant, options.connection, imported)
            : await changeTariff(tenant, options.connection, current => {
                imported = files.putGridIn(current);
                return imported;
              });
          return { tariffId: id, name, ...countsOf(imported as Tariff) };
        }),
      ),
    );
  tariff
    .command('export')
    .description('write the tariff of a connection: JSON, or the CSV grid of one of its versions')
    .requiredOption(...CONNECTION)
    .addOption(new Option('--format <format>', 'json or csv').choices(['json', 'csv']).default('json'))
    .option(...VALID_FROM)
    .option('--out <file>', 'write to a file rather than to standard output')
    .action(async (options: { connection: number; format: 'json' | 'csv'; validFrom?: string; out?: string }) => {
      const text = await withDatabase(async ({ database }) => {
        const tenant = await tenantOfConnection(database, options.connection);
        const exported = await exportTariffOf(tenant, options.connection);
        if (options.format === 'json') return JSON.stringify(exported, null, 2);
        const { zones } = versionNamed(exported, options.validFrom);
        return gridOf(zones)
          .map(row => row.join(';'))
          .join('\n');
      });
      if (options.out === undefined) process.stdout.write(`${text}\n`);
      else await writeText(options.out, `${text}\n`);
    });
  tariff
    .command('check')
    .description('check the file of a tariff; needs no database')
    .argument('<file>', 'the tariff in JSON, or a CSV grid by itself')
    .option('--grid <csv>', 'with a JSON file: the grid of bands by zones of one version')
    .option(...VALID_FROM)
    .action(
      answering(async (file: string, options: GridOptions) => {
        const { tariff: whole, zones } = await readFiles(file, options);
        if (whole) return { file, ...countsOf(whole) };
        return { file, zones: zones.length, bands: zones.reduce((sum, { bands }) => sum + bands.length, 0) };
      }),
    );
  tariff
    .command('list')
    .description('list carrier connections with their tariffs')
    .option('--company <id>', 'of this company only')
    .action(
      answering(({ company }: { company?: string }) =>
        withDatabase(({ database }) => connectionsWithTariffs(database, company)),
      ),
    );
}

interface Files {
  /** Undefined where the only file is a grid. */
  readonly tariff: Tariff | undefined;
  readonly zones: ReturnType<typeof readGrid>['zones'];
  /** A tariff with the grid in it; columns that don't fit its zones are the grid's fault. */
  readonly putGridIn: (tariff: Tariff) => Tariff;
}

/** @throws RefusedFile naming file, row and column */
async function readFiles(file: string, { grid, validFrom }: GridOptions): Promise<Files> {
  if (isCsv(file) && grid !== undefined) {
    throw new InvalidArgumentError('A CSV file is the grid already: leave out --grid.');
  }
  const gridFile = isCsv(file) ? file : grid;
  if (gridFile === undefined && validFrom !== undefined) {
    throw new InvalidArgumentError('--valid-from says which version a grid is for: give one.');
  }
  const cells = gridFile === undefined ? undefined : await readCells(gridFile);
  const read = cells?.within(() => readGrid(cells.value));
  const putGridIn = (tariff: Tariff) => {
    const at = versionNamed(tariff, validFrom).validFrom;
    return cells && read ? cells.within(() => withGrid(tariff, read, at)) : tariff;
  };
  if (isCsv(file)) return { tariff: undefined, zones: read?.zones ?? [], putGridIn };
  const source = await readJson(file);
  return { tariff: source.within(() => readTariff(source.value, [], putGridIn)), zones: [], putGridIn };
}

function countsOf({ versions }: Tariff): { versions: number; zones: number; places: number; bands: number } {
  const zones = versions.flatMap(version => version.zones);
  const places = zones.flatMap(({ to }) => Object.values(to).map(list => (Array.isArray(list) ? list.length : 1)));
  return {
    versions: versions.length,
    zones: zones.length,
    places: places.reduce((sum, count) => sum + count, 0),
    bands: zones.reduce((sum, { bands }) => sum + bands.length, 0),
  };
}

function isCsv(file: string): boolean {
  return file.toLowerCase().endsWith('.csv');
}
