// Cells of a spreadsheet.

/** Cells without blanks around them, and without empty ones at the end, which spreadsheets like to write. */
export function trimmedCells(cells: readonly string[]): string[] {
  const trimmed = cells.map(cell => cell.trim());
  return trimmed.slice(0, trimmed.findLastIndex(cell => cell !== '') + 1);
}

/** `A`, `B`, … `Z`, `AA`, as a spreadsheet names its columns. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}
