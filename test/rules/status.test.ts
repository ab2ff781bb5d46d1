import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CARRIERS } from '../../src/domain/shipping/carriers/carriers.catalog.ts';
import { CARRIER_CODES as TABLES } from '../../src/domain/shipping/tracking/carrier-codes.catalog.ts';
import {
  deriveStatus,
  readStatus,
  STATUS_CODES,
  STATUS_LABELS,
  type StatusCode,
} from '../../src/domain/shipping/tracking/status.rules.ts';

const tables = Object.entries(TABLES).map(([name, table]) => ({ name, ...table }));
const rows = tables.flatMap(({ carriers, codes }) =>
  carriers.flatMap(carrier => codes.map(row => ({ carrier, ...row, isBeginning: row.code.endsWith('*') }))),
);
const whole = rows.filter(({ isBeginning }) => !isBeginning);

describe('The list of canonical statuses', () => {
  it('has seventeen, along the way of a shipment', () => {
    expect(Object.keys(STATUS_LABELS)).toEqual([
      'created',
      'shipped',
      'in_transit',
      'at_depot',
      'customs',
      'out_for_delivery',
      'delayed',
      'pickup_point',
      'delivery_failed',
      'held',
      'refused',
      'delivered',
      'returning',
      'returned',
      'lost',
      'cancelled',
      'unknown',
    ]);
  });
});

describe('The tables of carriers’ codes', () => {
  it('are all read, each by the carriers of the catalogue that it names', () => {
    const files = readdirSync(new URL('../../schema/carriers', import.meta.url)).filter(file =>
      file.endsWith('.codes.json'),
    );
    expect(files.map(file => file.replace('.codes.json', '')).toSorted()).toEqual(tables.map(t => t.name).toSorted());
    for (const { name, carriers } of tables) {
      expect(carriers).toEqual(CARRIERS.filter(one => one.statusTable === name).map(one => one.code));
    }
  });

  it.each(tables)(
    'include $name with the published lists that it comes from, and the day when they were read',
    table => {
      expect(table.lists.length).toBeGreaterThan(0);
      for (const { name, where, read } of table.lists) {
        expect(name).toMatch(/\w{3}/);
        expect(where).toMatch(/\w\.\w/);
        expect(read).toMatch(/^20\d\d-[01]\d-[0-3]\d$/);
      }
    },
  );

  it.each(whole)('map $carrier $code to $status', ({ carrier, code, status }) => {
    expect(deriveStatus(carrier, code, null)).toBe(status);
    expect(readStatus(carrier, { code, text: null }).isNewCode).toBe(false);
  });

  it('are read in any case, with spaces around, and padded with zeros', () => {
    fc.assert(
      fc.property(fc.constantFrom(...whole), fc.nat(4), ({ carrier, code, status }, zeros) => {
        expect(deriveStatus(carrier.toLowerCase(), ` ${code.toLowerCase()}\t`, '')).toBe(status);
        if (/^\d+$/.test(code)) expect(deriveStatus(carrier, '0'.repeat(zeros) + Number(code), null)).toBe(status);
      }),
    );
  });

  it.each(rows.filter(({ isBeginning }) => isBeginning))(
    'map $carrier $code to $status whatever follows',
    ({ carrier, code, status }) => {
      expect(deriveStatus(carrier, code.replace('*', '9'), null)).toBe(status);
    },
  );

  it.each(tables.flatMap(({ carriers: [carrier = ''], general }) => general.map(row => ({ carrier, ...row }))))(
    'map $carrier $code in general to $status',
    ({ carrier, code, status }) => {
      expect(readStatus(carrier, { code: '#', text: null, general: code })).toEqual({ status, isNewCode: true });
    },
  );

  it.each(tables.flatMap(({ carriers: [carrier = ''], words }) => words.map(row => ({ carrier, ...row }))))(
    'find "$words" of $carrier in a text',
    ({ carrier, words, status }) => {
      const text = words.replace('*', 'X').replaceAll('...', 'one two three').toLowerCase();
      expect(deriveStatus(carrier, null, `Spedizione: ${text}.`)).toBe(status);
      expect(deriveStatus(carrier, '#', text.replaceAll(' ', ' /  ').replaceAll('a', 'à'))).toBe(status);
    },
  );

  it('end a shipment as lost only if the carrier says that it is lost or destroyed', () => {
    const lost = rows.filter(({ status }) => status === 'lost').map(({ carrier, code, text }) => [carrier, code, text]);
    expect(lost).toEqual([
      ['BRT', 'DDC', 'DISTRUTTA/REQUISITA DA DOGANA'],
      ['GLS', '39', 'Distrutta su disposizione del mittente'],
      ['DHL', 'DS', 'Destroyed / disposal'],
      ['UPS', '147', 'Seized by Law Enforcement, No Longer in UPS possession'],
      ['UPS', '149', 'Prohibited Contents, Package Destroyed No Longer in UPS possession'],
      ['INPOST', 'missing', 'Smarrita'],
      ['AMAZON', 'Lost', 'Smarrita'],
      ['AMAZON', 'RETURNS Lost', 'Reso smarrito'],
    ]);
  });
});

