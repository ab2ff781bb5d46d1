import type {
  FedexAddress,
  FedexAddressVariables,
  FedexTracking,
  FedexTrackingVariables,
} from '../../schema/carriers/fedex.d.ts';
import type {
  AddressFinding,
  AskedAddress,
  NoAnswer,
  RelatedNumber,
  TrackingFinding,
} from '../domain/shipping/carriers/carrier.port.ts';
import { type CheckingAdapter, formGrant, words } from './adapter.ts';
import { addressComplaint, numberComplaint } from './complaint.ts';
import { estimatedTimeOf } from './estimated-time.ts';
import { fedexEvents, newestScanMs } from './fedex-scans.ts';
import { type Item, knownAddress, type Maybe, plainNumber, textOf } from './normalize.ts';

type Tracked = Extract<FedexTracking['trackNumbers'], { __typename: 'Tracking' }>;
type NumberResult = Item<NonNullable<Tracked['output']>['completeTrackResults']>;
type TrackResult = Item<NumberResult['trackResults']>;
type Errors = Tracked['errors'];

const BASE_URL = 'https://apis.fedex.com';

const DAY_MS = 24 * 60 * 60 * 1000;

/** FedEx: a token by client id and secret in a form, then JSON. It checks only the postal code of an address. */
export const fedex: CheckingAdapter = {
  document: 'fedex',
  statuses: [400, 404, 422],
  kept: words(`
    grant_type token_type expires_in carrierCode countryCode postalCode cleanedPostalCode stateOrProvinceCode
    shipDate trackingNumber transactionId code message date eventType derivedStatusCode checkForMismatch type
    dateTime ends
  `),
  address: {
    url: BASE_URL,
    operation: 'validatePostal',
    variables: ({ country, zip, provincia }): FedexAddressVariables => ({
      input: {
        carrierCode: 'FDXE',
        countryCode: country,
        postalCode: zip,
        // FedEx takes codes of two letters and rejects names.
        ...(/^[A-Z]{2}$/i.test(provincia ?? '') && { stateOrProvinceCode: provincia?.toUpperCase() }),
        checkForMismatch: true,
        shipDate: shipDate(),
      },
    }),
    read: addressFinding,
  },
  tracking: {
    url: BASE_URL,
    account: ({ trackClientId: clientId = '', trackClientSecret: clientSecret = '' }) => ({ clientId, clientSecret }),
    operation: 'trackNumbers',
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
  grant: formGrant('/oauth/token', ({ clientId = '', clientSecret = '' }) => ({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })),
  authorize: (request, _, token) => ({
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${token ?? ''}`, 'x-locale': 'it_IT' },
  }),
};

/** FedEx validates a postal code as of a day: tomorrow, which is past nowhere on earth. The adapters' only clock. */
function shipDate(): string {
  return new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
}

/** Errors that concern neither the address nor a number: FedEx' systems fail, or it rejects the credentials. */
function generalError(errors: Errors): NoAnswer | null {
  const codes = (errors ?? []).map(error => error?.code ?? '');
  if (codes.some(code => /NOT\.AUTHORIZED|FORBIDDEN/i.test(code))) return { kind: 'refused' };
  if (codes.some(code => /SYSTEM|INTERNAL|UNAVAILABLE|UNEXPECTED|RELOGIN/i.test(code))) return { kind: 'unavailable' };
  return null;
}

function textsOf(errors: Errors): readonly Maybe<string>[] {
  return (errors ?? []).flatMap(error => [error?.code, error?.message]);
}

/** FedEx compares states with postal codes in these; elsewhere it knows few states. */
const STATES_COMPARED: ReadonlySet<string> = new Set(['US', 'CA']);

function addressFinding({ validatePostal: answer }: FedexAddress, { country }: AskedAddress): AddressFinding {
  if (answer?.__typename === 'NotFound') return { kind: 'not_found' };
  if (answer?.__typename === 'Invalid' || answer?.errors?.length) {
    return generalError(answer.errors) ?? { kind: addressComplaint(textsOf(answer.errors)) };
  }
  const whole = answer?.output;
  const isMismatch = whole?.alerts?.some(alert => /MISMATCH/i.test(alert?.code ?? '')) === true;
  if (isMismatch && STATES_COMPARED.has(country)) return { kind: 'not_found' };
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
  if (answer?.__typename === 'NotFound') return ofOneNumber(numbers, { kind: 'not_found' });
  if (answer?.__typename === 'Invalid' || answer?.errors?.length) {
    const none = generalError(answer.errors);
    return none ? numbers.map(() => none) : ofOneNumber(numbers, complaint(answer.errors));
  }
  const results = answer?.output?.completeTrackResults;
  return numbers.map((number, n) => {
    if (!results) return { kind: 'unreadable' };
    const matching = results.filter(result => plainNumber(result?.trackingNumber ?? '') === plainNumber(number));
    // The result at the same position, if it names no number.
    const samePosition = results.length === numbers.length ? results[n] : undefined;
    if (matching.length === 0 && samePosition && !samePosition.trackingNumber) matching.push(samePosition);
    if (matching.length > 0) return trackingFinding(matching, number);
    return { kind: results.every(result => result?.trackingNumber) ? 'not_found' : 'unreadable' };
  });
}

/** A number that FedEx does not find, or something that is ours. */
function complaint(errors: Errors): TrackingFinding {
  const texts = textsOf(errors);
  return { kind: texts.some(text => textOf(text) !== null) ? numberComplaint(texts) : 'unreadable' };
}

/** An error of a request for several numbers says nothing about each. */
function ofOneNumber(numbers: readonly string[], finding: TrackingFinding): readonly TrackingFinding[] {
  return numbers.length === 1 ? [finding] : [];
}

/** A number may have several results, such as one that FedEx has used again: the one with the newest scan counts. */
function trackingFinding(own: readonly Maybe<NumberResult>[], number: string): TrackingFinding {
  const lists = own.map(result => result?.trackResults);
  const results = lists.flatMap(list => list ?? []).filter(each => each != null);
  const ours = results.filter(result => isOf(result, number));
  const [newest] = ours
    .filter(({ error, scanEvents }) => scanEvents || !error)
    .map(result => ({ result, ms: newestScanMs(result.scanEvents) }))
    .toSorted((one, other) => other.ms - one.ms);
  if (newest) {
    const { result } = newest;
    return {
      kind: 'events',
      events: fedexEvents(result.scanEvents),
      related: relatedOf(result),
      estimate: estimateOf(result),
    };
  }
  const errors = ours.map(({ error }) => error);
  if (errors.length > 0) return generalError(errors) ?? complaint(errors);
  const isEmpty = results.length > 0 || lists.some(list => list?.length === 0);
  return { kind: isEmpty ? 'not_found' : 'unreadable' };
}

/** Whether a result is of the number: it names the number, none, or another one with the number as its door tag. */
function isOf({ trackingNumberInfo, additionalTrackingInfo }: TrackResult, number: string): boolean {
  const told = plainNumber(trackingNumberInfo?.trackingNumber ?? '');
  const asked = plainNumber(number);
  return told === '' || told === asked || numbersIn(additionalTrackingInfo).some(({ value }) => value === asked);
}

function numbersIn(info: TrackResult['additionalTrackingInfo']): { type: string; value: string }[] {
  return (info?.packageIdentifiers ?? []).flatMap(identifier =>
    [...(identifier?.value ?? []), ...(identifier?.values ?? [])].flatMap(value =>
      value ? { type: identifier?.type ?? '', value: plainNumber(value) } : [],
    ),
  );
}

const RELATED: ReadonlyMap<string, RelatedNumber['type']> = new Map([
  ['RETURNED_TO_SHIPPER_TRACKING_NUMBER', 'return'],
  ['REROUTE_TRACKING_NUMBER', 'forward'],
]);

function relatedOf({ additionalTrackingInfo }: TrackResult): RelatedNumber[] {
  return numbersIn(additionalTrackingInfo).flatMap(({ type, value }) => {
    const known = RELATED.get(type);
    return known && value ? { trackingNumber: value, type: known } : [];
  });
}

/** FedEx' current estimate, or else the usual time of the service. */
function estimateOf({ estimatedDeliveryTimeWindow, standardTransitTimeWindow, dateAndTimes }: TrackResult) {
  const estimated = dateAndTimes?.find(date => date?.type === 'ESTIMATED_DELIVERY')?.dateTime;
  const { ends } = estimatedDeliveryTimeWindow?.window ?? {};
  return estimatedTimeOf(ends || estimated || standardTransitTimeWindow?.window?.ends);
}
