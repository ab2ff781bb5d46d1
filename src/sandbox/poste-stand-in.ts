import type { StatusCode } from '../domain/shipping/tracking/status.rules.ts';
import { type JourneyEvent, SANDBOX_ACCOUNT } from './scenarios.ts';
import {
  FAULTS,
  isObject,
  json,
  parseObject,
  romeDateAndTime,
  type SandboxAnswer,
  type SandboxCarrier,
  type SandboxRequest,
  TokenIssuer,
  textOf,
} from './stand-in.ts';

/**
 * Poste's status, phase and text for each status. Only some codes are published, so `000`, which clients have seen
 * without a meaning, stands for all others. Poste names no depot and cancels nothing.
 */
const EVENTS: Readonly<Record<StatusCode, readonly [status: string, phase: string, text: string]>> = {
  created: ['000', 'PRE-ACCETTAZIONE', 'La spedizione è stata preavvisata'],
  shipped: ['000', 'PRESA IN CARICO', 'La spedizione è stata presa in carico'],
  in_transit: ['PCP', 'IN TRANSITO', 'In transito presso il Centro Operativo Postale'],
  at_depot: ['PCP', 'IN TRANSITO', 'In transito presso il Centro Operativo Postale'],
  customs: ['000', 'IN LAVORAZIONE', 'Completata la fase di verifica per lo svincolo'],
  out_for_delivery: ['000', 'IN CONSEGNA', 'La spedizione è in consegna'],
  delayed: ['000', 'IN LAVORAZIONE', 'La spedizione è in ritardo'],
  pickup_point: ['000', 'IN CONSEGNA', "Disponibile per il ritiro presso l'ufficio postale"],
  delivery_failed: ['000', 'IN CONSEGNA', 'Consegna non andata a buon fine: destinatario assente'],
  // The phase says less than the status.
  held: ['003', 'IN CONSEGNA', 'La spedizione è in giacenza'],
  refused: ['000', 'IN CONSEGNA', 'La spedizione è stata rifiutata dal destinatario'],
  delivered: ['000', 'CONSEGNATA', 'La spedizione è stata consegnata'],
  returning: ['000', 'IN RESTITUZIONE', 'In restituzione al mittente'],
  returned: ['000', 'RESTITUITA', 'La spedizione è stata restituita al mittente'],
  lost: ['000', 'IN LAVORAZIONE', 'La spedizione è stata smarrita'],
  cancelled: ['000', '', 'Spedizione annullata'],
  unknown: ['000', '', 'Aggiornamento'],
};

export const posteTokens = new TokenIssuer(3_599);

/** Poste Delivery Business: a token by client credentials in JSON, which may come back bare or after `Bearer`. */
export const poste: SandboxCarrier = {
  prefix: '/poste',
  answer(request) {
    if (request.headers.poste_clientid !== SANDBOX_ACCOUNT) return json(401, { error: 'unauthorized_client' });
    if (request.path === '/user/sessions') return session(request);
    if (request.path !== '/postalandlogistics/parcel/tracking') return json(404, { message: 'Resource not found' });
    const { authorization = '' } = request.headers;
    if (!posteTokens.acceptsToken(authorization.replace(/^Bearer /, ''))) return json(401, {});
    if (request.method === 'GET') return track(request, Object.fromEntries(request.query));
    return request.method === 'POST' ? track(request, queryOf(request.body)) : json(405, {});
  },
};

/** Poste rejects an account with status 200, too. */
function session({ method, body }: SandboxRequest): SandboxAnswer {
  if (method !== 'POST') return json(405, {});
  const asked = parseObject(body) ?? {};
  if (textOf(asked, 'grantType') !== 'client_credentials' || textOf(asked, 'scope') === '') {
    return json(400, { error: 'invalid_request', error_description: 'grantType and scope are mandatory' });
  }
  const isOurs = ['clientId', 'secretId'].every(name => textOf(asked, name) === SANDBOX_ACCOUNT);
  if (!isOurs) return json(200, { error: 'unauthorized_client', error_description: 'AADSTS700016: not found' });
  const lifetime = { expires_in: posteTokens.lifetimeSeconds, ext_expires_in: posteTokens.lifetimeSeconds };
  return json(200, { token_type: 'Bearer', ...lifetime, access_token: posteTokens.issue() });
}

/** The body of a POST as the query of a GET. */
function queryOf(body: string): Record<string, unknown> {
  const { arg0 } = parseObject(body) ?? {};
  if (!isObject(arg0) || !Array.isArray(arg0.shipmentsData)) return {};
  const [first] = arg0.shipmentsData as unknown[];
  return { ...arg0, ...(isObject(first) && first) };
}

const MANDATORY = ['waybillNumber', 'lastTracingState', 'statusDescription', 'customerType'];

function track(request: SandboxRequest, asked: Record<string, unknown>): SandboxAnswer {
  const missing = MANDATORY.find(name => textOf(asked, name) === '');
  if (missing) return rejection('100', { code: '100', field: missing, message: 'Parametro obbligatorio', severity: 3 });
  const number = textOf(asked, 'waybillNumber');
  const journey = request.journey(number);
  const result = (messages: readonly object[], shipment: readonly object[]) =>
    json(200, { return: { messages: [{ messages }], outcome: 'OK', code: 0, result: 'OK', shipment } });
  if (journey.kind === 'not_found') {
    return result([{ code: '207', field: '', message: 'Tracking senza risultati', objectName: '', severity: 1 }], []);
  }
  if (journey.kind !== 'events') return FAULTS[journey.kind];
  const tracking = journey.events.map(eventOf).toReversed();
  return result([], [{ waybillNumber: number, product: 'EXPRESS', NotificationFlag: 'N', returnFlag: 'N', tracking }]);
}

function rejection(code: string, message: object): SandboxAnswer {
  return json(200, { return: { messages: [{ messages: [message] }], outcome: 'KO', code, result: 'KO' } });
}

/** In the local time of Italy, without an offset. */
function eventOf({ status, time, place }: JourneyEvent) {
  const [code, phase, text] = EVENTS[status];
  const { date, time: clock } = romeDateAndTime(time);
  return {
    data: `${date} ${clock}`,
    officeDescription: place,
    StatusDescription: text,
    appStatusDescription: text,
    ivrStatusDescription: text,
    synthesisStatusDescription: text,
    phase,
    officeId: 'CO',
    status: code,
  };
}
