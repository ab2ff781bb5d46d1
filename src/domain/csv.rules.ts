/** CSV as spreadsheets write and read it. */

/** A spreadsheet takes what begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+([.,]\d+)?$/;

/** A cell of a CSV text with `;` between the cells: a number as it is, or a text. */
export function csvCell(text: string): string {
  return NUMBER.test(text) ? text : csvText(text);
}

/** A decimal as a spreadsheet in Italy reads it: with a point it may be a text or a date. */
export function decimalComma(decimal: number | string): string {
  return String(decimal).replace('.', ',');
}

/** A text as such a cell; one that would be a formula is one no longer. */
export function csvText(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
