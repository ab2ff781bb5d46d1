/** What a command answers: one JSON value with `--json`, otherwise a table a person reads. */
export type Answer = object | readonly object[];

/** Makes an action of a command out of what it answers, and of which answers tell that it failed. */
export type Answering = <Args extends unknown[], Result extends Answer>(
  work: (...args: Args) => Promise<Result>,
  hasFailed?: (answer: Result) => boolean,
) => (...args: Args) => Promise<void>;

/** Most entries of a list within a cell. */
const SHOWN = 3;

export async function printAnswer(answer: Answer, asJson: boolean): Promise<void> {
  process.stdout.write(`${asJson ? JSON.stringify(answer) : await readable(answer)}\n`);
}

/** A list as a table with a column for each field; one record as a line for each. */
async function readable(answer: Answer): Promise<string> {
  if (!Array.isArray(answer)) {
    const width = Math.max(...Object.keys(answer).map(name => name.length));
    return Object.entries(answer)
      .map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`)
      .join('\n');
  }
  if (answer.length === 0) return 'None.';
  const { default: Table } = await import('cli-table3');
  const names = Object.keys(answer[0]);
  const table = new Table({ head: names, style: { head: [], border: [], compact: true } });
  for (const record of answer) table.push(Object.values(record).map(cell));
  return table.toString();
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object' && !Array.isArray(value)) {
    const parts = Object.entries(value).map(([name, part]) => `${name} ${cell(part)}`);
    return parts.join(', ') || '–';
  }
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  return value.length > SHOWN ? `${value.slice(0, SHOWN).join(', ')}, … (${value.length})` : value.join(', ');
}
