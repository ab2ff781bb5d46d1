import { InvalidArgumentError } from 'commander';
import { tenantOfConnection } from '../domain/carriers/connection-admin.service.ts';
import { exportTariffOf } from '../domain/tariffs/tariff.service.ts';
import { exampleTariffs, sheetsBeside } from '../domain/tariffs/workbook/tariff-templates.service.ts';
import { workbookOf } from '../platform/tables/write-workbook.ts';
import { requireNewFile, writeBytes } from './files.ts';
import { withDatabase } from './session.ts';
import { countsOf, type Tariff } from './tariff-files.ts';

/** Writes a tariff as a workbook: the tariff of a connection, or an example to begin with. */

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
