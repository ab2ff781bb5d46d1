import { readFileSync } from 'node:fs';
import type { GraphQLEnumType } from 'graphql';
import { schema } from '../../graphql/schema.ts';

/** A GitHub table. A cell may hold Markdown; `|` and line breaks are escaped. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(headings), `|${'---|'.repeat(headings.length)}`, ...rows.map(line)].join('\n');
}

export function code(text: string | number): string {
  return `\`${text}\``;
}

/** 12000 → `12,000`. */
export function count(value: number): string {
  return value.toLocaleString('en');
}

function cell(text: string): string {
  const lines = text.split('\n').map(line => line.trim());
  return lines
    .filter(line => line !== '')
    .join(' ')
    .replaceAll('|', '\\|');
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** 7200000 → `2 hours`: in the largest unit of which it is a whole number. A single day is 24 hours. */
export function duration(ms: number): string {
  const [unit, length] = UNITS.find(([, each]) => ms % each === 0 && ms / each > 1) ?? UNITS[3];
  const number = ms / length;
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}

const ROOT = new URL('../../../', import.meta.url);

/** A file of the project, as a block of code. */
export function codeFile(path: string, language: string): () => string {
  return () => `\`\`\`${language}\n${readFileSync(new URL(path, ROOT), 'utf8').trimEnd()}\n\`\`\``;
}

/**
 * The values of an enum of the graph with their descriptions, without deprecated ones.
 *
 * @param heading the heading of the first column
 */
export function enumValues(name: string, heading: string): () => string {
  return () => {
    const values = (schema.getType(name) as GraphQLEnumType).getValues();
    const rows = values.filter(({ deprecationReason }) => deprecationReason == null);
    return table(
      [heading, 'Meaning'],
      rows.map(value => [code(value.name), value.description ?? '']),
    );
  };
}

/** A file of code that receives or verifies webhooks, which the tests run where they can. */
export function sample(file: string, language: string): () => string {
  return codeFile(`src/http/docs/verify/${file}`, language);
}