// Codes and texts as BRT sends them without a code that has a row, and what a careless search would make of them.
describe('An event of BRT', () => {
  it.each<[code: string | null, description: string | null, status: StatusCode, trap: string]>([
    ['704', 'MANCATA CONSEGNA', 'delivered', 'the code before the words'],
    [null, 'VIA ROMA 704', 'unknown', 'a house number'],
    ['7040', null, 'unknown', 'another number'],
    [null, 'MANCATA CONSEGNA', 'delivery_failed', 'not IN CONSEGNA'],
    [null, 'NON CONSEGNATA', 'delivery_failed', 'not CONSEGNATA'],
    [null, 'CONSEGNATA PARZIALMENTE', 'in_transit', 'not CONSEGNATA'],
    [null, 'FERMO DEPOSITO:NESSUNO RITIRA', 'held', 'not FERMO DEPOSITO'],
    [null, 'IN CONSEGNA - CONSEGNATA', 'delivered', 'CONSEGNATA before IN CONSEGNA'],
    ['IN CONSEGNA', 'MANCATA CONSEGNA', 'delivery_failed', 'MANCATA CONSEGNA before IN CONSEGNA'],
    [null, 'RICONSEGNA CONCORDATA', 'delayed', 'not CONSEGNATA'],
    [null, 'RICONSEGNATA', 'unknown', 'no whole word'],
    [null, 'CHIUSURA AMICHEVOLE', 'unknown', 'MIC inside a word'],
    [null, 'PRESO IN CARICO', 'unknown', 'RESO inside a word'],
    [null, 'RIFIUTA:RESO NON AUTORIZZATO', 'refused', 'not RESO'],
    [null, 'RIFIUTA:SPEDITA IN RITARDO', 'refused', 'not RITARD'],
    [null, 'RIFIUTA:NON PAGA DAZI DOGANALI', 'refused', 'not DOGANA'],
    [null, 'RIFIUTATA DAL BRT-fermopoint', 'refused', 'not FERMOPOINT'],
    [null, 'ARRIVATA AL BRT-fermopoint', 'pickup_point', 'not ARRIVATA'],
    [null, 'REINDIRIZZATA A BRT-fermopoint', 'in_transit', 'not there yet'],
    [null, 'NON RITIRATA AL PARCEL SHOP', 'held', 'not RITIRATA'],
    [null, 'DISTRUTTA/REQUISITA DA DOGANA', 'lost', 'not DOGANA'],
    [null, 'SPEDIZIONE RITARDATA', 'delayed', 'RITARD is the beginning of a word'],
    [null, 'CONSEGNATA AL BRT-fermopoint', 'pickup_point', 'waits there until a 704 comes'],
    [null, 'RITARDO IN CONSEGNA', 'delayed', 'not IN CONSEGNA'],
    [null, 'IN GIACENZA PER RITARDO', 'held', 'not RITARD'],
    [null, 'GIACENZA: RICONSEGNA CONCORDATA', 'delayed', 'no longer held'],
    [null, 'CONSEGNATA DOPO GIACENZA', 'delivered', 'not GIACENZA'],
    ['DATI', 'TRASMESSI', 'unknown', 'half in the code, half in the text'],
    ['G00', 'DATI SPEDIZ. TRASMESSI A BRT', 'created', 'a code without a row'],
    ['ZXX', null, 'unknown', 'no row, though other codes with Z are delays'],
  ])('with the code %j and the text %j is %s (%s)', (code, description, status) => {
    expect(deriveStatus('BRT', code, description)).toBe(status);
  });
});

