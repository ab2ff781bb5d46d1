import { Help } from 'commander';
import { cell } from './cell.ts';

export interface Layout {
  /** The width of the terminal; undefined for an unlimited width. */
  readonly columns?: number;
}

/**
 * Columns that a narrow terminal leaves out, in this order. All other columns stay, and so does the first column of a
 * table, which is the argument of other commands.
 */
const LEFT_OUT_FIRST = [
  'deadLetterOf',
  'baseUrl',
  'rates',
  'createdAt',
  'sandboxOf',
  'versions',
  'companyId',
  'updatedAt',
  'eventId',
  'scopes',
  'deliveredAt',
  'last4',
  'environment',
  'validUntil',
  'hasCredentials',
  'events',
  'completed',
  'deadLetter',
  'endpointId',
  'lastUsedAt',
  'failingSince',
  'nextAttemptAt',
  'attemptCount',
  'oldestDue',
  'isActive',
];

/** The minimum width of a wrapped column. */
const NARROWEST = 12;
const BORDER = 1;
const PADDING = 2;

/** A table of records, a column for each field, as wide as the layout allows. */
export async function tableOf(records: readonly object[], layout: Layout): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const names = Object.keys(records[0] ?? {});
  const rows = records.map(record => Object.values(record).map(value => cell(value, layout)));
  const columns = names.map((name, i) => ({ name, texts: [name, ...rows.map(row => row[i] ?? '')] }));
  const { kept, widths, omitted } = fitted(columns, layout.columns ?? Number.POSITIVE_INFINITY);
  const style = { head: [], border: [], compact: true };
  const [head = [], ...body] = (kept[0]?.texts ?? []).map((_, row) => kept.map(({ texts }) => texts[row] ?? ''));
  const table = new Table({ head, style, colWidths: widths, wordWrap: true, wrapOnWordBoundary: false });
  table.push(...body);
  if (omitted.length === 0) return table.toString();
  const note = new Help().boxWrap(
    `--wide also shows ${omitted.join(', ')}.`,
    layout.columns ?? Number.POSITIVE_INFINITY,
  );
  return `${table.toString()}\n${note}`;
}

interface Column {
  readonly name: string;
  readonly texts: readonly string[];
}

/** Leaves columns out, and then wraps the widest, until the table fits `columns`. */
function fitted(all: readonly Column[], columns: number) {
  let kept = all;
  const omitted: string[] = [];
  const others = LEFT_OUT_FIRST.filter(name => all.slice(1).some(column => column.name === name));
  while (widthOf(kept.map(widthOfColumn)) > columns && others.length > 0) {
    const name = others.shift() as string;
    kept = kept.filter(column => column.name !== name);
    omitted.push(name);
  }
  const widths = kept.map(widthOfColumn);
  // The first column is wrapped last, so that it can be copied.
  for (const first of [1, 0]) {
    while (widthOf(widths) > columns) {
      const widest = widths.reduce((best, width, i) => (i >= first && width > (widths[best] ?? 0) ? i : best), first);
      if ((widths[widest] ?? 0) <= NARROWEST) break;
      widths[widest] = (widths[widest] ?? 0) - 1;
    }
  }
  return { kept, widths, omitted };
}

function widthOfColumn({ texts }: Column): number {
  return Math.max(...texts.map(text => text.length)) + PADDING;
}

function widthOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + BORDER, BORDER);
}
