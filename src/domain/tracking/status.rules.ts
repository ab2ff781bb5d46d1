import { carrierByCode, type StatusTable } from '../carriers/carriers.catalog.ts';

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

/** A carrier's own codes by their meaning, separated by spaces; unlisted codes are `unknown`. */
type CodeTable = Readonly<Partial<Record<StatusCode, string>>>;

/**
 * BRT numbers, tried before words: BRT sends 704 once the addressee has the parcel, whatever its text says. Matched in
 * the code only, because 704 in a text may be a house number.
 */
const BRT_NUMBERS: CodeTable = { delivered: '704' };

/**
 * BRT keywords: whole words (a `*` leaves the word's end open), matched in code and text, upper-case, without accents,
 * punctuation read as a space. The first matching row wins, so the order is the policy: a refusal or a failure explains
 * the other words, an outcome beats a movement, and the vaguest word comes last. Whole words, because PRESO contains
 * RESO and AMICHEVOLE contains MIC.
 */
const BRT_KEYWORDS: readonly (readonly [keyword: string, status: StatusCode])[] = [
  // "RIFIUTA:SPEDITA IN RITARDO", "RIFIUTA:RESO NON AUTORIZZATO", "RIFIUTATA DAL BRT-fermopoint" are refusals,
  // not a delay, a return or a parcel to collect.
  ['RIFIUT*', 'refused'],
  // Before CONSEGNATA and IN CONSEGNA, because announcing a delivery that did not happen is the worst possible error of
  // this table.
  ['NON CONSEGNATA', 'delivery_failed'],
  ['MANCATA CONSEGNA', 'delivery_failed'],
  ['LASCIATO AVVISO', 'delivery_failed'],
  ['ASSENTE', 'delivery_failed'],
  ['SMARRITA', 'lost'],
  // "DISTRUTTA/REQUISITA DA DOGANA" is no longer in customs.
  ['DISTRUTTA', 'lost'],
  // "NON RITIRATA AL PARCEL SHOP" is not a collection from the sender (RITIRATA).
  ['NON RITIRATA', 'held'],
  // "REINDIRIZZATA A BRT-fermopoint" is on its way there: FERMOPOINT would send the addressee to collect it.
  ['REINDIRIZZATA', 'in_transit'],
  // Before CONSEGNATA, ARRIVATA and RITIRATA: a parcel at the point waits there, until a 704 comes.
  ['FERMOPOINT', 'pickup_point'],
  ['FERMO DEPOSITO', 'pickup_point'],
  ['DA RITIRARE', 'pickup_point'],
  ['CONSEGNATA', 'delivered'],
  ['RESO', 'returning'],
  ['RICONSEGNA CONCORDATA', 'delayed'],
  ['GIACENZA', 'held'],
  ['RITARD*', 'delayed'],
  ['DOGANA*', 'customs'],
  ['IN CONSEGNA', 'out_for_delivery'],
  ['ARRIVATA', 'at_depot'],
  ['PARTITA', 'in_transit'],
  ['TRANSITO', 'in_transit'],
  ['RITIRATA', 'shipped'],
  ['DATI TRASMESSI', 'created'],
  // BRT's actual text is "DATI SPEDIZ. TRASMESSI A BRT".
  ['DATI SPEDIZ TRASMESSI', 'created'],
  // Last: BRT also sends the code MIC with the text "IN CONSEGNA", and then the text is right.
  ['MIC', 'created'],
];

/** GLS Italy `Codice`: numbers, of which 9xx are the steps of the journey and the low ones the remarks of a branch. */
const GLS: CodeTable = {
  created: '901 909 910',
  shipped: '902',
  in_transit: '903 13 16 32 35',
  at_depot: '904 22 23',
  customs: '49',
  out_for_delivery: '905',
  delayed: '908 17 19 25 26 28 34 74',
  pickup_point: '907 12 78 80',
  delivery_failed: '1 5 8 67 68 69 73 76 77',
  held: '66 3 6 7 10 24 59 70 71 72 75 82',
  refused: '4',
  delivered: '906',
  returning: '29',
  lost: '27 30 39',
};

/**
 * DHL Express checkpoints. Some letters differ from FedEx': AR is the arrival at the delivering facility (there: at any
 * facility), DD a delivery with damage noted (there: a delay), CA a closed door (there: a cancellation). CR and RR,
 * release and reply of the customs, still map to customs: the next checkpoint shows that the parcel has moved on.
 */
const DHL: CodeTable = {
  shipped: 'PU',
  in_transit: 'PL DF AF',
  at_depot: 'AR',
  customs: 'CC CR RR CD',
  out_for_delivery: 'WC',
  delayed: 'TD MS',
  pickup_point: 'HP',
  delivery_failed: 'NH ND BA CA',
  held: 'OH',
  refused: 'RD',
  delivered: 'OK DD',
  returned: 'RT',
};

/** UPS three-digit status codes. They are more precise than the type, so a listed code decides alone. */
const UPS: CodeTable = {
  created: '003',
  shipped: '038',
  in_transit: '005 010',
  at_depot: '071',
  customs: '012 014 058 092',
  out_for_delivery: '006 021',
  delayed: '046 048 051 052 053',
  pickup_point: '017 040 161',
  delivery_failed: '022 023 024 060 061 062',
  held: '029 050',
  refused: '064',
  delivered: '011',
  returning: '035',
  returned: '034',
  lost: '059 068',
};

