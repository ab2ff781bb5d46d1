/** XML that is not what GLS answers. Says where it breaks, never what it says: an answer has an address in it. */
export class UnreadableXml extends Error {
  constructor(what: string) {
    super(`GLS answered unreadable XML: ${what}`);
    this.name = 'UnreadableXml';
  }
}

const MAX_CHARS = 2 * 1024 * 1024;
const MAX_ELEMENTS = 50_000;
const MAX_DEPTH = 32;

/** The fields the OpenAPI document knows, by GLS' own names; what else GLS says is dropped here. */
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
const SHIPMENT = ['NumSped', 'StatoSpedizione', 'DataConsegna'] as const;

type Fields<Name extends string> = { [name in Name]?: string };

export interface GlsAddressAnswer {
  readonly Esito?: string | undefined;
  readonly AddressList: readonly Fields<(typeof ADDRESS)[number]>[];
}

export type GlsEvent = Fields<(typeof EVENT)[number]>;

export type GlsJourney = Fields<(typeof SHIPMENT)[number]> & {
  /** In GLS' order, newest first. */
  readonly TRACKING: readonly GlsEvent[];
  /** Told by GLS abroad: as above, without codes. */
  readonly TRACKINGINT: readonly GlsEvent[];
};

export interface GlsTrackingAnswer {
  readonly TESTOERRORE?: string | undefined;
  readonly SPEDIZIONE?:
    | (GlsJourney & {
        readonly SPEDIZIONEDINOLTRO: readonly GlsJourney[];
        readonly SPEDIZIONEDIRIENTRO: readonly GlsJourney[];
      })
    | undefined;
}

/** Text of an answer by the encoding its declaration names: the tracking's is ISO-8859-1, whatever its headers say. */
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
 * The answer of `CheckAddress` as the JSON that `schema/carriers/gls.yaml` describes, wrapped in SOAP or not.
 *
 * @throws UnreadableXml
 */
export function glsAddressJson(xml: string): GlsAddressAnswer {
  const root = readXml(xml);
  const outcome = first(root, 'Esito');
  const list = first(root, 'AddressList');
  if (!outcome && !list) throw new UnreadableXml('neither Esito nor AddressList');
  return {
    Esito: outcome?.text,
    AddressList: (list?.children ?? []).filter(({ name }) => name === 'Address').map(item => fields(item, ADDRESS)),
  };
}

/**
 * The answer of the tracking as the JSON that `schema/carriers/gls.yaml` describes.
 *
 * @throws UnreadableXml
 */
export function glsTrackingJson(xml: string): GlsTrackingAnswer {
  const root = readXml(xml);
  const error = first(root, 'TESTOERRORE');
  const shipment = first(root, 'SPEDIZIONE');
  if (!error && !shipment) throw new UnreadableXml('neither SPEDIZIONE nor TESTOERRORE');
  const related = (name: string) => (shipment ? all(shipment, name).map(journey) : []);
  return {
    TESTOERRORE: error?.text,
    SPEDIZIONE: shipment
      ? {
          ...journey(shipment),
          SPEDIZIONEDINOLTRO: related('SPEDIZIONEDINOLTRO'),
          SPEDIZIONEDIRIENTRO: related('SPEDIZIONEDIRIENTRO'),
        }
      : undefined,
  };
}

function journey(shipment: Element): GlsJourney {
  return {
    ...fields(shipment, SHIPMENT),
    // Its own children only: forwards and returns have a TRACKING of theirs, and a return's "delivered" is not ours.
    TRACKING: shipment.children.filter(({ name }) => name === 'TRACKING').flatMap(events),
    TRACKINGINT: shipment.children
      .filter(({ name }) => name === 'ColloInternazionale')
      .flatMap(({ children }) => children.filter(({ name }) => name === 'TRACKINGINT').flatMap(events)),
  };
}

/** One TRACKING an event, or all events in one TRACKING: both are seen. A field that comes again begins the next event. */
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

/** What the first child of each name says. */
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

/** The element itself or those below, outermost first; not those within one already found. */
function all(element: Element, name: string): Element[] {
  return element.name === name ? [element] : element.children.flatMap(child => all(child, name));
}

interface Element {
  /** Without the prefix of its namespace. */
  readonly name: string;
  readonly children: Element[];
  /** White space as single spaces. */
  text: string;
}

/**
 * Reads elements and text, the little of XML that GLS sends. Whole documents only: half an answer would pass for a
 * shipment with fewer events. Document types are refused, and with them all entities that grow.
 */
function readXml(xml: string): Element {
  if (xml.length > MAX_CHARS) throw new UnreadableXml('too long');
  const document: Element = { name: '', children: [], text: '' };
  const open: Element[] = [document];
  let elements = 0;
  let at = xml.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < xml.length) {
    // The document at the bottom is never closed.
    const parent = open.at(-1) as Element;
    if (xml[at] !== '<') {
      const end = xml.indexOf('<', at);
      const text = xml.slice(at, end < 0 ? xml.length : end);
      if (parent === document && text.trim() !== '') throw new UnreadableXml('text outside of the elements');
      parent.text += unescaped(text);
      at += text.length;
    } else if (xml.startsWith('<!--', at)) {
      at = after(xml, '-->', at + 4);
    } else if (xml.startsWith('<![CDATA[', at)) {
      const end = after(xml, ']]>', at + 9);
      if (parent === document) throw new UnreadableXml('text outside of the elements');
      parent.text += xml.slice(at + 9, end - 3);
      at = end;
    } else if (xml.startsWith('<?', at)) {
      at = after(xml, '?>', at + 2);
    } else if (xml.startsWith('</', at)) {
      const end = after(xml, '>', at + 2);
      if (parent === document || localName(xml.slice(at + 2, end - 1).trim()) !== parent.name) {
        throw new UnreadableXml('an end tag out of place');
      }
      parent.text = parent.text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
      open.pop();
      at = end;
    } else {
      const { name, isEmpty, end } = startTag(xml, at);
      elements += 1;
      if (elements > MAX_ELEMENTS || open.length > MAX_DEPTH) throw new UnreadableXml('too many elements');
      if (parent === document && document.children.length > 0) throw new UnreadableXml('more than one root');
      const element: Element = { name, children: [], text: '' };
      parent.children.push(element);
      if (!isEmpty) open.push(element);
      at = end;
    }
  }
  const [root] = document.children;
  if (open.length > 1) throw new UnreadableXml('cut short');
  if (!root) throw new UnreadableXml('no element');
  return root;
}

const START_TAG = /<([\p{L}_][\p{L}\p{N}_.:-]*)((?:\s+[^\s=<>"'/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/uy;

function startTag(xml: string, at: number): { name: string; isEmpty: boolean; end: number } {
  START_TAG.lastIndex = at;
  const [whole, name = '', , slash] = START_TAG.exec(xml) ?? [];
  if (whole === undefined) throw new UnreadableXml('a malformed tag');
  return { name: localName(name), isEmpty: slash === '/', end: at + whole.length };
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Where what is sought ends. */
function after(xml: string, sought: string, from: number): number {
  const found = xml.indexOf(sought, from);
  if (found < 0) throw new UnreadableXml('cut short');
  return found + sought.length;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** An entity that is not XML's own stays as it stands, as does an `&` that GLS forgot to escape in a street's name. */
function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : '\ufffd';
  });
}
