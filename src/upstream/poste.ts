import type { PosteTracking, PosteTrackingVariables } from '../../schema/carriers/poste.d.ts';
import type { TrackingFinding } from '../domain/shipping/carriers/carrier.port.ts';
import { type CarrierAdapter, type CarrierRequest, words } from './adapter.ts';
import { carrierEvents, type Item, plainNumber, textOf } from './normalize.ts';
import { placedTimes, sentTime } from './place-time.ts';

type Answer = NonNullable<NonNullable<PosteTracking['trackWaybill']>['return']>;
type Shipment = Item<Answer['shipment']>;

const TEST_HOST = 'apid.gp.posteitaliane.it';

/** The scopes that all public clients send: names of Poste's interface, and no secrets. */
const SCOPE = 'https://postemarketplace.onmicrosoft.com/d6a78063-5570-4a87-bbd7-07326e6855d1/.default';
const TEST_SCOPE = 'api://8f0f2c58-19a8-45ef-9f9e-8bcb0acc7657/.default';

/** Poste Delivery Business, for SDA's numbers too: a token by client credentials in JSON, and no check of addresses. */
export const poste: CarrierAdapter = {
  document: 'poste',
  statuses: [400, 404, 422],
  kept: words(`
    grantType token_type expires_in error error_description waybillNumber lastTracingState statusDescription customerType
    outcome result code field message data phase status
  `),
  tracking: {
    url: 'https://apiw.gp.posteitaliane.it/gp/internet',
    operation: 'trackWaybill',
    numbersPerRequest: 1,
    // Poste publishes no limit.
    requestsPerMinute: 120,
    variables: ([number = '']): PosteTrackingVariables => ({
      waybillNumber: plainNumber(number),
      lastTracingState: 'N',
      statusDescription: 'E',
      customerType: 'DQ',
    }),
    read: (data: PosteTracking, [number = '']) => [trackingFinding(data, plainNumber(number))],
  },
  grant: {
    path: '/user/sessions',
    request: (url, { clientId = '', clientSecret: secretId = '', scope }) => ({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', POSTE_clientID: clientId },
      body: JSON.stringify({
        clientId,
        secretId,
        scope: scope ?? (url.hostname === TEST_HOST ? TEST_SCOPE : SCOPE),
        grantType: 'client_credentials',
      }),
    }),
  },
  authorize: (request, { clientId = '', tokenPrefix }, token) => ({
    ...request,
    headers: {
      ...request.headers,
      authorization: tokenPrefix === 'Bearer' ? `Bearer ${token}` : `${token}`,
      POSTE_clientID: clientId,
    },
  }),
  otherWay: byBody,
  json: body => ({ return: returned(JSON.parse(body.toString('utf8'))) }),
};

