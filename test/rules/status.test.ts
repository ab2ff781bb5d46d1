import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CARRIER_CODES, CARRIERS } from '../../src/domain/carriers/carriers.catalog.ts';
import { deriveStatus, STATUS_CODES, STATUS_LABELS, type StatusCode } from '../../src/domain/tracking/status.rules.ts';

// The table as it was written down from the carriers' public manuals, word for word: the promise that the code's own tables,
// which are arranged otherwise, are held to.
const NOTES = `
| statusCode | label | BRT keyword | GLS | DHL | UPS | FedEx | InPost |
|---|---|---|---|---|---|---|---|
| created | Spedizione registrata | DATI TRASMESSI, MIC | 901 909 910 | | M 003 | OC | created, confirmed |
| shipped | Spedita | RITIRATA | 902 | PU | 038 | PU | collected_from_sender |
| in_transit | In transito | PARTITA, TRANSITO | 903 13 16 32 35 | PL DF AF | I 005 010 | IT AR DP | *_source_branch, *_sorting_center |
| at_depot | Arrivata in filiale | ARRIVATA | 904 22 23 | AR | I 071 | FD | adopted_at_target_branch |
| customs | In dogana | DOGANA | 49 | CC CR RR CD | 012 014 058 092 | CC CP CD | |
| out_for_delivery | In consegna | IN CONSEGNA | 905 | WC | 006 021 | OD | out_for_delivery |
| delayed | In ritardo | RITARD, RICONSEGNA CONCORDATA | 908 17 19 25 26 28 34 74 | TD MS | 046 048 051–053 | DY DD | delay_in_delivery |
| pickup_point | Disponibile per il ritiro | FERMOPOINT, FERMO DEPOSITO | 907 12 78 80 | HP | 017 040 161 | HL HP | ready_to_pickup |
| delivery_failed | Tentativo di consegna fallito | LASCIATO AVVISO, MANCATA CONSEGNA, ASSENTE | 1 5 8 67 68 69 73 76 77 | NH ND BA CA | 022–024 060–062 | DE | undelivered, avizo |
| held | In giacenza | GIACENZA | 66 3 6 7 10 24 59 70–72 75 82 | OH | 029 050 | SE | pickup_time_expired |
| refused | Rifiutata | RIFIUTATA | 4 | RD | 064 | | rejected_by_receiver |
| delivered | Consegnata | 704, CONSEGNATA | 906 | OK DD | D 011 | DL | delivered |
| returning | In restituzione al mittente | RESO | 29 | | 035 | | |
| returned | Restituita al mittente | | | RT | 034 | RS | returned_to_sender |
| lost | Smarrita o danneggiata | SMARRITA | 27 30 39 | | 059 068 | | missing, damaged |
| cancelled | Annullata | | | | MV | CA | canceled |
| unknown | Stato sconosciuto | the rest | the rest | the rest | by type M I X D | the rest | the rest |
`;

interface NotesCase {
  readonly carrier: string;
  /** One code or keyword of a cell. */
  readonly code: string;
  readonly status: string;
}

const [header = [], , ...rows] = NOTES.trim()
  .split('\n')
  .map(line =>
    line
      .split('|')
      .map(cell => cell.trim())
      .slice(1, -1),
  );
/** Codes of the carriers, as the columns name them. */
const CARRIER_COLUMNS = header.slice(2).map(name => name.replace(' keyword', '').toUpperCase());

/** `051–053` → 051, 052, 053, as wide as they are written. */
function expandRange(token: string): readonly string[] {
  const [from = '', to] = token.split('–');
  if (to === undefined) return [token];
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, step) =>
    String(Number(from) + step).padStart(from.length, '0'),
  );
}

function codesOf(carrier: string, cell: string): readonly string[] {
  if (carrier === 'BRT' || carrier === 'INPOST') return cell.split(',').map(code => code.trim());
  const tokens = cell.split(' ').flatMap(expandRange);
  if (carrier !== 'UPS' || !/^[MID] /.test(cell)) return tokens;
  // `I 005 010` is the type and the codes that come with it: each is a case by itself, bare and with its type.
  const [type = '', ...codes] = tokens;
  return codes.flatMap(code => [code, `${type} ${code}`, `${type}${code}`]);
}

