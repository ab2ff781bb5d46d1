import { InvalidArgumentError } from 'commander';
import { tenantOfConnection } from '../domain/carriers/connection-admin.service.ts';
import { exportTariffOf, type readTariff } from '../domain/tariffs/tariff.service.ts';
import { exampleTariffs, sheetsBeside } from '../domain/tariffs/workbook/tariff-templates.service.ts';
import { workbookOf } from '../platform/tables/write-workbook.ts';
import { requireNewFile, writeBytes } from './files.ts';
import { withDatabase } from './session.ts';

/** Writes a tariff as a workbook: the tariff of a connection, or an example to begin with. */

type Tariff = ReturnType<typeof readTariff>;

const FIRST_EXAMPLE = 'brt-like';

export interface WorkbookOptions {
  readonly connection?: number;
  readonly from?: string;
}

export async function writeTariffWorkbook(file: string, { connection, from }: WorkbookOptions): Promise<object> {
  if (connection !== undefined && from !== undefined)
    throw new InvalidArgumentError('Give --connection or --from, not both.');
  const examples = await exampleTariffs();
  const tariff = connection === undefined ? exampleNamed(examples, from) : await tariffOf(connection);
  await requireNewFile(file);
  await writeBytes(file, await workbookOf(sheetsBeside(examples, tariff)));
  return { file, ...countsOf(tariff) };
}

function exampleNamed(examples: ReadonlyMap<string, Tariff>, name = FIRST_EXAMPLE): Tariff {
  const found = examples.get(name);
  if (found) return found;
  throw new InvalidArgumentError(`--from must be one of ${[...examples.keys()].join(', ')}.`);
}

function tariffOf(connection: number): Promise<Tariff> {
  return withDatabase(async ({ database }) =>
    exportTariffOf(await tenantOfConnection(database, connection), connection),
  );
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
