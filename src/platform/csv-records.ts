import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';

/** Reads CSV as spreadsheets save it, record by record, however long the text is. */

/** The limit on a record, because an unclosed quote would otherwise take in the whole text. */
export const MAX_RECORD_CHARACTERS = 1024 * 1024;

/**
 * Yields the records of a text, each as its cells.
 *
 * @throws CsvError if the text is not CSV; `CSV_MAX_RECORD_SIZE` for a record that is too long
 */
export async function* csvRecords(text: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string[]> {
  const pieces = (async function* () {
    yield* text;
  })();
  let start = '';
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
    start += piece.value;
    if (start.includes('\n') || start.length > MAX_RECORD_CHARACTERS) break;
  }
  const whole = async function* () {
    yield start;
    yield* pieces;
  };
  const limits = { relax_column_count: true, max_record_size: MAX_RECORD_CHARACTERS };
  const parser = parse({ ...limits, bom: true, delimiter: delimiterOf(start) });
  // The parser throws errors of the text.
  pipeline(Readable.from(whole()), parser, () => undefined);
  yield* parser as AsyncIterable<string[]>;
}

/** The delimiter of a CSV text: semicolon, tab or comma. */
export function delimiterOf(text: string): string {
  const [header = ''] = text.split(/\r?\n/, 1);
  // A comma may be a decimal comma, so it is the delimiter only if there is no other.
  return [';', '\t'].find(candidate => header.includes(candidate)) ?? ',';
}