// GLS abroad has texts alone, and so have the events of Poste whose code has no row.
describe('A text without a code', () => {
  it.each<[carrier: string, text: string, status: StatusCode]>([
    ['GLS', 'Spedizione creata dal mittente, non ancora affidata a GLS', 'created'],
    ['GLS', 'Affidata a GLS', 'in_transit'],
    ['GLS', 'La consegna non è riuscita: destinatario assente', 'delivery_failed'],
    ['GLS', 'Spedizione non in consegna', 'delayed'],
    ['GLS', 'Consegna prevista nel corso della giornata odierna.', 'out_for_delivery'],
    ['GLS', 'Consegnata presso il ParcelShop', 'pickup_point'],
    ['GLS', 'Consegnata.', 'delivered'],
    ['GLS', 'Il pacco è stato restituito al mittente', 'returning'],
    ['GLS', 'In attesa di istruzioni dal mittente per eventuale riconsegna', 'held'],
    ['GLS', 'The parcel has been delivered.', 'delivered'],
    ['GLS', 'The parcel could not be delivered as the consignee was absent.', 'delivery_failed'],
    ['GLS', 'The parcel is expected to be delivered during the day.', 'out_for_delivery'],
    ['GLS', 'The parcel has reached the parcel center.', 'in_transit'],
    [
      'GLS',
      'The parcel data was entered into the GLS IT system; the parcel was not yet handed over to GLS.',
      'created',
    ],
    ['GLS', 'Delivered in part', 'in_transit'],
    ['POSTE', "LA SPEDIZIONE E' STATA CONSEGNATA", 'delivered'],
    ['POSTE', 'La spedizione è in consegna', 'out_for_delivery'],
    ['POSTE', 'Consegna non andata a buon fine', 'delivery_failed'],
    ['POSTE', 'In restituzione al mittente', 'returning'],
    ['SDA', 'Spedizione in giacenza presso la filiale', 'held'],
    ['SDA', 'Sono in corso delle verifiche sulla spedizione', 'held'],
    ['FEDEX', 'Delivered', 'unknown'],
    // Words between a negation and the delivery change nothing.
    ['BRT', 'Non è ancora stata consegnata', 'in_transit'],
    ['BRT', 'Non risulta consegnata', 'delivery_failed'],
    ['GLS', 'Non è stato possibile consegnare', 'delivery_failed'],
    ['GLS', 'Mai consegnata', 'delivery_failed'],
    ['GLS', 'Never delivered', 'delivery_failed'],
    ['GLS', 'The parcel wasn’t delivered', 'delivery_failed'],
    ['POSTE', "Couldn't be delivered", 'delivery_failed'],
    ['POSTE', 'Cannot be delivered', 'delivery_failed'],
    ['POSTE', 'Not successfully delivered', 'delivery_failed'],
    ['GLS', 'Has not been delivered yet', 'in_transit'],
    ['GLS', 'Delivered to sender', 'returned'],
    ['GLS', 'Delivered back to sender', 'returned'],
    ['POSTE', 'Delivered to the shipper', 'returned'],
    ['BRT', 'Consegnata a mittente', 'returned'],
    ['GLS', 'Delivered to the carrier', 'shipped'],
    // Another clause says something else.
    ['GLS', 'Not at home, delivered to the neighbour', 'delivered'],
    ['POSTE', 'Firma non richiesta: consegnata', 'delivered'],
    ['BRT', 'Consegnata. Non occorre firma', 'delivered'],
  ])('of %s, %j, is %s', (carrier, text, status) => {
    expect(deriveStatus(carrier, null, text)).toBe(status);
  });

  it('is not a delivery to the recipient if it reports a failed, future or partial one, or one to another', () => {
    const read = (carriers: string, texts: string) =>
      carriers.split(' ').flatMap(carrier =>
        texts
          .split(', ')
          .map(text => [carrier, text, deriveStatus(carrier, null, text)])
          .filter(([, , status]) => status === 'delivered'),
      );
    const italian =
      'Non è stata consegnata, Non è stato consegnato, Non può essere consegnata, Deve essere consegnata, ' +
      'In attesa di essere consegnato, Non ancora consegnata, Sarà consegnata domani, Verrà consegnato domani, ' +
      'Consegnata in parte, CONSEGNATA PARZ., Consegnata parzialmente, Parte della spedizione consegnata, ' +
      'Consegnata al mittente, Consegnata al corriere, Consegnato al vettore';
    const english =
      'Not delivered, Has not been delivered, Could not be delivered, Will be delivered, Is being delivered, ' +
      'Not yet delivered, Partially delivered, Delivered in part, Part delivered, Delivered to the sender';
    expect(read('BRT GLS POSTE SDA', italian)).toEqual([]);
    expect(read('GLS POSTE SDA', english)).toEqual([]);
    expect(read('GLS POSTE', 'Consegnata in partenza, Consegnata, Delivered to apartment 3')).toHaveLength(6);
  });

  it('of Poste is more precise than its phase', () => {
    const says = { code: '777', text: 'Spedizione in giacenza', general: 'IN CONSEGNA' };
    expect(readStatus('POSTE', says).status).toBe('held');
    expect(readStatus('POSTE', { ...says, text: 'Evento' }).status).toBe('out_for_delivery');
    expect(readStatus('POSTE', { ...says, code: '003', text: null }).status).toBe('held');
  });
});

