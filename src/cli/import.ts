import { type Command, Option } from 'commander';
import type { ImportOptions } from './import-files.ts';
import { wholeNumber } from './options.ts';
import type { Answering } from './output.ts';

/** As many as a mutation takes. */
const MAX_BATCH = 1_000;
const MAX_ROW = 2_147_483_647;

/** `cli import …`: what the platform sends in, from files of any size. */
export function addImportCommands(program: Command, answering: Answering): void {
  const command = program.command('import').description('Imports: orders, shipments and tracking events from files');
  const kinds = [
    { name: 'orders', action: importOrders },
    { name: 'shipments', action: importShipments },
    { name: 'events', action: importEvents },
  ];
  for (const { name, action } of kinds) {
    command
      .command(name)
      .description(`create ${name}, or bring them up to date, row by row; what is there already is unchanged`)
      .argument('<file>', 'CSV with a header, or NDJSON; - reads standard input')
      .requiredOption('--company <id>', 'company id')
      .addOption(
        new Option('--format <format>', 'where the name of the file does not say it').choices(['csv', 'ndjson']),
      )
      .option('--report <file>', 'write rows that are refused there, as CSV or NDJSON, and not to standard error')
      .option('--batch <count>', 'rows of one transaction', wholeNumber(1, MAX_BATCH), MAX_BATCH)
      .option('--from-row <row>', 'go on from this row', wholeNumber(1, MAX_ROW), 1)
      .action(answering(action, ({ rejected, nextRow }) => rejected > 0 || nextRow !== null));
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
