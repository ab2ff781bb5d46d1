import type {
  FedexAddress,
  FedexAddressVariables,
  FedexTracking,
  FedexTrackingVariables,
} from '../../schema/carriers/fedex.d.ts';
import type { AddressFinding, TrackingFinding } from '../domain/carriers/carrier.port.ts';
import type { CarrierAdapter } from './adapter.ts';
import { estimatedTimeOf } from './estimated-time.ts';
import { timestamps } from './local-time.ts';
import { carrierEvents, type Item, knownAddress, type Maybe, plainNumber, textOf } from './normalize.ts';

type Tracked = Extract<FedexTracking['trackNumbers'], { __typename: 'Tracking' }>;
type NumberResult = Item<NonNullable<Tracked['output']>['completeTrackResults']>;
type TrackResult = Item<NumberResult['trackResults']>;
type ScanEvents = TrackResult['scanEvents'];

const BASE_URL = 'https://apis.fedex.com';

const DAY_MS = 24 * 60 * 60 * 1000;

/** FedEx: a token by client id and secret in a form, then JSON. It checks only the postal code of an address. */
export const fedex: CarrierAdapter = {
  document: 'fedex',
  statuses: [400, 404, 422],
  kept: [
    'grant_type',
    'token_type',
    'expires_in',
    'carrierCode',
    'countryCode',
    'postalCode',
    'cleanedPostalCode',
    'stateOrProvinceCode',
    'shipDate',
    'trackingNumber',
    'transactionId',
    'code',
    'message',
    'date',
    'eventType',
    'type',
    'dateTime',
    'ends',
  ],
  address: {
    url: BASE_URL,
    operation: /* GraphQL */ `
      mutation FedexAddress($input: PostalRequest_Input!) {
        validatePostal(input: $input) {
          __typename
          ... on Postal {
            output {
              countryCode
              stateOrProvinceCode
              cleanedPostalCode
              locationDescriptions { countryCode stateOrProvinceCode postalCode }
            }
          }
        }
      }`,
    variables: ({ country, zip, provincia }): FedexAddressVariables => ({
      input: {
        carrierCode: 'FDXE',
        countryCode: country,
        postalCode: zip,
        // FedEx takes codes of two letters and rejects names.
        ...(/^[A-Z]{2}$/i.test(provincia ?? '') && { stateOrProvinceCode: provincia?.toUpperCase() }),
        shipDate: shipDate(),
      },
    }),
    read: addressFinding,
  },
  tracking: {
    url: BASE_URL,
    account: ({ trackClientId: clientId = '', trackClientSecret: clientSecret = '' }) => ({ clientId, clientSecret }),
    operation: /* GraphQL */ `
      mutation FedexTracking($input: TrackRequest_Input!) {
        trackNumbers(input: $input) {
          __typename
          ... on Tracking {
            output {
              completeTrackResults {
                trackingNumber
                trackResults {
                  error { code }
                  estimatedDeliveryTimeWindow { window { ends } }
                  standardTransitTimeWindow { window { ends } }
                  dateAndTimes { type dateTime }
                  scanEvents {
                    date
                    eventType
                    derivedStatusCode
                    eventDescription
                    exceptionDescription
                    scanLocation { city countryCode }
                  }
                }
              }
            }
          }
        }
      }`,
    numbersPerRequest: 30,
    requestsPerMinute: 60,
    variables: (numbers): FedexTrackingVariables => ({
      input: {
        includeDetailedScans: true,
        trackingInfo: numbers.map(number => ({
          // FedEx would reject all others because of an empty one.
          trackingNumberInfo: { trackingNumber: plainNumber(number) || number },
        })),
      },
    }),
    read: trackingFindings,
  },
  grant: {
    path: '/oauth/token',
    request: (url, { clientId = '', clientSecret = '' }) => ({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      }).toString(),
    }),
  },
  authorize: (request, _, token) => ({
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${token ?? ''}`, 'x-locale': 'it_IT' },
  }),
};

/** FedEx validates a postal code as of a day: tomorrow, which is past nowhere on earth. The adapters' only clock. */
function shipDate(): string {
  return new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
}

function addressFinding({ validatePostal: answer }: FedexAddress): AddressFinding {
  if (answer?.__typename === 'Invalid') return { kind: 'invalid' };
  if (answer?.__typename === 'NotFound') return { kind: 'not_found' };
  const whole = answer?.output;
  const places = (whole?.locationDescriptions ?? [])
    .filter(place => place != null)
    .filter(({ postalCode }) => textOf(postalCode) !== null);
  const addresses = (places.length > 0 ? places : [{ ...whole, postalCode: whole?.cleanedPostalCode }])
    .map(({ postalCode, stateOrProvinceCode, countryCode }) =>
      knownAddress({
        zip: postalCode,
        province: stateOrProvinceCode || whole?.stateOrProvinceCode,
        country: countryCode || whole?.countryCode,
      }),
    )
    .filter(({ zip }) => zip !== null);
  // The first candidate of each postal code.
  const distinct = [...Map.groupBy(addresses, ({ zip }) => zip).values()].flatMap(([first]) => first ?? []);
  if (distinct.length > 0) return { kind: 'candidates', addresses: distinct };
  return { kind: whole?.locationDescriptions?.length === 0 ? 'not_found' : 'unreadable' };
}

function trackingFindings(
  { trackNumbers: answer }: FedexTracking,
  numbers: readonly string[],
): readonly TrackingFinding[] {
  if (answer?.__typename === 'Invalid' || answer?.__typename === 'NotFound') {
    // An error of a request for several numbers says nothing about each.
    return numbers.length === 1 ? [{ kind: 'not_found' }] : [];
  }
  const results = answer?.output?.completeTrackResults ?? [];
  const asked = new Set(numbers.map(plainNumber));
  const byNumber = new Map(results.map(result => [plainNumber(result?.trackingNumber ?? ''), result]));
  return numbers.map((number, n) => {
    const known = byNumber.get(plainNumber(number));
    if (known) return trackingFinding(known);
    // The result at the same position, unless it has another requested number.
    const samePosition = results.length === numbers.length ? results[n] : null;
    return trackingFinding(asked.has(plainNumber(samePosition?.trackingNumber ?? '')) ? null : samePosition);
  });
}

/** A number that FedEx has reused has several results, newest first. */
function trackingFinding(result: Maybe<NumberResult>): TrackingFinding {
  const results = (result?.trackResults ?? []).filter(each => each != null);
  const known = results.find(({ error, scanEvents }) => scanEvents || !error);
  if (known) return { kind: 'events', events: eventsOf(known.scanEvents), related: [], estimate: estimateOf(known) };
  const isUnknown = results[0]?.error?.code?.replace(/\W/g, '').toUpperCase().includes('NOTFOUND');
  return { kind: isUnknown ? 'not_found' : 'unreadable' };
}

/** FedEx' current estimate, or else the usual time of the service. */
function estimateOf({ estimatedDeliveryTimeWindow, standardTransitTimeWindow, dateAndTimes }: TrackResult) {
  const estimated = dateAndTimes?.find(date => date?.type === 'ESTIMATED_DELIVERY')?.dateTime;
  const { ends } = estimatedDeliveryTimeWindow?.window ?? {};
  return estimatedTimeOf(ends || estimated || standardTransitTimeWindow?.window?.ends);
}

function eventsOf(newestFirst: ScanEvents) {
  const scans = (newestFirst ?? []).filter(scan => scan != null).toReversed();
  const times = timestamps(scans.map(({ date }) => splitOffset(textOf(date) ?? '')));
  return carrierEvents(
    scans.map(({ eventType, derivedStatusCode, eventDescription, exceptionDescription, scanLocation }, n) => ({
      timestamp: times[n] ?? '',
      code: eventType,
      group: derivedStatusCode,
      description: eventDescription,
      location: scanLocation?.city || scanLocation?.countryCode,
      note: exceptionDescription,
    })),
  );
}

function splitOffset(date: string) {
  // A day alone ends in `-11` too.
  const [offset = null] = (date.includes('T') && /(?:Z|[+-]\d\d(?::?\d\d)?)$/.exec(date)) || [];
  return { local: date.slice(0, offset === null ? undefined : -offset.length), offset };
}
