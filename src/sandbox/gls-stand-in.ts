import type { StatusCode } from '../domain/shipping/tracking/status.rules.ts';
import { correctedPostalCode, type JourneyEvent, outcomeOf, romeTime, SANDBOX_ACCOUNT } from './scenarios.ts';
import { FAULTS, isFault, type SandboxAnswer, type SandboxCarrier, type SandboxRequest } from './stand-in.ts';

/** The depot that a GLS account belongs to. */
export const SANDBOX_DEPOT = 'XX';

/**
 * A number with this word in it, beside a status, has been forwarded by one shipment and returned by another: their
 * numbers have FORWARD and RETURN in its place, and so an equal journey.
 */
export const RELATED = 'RELATED';

/** Stands in for checkaddress.gls-italy.com and infoweb.gls-italy.com. */
export const gls: SandboxCarrier = {
  prefix: '/gls',
  answer(request) {
    // GLS ignores the case of paths and parameters, and clients differ in it.
    const path = request.path.toLowerCase();
    const query = new Map([...request.query].map(([name, value]) => [name.toLowerCase(), value]));
    const isKnown = path === '/wscheckaddress.asmx/checkaddress' || path === '/xml/get_xml_track.php';
    if (!isKnown) return page(404, 'The resource cannot be found.');
    if (request.method !== 'GET') return page(405, 'Method Not Allowed');
    return path.startsWith('/xml') ? track(request, query) : checkAddress(query);
  },
};

type Query = ReadonlyMap<string, string>;

interface Address {
  readonly province: string;
  readonly zip: string;
  readonly city: string;
  readonly street: string;
  readonly hours: number;
}

function checkAddress(query: Query): SandboxAnswer {
  const [depot, client, password, province, zip, city, street] = [
    'sedegls',
    'codiceclientegls',
    'passwordclientegls',
    'siglaprovincia',
    'cap',
    'localita',
    'indirizzo',
  ].map(name => query.get(name));
  // GLS' web framework rejects this request before GLS' own code runs.
  if (province === undefined || zip === undefined || city === undefined || street === undefined) {
    return page(500, 'Missing parameter.');
  }
  const outcome = outcomeOf(zip);
  if (outcome !== 'malformed' && isFault(outcome)) return FAULTS[outcome];
  const isOurs = depot === SANDBOX_DEPOT && client === SANDBOX_ACCOUNT && password === SANDBOX_ACCOUNT;
  if (!isOurs || outcome === 'bad_credentials') return addresses('Credenziali non valide', []);
  const asked = { province, zip, city, street, hours: 24 };
  const corrected = { ...asked, zip: correctedPostalCode(zip) };
  switch (outcome) {
    case 'corrected':
      return addresses('Indirizzo da verificare', [{ ...corrected, hours: 48 }]);
    case 'several':
      return addresses('Indirizzo da verificare', [
        { ...corrected, street: 'Via Giuseppe Garibaldi 1' },
        { ...corrected, street: 'Via Anita Garibaldi 1', hours: 48 },
        { ...corrected, street: 'Piazza Garibaldi 1', hours: 72 },
      ]);
    case 'not_found':
      return addresses('Indirizzo non trovato', []);
    case 'invalid':
      return addresses('Cap non valido', []);
    case 'malformed': {
      const whole = addresses('Destinazione corretta', [asked]);
      return { ...whole, body: whole.body.slice(0, whole.body.length / 2) };
    }
    default:
      return addresses('Destinazione corretta', [asked]);
  }
}

/** GLS writes its registry in capitals. */
function addresses(outcome: string, found: readonly Address[]): SandboxAnswer {
  const list = found.map(
    ({ province, zip, city, street, hours }) => `    <Address>
      <SiglaProvincia>${escaped(province.toUpperCase())}</SiglaProvincia>
      <Cap>${escaped(zip)}</Cap>
      <Frazione />
      <Comune>${escaped(city.toUpperCase())}</Comune>
      <Indirizzo>${escaped(street.toUpperCase())}</Indirizzo>
      <TempoDiResa>${hours}</TempoDiResa>
      <LocalitaDisagiata>N</LocalitaDisagiata>
      <ZTL>N</ZTL>
    </Address>`,
  );
  return {
    status: 200,
    headers: { 'content-type': 'text/xml; charset=utf-8' },
    body: `<?xml version="1.0" encoding="utf-8"?>
<OutcomeCheckAddress xmlns="https://checkaddress.gls-italy.com/">
  <Esito>${escaped(outcome)}</Esito>
  <AddressList>
${list.join('\n')}
  </AddressList>
</OutcomeCheckAddress>
`,
  };
}

