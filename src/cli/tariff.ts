import { InvalidArgumentError, Option } from 'commander';
import type { CliCommand } from './cli-command.ts';
import { CONNECTION, wholeNumber, YES } from './options.ts';
import type { Answering } from './output.ts';
import type { AfterShipmentOptions } from './tariff-after-shipment.ts';
import type { GridOptions } from './tariff-files.ts';
import type { DiffOptions, RollbackOptions } from './tariff-history.ts';
import type { ImportOptions, TariffPreview } from './tariff-import.ts';
import type { SimulateOptions } from './tariff-simulate.ts';
import type { WorkbookOptions } from './tariff-workbook.ts';

const VALID_FROM = ['--valid-from <date>', 'the version that begins on this day (default: the newest)'] as const;

/** `tariff …`: the prices of carriers, in JSON files and spreadsheets. */
export function addTariffCommands(program: CliCommand, answering: Answering): void {
  const tariff = program.command('tariff').description('Tariffs of carrier connections');
  tariff
    .command('import')
    .description('replace the tariff of a connection, as a whole or not at all')
    .argument(
      '<file>',
      'the tariff in JSON or as a workbook (.xlsx), or a grid of bands by zones for a version of the tariff that the connection has',
    )
    .requiredOption(...CONNECTION)
    .option('--grid <csv>', 'with a JSON file: a CSV grid of the bands of one version')
    .option(...VALID_FROM)
    .option('--dry-run', 'show what would change, and import nothing')
    .option(
      '--backup <file>',
      'write the tariff that is replaced to this file first, from where it can be imported again',
    )
    .option('--name <name>', "name of the revision (default: the tariff's)")
    .option(...YES)
    .example(
      'tariff import gls.json --connection 8 --dry-run',
      'tariff import gls.json --grid gls.csv --connection 8 --backup gls-before.json',
    )
    .action(answering(importTariff, { inWords: shown }));
  tariff
    .command('export')
    .description('print the tariff of a connection: as JSON, or the CSV grid of one version')
    .requiredOption(...CONNECTION)
    .addOption(new Option('--format <format>', 'json or csv').choices(['json', 'csv']).default('json'))
    .option(...VALID_FROM)
    .option('--out <file>', 'write to a file instead of standard output')
    .example('tariff export --connection 8 --format csv --out gls.csv')
    .action(exportTariff);
  tariff
    .command('check')
    .description("check a tariff's files, without a database")
    .argument('<file>', 'the tariff in JSON or as a workbook (.xlsx), or a grid alone')
    .option('--grid <csv>', 'with a JSON file: a CSV grid of the bands of one version')
    .option(...VALID_FROM)
    .example('tariff check gls.json --grid gls.csv')
    .action(answering(checkTariff, { inWords: checkedInWords }));
  tariff
    .command('workbook')
    .description('write a tariff as an Excel workbook, to be changed there and imported again')
    .argument('<file>', 'the .xlsx file to write')
    .option('--connection <id>', 'the tariff that is in force on a connection', connectionId)
    .option('--from <example>', 'an example price list to begin with (default: brt-like)')
    .example('tariff workbook prices.xlsx --from dhl-like', 'tariff workbook gls.xlsx --connection 8')
    .action(answering(writeWorkbook));
  tariff
    .command('after-shipment')
    .description('print the charges for something that happens after a shipment was quoted')
    .argument('<file>', 'the shipment in JSON, as the quote has it; `terms` in it as quoteShipment takes them')
    .requiredOption(...CONNECTION)
    .addOption(
      new Option('--event <event>', 'what happened')
        .choices(['storage', 'redelivery', 'return', 'address_change', 'waiting'])
        .makeOptionMandatory(),
    )
    .option('--service <code>', 'the service of the tariff (default: the one in `terms`, or the cheapest that fits)')
    .option('--storage-days <days>', 'days in storage', wholeNumber(0, 10_000))
    .option('--waiting-minutes <minutes>', 'minutes that the courier waited', wholeNumber(0, 100_000))
    .example('tariff after-shipment shipment.json --connection 8 --event storage --storage-days 12')
    .action(answering(chargeAfterShipment));
  tariff
    .command('simulate')
    .description('price the shipments of a period on other tariffs, and compare; nothing is changed')
    .requiredOption('--company <id>', 'the company')
    .requiredOption('--from <date>', 'the first day on which the shipments left, in Italy')
    .requiredOption('--to <date>', 'the last day')
    .option(
      '--tariff <tariff...>',
      'the number of a revision or a draft, or a connection and a file such as 8=gls.json or 8=gls.xlsx; several are compared',
    )
    .option('--carrier <code...>', 'the tariffs in force of this carrier too (default without --tariff: of all)')
    .option('--priced-on <date>', 'price all shipments on the tariffs of --tariff as if they had left on this day')
    .option('--service <code>', 'price all shipments on the tariffs of --tariff by this service')
    .option('--filter <json>', 'only shipments that this filter of the graph leaves, such as {"provinces":["PA"]}')
    .option('--csv <file>', 'write each shipment with all its prices to this file')
    .example(
      'tariff simulate --company 2612779b-5144-4cdf-b16b-6695e8d40383 --from 2026-10-01 --to 2026-10-31 --tariff 8=gls-2027.json --priced-on 2027-01-01',
    )
    .action(answering(simulateTariffs, { inWords: simulatedInWords }));
  tariff
    .command('list')
    .description('list carrier connections with their tariffs')
    .option('--company <id>', 'only those that belong to this company')
    .example('tariff list')
    .action(answering(listTariffs));
  addHistoryCommands(tariff, answering);
}

