import type {
  GlsAddress,
  GlsAddressVariables,
  GlsTracking,
  GlsTrackingVariables,
} from '../../schema/carriers/gls.d.ts';
import type { AddressFinding, RelatedNumber, TrackingFinding } from '../domain/shipping/carriers/carrier.port.ts';
import { type CarrierRequest, type CheckingAdapter, type Credentials, words } from './adapter.ts';
import { type PlaceZone, zoneOf } from './event-zone.ts';
import { glsAddressJson, glsText, glsTrackingJson } from './gls-xml.ts';
import { italianTimestamps } from './local-time.ts';
import { carrierEvents, type Item, knownAddress, type List, type Maybe, textOf } from './normalize.ts';
import { withUncertainty } from './place-time.ts';
import { countryNamed } from './place-zone.ts';

const TRACKING_PATH = '/XML/get_xml_track.php';

/** GLS Italy: XML over HTTP GET, with the account in the query. */
export const gls: CheckingAdapter = {
  document: 'gls',
  statuses: [],
  kept: words(`
    NumSped SiglaProvincia Cap Esito TESTOERRORE Data Ora Codice StatoSpedizione DataConsegna OraConsegna Collo
    TempoDiResa
  `),
  address: {
    url: 'https://checkaddress.gls-italy.com',
    operation: 'checkAddress',
    variables: ({ provincia, zip, city, address }): GlsAddressVariables => ({
      SiglaProvincia: provincia ?? '',
      Cap: zip,
      Localita: city,
      Indirizzo: address,
    }),
    read: readAddresses,
  },
  tracking: {
    url: 'https://infoweb.gls-italy.com',
    operation: 'trackShipment',
    variables: ([trackingNumber = '']): GlsTrackingVariables => ({ NumSped: shipmentNumber(trackingNumber) }),
    read: (data: GlsTracking) => [readShipment(data)],
    numbersPerRequest: 1,
    requestsPerMinute: 300,
  },
  authorize(request, credentials) {
    const url = new URL(request.url);
    for (const [name, value] of account(request, credentials)) url.searchParams.set(name, value ?? '');
    return { ...request, url, headers: { ...request.headers, accept: 'text/xml' } };
  },
  json(body, request) {
    const xml = glsText(body);
    return isTracking(request)
      ? glsTrackingJson(xml, request.url.searchParams.get('NumSped') ?? '')
      : glsAddressJson(xml);
  },
};

function isTracking({ url }: CarrierRequest): boolean {
  return url.pathname.endsWith(TRACKING_PATH);
}

function account(request: CarrierRequest, { depot, clientCode, contractCode, password }: Credentials) {
  return isTracking(request)
    ? [['locpartenza', depot] as const, ['CodCli', contractCode] as const]
    : [
        ['SedeGls', depot] as const,
        ['CodiceClienteGls', clientCode] as const,
        ['PasswordClienteGls', password] as const,
      ];
}

/**
 * GLS prints the depot before the number (`SA662402545`) and accepts the number without it. A depot is two letters, or
 * a letter and a digit (`M1610456789`): the latter only before nine digits, because it might be part of a number.
 */
function shipmentNumber(trackingNumber: string): string {
  return trackingNumber.replace(/^(?:[A-Z]{2}(?=\d+$)|[A-Z]\d(?=\d{9}$))/i, '');
}

/** GLS' texts for a rejected account; with any other text an empty list means that nothing was found. */
const REJECTION =
  /credenzial|password|accesso|autorizza|autentica|abilitat|(?:cliente|contratto|sede)(?: gls)? (?:non (?:valid|trovat|riconosciut)|errat|inesistent|sconosciut)/i;

/** Texts about a parameter of the request; one about a part of the address or the number is not our fault. */
const PARAMETER = /parametr|obbligatori/i;
const GIVEN = /\bcap\b|localit|indirizz|provinci|comune|frazion|spedizion/i;

function noAnswerOf(text: string): 'refused' | 'rejected' | 'not_found' {
  if (REJECTION.test(text)) return 'refused';
  return PARAMETER.test(text) && !GIVEN.test(text) ? 'rejected' : 'not_found';
}

/** The texts of an outcome, as MU163 and its clients have them. */
const FOUND = /^destinazione corretta/i;
const NOT_IDENTIFIED = /non identificat/i;

const NOTHING_MORE = knownAddress({});