/**
 * GLS has no code for a cancellation: codes above 990 are not in its list. A return that has arrived is a delivery after
 * the return has begun.
 */
const EVENTS: Readonly<Record<StatusCode, readonly [code: number, text: string, note?: string]>> = {
  created: [909, 'Spedizione creata dal cliente.'],
  shipped: [902, 'Partita dalla sede mittente.'],
  in_transit: [903, 'In transito.'],
  at_depot: [904, 'Arrivata nella sede GLS di destinazione.'],
  customs: [49, 'Ferma in dogana.'],
  out_for_delivery: [905, 'Consegna prevista nel corso della giornata odierna.'],
  delayed: [908, 'Consegna in ritardo.'],
  pickup_point: [907, 'Fermo deposito.', 'Disponibilità: 10 giorni'],
  delivery_failed: [1, 'Destinatario assente: lasciato avviso.'],
  held: [66, 'In giacenza.'],
  refused: [4, 'Rifiutata dal destinatario.'],
  delivered: [906, 'Consegnata.'],
  returning: [29, 'In restituzione al mittente.'],
  returned: [906, 'Consegnata.'],
  lost: [39, 'Distrutta su disposizione del mittente.'],
  cancelled: [997, 'Spedizione annullata.'],
  unknown: [999, 'Evento interno.'],
};

/** GLS dates the registration of a shipment by its day alone. */
const UNTIMED: ReadonlySet<StatusCode> = new Set(['created']);

function track(request: SandboxRequest, query: Query): SandboxAnswer {
  if (query.get('locpartenza') !== SANDBOX_DEPOT || query.get('codcli') !== SANDBOX_ACCOUNT) {
    return trackingXml('<ERRORE><TESTOERRORE>Accesso non consentito</TESTOERRORE></ERRORE>');
  }
  const number = query.get('numsped') ?? '';
  const journey = request.journey(number);
  if (journey.kind === 'not_found') {
    return trackingXml('<ERRORE><TESTOERRORE>Spedizione non trovata</TESTOERRORE></ERRORE>');
  }
  if (journey.kind !== 'events') return FAULTS[journey.kind];
  const isDelivered = journey.events.at(-1)?.status === 'delivered';
  const named = (word: string) => shipment(number.toUpperCase().replaceAll(RELATED, word), journey.events);
  const related = number.toUpperCase().includes(RELATED)
    ? `<SPEDIZIONEDINOLTRO>${named('FORWARD')}</SPEDIZIONEDINOLTRO>
<SPEDIZIONEDIRIENTRO>${named('RETURN')}</SPEDIZIONEDIRIENTRO>`
    : '';
  return trackingXml(`<SPEDIZIONE>
${shipment(number, journey.events)}
<StatoSpedizione>${isDelivered ? 'CONSEGNATA' : 'NON CONSEGNATA'}</StatoSpedizione>
${related}
</SPEDIZIONE>`);
}

function shipment(number: string, events: readonly JourneyEvent[]): string {
  const tracking = events.toReversed().map(({ status, time, place }) => {
    const { day, month, year, hour, minute } = romeTime(time);
    const [code, text, note = ''] = EVENTS[status];
    return `<TRACKING>
<Data>${day}/${month}/${year.slice(2)}</Data>
<Ora>${UNTIMED.has(status) ? ' ' : `${hour}:${minute}`}</Ora>
<Luogo><![CDATA[${place}]]></Luogo>
<Stato><![CDATA[${text}]]></Stato>
<Note><![CDATA[${note}]]></Note>
<Codice>${code}</Codice>
</TRACKING>`;
  });
  return [`<NumSped>${escaped(number)}</NumSped>`, ...tracking].join('\n');
}

/** In GLS' own encoding, so that accents reveal a client that reads it as UTF-8. */
function trackingXml(content: string): SandboxAnswer {
  return {
    status: 200,
    headers: { 'content-type': 'text/xml' },
    body: Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>\n<ELENCO>\n${content}\n</ELENCO>\n`, 'latin1'),
  };
}

function page(status: number, body: string): SandboxAnswer {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
