import { cell, isRecord } from './cell.ts';
import { type Layout, tableOf } from './table.ts';

/** The result of a command: one JSON value with `--json`, otherwise a table for people. */
type Answer = object | readonly object[];

interface Presentation<Result> {
  /** Whether a result reports a failure, which sets the exit code. */
  readonly hasFailed?: (answer: Result) => boolean;
  /** The text or table for people, if it differs from the result. */
  readonly inWords?: (answer: Result) => Answer | string | Promise<Answer | string>;
  /** The note below the table. */
  readonly note?: string;
}

/** Makes the action of a command from the function that returns its result. */
export type Answering = <Args extends unknown[], Result extends Answer>(
  work: (...args: Args) => Promise<Result>,
  presentation?: Presentation<Result>,
) => (...args: Args) => Promise<void>;

interface Form {
  readonly json: boolean;
  /** As CSV, a line for each record. */
  readonly csv: boolean;
  /** Nothing is shortened, wrapped or left out. */
  readonly wide: boolean;
  readonly note: string | undefined;
}

const DEFAULT_COLUMNS = 80;

export async function printAnswer(answer: Answer | string, { json, csv, wide, note }: Form): Promise<void> {
  if (json) {
    process.stdout.write(`${JSON.stringify(answer)}\n`);
    return;
  }
  if (csv && typeof answer !== 'string') {
    process.stdout.write(await inCsv([answer].flat()));
    return;
  }
  // A table that is piped or saved is never narrowed.
  const isNarrow = process.stdout.isTTY && !wide;
  const layout: Layout = isNarrow ? { columns: process.stdout.columns ?? DEFAULT_COLUMNS } : {};
  const text = typeof answer === 'string' ? answer : await readable(answer, layout);
  process.stdout.write(`${[text, note].filter(part => part !== undefined).join('\n')}\n`);
}

async function inCsv(records: readonly object[]): Promise<string> {
  const { csvLine } = await import('../domain/common/csv.rules.ts');
  const names = Object.keys(records[0] ?? {});
  const lines = records.map(record =>
    Object.values(record).map(value => (value == null ? '' : cell(value, { isWhole: true }))),
  );
  return [names, ...lines].map(csvLine).join('');
}

/** A list as a table with a column for each field; one record as a line for each, with its lists as tables below. */
async function readable(answer: Answer, layout: Layout): Promise<string> {
  if (Array.isArray(answer)) return answer.length === 0 ? 'None.' : tableOf(answer, layout);
  const [lines, tables] = [linesOf(answer), tablesOf(answer)];
  const width = Math.max(...lines.map(([name]) => name.length));
  const text = lines.map(([name, value]) => `${name.padEnd(width)}  ${cell(value, layout)}`);
  const below = tables.map(async ([name, rows]) => `${name}:\n${await readable(rows, layout)}`);
  return [...(text.length > 0 ? [text.join('\n')] : []), ...(await Promise.all(below))].join('\n\n');
}

/** Values by their names; a value of an inner record has two, such as `key.label`. */
function linesOf(record: object): [string, unknown][] {
  return Object.entries(record).flatMap(([name, value]) => {
    if (isTable(value)) return [];
    if (!isRecord(value)) return [[name, value] as [string, unknown]];
    return linesOf(value).map(([inner, one]) => [`${name}.${inner}`, one] as [string, unknown]);
  });
}

function tablesOf(record: object): [string, readonly object[]][] {
  return Object.entries(record).flatMap(([name, value]) => {
    if (isTable(value)) return [[name, value] as [string, readonly object[]]];
    if (!isRecord(value)) return [];
    return tablesOf(value).map(([inner, rows]) => [`${name}.${inner}`, rows] as [string, readonly object[]]);
  });
}

function isTable(value: unknown): value is readonly object[] {
  return Array.isArray(value) && value.some(isRecord);
}
