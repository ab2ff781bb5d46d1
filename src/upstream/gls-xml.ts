import { SaxesParser } from 'saxes';

/** XML that GLS does not send. The message quotes nothing, because a response contains an address. */
export class UnreadableXml extends Error {
  constructor(what: string) {
    super(`GLS answered unreadable XML: ${what}`);
    this.name = 'UnreadableXml';
  }
}

const MAX_CHARS = 2 * 1024 * 1024;
const MAX_ELEMENTS = 50_000;
const MAX_DEPTH = 32;

/** The fields of the OpenAPI document, by GLS' names; other fields are dropped. */
const ADDRESS = [
  'SiglaProvincia',
  'Cap',
  'Frazione',
  'Comune',
  'Indirizzo',
  'TempoDiResa',
  'LocalitaDisagiata',
  'ZTL',
] as const;
const EVENT = ['Data', 'Ora', 'Luogo', 'Stato', 'Note', 'Codice'] as const;
const SHIPMENT = ['NumSped', 'StatoSpedizione', 'DataConsegna', 'OraConsegna'] as const;

type Fields<Name extends string> = { [name in Name]?: string };

interface GlsAddressAnswer {
  readonly Esito?: string | undefined;
  readonly AddressList: readonly Fields<(typeof ADDRESS)[number]>[];
}

type GlsEvent = Fields<(typeof EVENT)[number]>;

/** An event of GLS abroad, which follows each parcel by itself: of several, `Collo` counts them from 1. */
type GlsEventAbroad = GlsEvent & { readonly Collo?: string };

export type GlsJourney = Fields<(typeof SHIPMENT)[number]> & {
  /** In GLS' order, newest first. */
  readonly TRACKING: readonly GlsEvent[];
  /** Events of GLS abroad, newest first for each parcel, without codes. */
  readonly TRACKINGINT: readonly GlsEventAbroad[];
};

interface GlsTrackingAnswer {
  readonly TESTOERRORE?: string | undefined;
  readonly SPEDIZIONE?:
    | (GlsJourney & {
        readonly SPEDIZIONEDINOLTRO: readonly GlsJourney[];
        readonly SPEDIZIONEDIRIENTRO: readonly GlsJourney[];
      })
    | undefined;
}

/** The text in the encoding that its declaration names: tracking is ISO-8859-1, whatever its headers say. */
export function glsText(body: Uint8Array): string {
  const declaration = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, 200)).toString('latin1');
  const encoding = /^[^<]*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(declaration)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(encoding).decode(body);
  } catch {
    throw new UnreadableXml('unknown encoding');
  }
}

/**
 * The response of `CheckAddress`, wrapped in SOAP or not, as the JSON of `schema/carriers/gls.yaml`.
 *
 * @throws UnreadableXml
 */
export function glsAddressJson(xml: string): GlsAddressAnswer {
  const root = readXml(xml);
  // Some SOAP responses have the result as escaped text.
  const inner = all(root, 'CheckAddressResult')[0]?.text ?? '';
  const result = inner.startsWith('<') ? readXml(`<R>${inner}</R>`) : root;
  const outcome = first(result, 'Esito');
  const list = first(result, 'AddressList');
  if (!outcome && !list) throw new UnreadableXml('neither Esito nor AddressList');
  return {
    Esito: outcome?.text,
    AddressList: (list ? all(list, 'Address') : []).map(item => fields(item, ADDRESS)),
  };
}

/**
 * The response of the tracking as the JSON of `schema/carriers/gls.yaml`. It may hold several shipments, since depots
 * give the same numbers, or the parcels abroad of a shipment alone; a list with nothing in it knows no shipment.
 *
 * @param number the number that was asked for, without its depot
 * @throws UnreadableXml
 */
export function glsTrackingJson(xml: string, number = ''): GlsTrackingAnswer {
  const root = readXml(xml);
  const error = first(root, 'TESTOERRORE');
  const shipments = all(root, 'SPEDIZIONE');
  const parcels = all(root, 'ColloInternazionale');
  const known = shipments.length > 0 || parcels.length > 0;
  if (!error && !known && root.name !== 'ELENCO') throw new UnreadableXml('neither SPEDIZIONE nor TESTOERRORE');
  const shipment = shipments.length > 0 ? shipmentOf(shipments, number) : parcels.length > 0 ? root : undefined;
  const related = (name: string) => (shipment ? all(shipment, name).map(journey) : []);
  return {
    TESTOERRORE: error?.text ?? (shipment ? undefined : 'Nessuna spedizione'),
    SPEDIZIONE: shipment
      ? {
          ...journey(shipment),
          SPEDIZIONEDINOLTRO: related('SPEDIZIONEDINOLTRO'),
          SPEDIZIONEDIRIENTRO: related('SPEDIZIONEDIRIENTRO'),
        }
      : undefined,
  };
}