const cases: readonly NotesCase[] = rows
  .filter(([status]) => status !== 'unknown')
  .flatMap(([status = '', , ...cells]) =>
    CARRIER_COLUMNS.flatMap((carrier, column) => {
      const cell = cells[column] ?? '';
      return cell === '' ? [] : codesOf(carrier, cell).map(code => ({ carrier, code, status }));
    }),
  );

/** A carrier's code as it comes over the wire: for InPost's `*`, each movement that is known. */
const wire = cases.flatMap(one =>
  one.code.startsWith('*')
    ? ['adopted_at', 'sent_from'].map(movement => ({ ...one, code: movement + one.code.slice(1) }))
    : [one],
);

describe('the canonical statuses', () => {
  it('are seventeen, with the labels of the table, in its order', () => {
    expect(Object.entries(STATUS_LABELS)).toEqual(rows.map(([status, label]) => [status, label]));
    expect(STATUS_CODES).toHaveLength(17);
    expect(STATUS_CODES).toEqual(Object.keys(STATUS_LABELS));
  });
});

describe("every cell of the carriers' table", () => {
  it('is read from the notes, of every carrier that has a table', () => {
    expect(cases).toHaveLength(177);
    const tabled = CARRIERS.filter(one => one.statusTable !== null).map(one => one.code);
    expect(CARRIER_COLUMNS.toSorted()).toEqual(tabled.toSorted());
  });

  it.each(wire)('$carrier $code is $status', ({ carrier, code, status }) => {
    expect(deriveStatus(carrier, code, null)).toBe(status);
  });

  it.each(wire)('$carrier $code is $status in any case and with spaces around', ({ carrier, code, status }) => {
    expect(deriveStatus(carrier.toLowerCase(), ` ${code.toLowerCase()} `, null)).toBe(status);
    expect(deriveStatus(carrier, `\t${code.toUpperCase()}`, '')).toBe(status);
  });
});

