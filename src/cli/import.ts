import { Option } from 'commander';
import type { CliCommand } from './cli-command.ts';
import type { ImportOptions } from './import-files.ts';
import { wholeNumber } from './options.ts';
import type { Answering } from './output.ts';

/** The limit of a mutation. */
const MAX_BATCH = 1_000;
const MAX_ROW = 2_147_483_647;

/** `import …`: imports data of the platform, from files of any size. */
export function addImportCommands(program: CliCommand, answering: Answering): void {
  const command = program.command('import').description('Imports of orders, shipments and tracking events from files');
  const kinds = [
    { name: 'orders', does: 'create or update orders', action: importOrders },
    { name: 'shipments', does: 'create or update shipments', action: importShipments },
    { name: 'events', does: 'record tracking events', action: importEvents },
  ];
  for (const { name, does, action } of kinds) {
    command
      .command(name)
      .description(`${does} from a file; rows that are stored already are unchanged`)
      .argument('<file>', 'CSV, TSV or .xlsx with a header, or NDJSON; - is standard input')
      .requiredOption('--company <id>', 'company id')
      .addOption(
        new Option('--format <format>', 'format of the file, if its name does not say it').choices([
          'csv',
          'xlsx',
          'ndjson',
        ]),
      )
      .option('--report <file>', 'write rejected rows to this file, as CSV or NDJSON, instead of standard error')
      .option('--ids <file>', 'JSON file of the ids that warehouses and carrier connections have in this company')
      .option('--batch <count>', 'rows in one transaction', wholeNumber(1, MAX_BATCH), MAX_BATCH)
      .option('--from-row <row>', 'continue from this row', wholeNumber(1, MAX_ROW), 1)
      .example(
        `import ${name} ${name}.csv --company 2612779b-5144-4cdf-b16b-6695e8d40383 --report rejected.csv`,
        `import ${name} - --format ndjson --company 2612779b-5144-4cdf-b16b-6695e8d40383`,
      )
      .action(
        answering(action, {
          hasFailed: ({ rejected, nextRow }) => rejected > 0 || nextRow !== null,
          inWords: ({ nextRow, ...counts }) => (nextRow === null ? counts : { ...counts, nextRow }),
        }),
      );
  }
}

async function importOrders(file: string, options: ImportOptions) {
  return (await import('./import-files.ts')).importOrders(file, options);
}

async function importShipments(file: string, options: ImportOptions) {
  return (await import('./import-files.ts')).importShipments(file, options);
}

async function importEvents(file: string, options: ImportOptions) {
  return (await import('./import-files.ts')).importEvents(file, options);
}
