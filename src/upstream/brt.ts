import type {
  BrtAddress,
  BrtAddressVariables,
  BrtTracking,
  BrtTrackingVariables,
} from '../../schema/carriers/brt.d.ts';
import type {
  AddressFinding,
  AskedAddress,
  NoAnswer,
  TrackingFinding,
} from '../domain/shipping/carriers/carrier.port.ts';
import { type CheckingAdapter, words } from './adapter.ts';
import { estimatedTime } from './estimated-time.ts';
import { italianTimestamps } from './local-time.ts';
import { carrierEvents, knownAddress, type Maybe, pathSegment, textOf } from './normalize.ts';

const URL = 'https://api.brt.it';

/** BRT asks for a name, which does not change the route; the recipient's is nobody's business. */
const COMPANY = 'DESTINATARIO';

/** BRT: JSON, with the account in the body of one question and in the headers of the other. */
export const brt: CheckingAdapter = {
  document: 'brt',
  statuses: [],
  kept: words(`
    departureDepot network deliveryFreightTypeCode serviceType consigneeZIPCode consigneeProvinceAbbreviation
    consigneeCountryAbbreviationISOAlpha2 numberOfParcels weightKG esito code severity codeDesc message id data
    ora contatore_eventi data_consegna_merce ora_consegna_merce data_teorica_consegna ora_teorica_consegna_a
  `),
  address: {
    url: URL,
    operation: 'routeShipment',
    variables: ({ address, zip, city, provincia, country }): BrtAddressVariables => ({
      input: {
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
      },
    }),
    read: readRouting,
  },
  tracking: {
    url: URL,
    operation: 'trackParcel',
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
/** BRT has filled in the depot of a return, which does not correct the consignee's address. */
const RETURN_DEPOT = 6;

/**
 * Codes that have one meaning in every question, as BRT's legend of results and the published clients have them. A
 * rejection means that our request or a setting of the account is wrong: BRT's message is in the record of the call.
 */
const NO_ANSWERS: ReadonlyMap<number, NoAnswer> = new Map([
  // "Errore sconosciuto o non previsto", also for a body that BRT cannot read.
  [-1, { kind: 'rejected' }],
  [-3, { kind: 'unavailable' }],
  // A mandatory parameter is missing.
  [-4, { kind: 'rejected' }],
  [-7, { kind: 'refused' }],
  // References of the sender, and the client: we ask for no reference.
  [-20, { kind: 'rejected' }],
  [-21, { kind: 'rejected' }],
  [-23, { kind: 'rejected' }],
  [-57, { kind: 'refused' }],
  // The client code is not one of the user.
  [-67, { kind: 'refused' }],
  // Numbering, labels, pickup points and confirmations: nobody asked for these.
  [-64, { kind: 'rejected' }],
  [-65, { kind: 'rejected' }],
  [-69, { kind: 'rejected' }],
  [-101, { kind: 'rejected' }],
  [-102, { kind: 'rejected' }],
  [-152, { kind: 'rejected' }],
  // "Try again".
  [-153, { kind: 'unavailable' }],
  [-155, { kind: 'rejected' }],
]);

/** No route, because BRT knows no such place. */
const NO_ROUTE = -63;

/** A value is wrong or does not agree with another one: the caller's if the message names it, else ours. */
const PARAMETERS: ReadonlySet<number> = new Set([-5, -68]);
const OF_ADDRESS =
  /consignee ?(?:address|zip|city|province|country|data)|destinatar|\bzip|\bcap\b|\b(?:city|localit|indirizz|provinc)/i;
const OF_SENDER = /sender|mittente|departure|depot|filiale|company ?name|ragione sociale|freight|network/i;
const OF_NUMBER = /parcel|collo|spedizione|shipment/i;

interface Message {
  readonly codeDesc?: Maybe<string>;
  readonly message?: Maybe<string>;
}

/** The message alone, where there is one: its title is the same for every field. */
function said({ codeDesc, message }: Message = {}): string {
  return textOf(message) ?? codeDesc ?? '';
}

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
  if (code === NO_ROUTE) return { kind: 'not_found' };
  if (PARAMETERS.has(code)) {
    const text = said(routing.executionMessage ?? {});
    return { kind: OF_ADDRESS.test(text) && !OF_SENDER.test(text) ? 'invalid' : 'rejected' };
  }
  if (code < OK) return NO_ANSWERS.get(code) ?? { kind: 'rejected' };
  if (code === RETURN_DEPOT) return { kind: 'rejected' };
  // A correction without a proposal is useless.
  return address.city === null && address.zip === null
    ? { kind: 'unreadable' }
    : { kind: 'corrected', addresses: [address] };
}

type Parcel = NonNullable<NonNullable<BrtTracking['trackParcel']>['ttParcelIdResponse']>;

/** Nothing is known of the parcel, or not yet; or its number is none, or several shipments have it. */
const UNKNOWN_PARCELS: ReadonlySet<number> = new Set([-10, -11, -22, -30, -63, -151, -154]);

function readParcel({ trackParcel }: BrtTracking): TrackingFinding {
  const parcel = trackParcel?.ttParcelIdResponse;
  const code = parcel?.executionMessage?.code ?? parcel?.esito;
  if (!parcel || typeof code !== 'number') return { kind: 'unreadable' };
  const noAnswer = NO_ANSWERS.get(code);
  if (noAnswer) return noAnswer;
  const events = eventsOf(parcel);
  if (code === UNKNOWN_PARCEL || (code < OK && events.length === 0)) return unknownParcel(code, parcel);
  // Anything but a list would pass for a parcel without events, unless BRT says that there are none.
  const isEmpty = parcel.contatore_eventi === 0 || (parcel.contatore_eventi == null && isKnown(parcel));
  if (!parcel.lista_eventi && !isEmpty) return { kind: 'unreadable' };
  return { kind: 'events', events, related: [], estimate: estimateOf(parcel.bolla?.dati_consegna) };
}

const UNKNOWN_PARCEL = -11;

function unknownParcel(code: number, { executionMessage }: Parcel): TrackingFinding {
  if (UNKNOWN_PARCELS.has(code) || OF_NUMBER.test(said(executionMessage ?? {}))) return { kind: 'not_found' };
  return { kind: 'rejected' };
}

function isKnown({ bolla }: Parcel): boolean {
  return textOf(bolla?.dati_spedizione?.spedizione_id) !== null;
}

function estimateOf(delivery: Maybe<NonNullable<Parcel['bolla']>['dati_consegna']>): string | null {
  return estimatedTime({ date: delivery?.data_teorica_consegna, time: delivery?.ora_teorica_consegna_a });
}

/** The id of a delivery, whose hour may stand in the waybill alone. */
const DELIVERED = '704';

/** BRT pads the list with empty events. */
function eventsOf({ lista_eventi: newestFirst, bolla }: Parcel) {
  const events = (newestFirst ?? []).flatMap(entry => entry?.evento ?? []).toReversed();
  const { data_consegna_merce, ora_consegna_merce } = bolla?.dati_consegna ?? {};
  const timestamps = italianTimestamps(
    events.map(({ id, data, ora }) => {
      const isDelivery = id === DELIVERED && data === data_consegna_merce;
      return { date: data, time: isDelivery && textOf(ora) === null ? ora_consegna_merce : ora };
    }),
  );
  return carrierEvents(
    events.map(({ id, descrizione, filiale }, index) => ({
      timestamp: timestamps[index] ?? '',
      code: id,
      description: descrizione,
      location: filiale,
    })),
  );
}
