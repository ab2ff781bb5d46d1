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
