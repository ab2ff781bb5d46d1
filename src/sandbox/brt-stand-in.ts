import type { StatusCode } from '../domain/shipping/tracking/status.rules.ts';
import {
  correctedPostalCode,
  type JourneyEstimate,
  type JourneyEvent,
  outcomeOf,
  romeTime,
  SANDBOX_ACCOUNT,
} from './scenarios.ts';
import {
  FAULTS,
  isFault,
  isObject,
  json as jsonAnswer,
  parseObject,
  type SandboxAnswer,
  type SandboxCarrier,
  type SandboxRequest,
} from './stand-in.ts';

const ROUTING = '/rest/v1/shipments/routing';
const PARCEL = '/rest/v1/tracking/parcelID/';

/** The list of events is always this long; it is padded with empty ones. */
const EVENTS_SENT = 20;

export const brt: SandboxCarrier = {
  prefix: '/brt',
  answer(request) {
    const { method, path } = request;
    if (path === ROUTING) return method === 'PUT' ? route(request.body) : json(405, { message: 'Method not allowed' });
    if (path.startsWith(PARCEL)) {
      return method === 'GET'
        ? track(request, path.slice(PARCEL.length))
        : json(405, { message: 'Method not allowed' });
    }
    return json(404, { message: 'Not found' });
  },
};

/** BRT's own result; the HTTP status is always 200. */
interface ExecutionMessage {
  readonly code: number;
  readonly severity: 'INFO' | 'WARNING' | 'ERROR';
  readonly codeDesc: string;
  readonly message: string;
}

// biome-ignore format: a table reads as rows
const MESSAGES = {
  ok:             { code: 0,   severity: 'INFO',    codeDesc: 'OK', message: '' },
  normalized:     { code: 4,   severity: 'WARNING', codeDesc: 'CONSIGNEE DATA NORMALIZED', message: 'The address of the consignee has been changed' },
  malformed:      { code: -1,  severity: 'ERROR',   codeDesc: 'UNEXPECTED ERROR', message: 'The request cannot be read' },
  parameters:     { code: -5,  severity: 'ERROR',   codeDesc: 'INCORRECT PARAMETERS', message: 'A mandatory field is missing' },
  login:          { code: -7,  severity: 'ERROR',   codeDesc: 'LOGIN ERROR', message: 'User or password not valid' },
  parcelNotFound: { code: -11, severity: 'ERROR',   codeDesc: 'SHIPMENT NOT FOUND', message: 'No shipment has this parcel' },
  notRouted:      { code: -63, severity: 'ERROR',   codeDesc: 'ROUTING CALCULATION ERROR', message: 'No route to this place' },
  incongruent:    { code: -68, severity: 'ERROR',   codeDesc: 'CONSIGNEE DATA NOT VALID', message: 'ZIP code, city and province do not agree' },
} as const satisfies Record<string, ExecutionMessage>;

/** Fields that the routing requires; the first two are numbers. */
const MANDATORY = [
  'departureDepot',
  'senderCustomerCode',
  'deliveryFreightTypeCode',
  'consigneeCompanyName',
  'consigneeAddress',
  'consigneeZIPCode',
  'consigneeCity',
  'consigneeCountryAbbreviationISOAlpha2',
  'numberOfParcels',
  'weightKG',
];

function route(body: string): SandboxAnswer {
  const { account, routingData } = objects(body, 'account', 'routingData');
  if (!account || !routingData) return routing(MESSAGES.malformed);
  const zip = textOf(routingData, 'consigneeZIPCode');
  const city = textOf(routingData, 'consigneeCity').toUpperCase();
  const province = textOf(routingData, 'consigneeProvinceAbbreviation').toUpperCase();
  const outcome = outcomeOf(zip);
  if (isFault(outcome)) return FAULTS[outcome];
  const isOurs = account.userID === SANDBOX_ACCOUNT && account.password === SANDBOX_ACCOUNT;
  if (!isOurs || outcome === 'bad_credentials') return routing(MESSAGES.login);
  const missing = MANDATORY.find(name => textOf(routingData, name) === '');
  if (missing) return routing({ ...MESSAGES.parameters, message: `The field ${missing} is mandatory` });
  if (typeof routingData.departureDepot !== 'number') {
    return routing({ ...MESSAGES.parameters, message: 'The field departureDepot is not valid' });
  }
  switch (outcome) {
    case 'not_found':
      return routing(MESSAGES.notRouted);
    case 'invalid':
      return routing(MESSAGES.incongruent);
    // BRT returns one route at most: the first of several candidates.
    case 'corrected':
    case 'several':
      return routing(MESSAGES.normalized, { zip: correctedPostalCode(zip), city, province });
    default:
      return routing(MESSAGES.ok, { zip, city, province });
  }
}

interface Place {
  readonly zip: string;
  readonly city: string;
  readonly province: string;
}

