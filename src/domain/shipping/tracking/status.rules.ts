import { carrierByCode, type StatusTable } from '../carriers/carriers.catalog.ts';
import { CARRIER_CODES, type CodeRow, type WordRow } from './carrier-codes.catalog.ts';

// Reads carriers' codes by their tables (`schema/carriers/*.codes.json`).

/** The canonical statuses with their Italian labels, along a shipment's way. Additive only: integrators store the codes. */
export const STATUS_LABELS = {
  created: 'Spedizione registrata',
  shipped: 'Spedita',
  in_transit: 'In transito',
  at_depot: 'Arrivata in filiale',
  customs: 'In dogana',
  out_for_delivery: 'In consegna',
  delayed: 'In ritardo',
  pickup_point: 'Disponibile per il ritiro',
  delivery_failed: 'Tentativo di consegna fallito',
  held: 'In giacenza',
  refused: 'Rifiutata',
  delivered: 'Consegnata',
  returning: 'In restituzione al mittente',
  returned: 'Restituita al mittente',
  lost: 'Smarrita o danneggiata',
  cancelled: 'Annullata',
  unknown: 'Stato sconosciuto',
} as const;

export type StatusCode = keyof typeof STATUS_LABELS;

/** The seventeen canonical status codes. */
export const STATUS_CODES = Object.keys(STATUS_LABELS) as readonly StatusCode[];

/** An event in the words of its carrier. */
interface CarrierSays {
  /** The carrier's own code as it was received. */
  readonly code: string | null;
  /** The carrier's own text. */
  readonly text: string | null;
  /** The carrier's wider code for the same event, such as FedEx' `derivedStatusCode` or Poste's phase. */
  readonly general?: string | null | undefined;
}

export interface ReadStatus {
  readonly status: StatusCode;
  /** Whether the carrier's table lacks a row for the code, or without a code the words for the text. */
  readonly isNewCode: boolean;
}

/** A code in the forms in which the rows may have it: the most exact first. */
interface Spelling {
  readonly codes: readonly string[];
  readonly general: readonly string[];
}

/** Numbers without leading zeros, which some senders lose and others add; letters in upper case. */
function plain(code: string): string {
  const letters = code.trim().toUpperCase();
  return /^\d+$/.test(letters) ? letters.replace(/^0+(?=\d)/, '') : letters;
}

/** UPS gives a type, a number or both: `I 005`, `I005`, `005`, `I`. A number says more than its type. */
function upsSpelling(code: string): Spelling {
  const type = /^[A-Z]*/.exec(code)?.[0] ?? '';
  const number = plain(code.slice(type.length).replace(/^[^A-Z0-9]+/, ''));
  return { codes: [type + number, ...(type === '' ? [] : [number])], general: [type] };
}

function spellingOf(table: StatusTable, code: string): Spelling {
  return table === 'ups' ? upsSpelling(code) : { codes: [code], general: [code] };
}

/** Finds the status of a code: by the whole code, then by how it begins. */
function codeFinder(rows: readonly CodeRow[]): (code: string) => StatusCode | undefined {
  const exact = new Map<string, StatusCode>();
  const beginnings: (readonly [string, StatusCode])[] = [];
  for (const { code, status } of rows) {
    const key = plain(code);
    if (exact.has(key)) throw new Error(`The carrier's code ${code} stands in two rows`);
    exact.set(key, statusCode(status));
    if (key.endsWith('*')) beginnings.push([key.slice(0, -1), statusCode(status)]);
  }
  return code => {
    if (code === '') return undefined;
    return exact.get(code) ?? beginnings.find(([beginning]) => code.startsWith(beginning))?.[1];
  };
}

/** Finds the status of whole words, so that PRESO is not RESO. The first row that fits counts, whatever comes later. */
function wordFinder(rows: readonly WordRow[]): (code: string, text: string) => StatusCode | undefined {
  const readers = rows.map(({ words, status }) => ({ isIn: wordsIn(words), status: statusCode(status) }));
  return (code, text) => {
    // Two spaces separate code and text, and clauses, so no row fits across them.
    const whole = fold(code) + fold(text);
    const clauses = [code, ...text.split(/[.,;:!?()]| - /)].map(fold).join('');
    return readers.find(({ isIn }) => isIn(whole, clauses))?.status;
  };
}

