/** CSV as spreadsheets write and read it. */

/** What divides the cells of a CSV text: semicolon, tab or comma. */
export function delimiterOf(text: string): string {
  const [header = ''] = text.split(/\r?\n/, 1);
  // A comma may be a decimal one, so it divides cells only where nothing else does.
  return [';', '\t'].find(candidate => header.includes(candidate)) ?? ',';
}

/** A spreadsheet takes what begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+([.,]\d+)?$/;

/** A cell of a CSV text with `;` between the cells: a number as it is, or a text. */
export function csvCell(text: string): string {
  return NUMBER.test(text) ? text : csvText(text);
}

/** A text as such a cell; one that would be a formula is one no longer. */
export function csvText(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
