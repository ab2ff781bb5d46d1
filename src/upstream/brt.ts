import type {
  BrtAddress,
  BrtAddressVariables,
  BrtTracking,
  BrtTrackingVariables,
} from '../../schema/carriers/brt.d.ts';
import type { AddressFinding, AskedAddress, NoAnswer, TrackingFinding } from '../domain/carriers/carrier.port.ts';
import type { CarrierAdapter } from './adapter.ts';
import { estimatedTime } from './estimated-time.ts';
import { italianTimestamps } from './local-time.ts';
import { carrierEvents, knownAddress, type Maybe, pathSegment } from './normalize.ts';

const ROUTE = /* GraphQL */ `
  mutation BrtAddress($routingData: RoutingData_Input!) {
    routeShipment(input: { routingData: $routingData }) {
      routingResponse {
        executionMessage { code codeDesc message }
        consigneeZIPCode
        consigneeCity
        consigneeProvinceAbbreviation
      }
    }
  }`;

const TRACK = /* GraphQL */ `
  query BrtTracking($parcelID: String!) {
    trackParcel(parcelID: $parcelID) {
      ttParcelIdResponse {
        esito
        executionMessage { code }
        bolla { dati_consegna { data_teorica_consegna ora_teorica_consegna_a } }
        lista_eventi { evento { id data ora descrizione filiale } }
      }
    }
  }`;

const URL = 'https://api.brt.it';

/** BRT asks for a name, which does not change the route; the recipient's is nobody's business. */
const COMPANY = 'DESTINATARIO';

/** BRT: JSON, with the account in the body of one question and in the headers of the other. */
export const brt: CarrierAdapter = {
  document: 'brt',
  statuses: [],
  kept: [
    'departureDepot',
    'network',
    'deliveryFreightTypeCode',
    'serviceType',
    'consigneeZIPCode',
    'consigneeProvinceAbbreviation',
    'consigneeCountryAbbreviationISOAlpha2',
    'numberOfParcels',
    'weightKG',
    'esito',
    'code',
    'severity',
    'codeDesc',
    'message',
    'id',
    'data',
    'ora',
    'data_teorica_consegna',
    'ora_teorica_consegna_a',
  ],
  address: {
    url: URL,
    operation: ROUTE,
    variables: ({ address, zip, city, provincia, country }): BrtAddressVariables => ({
      routingData: {
        network: '',
        // Both are credentials, which are put in with the account.
        departureDepot: 0,
        senderCustomerCode: 0,
        // Carriage paid by the sender; the route is the same with any other term.
        deliveryFreightTypeCode: 'DAP',
        consigneeCompanyName: COMPANY,
        consigneeAddress: address,
        consigneeZIPCode: zip,
        consigneeCity: city,
        consigneeProvinceAbbreviation: provincia ?? '',
        consigneeCountryAbbreviationISOAlpha2: country,
        // A routing is for a parcel, so any number will do.
        numberOfParcels: 1,
        weightKG: 1,
      },
    }),
    read: readRouting,
  },
  tracking: {
    url: URL,
    operation: TRACK,
    variables: ([trackingNumber = '']): BrtTrackingVariables => ({ parcelID: pathSegment(trackingNumber) }),
    read: (data: BrtTracking) => [readParcel(data)],
    numbersPerRequest: 1,
    requestsPerMinute: 300,
  },
  authorize(request, { userId = '', password = '', depot = '', clientCode = '' }) {
    const account = { userID: userId, password };
    if (request.body === null) return { ...request, headers: { ...request.headers, ...account } };
    const { routingData } = JSON.parse(request.body);
    const sender = { departureDepot: numberOf(depot), senderCustomerCode: numberOf(clientCode) };
    return { ...request, body: JSON.stringify({ account, routingData: { ...routingData, ...sender } }) };
  },
};

/** BRT takes numbers here; another text shows BRT's complaint in the record of the call. */
function numberOf(code: string): number | string {
  return /^\d+$/.test(code) ? Number(code) : code;
}

const OK = 0;
const UNKNOWN_PARCEL = -11;

/** Codes that have one meaning in every question. */
const NO_ANSWERS: ReadonlyMap<number, NoAnswer> = new Map([
  [-1, { kind: 'unreadable' }],
  [-7, { kind: 'refused' }],
  [-57, { kind: 'refused' }],
  [-67, { kind: 'refused' }],
  [-3, { kind: 'unavailable' }],
]);

const NO_ADDRESS: ReadonlyMap<number, AddressFinding> = new Map([[-63, { kind: 'not_found' }]]);

/** Codes of a parameter that is missing or wrong: of the address if the message names it, else of our request. */
const PARAMETERS: ReadonlySet<number> = new Set([-5, -68]);
const OF_ADDRESS = /consignee|destinatar|\bzip\b|\bcap\b/i;

function readRouting({ routeShipment }: BrtAddress, { country }: AskedAddress): AddressFinding {
  const routing = routeShipment?.routingResponse;
  const code = routing?.executionMessage?.code;
  if (!routing || typeof code !== 'number') return { kind: 'unreadable' };
  const address = knownAddress({
    city: routing.consigneeCity,
    zip: routing.consigneeZIPCode,
    province: routing.consigneeProvinceAbbreviation,
    country,
  });
  if (code === OK) return { kind: 'confirmed', address };
  if (PARAMETERS.has(code)) {
    const { codeDesc, message } = routing.executionMessage ?? {};
    return { kind: OF_ADDRESS.test(`${codeDesc} ${message}`) ? 'invalid' : 'rejected' };
  }
  if (code < OK) return NO_ADDRESS.get(code) ?? NO_ANSWERS.get(code) ?? { kind: 'unreadable' };
  // A correction without a proposal is useless.
  return address.city === null && address.zip === null
    ? { kind: 'unreadable' }
    : { kind: 'corrected', addresses: [address] };
}

type Parcel = NonNullable<NonNullable<BrtTracking['trackParcel']>['ttParcelIdResponse']>;

function readParcel({ trackParcel }: BrtTracking): TrackingFinding {
  const parcel = trackParcel?.ttParcelIdResponse;
  const code = parcel?.executionMessage?.code ?? parcel?.esito;
  if (!parcel || typeof code !== 'number') return { kind: 'unreadable' };
  const noAnswer = NO_ANSWERS.get(code);
  if (noAnswer) return noAnswer;
  const events = eventsOf(parcel.lista_eventi);
  if (code === UNKNOWN_PARCEL || (code < OK && events.length === 0)) return { kind: 'not_found' };
  // Anything but a list would pass for a parcel without events.
  if (!parcel.lista_eventi) return { kind: 'unreadable' };
  return { kind: 'events', events, related: [], estimate: estimateOf(parcel.bolla?.dati_consegna) };
}

function estimateOf(delivery: Maybe<NonNullable<Parcel['bolla']>['dati_consegna']>): string | null {
  return estimatedTime({ date: delivery?.data_teorica_consegna, time: delivery?.ora_teorica_consegna_a });
}

/** BRT pads the list with empty events. */
function eventsOf(newestFirst: Parcel['lista_eventi']) {
  const events = (newestFirst ?? []).flatMap(entry => entry?.evento ?? []).toReversed();
  const timestamps = italianTimestamps(events.map(({ data, ora }) => ({ date: data, time: ora })));
  return carrierEvents(
    events.map(({ id, descrizione, filiale }, index) => ({
      timestamp: timestamps[index] ?? '',
      code: id,
      description: descrizione,
      location: filiale,
    })),
  );
}
