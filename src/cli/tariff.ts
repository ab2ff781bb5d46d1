import { type Command, Option } from 'commander';
import { actionsOf } from './actions.ts';
import { CONNECTION } from './options.ts';
import type { Answering } from './output.ts';

const tariffs = actionsOf(() => import('./tariff.actions.ts'));
const check = actionsOf(() => import('./tariff-check.actions.ts'));

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
    .action(answering(tariffs(actions => actions.importTariff)));
  tariff
    .command('export')
    .description('write the tariff of a connection: JSON, or the CSV grid of one of its versions')
    .requiredOption(...CONNECTION)
    .addOption(new Option('--format <format>', 'json or csv').choices(['json', 'csv']).default('json'))
    .option(...VALID_FROM)
    .option('--out <file>', 'write to a file rather than to standard output')
    .action(tariffs(actions => actions.exportTariff));
  tariff
    .command('check')
    .description('check the file of a tariff; needs no database')
    .argument('<file>', 'the tariff in JSON, or a CSV grid by itself')
    .option('--grid <csv>', 'with a JSON file: the grid of bands by zones of one version')
    .option(...VALID_FROM)
    .action(answering(check(actions => actions.checkTariff)));
  tariff
    .command('list')
    .description('list carrier connections with their tariffs')
    .option('--company <id>', 'of this company only')
    .action(answering(tariffs(actions => actions.listTariffs)));
}
