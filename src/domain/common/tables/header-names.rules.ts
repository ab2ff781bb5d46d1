/**
 * Names of columns are compared without case, accents, blanks and punctuation. A percentage differs from an amount. A name
 * of signs alone, such as `#` or `€`, is compared as it is.
 */
export function normalName(text: string): string {
  const letters = text
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}%]+/gu, '')
    .toLowerCase();
  return letters === '' ? text.trim() : letters;
}

/** Whether a cell of a header has one of several names. */
export function isNamed(cell: string, names: readonly string[]): boolean {
  const sought = normalName(cell);
  return sought !== '' && names.some(name => normalName(name) === sought);
}
