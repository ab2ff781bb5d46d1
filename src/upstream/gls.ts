import type {
  GlsAddress,
  GlsAddressVariables,
  GlsTracking,
  GlsTrackingVariables,
} from '../../schema/carriers/gls.d.ts';
import type { AddressFinding, TrackingFinding } from '../domain/carriers/carrier.port.ts';
import type { CarrierAdapter, CarrierRequest, Credentials } from './adapter.ts';
import { glsAddressJson, glsText, glsTrackingJson } from './gls-xml.ts';
import { italianTimestamps } from './local-time.ts';
import { carrierEvents, type Item, knownAddress, type Maybe, textOf } from './normalize.ts';

const CHECK_ADDRESS = /* GraphQL */ `
  query GlsAddress($SiglaProvincia: String!, $Cap: String!, $Localita: String!, $Indirizzo: String!) {
    checkAddress(SiglaProvincia: $SiglaProvincia, Cap: $Cap, Localita: $Localita, Indirizzo: $Indirizzo) {
      Esito
      AddressList { SiglaProvincia Cap Frazione Comune Indirizzo TempoDiResa }
    }
  }`;

const TRACK = /* GraphQL */ `
  query GlsTracking($NumSped: String!) {
    trackShipment(NumSped: $NumSped) {
      TESTOERRORE
      SPEDIZIONE {
        TRACKING { Data Ora Luogo Stato Note Codice }
        TRACKINGINT { Data Ora Luogo Stato Note }
        SPEDIZIONEDINOLTRO { NumSped }
        SPEDIZIONEDIRIENTRO { NumSped }
      }
    }
  }`;

const TRACKING_PATH = '/XML/get_xml_track.php';

/** GLS Italy: XML over HTTP GET, with the account in the query. */
export const gls: CarrierAdapter = {
  document: 'gls',
  statuses: [],
  kept: [
    'NumSped',
    'SiglaProvincia',
    'Cap',
    'Esito',
    'TESTOERRORE',
    'Data',
    'Ora',
    'Codice',
    'DataConsegna',
    'TempoDiResa',
  ],
  address: {
    url: 'https://checkaddress.gls-italy.com',
    operation: CHECK_ADDRESS,
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
    operation: TRACK,
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
    return isTracking(request) ? glsTrackingJson(xml) : glsAddressJson(xml);
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
  /credenzial|password|accesso|autorizza|autentica|abilitat|(?:cliente|contratto|sede) (?:non (?:valid|trovat|riconosciut)|errat|inesistent|sconosciut)/i;

function readAddresses({ checkAddress }: GlsAddress): AddressFinding {
  if (!checkAddress) return { kind: 'unreadable' };
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
  if (addresses.length > 0) return { kind: 'candidates', addresses };
  return { kind: REJECTION.test(checkAddress.Esito ?? '') ? 'refused' : 'not_found' };
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
    return {
      kind: 'events',
      events: carrierEvents(inOrder([dated(SPEDIZIONE.TRACKING), dated(SPEDIZIONE.TRACKINGINT)])),
      related: [
        ...numbers(SPEDIZIONE.SPEDIZIONEDINOLTRO).map(trackingNumber => ({ trackingNumber, type: 'forward' as const })),
        ...numbers(SPEDIZIONE.SPEDIZIONEDIRIENTRO).map(trackingNumber => ({ trackingNumber, type: 'return' as const })),
      ],
      // GLS sends no date of a future delivery.
      estimate: null,
    };
  }
  if (typeof TESTOERRORE !== 'string') return { kind: 'unreadable' };
  return { kind: REJECTION.test(TESTOERRORE) ? 'refused' : 'not_found' };
}

/** From the oldest to the newest; events of GLS abroad have no code. */
function dated(newestFirst: Shipment['TRACKING'] | Shipment['TRACKINGINT']) {
  const known: readonly Partial<Item<Shipment['TRACKING']>>[] = (newestFirst ?? [])
    .filter(event => event != null)
    .toReversed();
  const timestamps = italianTimestamps(known.map(({ Data, Ora }) => ({ date: Data, time: Ora })));
  return known.map(({ Codice, Stato, Luogo, Note }, index) => ({
    timestamp: timestamps[index] ?? '',
    code: Codice,
    description: Stato,
    location: Luogo,
    note: Note,
  }));
}

/** By time; an event without a readable time follows the event before it. */
function inOrder<Event extends { readonly timestamp: string }>(lists: readonly (readonly Event[])[]): readonly Event[] {
  const dated = lists.flatMap(events => {
    let ms = 0;
    return events.map(event => {
      // `Date.parse` alone would read 10/11/26 as the eleventh of October.
      if (/^\d{4}-/.test(event.timestamp)) ms = Date.parse(event.timestamp) || ms;
      return { event, ms };
    });
  });
  return dated.toSorted((one, other) => one.ms - other.ms).map(({ event }) => event);
}

/** The limit on related shipments. */
const MAX_RELATED = 20;

function numbers(shipments: Shipment['SPEDIZIONEDINOLTRO']): readonly string[] {
  const known = (shipments ?? []).map(shipment => textOf(shipment?.NumSped)).filter(number => number !== null);
  return [...new Set(known)].slice(0, MAX_RELATED);
}