const CONNECTION_ID = 'carrier connection id, as `carrier list` shows it';
const connectionId = wholeNumber(1, 2_147_483_647);
const revisionNumber = wholeNumber(1, 2_147_483_647);

/** Adds the commands for revisions and for their restoration. */
function addHistoryCommands(tariff: CliCommand, answering: Answering): void {
  tariff
    .command('history')
    .description('list the tariffs that a connection has had, and its drafts')
    .argument('<connection>', CONNECTION_ID, connectionId)
    .example('tariff history 8')
    .action(answering(async (connection: number) => (await import('./tariff-history.ts')).tariffHistory(connection)));
  tariff
    .command('diff')
    .description('show the differences between two revisions or drafts')
    .argument('<connection>', CONNECTION_ID, connectionId)
    .option('--from <number>', 'the revision to compare with (default: the one before, or in force)', revisionNumber)
    .option('--to <number>', 'the revision (default: the newest)', revisionNumber)
    .option('--draft <id>', 'a draft, as `tariff history` shows it, in the place of --to', revisionNumber)
    .example('tariff diff 8', 'tariff diff 8 --from 1 --to 3')
    .action(
      answering(
        async (connection: number, options: DiffOptions) =>
          (await import('./tariff-history.ts')).tariffDiff(connection, options),
        { inWords: shown },
      ),
    );
  tariff
    .command('rollback')
    .description('bring an earlier tariff of a connection back, as a new revision')
    .argument('<connection>', CONNECTION_ID, connectionId)
    .requiredOption('--to <number>', 'the revision to bring back', revisionNumber)
    .option(...YES)
    .example('tariff rollback 8 --to 1')
    .action(
      answering(async (connection: number, options: RollbackOptions) =>
        (await import('./tariff-history.ts')).rollback(connection, options),
      ),
    );
}

async function importTariff(file: string, options: ImportOptions): Promise<object> {
  return (await import('./tariff-import.ts')).importTariff(file, options);
}

async function chargeAfterShipment(file: string, options: AfterShipmentOptions): Promise<object> {
  return (await import('./tariff-after-shipment.ts')).chargeAfterShipment(file, options);
}

/** The result of an import, or its preview. */
async function shown(answer: object): Promise<object | string> {
  return 'changes' in answer ? (await import('./tariff-import.ts')).inWords(answer as TariffPreview) : answer;
}

interface ExportOptions {
  readonly connection: number;
  readonly format: 'json' | 'csv';
  readonly validFrom?: string;
  readonly out?: string;
}

async function exportTariff({ connection, format, validFrom, out }: ExportOptions): Promise<void> {
  if (format === 'json' && validFrom !== undefined)
    throw new InvalidArgumentError('--valid-from chooses the version of a grid: give it with --format csv.');
  const { withDatabase } = await import('./session.ts');
  const { tenantOfConnection } = await import('../domain/carriers/connection-admin.service.ts');
  const { exportTariffOf, gridOf, versionNamed } = await import('../domain/tariffs/tariff.service.ts');
  const { writeText } = await import('./files.ts');
  const text = await withDatabase(async ({ database }) => {
    const tenant = await tenantOfConnection(database, connection);
    const exported = await exportTariffOf(tenant, connection);
    if (format === 'json') return JSON.stringify(exported, null, 2);
    const { zones } = versionNamed(exported, validFrom);
    // Weights, prices and codes of zones can be imported again unchanged.
    return gridOf(zones)
      .map(row => row.join(';'))
      .join('\n');
  });
  if (out === undefined) process.stdout.write(`${text}\n`);
  else await writeText(out, `${text}\n`);
}

/** The counts, and a line below them for each warning. */
async function checkedInWords(answer: object): Promise<string> {
  const { warnings = [], ...counts } = answer as { readonly warnings?: readonly string[] };
  const width = Math.max(...Object.keys(counts).map(name => name.length));
  const lines = Object.entries(counts).map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  return [...lines, ...warnings.map(warning => `warning: ${warning}`)].join('\n');
}

async function checkTariff(file: string, options: GridOptions) {
  const { countsOf, readTariffFiles } = await import('./tariff-files.ts');
  const { tariff, zones } = await readTariffFiles(file, options);
  if (tariff) {
    const { placeWarnings } = await import('../domain/tariffs/tariff.service.ts');
    const { pointer } = await import('../platform/fault.ts');
    const warnings = placeWarnings(tariff).map(({ path, message }) => `${pointer(path)} ${message.en}`);
    return { file, ...countsOf(tariff), ...(warnings.length > 0 && { warnings }) };
  }
  return { file, zones: zones.length, bands: zones.reduce((sum, { bands }) => sum + bands.length, 0) };
}

async function writeWorkbook(file: string, options: WorkbookOptions): Promise<object> {
  return (await import('./tariff-workbook.ts')).writeTariffWorkbook(file, options);
}

async function simulateTariffs(options: SimulateOptions): Promise<object> {
  return (await import('./tariff-simulate.ts')).simulateTariffs(options);
}

async function simulatedInWords(answer: object): Promise<string> {
  return (await import('./tariff-simulate.ts')).inWords(answer);
}

async function listTariffs({ company }: { company?: string }) {
  const { withDatabase } = await import('./session.ts');
  const { connectionsWithTariffs } = await import('../domain/tariffs/tariff-admin.service.ts');
  return withDatabase(({ database }) => connectionsWithTariffs(database, company));
}