/** The query of a GET as the body of a POST. */
function byBody(request: CarrierRequest): CarrierRequest {
  const { waybillNumber, lastTracingState, ...all } = Object.fromEntries(request.url.searchParams);
  return {
    method: 'POST',
    url: new URL(request.url.pathname, request.url),
    headers: { ...request.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ arg0: { shipmentsData: [{ waybillNumber, lastTracingState }], ...all } }),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** The answer in the form of the document: lists are lists, and the messages are in one. */
function returned(sent: unknown): Fields | null {
  const [whole] = list(sent);
  if (!whole) return null;
  const [{ messages, shipment: own, ...rest } = whole] = list(whole.return);
  // Some clients look for the events among the messages.
  const among = list(messages).filter(message => 'tracking' in message);
  const shipment = own ?? (among.length === 0 ? null : among);
  return {
    ...rest,
    messages: messagesIn(messages),
    ...(shipment != null && {
      shipment: list(shipment).map(({ tracking, ...one }) => ({ ...one, tracking: list(tracking) })),
    }),
  };
}

/** Poste sends a list of one element as the element. */
function list(sent: unknown): Fields[] {
  return [sent].flat().filter((one): one is Fields => typeof one === 'object' && one !== null);
}

/** Messages stand in groups, and may be mere texts. */
function messagesIn(sent: unknown): Fields[] {
  return [sent].flat().flatMap(one => {
    if (typeof one === 'string') return { message: one };
    const [fields] = list(one);
    return fields ? [fields, ...('messages' in fields ? messagesIn(fields.messages) : [])] : [];
  });
}

const NO_EVENTS = '207';
/** Poste's code for "Errore generico". */
const GENERAL_ERROR = '999';

/** Complaints about the account, or about a parameter of ours. */
const OURS =
  /client|utent|account|contratt|abilitat|autorizz|token|centro di costo|\bcdc\b|customerType|statusDescription|lastTracing/i;
const OF_NUMBER = /way ?bill|lettera di vettura|\bldv\b|spedizion|shipment|codice|barcode/i;

function trackingFinding({ trackWaybill }: PosteTracking, number: string): TrackingFinding {
  const answer = trackWaybill?.return;
  const { outcome, result, code, messages, shipment } = answer ?? {};
  const said = (messages ?? []).filter(message => textOf(message?.code ?? message?.message) !== null);
  const isOk = ![outcome, result].some(text => text?.toUpperCase() === 'KO') && Number(code ?? 0) === 0;
  const found = isOk ? ownShipment(shipment, number) : undefined;
  if (found) return eventsFinding(found);
  const codes = [code, ...said.map(message => message?.code)];
  if (codes.includes(NO_EVENTS)) return eventsFinding({ tracking: [], waybillNumber: null });
  if (isOk && shipment) return { kind: 'not_found' };
  if (codes.includes(GENERAL_ERROR)) return { kind: 'unavailable' };
  if (isOk && said.length === 0) return { kind: 'unreadable' };
  const text = said.map(message => `${message?.field ?? ''} ${message?.message ?? ''}`).join(' ');
  return { kind: OF_NUMBER.test(text) && !OURS.test(text) ? 'not_found' : 'rejected' };
}

/** The shipment with the number; if several have it, the one with the newest event, since numbers are used again. */
function ownShipment(shipments: Answer['shipment'], number: string): Shipment | undefined {
  const known = (shipments ?? []).filter(shipment => shipment != null);
  // The number of a sticker leads to the waybill, whose number is another one.
  const isSticker = known.length === 1 && /^\d{9}$/.test(number);
  const matching = known.filter(({ waybillNumber }) => {
    const told = plainNumber(waybillNumber ?? '');
    return told === '' || told === number || isSticker;
  });
  const newest = ({ tracking }: Shipment) => eventsOf(tracking).at(-1)?.data ?? '';
  return matching.toSorted((one, other) => newest(other).localeCompare(newest(one)))[0];
}

/** From oldest to newest; Poste has the newest first, and some clients expect it last. */
function eventsOf(tracking: Shipment['tracking']) {
  const events = (tracking ?? []).filter(event => event != null);
  const [first = '', last = ''] = [events[0], events.at(-1)].map(event => event?.data?.trim().replace('T', ' '));
  // A day alone is neither before nor after a time of that day.
  const length = Math.min(first.length, last.length);
  return first.slice(0, length) < last.slice(0, length) ? events : events.toReversed();
}

function eventsFinding({ tracking }: Shipment): TrackingFinding {
  const events = eventsOf(tracking);
  const times = placedTimes(events.map(({ data }) => sentTime(data?.trim().replace(' ', 'T'), { country: 'IT' })));
  return {
    kind: 'events',
    events: carrierEvents(
      events.map((event, n) => ({
        timestamp: times[n]?.timestamp ?? '',
        code: event.status || event.phase,
        group: event.phase,
        description:
          event.StatusDescription ||
          event.statusDescription ||
          event.synthesisStatusDescription ||
          event.appStatusDescription,
        location: event.officeDescription,
      })),
    ),
    related: [],
    estimate: null,
  };
}
