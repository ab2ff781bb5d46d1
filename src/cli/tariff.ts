import type { CliCommand } from './cli-command.ts';
import { wholeNumber } from './options.ts';
import type { Answering } from './output.ts';
import type { WorkbookOptions } from './tariff-workbook.ts';

/** Commands for files of tariffs, which need no graph. */
export function addTariffCommands(tariff: CliCommand, answering: Answering): void {
  tariff
    .command('check')
    .description("check a tariff's file, without a database")
    .argument('<file>', 'the tariff in JSON or as a workbook (.xlsx)')
    .example('tariff check gls.json')
    .action(answering(checkTariff, { inWords: checkedInWords }));
  tariff
    .command('workbook')
    .description('write a tariff as an Excel workbook, to be changed there and imported again')
    .argument('<file>', 'the .xlsx file to write')
    .option('--company <id>', 'with --connection: id of the company, as `company list` shows it')
    .option(
      '--connection <id>',
      'the tariff that is in force on a connection, whose id `carrier list` shows',
      wholeNumber(1, 2_147_483_647),
    )
    .option('--from <example>', 'an example price list to begin with (default: brt-like)')
    .example(
      'tariff workbook prices.xlsx --from dhl-like',
      'tariff workbook gls.xlsx --connection 8 --company 2612779b-5144-4cdf-b16b-6695e8d40383',
    )
    .action(answering(writeWorkbook));
}

/** The counts, and a line below them for each warning. */
async function checkedInWords(answer: object): Promise<string> {
  const { warnings = [], ...counts } = answer as { readonly warnings?: readonly string[] };
  const width = Math.max(...Object.keys(counts).map(name => name.length));
  const lines = Object.entries(counts).map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  return [...lines, ...warnings.map(warning => `warning: ${warning}`)].join('\n');
}

async function checkTariff(file: string) {
  const { readVariableFile } = await import('./variable-files.ts');
  const { countsOf } = await import('./tariff-workbook.ts');
  const { placeWarnings, readTariff } = await import('../domain/pricing/tariffs/tariff.service.ts');
  const { pointer } = await import('../platform/fault.ts');
  const source = await readVariableFile('tariff', file);
  const tariff = source.within(() => readTariff(source.value));
  const warnings = placeWarnings(tariff).map(({ path, message }) => `${pointer(path)} ${message.en}`);
  return { file, ...countsOf(tariff), ...(warnings.length > 0 && { warnings }) };
}

async function writeWorkbook(file: string, options: WorkbookOptions): Promise<object> {
  return (await import('./tariff-workbook.ts')).writeTariffWorkbook(file, options);
}