/** The most words that the `...` of a row stands for. */
const MOST_BETWEEN = 3;

/** Whether a row's words stand in a text; those with a `...` between them stand in one clause. */
function wordsIn(words: string): (whole: string, clauses: string) => boolean {
  const [first = '', ...others] = words.split(' ... ').map(part => ` ${part} `.replace('* ', ''));
  if (others.length === 0) return whole => whole.includes(first);
  /** Whether the parts follow a space of the text, with a few words before each. */
  const follow = (text: string, space: number, [part, ...rest]: readonly string[]): boolean => {
    if (part === undefined) return true;
    for (let at = space, between = 0; at >= 0 && between <= MOST_BETWEEN; between += 1) {
      if (text.startsWith(part, at) && follow(text, at + part.length - 1, rest)) return true;
      if (text[at + 1] === ' ') return false;
      at = text.indexOf(' ', at + 1);
    }
    return false;
  };
  return (_, clauses) => {
    for (let at = clauses.indexOf(first); at >= 0; at = clauses.indexOf(first, at + 1)) {
      if (follow(clauses, at + first.length - 1, others)) return true;
    }
    return false;
  };
}

function statusCode(text: string): StatusCode {
  if (!Object.hasOwn(STATUS_LABELS, text)) throw new Error(`${text} must be a canonical status code`);
  return text as StatusCode;
}

/** Upper-case, without accents, "not" in full, with one space for any run of other characters, and at both ends. */
function fold(text: string): string {
  const letters = text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toUpperCase()
    .replace(/N['’]T\b|CANNOT\b/g, ' NOT');
  return ` ${letters.replace(/[^A-Z0-9]+/g, ' ').trim()} `;
}

type Reader = (says: CarrierSays) => ReadStatus;

function readerOf(table: StatusTable): Reader {
  const { codes, general, words } = CARRIER_CODES[table];
  const findCode = codeFinder(codes);
  const findGeneral = codeFinder(general);
  const generalCodes = new Set(general.map(row => plain(row.code)));
  const findWords = wordFinder(words);
  const first = (find: (code: string) => StatusCode | undefined, of: readonly string[]) =>
    of.map(find).find(status => status !== undefined);
  return says => {
    const code = plain(says.code ?? '');
    const spelling = spellingOf(table, code);
    const byCode = first(findCode, spelling.codes);
    // A code that says nothing of the parcel leaves it to what the carrier says in general.
    if (byCode !== undefined && byCode !== 'unknown') return { status: byCode, isNewCode: false };
    const group = plain(says.general ?? '');
    const status =
      findWords(says.code ?? '', says.text ?? '') ??
      findGeneral(group) ??
      findCode(group) ??
      first(findGeneral, spelling.general) ??
      'unknown';
    const isNewText = code === '' && status === 'unknown' && fold(says.text ?? '') !== '  ';
    const isNewCode = code !== '' && byCode === undefined && !generalCodes.has(code);
    return { status, isNewCode: isNewCode || isNewText };
  };
}

const READERS: Readonly<Record<StatusTable, Reader>> = {
  brt: readerOf('brt'),
  gls: readerOf('gls'),
  dhl: readerOf('dhl'),
  ups: readerOf('ups'),
  fedex: readerOf('fedex'),
  poste: readerOf('poste'),
  inpost: readerOf('inpost'),
  amazon: readerOf('amazon'),
};

/**
 * Reads a carrier's event: the row of its code, else what the carrier says in general, else its words, else `unknown`.
 *
 * @param carrierCode a code of the carriers' catalogue, in any case; one without a table gives `unknown`
 */
export function readStatus(carrierCode: string, says: CarrierSays): ReadStatus {
  const table = carrierByCode(carrierCode)?.statusTable;
  return table ? READERS[table](says) : { status: 'unknown', isNewCode: false };
}

/** The canonical status of a carrier's event. */
export function deriveStatus(carrierCode: string, code: string | null, text: string | null): StatusCode {
  return readStatus(carrierCode, { code, text }).status;
}