describe('A code in letters', () => {
  it.each<[code: string, dhl: StatusCode, fedex: StatusCode]>([
    ['AR', 'at_depot', 'in_transit'],
    ['CA', 'delivery_failed', 'cancelled'],
    ['DD', 'delivered', 'delayed'],
    ['CC', 'pickup_point', 'customs'],
    ['DS', 'lost', 'created'],
    ['RD', 'refused', 'cancelled'],
    ['HL', 'unknown', 'pickup_point'],
    ['OK', 'delivered', 'unknown'],
    ['', 'unknown', 'unknown'],
  ])('can differ in meaning between carriers: %j is %s at DHL and %s at FedEx', (code, dhl, fedex) => {
    expect(deriveStatus('DHL', code, null)).toBe(dhl);
    expect(deriveStatus('FEDEX', code, null)).toBe(fedex);
  });
});

describe('A code of UPS', () => {
  it.each<[code: string, status: StatusCode, why: string]>([
    ['M', 'created', 'the type alone'],
    ['X', 'delayed', 'any exception'],
    ['P', 'shipped', 'the type alone'],
    ['I 999', 'in_transit', 'the type of a code without a row'],
    ['D F4', 'delivered', 'the type of a code of another kind'],
    ['I 071', 'at_depot', 'the code before the type'],
    ['D 040', 'pickup_point', 'the code before the type'],
    ['X061', 'delivery_failed', 'the code before the type'],
    ['I037', 'out_for_delivery', 'the code before the type'],
    ['X059', 'held', 'a damage report ends nothing'],
    ['i-005', 'in_transit', 'another sign between'],
    ['I 0', 'in_transit', 'a code that says nothing leaves it to the type'],
    ['11', 'delivered', 'the zeros lost'],
    ['MV 003', 'cancelled', 'voided, whatever the number'],
    ['M007', 'cancelled', 'voided'],
    ['999', 'unknown', 'no type to fall back on'],
    ['XD', 'unknown', 'no type'],
    ['', 'unknown', 'nothing'],
  ])('has a status: %j is %s: %s', (code, status) => {
    expect(deriveStatus('UPS', code, null)).toBe(status);
  });

  it.each([
    ['I005', false],
    ['D', false],
    ['X999', true],
    ['999', true],
    ['', false],
  ])('can be new: %j: %s', (code, isNewCode) => {
    expect(readStatus('UPS', { code, text: null }).isNewCode).toBe(isNewCode);
  });
});

describe('A general code of a carrier', () => {
  it.each<[carrier: string, code: string, general: string, status: StatusCode]>([
    ['FEDEX', 'QQ', 'IT', 'in_transit'],
    ['FEDEX', 'QQ', 'dl', 'delivered'],
    ['FEDEX', 'DE', 'IT', 'delivery_failed'],
    ['FEDEX', 'QQ', 'QZ', 'unknown'],
    ['INPOST', 'other', 'delivered', 'delivered'],
    ['DHL', 'ZZ', '102', 'in_transit'],
  ])('is used without a specific one: %s %s with %s is %s', (carrier, code, general, status) => {
    expect(readStatus(carrier, { code, text: null, general }).status).toBe(status);
  });
});

describe('For any carrier and any text, the status', () => {
  const carriers = CARRIERS.map(one => one.code);
  const strange = fc.oneof(
    fc.constant(null),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...STATUS_CODES, ...whole.map(one => one.code), '__proto__', 'constructor', '*', 'ß', '\n'),
  );

  it('is canonical, and no exception is thrown', () => {
    const carrier = fc.oneof(fc.constantFrom(...carriers), fc.string());
    fc.assert(
      fc.property(carrier, strange, strange, strange, (name, code, text, general) => {
        expect(STATUS_CODES).toContain(readStatus(name, { code, text, general }).status);
      }),
    );
  });

  it('is unknown if the carrier has no table, even for a canonical code', () => {
    const without = CARRIERS.filter(one => one.statusTable === null).map(one => one.code);
    fc.assert(
      fc.property(fc.constantFrom(...without, '', 'NOBODY', 'constructor'), strange, strange, (name, code, text) => {
        expect(readStatus(name, { code, text })).toEqual({ status: 'unknown', isNewCode: false });
      }),
    );
  });

  it('is unknown without code and text', () => {
    for (const carrier of carriers) expect(deriveStatus(carrier, null, null)).toBe('unknown');
  });
});