function routing(executionMessage: ExecutionMessage, place?: Place): SandboxAnswer {
  return json(200, {
    routingResponse: {
      currentTimeUTC: '',
      arrivalTerminal: place ? '090' : '',
      arrivalDepot: place ? '090' : '',
      deliveryZone: place ? '10' : '',
      consigneeZIPCode: place?.zip ?? '',
      consigneeCity: place?.city ?? '',
      consigneeProvinceAbbreviation: place?.province ?? '',
      executionMessage,
    },
  });
}

/**
 * BRT's events by the ids of its legend, which has none for a cancellation. A return that has arrived is a delivery
 * after the return has begun.
 */
const EVENTS: Readonly<Record<StatusCode, readonly [id: string, text: string]>> = {
  created: ['700', 'DATI SPEDIZ. TRASMESSI A BRT'],
  shipped: ['701', 'RITIRATA'],
  in_transit: ['702', 'PARTITA'],
  at_depot: ['703', 'ARRIVATA IN FILIALE'],
  customs: ['DDS', 'FERMA PER CONTROLLI DOGANALI'],
  out_for_delivery: ['MIC', 'IN CONSEGNA'],
  delayed: ['ZSC', 'SCIOPERO'],
  pickup_point: ['722', 'ARRIVATA AL BRT-fermopoint'],
  delivery_failed: ['AVV', 'Destin.Assente:LASCIATO AVVISO'],
  held: ['G', 'IN GIACENZA'],
  refused: ['051', 'RIFIUTATA DAL DESTINATARIO'],
  delivered: ['704', 'CONSEGNATA'],
  returning: ['708', 'RESO AL MITTENTE'],
  returned: ['704', 'CONSEGNATA'],
  lost: ['DDC', 'DISTRUTTA/REQUISITA DA DOGANA'],
  cancelled: ['760', 'ANNULLATA'],
  unknown: ['799', 'EVENTO INTERNO'],
};

function track(request: SandboxRequest, parcel: string): SandboxAnswer {
  const { userid, password } = request.headers;
  if (userid !== SANDBOX_ACCOUNT || password !== SANDBOX_ACCOUNT) return tracking(MESSAGES.login, parcel, []);
  const journey = request.journey(parcel);
  if (journey.kind === 'not_found') return tracking(MESSAGES.parcelNotFound, parcel, []);
  if (journey.kind !== 'events') return FAULTS[journey.kind];
  return tracking(MESSAGES.ok, parcel, journey.events, journey.estimate);
}

function tracking(
  executionMessage: ExecutionMessage,
  parcel: string,
  known: readonly JourneyEvent[],
  estimate: JourneyEstimate | null = null,
): SandboxAnswer {
  const empty = { id: '', data: '', ora: '', descrizione: '', filiale: '' };
  const events = known.toReversed().map(({ status, time, place }) => {
    const { day, month, year, hour, minute } = romeTime(time);
    const [id, descrizione] = EVENTS[status];
    return { id, data: `${day}.${month}.${year}`, ora: `${hour}.${minute}`, descrizione, filiale: place };
  });
  const delivered = events.find(({ id }) => id === EVENTS.delivered[0]);
  return json(200, {
    ttParcelIdResponse: {
      currentTimeUTC: '',
      esito: executionMessage.code,
      versione: '1.0',
      executionMessage,
      bolla: {
        dati_spedizione: { spedizione_id: known.length > 0 ? parcel : '' },
        dati_consegna: {
          ...expected(estimate),
          data_consegna_merce: delivered?.data ?? '',
          ora_consegna_merce: delivered?.ora ?? '',
        },
      },
      contatore_eventi: events.length,
      lista_eventi: Array.from({ length: EVENTS_SENT }, (_, place) => ({ evento: events[place] ?? empty })),
    },
  });
}

function expected(estimate: JourneyEstimate | null) {
  const { day, month, year, hour, minute } = romeTime(estimate?.latest ?? new Date(0));
  return {
    data_teorica_consegna: estimate ? `${day}.${month}.${year}` : '',
    ora_teorica_consegna_da: estimate?.hasTime ? '09.00' : '',
    ora_teorica_consegna_a: estimate?.hasTime ? `${hour}.${minute}` : '',
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Members of a JSON object that are objects themselves; none if the text is not JSON. */
function objects<Name extends string>(body: string, ...names: readonly Name[]): { readonly [name in Name]?: Fields } {
  const whole = parseObject(body);
  const found: { [name in Name]?: Fields } = {};
  for (const name of names) {
    const member = whole?.[name];
    if (isObject(member)) found[name] = member;
  }
  return found;
}

/** Numbers are accepted as strings and strings as numbers, as BRT does. */
function textOf(data: Fields, name: string): string {
  const value = data[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

function json(status: number, body: unknown): SandboxAnswer {
  return jsonAnswer(status, body, { 'content-type': 'application/json; charset=utf-8' });
}
