import { type Layout, tableOf } from './table.ts';

/** The result of a command: one JSON value with `--json`, otherwise a table for people. */
export type Answer = object | readonly object[];

export interface Presentation<Result> {
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
  /** Nothing is shortened, wrapped or left out. */
  readonly wide: boolean;
  readonly note: string | undefined;
}

const DEFAULT_COLUMNS = 80;

export async function printAnswer(answer: Answer | string, { json, wide, note }: Form): Promise<void> {
  if (json) {
    process.stdout.write(`${JSON.stringify(answer)}\n`);
    return;
  }
  // A table that is piped or saved is never narrowed.
  const isNarrow = process.stdout.isTTY && !wide;
  const layout: Layout = isNarrow ? { columns: process.stdout.columns ?? DEFAULT_COLUMNS } : {};
  const text = typeof answer === 'string' ? answer : await readable(answer, layout);
  process.stdout.write(`${[text, note].filter(part => part !== undefined).join('\n')}\n`);
}

/** A list as a table with a column for each field; one record as a line for each. */
async function readable(answer: Answer, layout: Layout): Promise<string> {
  if (Array.isArray(answer)) return answer.length === 0 ? 'None.' : tableOf(answer, layout);
  const { cell } = await import('./cell.ts');
  const width = Math.max(...Object.keys(answer).map(name => name.length));
  return Object.entries(answer)
    .map(([name, value]) => `${name.padEnd(width)}  ${cell(value, layout)}`)
    .join('\n');
}