describe('BRT', () => {
  const keywords = cases.filter(({ carrier, code }) => carrier === 'BRT' && code !== '704');

  it.each(keywords)('finds $code in the text as well as in the code', ({ code, status }) => {
    expect(deriveStatus('BRT', '999', `Spedizione: ${code.toLowerCase()}.`)).toBe(status);
  });

  it.each(keywords)('finds $code whatever accents, spaces and signs it is written with', ({ code, status }) => {
    for (const accented of ['\u00c0', 'A\u0300', '\u00e0'])
      expect(deriveStatus('BRT', null, code.replaceAll('A', accented))).toBe(status);
    expect(deriveStatus('BRT', null, code.replaceAll(' ', ' -  '))).toBe(status);
    expect(deriveStatus('BRT', code.replaceAll(' ', '_'), null)).toBe(status);
  });

  // Codes and texts as BRT sends them, and what a careless search for the keywords would make of them.
  it.each<[code: string | null, description: string | null, status: StatusCode, trap: string]>([
    ['700', 'DATI SPEDIZ. TRASMESSI A BRT', 'created', 'the real wording of DATI TRASMESSI'],
    ['701', 'RITIRATA', 'shipped', ''],
    ['702', 'PARTITA', 'in_transit', ''],
    ['703', 'ARRIVATA IN FILIALE', 'at_depot', ''],
    ['027', 'SPEDIZIONE IN TRANSITO', 'in_transit', ''],
    ['704', 'CONSEGNATA', 'delivered', ''],
    ['704', 'MANCATA CONSEGNA', 'delivered', 'numbers before words'],
    ['704', null, 'delivered', 'the number is enough'],
    ['0704', null, 'delivered', 'padded'],
    [null, 'VIA ROMA 704', 'unknown', 'a house number'],
    ['7040', null, 'unknown', 'another number'],
    [null, 'MANCATA CONSEGNA', 'delivery_failed', 'not IN CONSEGNA'],
    [null, 'NON CONSEGNATA', 'delivery_failed', 'not CONSEGNATA'],
    [null, 'IN CONSEGNA - CONSEGNATA', 'delivered', 'CONSEGNATA before IN CONSEGNA'],
    ['IN CONSEGNA', 'MANCATA CONSEGNA', 'delivery_failed', 'MANCATA CONSEGNA before IN CONSEGNA'],
    ['CONSEGNATA', 'MANCATA CONSEGNA', 'delivery_failed', 'MANCATA CONSEGNA before CONSEGNATA'],
    [null, 'RICONSEGNA CONCORDATA', 'delayed', 'not CONSEGNATA'],
    [null, 'RICONSEGNATA', 'unknown', 'no whole word'],
    [null, 'DA CONSEGNARE', 'unknown', ''],
    ['MIC', 'IN CONSEGNA', 'out_for_delivery', 'the text before MIC'],
    [null, 'CHIUSURA AMICHEVOLE', 'unknown', 'MIC inside a word'],
    [null, 'PRESO IN CARICO', 'unknown', 'RESO inside a word'],
    ['708', 'RESO AL MITTENTE', 'returning', ''],
    ['006', 'RIFIUTA:RESO NON AUTORIZZATO', 'refused', 'not RESO'],
    ['003', 'RIFIUTA:SPEDITA IN RITARDO', 'refused', 'not RITARD'],
    ['DDR', 'RIFIUTA:NON PAGA DAZI DOGANALI', 'refused', 'not DOGANA'],
    ['050', 'RIFIUTATA DAL BRT-fermopoint', 'refused', 'not FERMOPOINT'],
    ['051', 'RIFIUTATA DAL DESTINATARIO', 'refused', ''],
    ['722', 'ARRIVATA AL BRT-fermopoint', 'pickup_point', 'not ARRIVATA'],
    ['724', 'RITIRATA AL BRT-fermopoint', 'pickup_point', 'not RITIRATA'],
    ['SIP', 'REINDIRIZZATA A BRT-fermopoint', 'in_transit', 'not there yet'],
    ['DPU', 'DA RITIRARE AL PARCEL SHOP', 'pickup_point', ''],
    ['DPP', 'NON RITIRATA AL PARCEL SHOP', 'held', 'not RITIRATA'],
    ['AVV', 'Destin.Assente:LASCIATO AVVISO', 'delivery_failed', ''],
    ['G02', 'IN ATTESA APERTURA GIACENZA 2G', 'held', ''],
    ['DDB', 'DOCUMENTI DOGANALI MANCANTI', 'customs', ''],
    ['DDC', 'DISTRUTTA/REQUISITA DA DOGANA', 'lost', 'not DOGANA'],
    [null, 'SPEDIZIONE RITARDATA', 'delayed', 'RITARD is the beginning of a word'],
    [null, 'CONSEGNATA AL BRT-fermopoint', 'pickup_point', 'waits there until a 704 comes'],
    [null, 'RITARDO IN CONSEGNA', 'delayed', 'not IN CONSEGNA'],
    [null, 'IN GIACENZA PER RITARDO', 'held', 'not RITARD'],
    [null, 'RITARDO IN DOGANA', 'delayed', 'the delay before the place'],
    [null, 'GIACENZA: RICONSEGNA CONCORDATA', 'delayed', 'no longer held'],
    [null, 'CONSEGNATA DOPO GIACENZA', 'delivered', 'not GIACENZA'],
    ['DATI', 'TRASMESSI', 'unknown', 'half in the code, half in the text'],
    ['ZSC', 'SCIOPERO', 'unknown', 'the rest'],
  ])('%j %j is %s (%s)', (code, description, status) => {
    expect(deriveStatus('BRT', code, description)).toBe(status);
  });
});

describe('GLS', () => {
  it('takes numbers padded with any zeros', () => {
    const gls = cases.filter(({ carrier }) => carrier === 'GLS');
    fc.assert(
      fc.property(fc.constantFrom(...gls), fc.nat(4), ({ code, status }, zeros) => {
        expect(deriveStatus('GLS', '0'.repeat(zeros) + code, null)).toBe(status);
      }),
    );
  });

  it.each(['0', '00', '2', '11', '900', '911', '9060', '-1', '1.0', 'PU', ''])('leaves %j unknown', code => {
    expect(deriveStatus('GLS', code, 'CONSEGNATA')).toBe('unknown');
  });
});