function readAddresses({ checkAddress }: GlsAddress): AddressFinding {
  if (!checkAddress) return { kind: 'unreadable' };
  const outcome = checkAddress.Esito?.trim() ?? '';
  const addresses = (checkAddress.AddressList ?? [])
    .filter(address => address != null)
    .map(({ Indirizzo, Frazione, Comune, Cap, SiglaProvincia, TempoDiResa }) =>
      knownAddress({
        streetLine1: Indirizzo,
        streetLine2: Frazione,
        city: Comune,
        zip: Cap,
        province: SiglaProvincia,
        country: 'IT',
        transitTimeHours: hours(TempoDiResa),
      }),
    )
    .filter(({ streetLine1, city, zip }) => streetLine1 !== null || city !== null || zip !== null);
  // After "not identified" GLS lists streets to choose from, even if one is spelt like the asked one.
  if (addresses.length > 0) return { kind: NOT_IDENTIFIED.test(outcome) ? 'corrected' : 'candidates', addresses };
  if (FOUND.test(outcome)) return { kind: 'confirmed', address: NOTHING_MORE };
  return { kind: noAnswerOf(outcome) };
}

function hours(value: Maybe<string>): number | null {
  const text = value?.trim() ?? '';
  // A transit time of zero cannot be an estimate.
  return /^\d{1,3}$/.test(text) && Number(text) > 0 ? Number(text) : null;
}

type Shipment = NonNullable<NonNullable<GlsTracking['trackShipment']>['SPEDIZIONE']>;

function readShipment({ trackShipment }: GlsTracking): TrackingFinding {
  const { SPEDIZIONE, TESTOERRORE } = trackShipment ?? {};
  if (SPEDIZIONE) {
    const lists = [dated(SPEDIZIONE.TRACKING), ...eventsAbroad(SPEDIZIONE.TRACKINGINT)];
    return {
      kind: 'events',
      events: carrierEvents(inOrder([...lists, deliveryOf(SPEDIZIONE, lists.flat())])),
      related: relatedTo(SPEDIZIONE),
      // GLS sends no date of a future delivery.
      estimate: null,
    };
  }
  return typeof TESTOERRORE === 'string' ? { kind: noAnswerOf(TESTOERRORE) } : { kind: 'unreadable' };
}

type Sent = Partial<Item<Shipment['TRACKING']> & Item<Shipment['TRACKINGINT']>>;

interface Event {
  readonly timestamp: string;
  readonly code: Maybe<string>;
  readonly description: Maybe<string>;
  readonly location: Maybe<string>;
  readonly note: Maybe<string>;
}

/** From the oldest to the newest. */
function dated(newestFirst: List<Sent>, zoneOf: (place: Maybe<string>) => string | null = () => null): Event[] {
  const known = (newestFirst ?? []).filter(event => event != null).toReversed();
  const timestamps = italianTimestamps(
    known.map(({ Data, Ora, Luogo }) => ({ date: Data, time: Ora, zone: zoneOf(Luogo) })),
  );
  return known.map(({ Codice, Stato, Luogo, Note }, index) => ({
    timestamp: timestamps[index] ?? '',
    code: Codice,
    description: Stato,
    location: Luogo,
    note: Note,
  }));
}

/** `Linz - Austria`, as GLS abroad writes places. */
const BETWEEN_PARTS = / - | – |[,;()]/;

function zoneAbroad(place: Maybe<string>): PlaceZone | null {
  const [city, ...behind] = (place ?? '').split(BETWEEN_PARTS).filter(part => part.trim() !== '');
  return zoneOf({ country: countryNamed(behind.at(-1) ?? ''), city });
}

/** As `dated`, by the zones of the places; a time at a place without a country is taken for Rome's. */
function datedAbroad(newestFirst: List<Sent>): Event[] {
  return dated(newestFirst, place => zoneAbroad(place)?.zone ?? null).map(event => {
    const isUncertain = zoneAbroad(event.location)?.isCertain !== true && timeOf(event.timestamp) !== undefined;
    return { ...event, note: withUncertainty(event.note, { timestamp: event.timestamp, isUncertain }) };
  });
}

const DELIVERED_CODES: ReadonlySet<string> = new Set(['906', '0906', '96']);
/** A parcel that is "consegnato" to a shop waits there. */
const DELIVERED_TEXT = /^(?!.*(?:\bnon\b|\bnot\b|parzial|partial|parcel ?shop)).*\b(?:consegnat[oa]|delivered)\b/i;

function isDelivery({ code, description }: Pick<Event, 'code' | 'description'>): boolean {
  const trimmed = code?.trim() ?? '';
  return trimmed === '' ? DELIVERED_TEXT.test(description ?? '') : DELIVERED_CODES.has(trimmed);
}

/**
 * Lists of the parcels abroad, each from its oldest event. GLS abroad has no event of the whole shipment, so only
 * the delivery of the last parcel is a delivery, and the text of an earlier one begins with "Consegna parziale".
 */
