import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { allowAnyLength } from './csv-internals.ts';
import { UnreadableTable } from './sent-table.ts';

/** Reads CSV as spreadsheets and shops save it, record by record. */

/** The limit on a record, because an unclosed quote would otherwise take in the whole text. */
export const MAX_RECORD_CHARACTERS = 1024 * 1024;

/** The first line of a file that Excel reads by another delimiter than its own. */
const STATED_DELIMITER = /^\uFEFF?sep=(.)\r?\n/;
/** A title may stand before the header. */
const LINES_FOR_DELIMITER = 20;

/**
 * Yields the records of a text, each as its cells.
 *
 * @throws UnreadableTable if the text is not CSV
 */
export async function* csvRecords(text: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string[]> {
  const pieces = (async function* () {
    yield* text;
  })();
  let start = '';
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
    start += piece.value;
    if (start.split('\n', LINES_FOR_DELIMITER).length === LINES_FOR_DELIMITER || start.length > MAX_RECORD_CHARACTERS)
      break;
  }
  const [statement = '', stated] = STATED_DELIMITER.exec(start) ?? [];
  const delimiter = stated ?? delimiterOf(start);
  const whole = async function* () {
    yield start.slice(statement.length);
    yield* pieces;
  };
  const isUnquoted = delimiter === '\t';
  const parser = parse({
    relax_column_count: true,
    max_record_size: MAX_RECORD_CHARACTERS,
    bom: true,
    delimiter,
    // Marketplaces do not quote the cells of files with tabs: a title may begin with a quote that nothing closes.
    ...(isUnquoted && { quote: null }),
  });
  allowAnyLength(parser);
  // The parser throws errors of the text.
  pipeline(Readable.from(isUnquoted ? whole() : withoutFormulas(whole())), parser, () => undefined);
  try {
    for await (const cells of parser as AsyncIterable<string[]>) yield isUnquoted ? cells.map(withoutQuotes) : cells;
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error) : error;
  }
}

/** A cell `="00121"`, by which programs keep a spreadsheet from making a number of a text. No other cell has a quote inside. */
const FORMULA_OF_TEXT = /(?<=^|[,;|\r\n])="([^"\r\n]*)"(?=[,;|\r\n]|$)/g;

/** Quotes such cells as others are. Only whole lines are looked at, since a piece may end within a cell. */
async function* withoutFormulas(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let open = '';
  for await (const piece of pieces) {
    const text = open + piece;
    const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
    const taken = end === 0 && text.length > MAX_RECORD_CHARACTERS ? text.length : end;
    open = text.slice(taken);
    if (taken > 0) yield text.slice(0, taken).replace(FORMULA_OF_TEXT, '"$1"');
  }
  if (open !== '') yield open.replace(FORMULA_OF_TEXT, '"$1"');
}

const QUOTED = /^"(?:[^"]|"")*"$/;

/** Spreadsheets quote cells beside tabs too. Such a cell is quoted as a whole, and ends where its tab stands. */
function withoutQuotes(cell: string): string {
  return cell.startsWith('"') && QUOTED.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

const QUOTES = 'A cell with quotes in it is quoted, and they are doubled: "[{""weight"":2}]"';

function unreadable({ code, message }: CsvError): UnreadableTable {
  if (code === 'CSV_MAX_RECORD_SIZE')
    return new UnreadableTable(`has a row of more than ${MAX_RECORD_CHARACTERS} characters: is a quote left open?`);
  return new UnreadableTable(`is not CSV: ${message}${code.includes('QUOTE') ? `. ${QUOTES}` : ''}`);
}

/**
 * The delimiter of a CSV text: the one that stands in most of its first lines. A title may have a comma, and a comma may
 * be a decimal comma, so it is the delimiter only if no semicolon and no tab stands in as many lines.
 */
function delimiterOf(text: string): string {
  const lines = text
    .split(/\r?\n/, LINES_FOR_DELIMITER)
    // A heading such as "Note; attributes" has no delimiter in it.
    .map(line => line.replace(/"[^"]*"/g, ''));
  const counts = [';', '\t', ',', '|'].map(sign => ({ sign, of: lines.filter(line => line.includes(sign)).length }));
  return counts.reduce((best, next) => (next.of > best.of ? next : best), { sign: ',', of: 0 }).sign;
}
