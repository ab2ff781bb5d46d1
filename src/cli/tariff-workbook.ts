import { InvalidArgumentError } from 'commander';
import { readTariff } from '../domain/pricing/tariffs/tariff.service.ts';
import { exampleTariffs, sheetsBeside } from '../domain/pricing/tariffs/workbook/workbook.service.ts';
import { StartupError } from '../platform/startup-error.ts';
import { workbookOf } from '../platform/tables/write-workbook.ts';
import { requireNewFile, writeBytes } from './files.ts';
import { withGraph } from './graph-session.ts';
import { CURRENT_TARIFF } from './tariff-commands.ts';

/** Writes a tariff as a workbook: the tariff of a connection, or an example to begin with. */

type Tariff = ReturnType<typeof readTariff>;

const FIRST_EXAMPLE = 'brt-like';

export interface WorkbookOptions {
  readonly company?: string;
  readonly connection?: number;
  readonly from?: string;
}

export async function writeTariffWorkbook(
  file: string,
  { company, connection, from }: WorkbookOptions,
): Promise<object> {
  if (connection !== undefined && from !== undefined)
    throw new InvalidArgumentError('Give --connection or --from, not both.');
  const examples = await exampleTariffs();
  const tariff = connection === undefined ? exampleNamed(examples, from) : await tariffOf(company, connection);
  await requireNewFile(file);
  await writeBytes(file, await workbookOf(sheetsBeside(examples, tariff)));
  return { file, ...countsOf(tariff) };
}

function exampleNamed(examples: ReadonlyMap<string, Tariff>, name = FIRST_EXAMPLE): Tariff {
  const found = examples.get(name);
  if (found) return found;
  throw new InvalidArgumentError(`--from must be one of ${[...examples.keys()].join(', ')}.`);
}

function tariffOf(company: string | undefined, connection: number): Promise<Tariff> {
  if (company === undefined) throw new InvalidArgumentError('Give --company with --connection.');
  return withGraph({ companyId: company }, async run => {
    const { tariffRevisions } = (await run(CURRENT_TARIFF, { connection: String(connection) })) as CurrentTariff;
    const [revision] = tariffRevisions?.nodes ?? [];
    if (!revision) throw new StartupError(`Connection ${connection} has no tariff, or there is none.`);
    return readTariff(revision.document);
  });
}

interface CurrentTariff {
  readonly tariffRevisions: { readonly nodes: readonly { readonly document: unknown }[] } | null;
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
