/** CSV as spreadsheets write and read it. Every CSV with other people's text is made here. */

/**
 * Text that a spreadsheet may evaluate as a formula: it can skip blanks, controls and invisible characters at the
 * start, and reads wide and small forms as the characters that they stand for.
 */
const FORMULA = /^(?:[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫]|\p{Cc})/u;
const NUMBER = /^-?\d+([.,]\d+)?$/;

/** A cell: a number as it is, or a text, with an apostrophe before a formula. */
export function csvCell(text: string): string {
  if (NUMBER.test(text)) return text;
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line of cells with `;` between them, because decimals have a comma. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(';')}\r\n`;
}

/** A decimal as a spreadsheet in Italy reads it: with a point it may become text or a date. */
export function decimalComma(decimal: number | string): string {
  return String(decimal).replace('.', ',');
}