function eventsAbroad(sent: Shipment['TRACKINGINT']): Event[][] {
  const parcels = [...Map.groupBy(sent ?? [], event => event?.Collo ?? '').values()].map(list => datedAbroad(list));
  const ends = parcels.map(events => events.findLast(isDelivery)?.timestamp);
  const last = ends.every(end => end !== undefined) ? latest(ends) : undefined;
  const isPart = (event: Event) => parcels.length > 1 && event.timestamp !== last && isDelivery(event);
  const seen = new Set<string>();
  return parcels.map(events =>
    events
      .map(event => (isPart(event) ? { ...event, description: `Consegna parziale: ${event.description}` } : event))
      // Parcels that travel together have the same scans.
      .filter(event => !seen.has(JSON.stringify(event)) && seen.add(JSON.stringify(event))),
  );
}

function latest(timestamps: readonly string[]): string | undefined {
  return timestamps.toSorted((one, other) => (timeOf(one) ?? 0) - (timeOf(other) ?? 0)).at(-1);
}

/** The delivery that the shipment itself states, where no event does: GLS abroad has texts of any language. */
function deliveryOf({ StatoSpedizione, DataConsegna, OraConsegna }: Shipment, events: readonly Event[]): Event[] {
  // The word alone, because a name might follow it.
  const [description] = /^consegnat[oa]\b/i.exec(StatoSpedizione?.trim() ?? '') ?? [];
  if (description === undefined || textOf(DataConsegna) === null || events.some(isDelivery)) return [];
  const [timestamp = ''] = italianTimestamps([{ date: DataConsegna, time: OraConsegna }]);
  return [{ timestamp, code: null, description, location: null, note: null }];
}

const DAY_MS = 24 * 60 * 60 * 1000;
const DAY = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})$/;

/** `Date.parse` alone would read 10/11/26 as the eleventh of October. */
function timeOf(timestamp: string): number | undefined {
  return /^\d{4}-/.test(timestamp) ? Date.parse(timestamp) || undefined : undefined;
}

/** The beginning of a day without a time, in UTC, which is near enough to sort by. */
function dayOf(timestamp: string): number | undefined {
  const [isDay, day, month, year = ''] = DAY.exec(timestamp.trim()) ?? [];
  return isDay === undefined ? undefined : Date.UTC((Number(year) % 2000) + 2000, Number(month) - 1, Number(day));
}

/**
 * By time. An event without a readable time follows the event before it in its own list; one that is dated by a day
 * alone is not before that day, and ends it if nothing follows.
 */
function inOrder(lists: readonly (readonly Event[])[]): readonly Event[] {
  const placed = lists.flatMap(events => {
    let ms = 0;
    return events.map((event, i) => {
      const day = dayOf(event.timestamp);
      const isLast = i === events.length - 1;
      ms = timeOf(event.timestamp) ?? Math.max(ms, day === undefined ? 0 : isLast ? day + DAY_MS - 1 : day);
      return { event, ms };
    });
  });
  return placed.toSorted((one, other) => one.ms - other.ms).map(({ event }) => event);
}

/** The limit on related shipments. */
const MAX_RELATED = 20;

/** A note that announces the shipment in which a parcel comes back: `Resa con spedizione: VE123456789`. */
const RETURN_NOTE = /\bres[ao] con (?:la )?spedizione\b[:\s]*([A-Z][A-Z0-9])?\s?(\d{9})\b/i;

function relatedTo({ TRACKING, SPEDIZIONEDINOLTRO, SPEDIZIONEDIRIENTRO }: Shipment): readonly RelatedNumber[] {
  const announced = (TRACKING ?? []).flatMap(event => {
    const [isReturn, depot = '', number] = RETURN_NOTE.exec(event?.Note ?? '') ?? [];
    return isReturn === undefined ? [] : [`${depot.toUpperCase()}${number}`];
  });
  const known = [
    ...numbers(SPEDIZIONEDINOLTRO).map(trackingNumber => ({ trackingNumber, type: 'forward' as const })),
    ...[...numbers(SPEDIZIONEDIRIENTRO), ...announced].map(trackingNumber => ({
      trackingNumber,
      type: 'return' as const,
    })),
  ];
  const byNumber = new Map(known.toReversed().map(one => [`${one.type} ${shipmentNumber(one.trackingNumber)}`, one]));
  return [...byNumber.values()].toReversed().slice(0, MAX_RELATED);
}

function numbers(shipments: Shipment['SPEDIZIONEDINOLTRO']): readonly string[] {
  return (shipments ?? []).map(shipment => textOf(shipment?.NumSped)).filter(number => number !== null);
}
