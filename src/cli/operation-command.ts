import { InvalidArgumentError, Option } from 'commander';
import type { CliCommand } from './cli-command.ts';
import type { CommandRow, FileKind } from './command-row.ts';
import { NONE, type OperationOption, optionsOf } from './operation-options.ts';
import { startOfDay, words, YES } from './options.ts';
import type { Answering } from './output.ts';

/** Makes a command of the row of an operation: its options, its help and its action, with no branch on any row. */

/** Help lists the values of an enum up to this number; an error lists them all. */
const MAX_NAMES = 12;

/** The company of the examples. */
const COMPANY = '--company 2612779b-5144-4cdf-b16b-6695e8d40383';

/** @param command a new command with the last word of the row's name, and its purpose */
export function addOperation(command: CliCommand, row: CommandRow, answering: Answering): void {
  const options = optionsOf(row);
  command
    .example(...row.examples.map(example => [row.name, example, COMPANY].filter(Boolean).join(' ')))
    .requiredOption('--company <id>', 'id of the company, as `company list` shows it');
  for (const option of options) {
    if (option.name === row.argument) command.argument(`<${option.name}>`, about(option), parserOf(option));
    else command.addOption(typed(option));
  }
  if (/\$after\b/.test(row.operation) && !row.isDocument) command.option('--all', 'all of them, page by page');
  if (row.isDocument) command.option('--out <file>', 'write to a file instead of standard output');
  if (row.confirm !== undefined) command.option(...YES);
  command.places = options.map(({ name, place }) => ({
    place,
    shown: name === row.argument ? `<${name}>` : `--${name}`,
  }));
  const run = async (...args: unknown[]) => {
    const given = command.opts<Record<string, unknown>>();
    const { runOperation } = await import('./run-operation.ts');
    const values = options.map(({ name }) => (name === row.argument ? args[0] : given[attributeOf(name)]));
    return runOperation(row, options, values, given as never);
  };
  if (row.isDocument) {
    command.action(async (...args: unknown[]) => void (await run(...args)));
    return;
  }
  const { note, fails, onlyInJson } = row;
  const inWords = onlyInJson && ((answer: object) => without(answer, onlyInJson));
  command.action(answering(run as () => Promise<object>, { note, hasFailed: fails as never, inWords }));
}

function without(answer: object, names: readonly string[]): object {
  if (Array.isArray(answer)) return answer.map(record => without(record, names));
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !names.includes(name)));
}

function attributeOf(name: string): string {
  return new Option(`--${name}`).attributeName();
}

function typed(option: OperationOption): Option {
  const { name, type, names, isList, isJson, file, defaultValue, isRequired } = option;
  const isFlag = type === 'Boolean' && defaultValue === false;
  const value = file && file !== 'json' ? 'file' : isJson ? 'json' : isList ? 'list' : (PLACEHOLDERS[type] ?? 'value');
  const made = new Option(isFlag ? `--${name}` : `--${name} <${value}>`, about(option));
  if (type === 'Boolean' && !isFlag) made.choices(['yes', 'no']);
  if (names && !isList) made.choices(names);
  // Replaces the parser of `choices`, which distinguishes small and capital letters.
  if (!isFlag) made.argParser(parserOf(option));
  if (!isFlag && defaultValue !== undefined) made.default(defaultValue);
  return made.makeOptionMandatory(isRequired);
}

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  ID: 'id',
  Int: 'number',
  Decimal: 'number',
  Boolean: 'yes|no',
  Date: 'date',
  DateTime: 'time',
};

/** Descriptions of files; the graph describes only the values in them. */
const FILES: Partial<Record<FileKind, string>> = {
  base64: 'a table with a header: CSV, TSV or .xlsx',
  tariff: 'the tariff in JSON, or as a workbook (.xlsx)',
  places: 'the places in JSON, as in `to` of a zone, or a CSV or .xlsx table with a column for each of its fields',
  rates: 'CSV or .xlsx with the header from;percent: a day or a month, and its percentage; or JSON with these fields',
};

function about({ description: stated, names = [], isList, isJson, file, canBeNone }: OperationOption): string {
  const description = (file && FILES[file]) ?? stated;
  const notes = [
    isList && names.length > 0 && names.length <= MAX_NAMES && `one or more of ${names.join(', ')}`,
    isList && names.length === 0 && !isJson && 'comma-separated',
    file && file !== 'json' && 'a file; - is standard input',
    isJson && (!file || file === 'json') && 'JSON, or the name of a JSON file; - is standard input',
    canBeNone && `${NONE} removes it`,
  ].filter(Boolean);
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
}

/** Finds wrong values before a database is opened, as far as their types show it. */
function parserOf(option: OperationOption): (text: string) => unknown {
  const { isList, isJson, file, canBeNone } = option;
  const parse = valueParser(option);
  return text => {
    if (file || isJson || (canBeNone && text === NONE)) return text;
    return isList ? words(text).map(parse) : parse(text);
  };
}

function valueParser({ type, names }: OperationOption): (text: string) => unknown {
  if (names) return text => oneOf(names, text);
  if (type === 'Int') return wholeNumber;
  if (type === 'Boolean') return text => oneOf(['YES', 'NO'], text) === 'YES';
  if (type === 'DateTime') return startOfDay;
  return text => text;
}

/** The name of the enum for a typed value, in any case: `TRACKING_ALL` for `tracking.*`. */
function oneOf(names: readonly string[], text: string): string {
  const name = text.replace('*', 'all').replaceAll(/\W/g, '_').toUpperCase();
  if (names.includes(name)) return name;
  throw new InvalidArgumentError(`It must be one of ${names.join(', ')}.`);
}

function wholeNumber(text: string): number {
  if (/^-?\d{1,10}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}
