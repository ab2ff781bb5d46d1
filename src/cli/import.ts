import { Option } from 'commander';
import { MAX_BATCH } from '../domain/common/batch.rules.ts';
import { LOCALES } from '../domain/common/tables/locales.catalog.ts';
import { ORDER_MAPPINGS } from '../domain/shipping/orders/import/order-mappings.catalog.ts';
import type { CliCommand } from './cli-command.ts';
import type { ImportOptions } from './import-files.ts';
import type { MappingOptions } from './import-mapping.ts';
import { wholeNumber } from './options.ts';
import type { Answering } from './output.ts';

const MAX_ROW = 2_147_483_647;

/** `import …`: imports data of the platform, from tables within their limits and from NDJSON of any length. */
export function addImportCommands(program: CliCommand, answering: Answering): void {
  const command = program.command('import').description('Imports of orders, shipments and tracking events from files');
  const kinds = [
    { name: 'orders', does: 'create or update orders', action: importOrders },
    { name: 'shipments', does: 'create or update shipments', action: importShipments },
    { name: 'events', does: 'record tracking events', action: importEvents },
  ];
  for (const { name, does, action } of kinds) {
    const one = command
      .command(name)
      .description(`${does} from a file; rows that are stored already are unchanged`)
      .argument('<file>', 'CSV, TSV or .xlsx with a header, or NDJSON, by its content; - is standard input')
      .requiredOption('--company <id>', 'company id')
      .addOption(
        new Option('--format <format>', 'format of standard input, or of a file that is to be read as another').choices(
          ['csv', 'xlsx', 'ndjson'],
        ),
      )
      .option('--dry-run', 'check all rows, and import nothing')
      .option('--accept-good-rows', 'import the good rows even if others are wrong')
      .option('--report <file>', 'write rejected rows to this file, as CSV or NDJSON, instead of standard error')
      .option('--ids <file>', 'JSON file of the ids that warehouses and carrier connections have in this company')
      .option('--batch <count>', 'rows in one transaction', wholeNumber(1, MAX_BATCH), MAX_BATCH)
      .option('--from-row <row>', 'continue from this row', wholeNumber(1, MAX_ROW), 1);
    if (name === 'orders') addMappingOptions(one);
    else addLocaleOption(one, 'how numbers and days are written, where they can be read in two ways');
    one
      .example(
        `import ${name} ${name}.csv --company 2612779b-5144-4cdf-b16b-6695e8d40383 --report rejected.csv`,
        `import ${name} ${name}.xlsx --company 2612779b-5144-4cdf-b16b-6695e8d40383 --dry-run`,
        `import ${name} - --format ndjson --accept-good-rows --company 2612779b-5144-4cdf-b16b-6695e8d40383`,
      )
      .action(
        answering(action, {
          hasFailed: ({ rejected, nextRow }) => rejected > 0 || nextRow !== null,
          inWords: ({ nextRow, onlyChecked: _, rows: { total, read, leftOut, wrong }, ...counts }) => ({
            ...counts,
            rows: `${total}: ${read} read, ${leftOut} left out, ${wrong} wrong`,
            ...(nextRow !== null && { nextRow }),
          }),
        }),
      );
  }
  addMappingOptions(
    command
      .command('map')
      .description('show how the columns of a file of orders are read, and write a mapping to change')
      .argument('<file>', 'CSV, TSV or .xlsx with a header'),
  )
    .option('--out <json>', 'write the mapping to this file')
    .example('import map orders.xlsx --out mapping.json', 'import map orders.csv --mapping-file mapping.json')
    .action(answering(mapFile, { inWords: async answer => (await import('./import-mapping.ts')).inWords(answer) }));
}

/** The options of a table of orders. */
function addMappingOptions(command: CliCommand): CliCommand {
  return addLocaleOption(command, 'how numbers and days are written, in place of the mapping')
    .addOption(
      new Option(
        '--mapping <name>',
        'which column holds what; by default the mapping of the shop whose export it is',
      ).choices(Object.keys(ORDER_MAPPINGS)),
    )
    .option('--mapping-file <json>', 'a mapping of your own; `import map` writes one')
    .option('--sheet <name>', 'the sheet of a workbook; by default the first with the columns of orders')
    .option('--warehouse <id>', 'the warehouse of orders that name none', wholeNumber(1, MAX_ROW));
}

function addLocaleOption(command: CliCommand, what: string): CliCommand {
  return command.addOption(new Option('--locale <locale>', what).choices(Object.keys(LOCALES)));
}

async function mapFile(file: string, options: MappingOptions & { readonly out?: string }) {
  return (await import('./import-mapping.ts')).mapFile(file, options);
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
