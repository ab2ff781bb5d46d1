/**
 * The form in which one-line texts are stored and compared. People paste texts from web pages and spreadsheets, which
 * bring line breaks, runs of blanks and characters that nobody can see.
 */

/** Characters that the rules below might change or reject. Most texts have none, and are returned at once. */
const UNUSUAL = /[^!-~ ]|^ | $| {2}/;
/** Zero-width characters, directional marks, the word joiner, the soft hyphen and the byte order mark. */
const INVISIBLE = /[\u200b-\u200f\u2060\u00ad\ufeff]+/g;
/** Everything that Unicode takes for a line break. */
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/;
const BLANKS = /[\s\u0085]+/g;
/** U+0000 cannot be stored, and the others cannot be shown. Line breaks and tabs are blanks by then. */
const CONTROL = /\p{Cc}/u;
/** Format characters count as no content, control characters do: a text of them alone is rejected, not empty. */
const VISIBLE = /[^\s\p{Cf}]/u;

/** A text on one line, with single blanks between its words, in composed letters (NFC). */
export function oneLine(value: string): string {
  if (!UNUSUAL.test(value)) return value;
  const line = value.replace(INVISIBLE, '').replace(BLANKS, ' ').trim();
  return VISIBLE.test(line) ? line.normalize('NFC') : '';
}

/** A text that is looked for, in the form of stored ones. A search is exact, so a blank before or behind it counts. */
export function soughtLine(value: string): string {
  if (!UNUSUAL.test(value)) return value;
  const lines = value.replace(INVISIBLE, '').split(LINE_BREAK);
  return lines
    .filter(line => line !== '')
    .join(' ')
    .replace(BLANKS, ' ')
    .normalize('NFC');
}

/** A text as it is, without surrounding blanks and invisible characters. */
export function withoutInvisible(value: string): string {
  return value.replace(INVISIBLE, '').trim();
}

/** A street on one line: each line break becomes a comma, unless one is there already. */
export function streetLine(value: string): string {
  if (!LINE_BREAK.test(value)) return oneLine(value);
  const lines = value.split(LINE_BREAK).map(line => withoutCommas(oneLine(line)));
  return lines.filter(line => line !== '').join(', ');
}

function withoutCommas(line: string): string {
  let end = line.length;
  while (end > 0 && ', '.includes(line.charAt(end - 1))) end -= 1;
  let start = 0;
  while (start < end && ', '.includes(line.charAt(start))) start += 1;
  return line.slice(start, end);
}

/** Whether a text can be stored: no control characters, and no halves of characters. */
export function isPlain(line: string): boolean {
  return !CONTROL.test(line) && line.isWellFormed();
}
