import table from '../../schema/carriers/amazon.codes.json' with { type: 'json' };
import type { AmazonTracking, AmazonTrackingVariables } from '../../schema/carriers/amazon.d.ts';
import type { RelatedNumber, TrackingFinding } from '../domain/shipping/carriers/carrier.port.ts';
import { type CarrierAdapter, type Credentials, formGrant, words } from './adapter.ts';
import { numberComplaint } from './complaint.ts';
import { estimatedTimeOf } from './estimated-time.ts';
import { carrierEvents, type Item, type Maybe, plainNumber, textOf } from './normalize.ts';
import { placedTimes, sentTime, withUncertainty } from './place-time.ts';

const TOKENS = 'https://api.amazon.com';

/** The endpoint of each account's country, if it is not Europe's. */
const ENDPOINTS: Readonly<Record<string, string>> = { US: 'na', JP: 'fe' };

/** Amazon Shipping as a carrier; other countries have their code behind `AMZN_`. */
const CARRIER_IDS: Readonly<Record<string, string>> = { IN: 'ATS' };

function regionOf({ region = 'IT' }: Credentials): string {
  return region;
}

/** Amazon Shipping API v2: Login with Amazon by a refresh token, then JSON. */
export const amazon: CarrierAdapter = {
  document: 'amazon',
  statuses: [400, 404, 413, 415],
  kept: words(`
    grant_type token_type expires_in error trackingId carrierId eventCode eventTime shipmentType stateOrRegion
    countryCode postalCode promisedDeliveryDate alternateLegTrackingId status forward returns code message details
  `),
  tracking: {
    url: credentials => `https://sellingpartnerapi-${ENDPOINTS[regionOf(credentials)] ?? 'eu'}.amazon.com`,
    operation: 'getTracking',
    numbersPerRequest: 1,
    // Amazon's usage plan has 80 a second.
    requestsPerMinute: 300,
    variables: ([number = '']): AmazonTrackingVariables => ({ trackingId: plainNumber(number) || number }),
    read: (data: AmazonTracking, [number = '']) => [trackingFinding(data, number)],
  },
  grant: {
    ...formGrant('/auth/o2/token', ({ clientId = '', clientSecret = '', refreshToken = '' }) => ({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: clientId,
      client_secret: clientSecret,
    })),
    origin: TOKENS,
    // A token that has ended is "forbidden" to Amazon.
    endedStatuses: [401, 403],
  },
  authorize(request, credentials, token) {
    const region = regionOf(credentials);
    const url = new URL(request.url);
    url.searchParams.set('carrierId', CARRIER_IDS[region] ?? `AMZN_${region}`);
    const headers = {
      ...request.headers,
      'x-amz-access-token': token ?? '',
      'x-amzn-shipping-business-id': `AmazonShipping_${region}`,
      'user-agent': 'shipping-integrations (Language=JavaScript)',
    };
    return { ...request, url, headers };
  },
  json(body) {
    const sent = JSON.parse(body.toString('utf8'));
    return 'eventHistory' in sent ? { payload: sent } : sent;
  },
};

type Result = NonNullable<Extract<AmazonTracking['getTracking'], { __typename: 'Tracking' }>['payload']>;
type Event = Item<Result['eventHistory']>;

function trackingFinding({ getTracking: answer }: AmazonTracking, number: string): TrackingFinding {
  if (answer?.__typename === 'NotFound') return { kind: 'not_found' };
  if (answer?.__typename === 'Invalid') {
    const texts = (answer.errors ?? []).flatMap(error => [error?.code, error?.message, error?.details]);
    return { kind: numberComplaint(texts) };
  }
  const result = answer?.payload;
  if (!result?.eventHistory) return { kind: 'unreadable' };
  const asked = plainNumber(number);
  const [own, other] = [result.trackingId, result.alternateLegTrackingId].map(text => plainNumber(text ?? ''));
  if (own !== '' && own !== asked && other !== asked) return { kind: 'not_found' };
  return {
    kind: 'events',
    events: eventsOf(result),
    related: relatedOf(result, asked),
    estimate: estimatedTimeOf(result.promisedDeliveryDate),
  };
}

/** Amazon sends codes alone. */
const TEXTS: ReadonlyMap<string, string> = new Map(table.codes.map(({ code, text }) => [code, text]));
const DETAILS: ReadonlyMap<Maybe<string>, string> = new Map(table.details.map(({ code, text }) => [code, text]));
/** Events that their details explain. */
const DETAILED = /Delivered|DeliveryAttempted|Undeliverable|Rejected|Cancelled$/;

function isReturn({ shipmentType }: Event): boolean {
  return shipmentType?.toUpperCase() === 'RETURNS';
}

/** The events, oldest first. The code of the newest may be new, so its status comes from the summary. */
function eventsOf({ eventHistory, summary }: Result) {
  const sent = (eventHistory ?? []).filter(event => event != null);
  const times = placedTimes(sent.map(({ eventTime, location }) => sentTime(eventTime, placeOf(location))));
  const events = sent
    .map((event, n) => ({ event, time: times[n], timestamp: times[n]?.timestamp ?? '' }))
    .toSorted((one, other) => Date.parse(one.timestamp) - Date.parse(other.timestamp) || 0);
  const { forward, returns } = summary?.trackingDetailCodes ?? {};
  const detailed = [false, true].map(isBack =>
    events.findLastIndex(({ event }) => isReturn(event) === isBack && DETAILED.test(event.eventCode ?? '')),
  );
  return carrierEvents(
    events.map(({ event, time, timestamp }, n) => {
      const code = [isReturn(event) ? 'RETURNS' : null, event.eventCode].filter(Boolean).join(' ');
      const details = n === detailed[0] ? forward : n === detailed[1] ? returns : null;
      return {
        timestamp,
        code,
        group: isReturn(event) ? 'RETURNS' : n === events.length - 1 ? summary?.status : null,
        description: TEXTS.get(code),
        location: locationOf(event.location),
        note: withUncertainty(details?.map(detail => DETAILS.get(detail) ?? detail).join(' · '), time),
      };
    }),
  );
}

function placeOf(location: Event['location']) {
  return { country: location?.countryCode, state: location?.stateOrRegion, city: location?.city };
}

function locationOf(location: Event['location']): Maybe<string> {
  const { city, stateOrRegion, postalCode, countryCode } = location ?? {};
  return city || stateOrRegion || [postalCode, countryCode].filter(Boolean).join(' ');
}

/** The number of the return, unless the return itself is asked about. */
function relatedOf({ alternateLegTrackingId, eventHistory }: Result, asked: string): RelatedNumber[] {
  const trackingNumber = plainNumber(textOf(alternateLegTrackingId) ?? '');
  const isOfReturn = !!eventHistory?.length && eventHistory.every(event => event && isReturn(event));
  if (trackingNumber === '' || trackingNumber === 'NULL' || trackingNumber === asked || isOfReturn) return [];
  return [{ trackingNumber, type: 'return' }];
}