describe('letters that mean one thing at DHL and another at FedEx', () => {
  it.each<[code: string, dhl: StatusCode, fedex: StatusCode]>([
    ['AR', 'at_depot', 'in_transit'],
    ['CA', 'delivery_failed', 'cancelled'],
    ['DD', 'delivered', 'delayed'],
    ['CC', 'customs', 'customs'],
    ['CR', 'customs', 'unknown'],
    ['RR', 'customs', 'unknown'],
    ['HL', 'unknown', 'pickup_point'],
    ['DL', 'unknown', 'delivered'],
    ['OK', 'delivered', 'unknown'],
    ['', 'unknown', 'unknown'],
  ])('%j is %s at DHL and %s at FedEx', (code, dhl, fedex) => {
    expect(deriveStatus('DHL', code, null)).toBe(dhl);
    expect(deriveStatus('FEDEX', code, null)).toBe(fedex);
  });
});

describe('UPS', () => {
  it.each<[code: string, status: StatusCode, why: string]>([
    ['M', 'created', 'the type alone'],
    ['I', 'in_transit', 'the type alone'],
    ['X', 'delayed', 'any exception'],
    ['D', 'delivered', 'the type alone'],
    ['M 999', 'created', 'a code that is not listed'],
    ['I 999', 'in_transit', 'a code that is not listed'],
    ['X 999', 'delayed', 'a code that is not listed'],
    ['D F4', 'delivered', 'a code of another kind'],
    ['I 071', 'at_depot', 'the code before the type'],
    ['I 021', 'out_for_delivery', 'the code before the type'],
    ['D 040', 'pickup_point', 'the code before the type'],
    ['X 064', 'refused', 'the code before the type'],
    ['X061', 'delivery_failed', 'the code before the type'],
    ['i-005', 'in_transit', 'another sign between'],
    ['11', 'delivered', 'the zeros lost'],
    ['MV', 'cancelled', 'voided'],
    ['MV 003', 'cancelled', 'voided, whatever the code'],
    ['999', 'unknown', 'no type to fall back on'],
    ['P', 'unknown', 'a type that is not listed'],
    ['XD', 'unknown', 'no type of one letter'],
    ['0005', 'unknown', 'no code of three digits'],
    ['', 'unknown', 'nothing'],
  ])('%j is %s: %s', (code, status) => {
    expect(deriveStatus('UPS', code, null)).toBe(status);
  });
});

describe('InPost', () => {
  it.each<[code: string, status: StatusCode]>([
    ['adopted_at_source_branch', 'in_transit'],
    ['sent_from_sorting_center', 'in_transit'],
    ['adopted_at_target_branch', 'at_depot'],
    ['sent_from_target_branch', 'unknown'],
    ['_source_branch', 'unknown'],
    ['source_branch', 'unknown'],
    ['adopted_at_source_branch_2', 'unknown'],
    ['undelivered', 'delivery_failed'],
    ['out_for_delivery_to_address', 'unknown'],
    ['cancelled', 'unknown'],
  ])('%j is %s', (code, status) => {
    expect(deriveStatus('INPOST', code, null)).toBe(status);
  });
});

describe('any carrier and any text', () => {
  const strange = fc.oneof(
    fc.constant(null),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...STATUS_CODES, ...wire.map(one => one.code), '__proto__', 'constructor', 'the rest', 'ß', '\n'),
  );

  it('gives a canonical status and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...CARRIER_CODES), fc.string()), strange, strange, (carrier, code, text) => {
        expect(STATUS_CODES).toContain(deriveStatus(carrier, code, text));
      }),
    );
  });

  it('is unknown where the carrier has no table, even for a canonical code', () => {
    const without = [
      ...CARRIERS.filter(one => one.statusTable === null).map(one => one.code),
      '',
      'NOBODY',
      'constructor',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...without), strange, strange, (carrier, code, text) => {
        expect(deriveStatus(carrier, code, text)).toBe('unknown');
      }),
    );
  });

  it('reads the text of BRT only', () => {
    const codesOnly = fc.constantFrom(...CARRIER_COLUMNS.filter(code => code !== 'BRT'));
    fc.assert(
      fc.property(codesOnly, strange, strange, (carrier, code, text) => {
        expect(deriveStatus(carrier, code, text)).toBe(deriveStatus(carrier, code, null));
      }),
    );
  });

  it('is unknown without code and text', () => {
    for (const carrier of CARRIER_CODES) expect(deriveStatus(carrier, null, null)).toBe('unknown');
  });
});