/**
 * UPS status types, for a three-digit code that is missing or not listed. X is any exception: most only delay the
 * parcel, and reporting a failed delivery would notify integrators of an attempt that nobody made.
 */
const UPS_TYPES: CodeTable = { created: 'M', in_transit: 'I', delayed: 'X', delivered: 'D' };

/** A voided manifest ends the shipment whatever its code is, so it is tried before the codes. */
const UPS_VOIDED = 'MV';

/** FedEx scan codes. As at DHL: AR, CA, CC, CD, DD, HP, PU are spelt alike and partly differ in meaning. */
const FEDEX: CodeTable = {
  created: 'OC',
  shipped: 'PU',
  in_transit: 'IT AR DP',
  at_depot: 'FD',
  customs: 'CC CP CD',
  out_for_delivery: 'OD',
  delayed: 'DY DD',
  pickup_point: 'HL HP',
  delivery_failed: 'DE',
  held: 'SE',
  delivered: 'DL',
  returned: 'RS',
  cancelled: 'CA',
};

/** InPost statuses; `*` stands for the movement before the place (`adopted_at_source_branch`, `sent_from_source_branch`). */
const INPOST: CodeTable = {
  created: 'created confirmed',
  shipped: 'collected_from_sender',
  in_transit: '*_source_branch *_sorting_center',
  at_depot: 'adopted_at_target_branch',
  out_for_delivery: 'out_for_delivery',
  delayed: 'delay_in_delivery',
  pickup_point: 'ready_to_pickup',
  delivery_failed: 'undelivered avizo',
  held: 'pickup_time_expired',
  refused: 'rejected_by_receiver',
  delivered: 'delivered',
  returned: 'returned_to_sender',
  lost: 'missing damaged',
  cancelled: 'canceled',
};

/** The inverse of a table: from a carrier's code to our status. A code in two rows is rejected at start. */
function indexByCode(table: CodeTable): ReadonlyMap<string, StatusCode> {
  const index = new Map<string, StatusCode>();
  for (const status of STATUS_CODES) {
    for (const code of table[status]?.split(' ') ?? []) {
      if (index.has(code)) throw new Error(`carrier status code ${code} stands in two rows`);
      index.set(code, status);
    }
  }
  return index;
}

/** Reads a carrier's code and text; `undefined` without a matching row. */
type Reader = (code: string, description: string) => StatusCode | undefined;

/** Upper-case, without accents, with one space for any run of other characters, and at both ends. */
function fold(text: string): string {
  const plain = text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toUpperCase();
  return ` ${plain.replace(/[^A-Z0-9]+/g, ' ').trim()} `;
}

function stripLeadingZeros(code: string): string {
  return code.replace(/^0+(?=\d)/, '');
}

function readBrt(): Reader {
  const numbers = indexByCode(BRT_NUMBERS);
  const keywords = BRT_KEYWORDS.map(([keyword, status]) => {
    const needle = keyword.endsWith('*') ? ` ${keyword.slice(0, -1)}` : ` ${keyword} `;
    return { needle, status };
  });
  return (code, description) => {
    const number = numbers.get(stripLeadingZeros(code));
    if (number) return number;
    // Two spaces separate them, so no keyword of two words matches across code and text.
    const text = fold(code) + fold(description);
    return keywords.find(({ needle }) => text.includes(needle))?.status;
  };
}

/** GLS pads its numbers with zeros in some answers and not in others. */
function readGls(): Reader {
  const index = indexByCode(GLS);
  return code => index.get(stripLeadingZeros(code));
}

function readLetters(table: CodeTable): Reader {
  const index = indexByCode(table);
  return code => index.get(code.toUpperCase());
}

/** UPS gives a type, a code or both: `I 005`, `I005`, `005`, `I`. */
function readUps(): Reader {
  const byCode = indexByCode(UPS);
  const byType = indexByCode(UPS_TYPES);
  return code => {
    const type = /^[A-Z]*/.exec(code.toUpperCase())?.[0] ?? '';
    if (type === UPS_VOIDED) return 'cancelled';
    // Padded, because a sender that holds the code as a number loses its zeros.
    const number = code.slice(type.length).replace(/^[^A-Za-z0-9]+/, '');
    return byCode.get(number.padStart(3, '0')) ?? byType.get(type);
  };
}

function readInpost(): Reader {
  const index = indexByCode(INPOST);
  const suffixes = [...index]
    .filter(([code]) => code.startsWith('*'))
    .map(([code, status]) => [code.slice(1), status] as const);
  return code => {
    const name = code.toLowerCase();
    const bySuffix = () => suffixes.find(([suffix]) => name.endsWith(suffix) && name.length > suffix.length)?.[1];
    return index.get(name) ?? bySuffix();
  };
}

const READERS: Readonly<Record<StatusTable, Reader>> = {
  brt: readBrt(),
  gls: readGls(),
  dhl: readLetters(DHL),
  ups: readUps(),
  fedex: readLetters(FEDEX),
  inpost: readInpost(),
};

/**
 * The canonical status of a carrier's event.
 *
 * @param carrierCode a code of the carriers' catalogue, in any case; one without a table gives `unknown`
 * @param carrierStatusCode the carrier's own code as it was received
 * @param description the carrier's own text; only BRT's is used
 */
export function deriveStatus(
  carrierCode: string,
  carrierStatusCode: string | null,
  description: string | null,
): StatusCode {
  const table = carrierByCode(carrierCode)?.statusTable;
  if (!table) return 'unknown';
  return READERS[table](carrierStatusCode?.trim() ?? '', description ?? '') ?? 'unknown';
}