/** The newest of the shipments with the number; the only one, whatever its number, may be found by its parcel's. */
function shipmentOf(shipments: readonly Element[], number: string): Element | undefined {
  const plain = (text: string) => text.replace(/^[A-Z0-9]{2}(?=\d{9}$)/i, '').replace(/^0+/, '');
  const matching = shipments.filter(shipment => plain(fields(shipment, SHIPMENT).NumSped ?? '') === plain(number));
  if (matching.length === 0) return shipments.length === 1 ? shipments[0] : undefined;
  return matching.toSorted((one, other) => departure(other).localeCompare(departure(one)))[0];
}

/** The day on which a shipment left, as text that can be compared. */
function departure(shipment: Element): string {
  const { DataPartenza = '' } = fields(shipment, ['DataPartenza']);
  return DataPartenza.split('/').toReversed().join('');
}

function journey(shipment: Element): GlsJourney {
  const childrenNamed = (name: string) => shipment.children.filter(child => child.name === name);
  const parcels = childrenNamed('ColloInternazionale');
  return {
    ...fields(shipment, SHIPMENT),
    // Only its own children: forwards and returns have their own TRACKING, and a return's "delivered" is not ours.
    TRACKING: childrenNamed('TRACKING').flatMap(events),
    TRACKINGINT: parcels.flatMap(({ children }, i) =>
      children
        .filter(({ name }) => name === 'TRACKINGINT')
        .flatMap(events)
        .map(event => (parcels.length > 1 ? { ...event, Collo: `${i + 1}` } : event)),
    ),
  };
}

/** GLS sends one TRACKING per event, or all events in one TRACKING. A repeated field begins the next event. */
function events({ children }: Element): GlsEvent[] {
  const found: GlsEvent[] = [];
  let event: GlsEvent | undefined;
  for (const { name, text } of children) {
    const field = EVENT.find(known => known === name);
    if (!field) continue;
    if (!event || field in event) {
      event = {};
      found.push(event);
    }
    event[field] = text;
  }
  return found;
}

/** The text of the first child of each name. */
function fields<Name extends string>({ children }: Element, names: readonly Name[]): Fields<Name> {
  const found: Fields<Name> = {};
  for (const name of names) {
    const child = children.find(candidate => candidate.name === name);
    if (child) found[name] = child.text;
  }
  return found;
}

function first(element: Element, name: string): Element | undefined {
  return all(element, name)[0];
}

/** The matching elements, the element itself included, outermost first; not those within a match. */
function all(element: Element, name: string): Element[] {
  return element.name === name ? [element] : element.children.flatMap(child => all(child, name));
}

interface Element {
  /** The name without its namespace prefix. */
  readonly name: string;
  readonly children: Element[];
  /** The text, with runs of white space as single spaces. */
  text: string;
}

/**
 * Reads the elements and text of a whole document: half of one would pass for a shipment with fewer events. Document
 * types are rejected, and with them all expanding entities.
 */
function readXml(xml: string): Element {
  if (xml.length > MAX_CHARS) throw new UnreadableXml('too long');
  const document: Element = { name: '', children: [], text: '' };
  const open: Element[] = [document];
  let elements = 0;
  // The root document is never closed.
  const top = () => open.at(-1) as Element;
  const parser = new SaxesParser();
  parser.on('doctype', () => {
    throw new UnreadableXml('a document type');
  });
  parser.on('opentag', tag => {
    elements += 1;
    if (elements > MAX_ELEMENTS || open.length > MAX_DEPTH) throw new UnreadableXml('too many elements');
    const element: Element = { name: tag.name.slice(tag.name.indexOf(':') + 1), children: [], text: '' };
    top().children.push(element);
    open.push(element);
  });
  parser.on('text', text => {
    top().text += text;
  });
  parser.on('cdata', text => {
    top().text += text;
  });
  parser.on('closetag', () => {
    const element = top();
    element.text = element.text.replace(/\s+/g, ' ').trim();
    open.pop();
  });
  try {
    parser.write(wellFormed(xml)).close();
  } catch (error) {
    // The parser's message may quote the document.
    throw error instanceof UnreadableXml ? error : new UnreadableXml('not well formed');
  }
  const [root] = document.children;
  if (!root) throw new UnreadableXml('no element');
  return root;
}

const IRREGULAR =
  /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|&#(?:(\d{1,7})|x([\da-f]{1,6}));|&(?!(?:lt|gt|amp|quot|apos);)|[^\t\n\r\P{Cc}]/giu;

/**
 * Makes well-formed XML: an unknown entity stays as text, as does an `&` that GLS forgot to escape in a street's name;
 * control characters become spaces, and other invalid characters the replacement character.
 */
function wellFormed(xml: string): string {
  return xml.trimStart().replace(IRREGULAR, (found, decimal, hex) => {
    if (found.startsWith('<')) return found.replace(/[^\t\n\r\P{Cc}]/gu, ' ');
    if (found === '&') return '&amp;';
    if (decimal === undefined && hex === undefined) return ' ';
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd';
    return /\p{Cc}/u.test(String.fromCodePoint(code)) ? ' ' : found;
  });
}
