import { type Command, Option } from 'commander';
import { CONNECTION } from './options.ts';
import type { Answering } from './output.ts';
import type { GridOptions, Tariff } from './tariff-files.ts';

const VALID_FROM = ['--valid-from <date>', 'the version that begins on this day (default: the newest)'] as const;

/** `cli tariff …`: what carriers charge, kept in JSON files and spreadsheets. */
export function addTariffCommands(program: Command, answering: Answering): void {
  const tariff = program.command('tariff').description('Tariffs of carrier connections');
  tariff
    .command('import')
    .description('replace the tariff of a connection, as a whole or not at all')
    .argument(
      '<file>',
      'the tariff in JSON, or a CSV grid of bands by zones for a version of the tariff that the connection has',
    )
    .requiredOption(...CONNECTION)
    .option('--grid <csv>', 'with a JSON file: a CSV grid of the bands of one version')
    .option(...VALID_FROM)
    .action(answering(importTariff));
  tariff
    .command('export')
    .description('print the tariff of a connection: as JSON, or the CSV grid of one version')
    .requiredOption(...CONNECTION)
    .addOption(new Option('--format <format>', 'json or csv').choices(['json', 'csv']).default('json'))
    .option(...VALID_FROM)
    .option('--out <file>', 'write to a file instead of standard output')
    .action(exportTariff);
  tariff
    .command('check')
    .description("check a tariff's files, without a database")
    .argument('<file>', 'the tariff in JSON, or a CSV grid alone')
    .option('--grid <csv>', 'with a JSON file: a CSV grid of the bands of one version')
    .option(...VALID_FROM)
    .action(answering(checkTariff));
  tariff
    .command('list')
    .description('list carrier connections with their tariffs')
    .option('--company <id>', 'only those of this company')
    .action(answering(listTariffs));
}

async function importTariff(file: string, options: GridOptions & { connection: number }) {
  const { withDatabase } = await import('./session.ts');
  const { tenantOfConnection } = await import('../domain/carriers/connection-admin.service.ts');
  const { changeTariff, putTariff } = await import('../domain/tariffs/tariff.service.ts');
  const { countsOf, readTariffFiles } = await import('./tariff-files.ts');
  return withDatabase(async ({ database }) => {
    const tenant = await tenantOfConnection(database, options.connection);
    const files = await readTariffFiles(file, options);
    let imported = files.tariff;
    const { id, name } = imported
      ? await putTariff(tenant, options.connection, imported)
      : await changeTariff(tenant, options.connection, current => {
          imported = files.putGridIn(current);
          return imported;
        });
    return { tariffId: id, name, ...countsOf(imported as Tariff) };
  });
}

interface ExportOptions {
  readonly connection: number;
  readonly format: 'json' | 'csv';
  readonly validFrom?: string;
  readonly out?: string;
}

async function exportTariff({ connection, format, validFrom, out }: ExportOptions): Promise<void> {
  const { withDatabase } = await import('./session.ts');
  const { tenantOfConnection } = await import('../domain/carriers/connection-admin.service.ts');
  const { exportTariffOf, gridOf, versionNamed } = await import('../domain/tariffs/tariff.service.ts');
  const { writeText } = await import('./files.ts');
  const text = await withDatabase(async ({ database }) => {
    const tenant = await tenantOfConnection(database, connection);
    const exported = await exportTariffOf(tenant, connection);
    if (format === 'json') return JSON.stringify(exported, null, 2);
    const { zones } = versionNamed(exported, validFrom);
    return gridOf(zones)
      .map(row => row.join(';'))
      .join('\n');
  });
  if (out === undefined) process.stdout.write(`${text}\n`);
  else await writeText(out, `${text}\n`);
}

async function checkTariff(file: string, options: GridOptions) {
  const { countsOf, readTariffFiles } = await import('./tariff-files.ts');
  const { tariff, zones } = await readTariffFiles(file, options);
  if (tariff) return { file, ...countsOf(tariff) };
  return { file, zones: zones.length, bands: zones.reduce((sum, { bands }) => sum + bands.length, 0) };
}

async function listTariffs({ company }: { company?: string }) {
  const { withDatabase } = await import('./session.ts');
  const { connectionsWithTariffs } = await import('../domain/tariffs/tariff-admin.service.ts');
  return withDatabase(({ database }) => connectionsWithTariffs(database, company));
}
