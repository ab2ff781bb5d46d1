import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { StatusCode } from '../domain/shipping/tracking/status.rules.ts';
import {
  correctedPostalCode,
  type Journey,
  type JourneyEstimate,
  type JourneyEvent,
  outcomeOf,
  SANDBOX_ACCOUNT,
} from './scenarios.ts';
import {
  isObject,
  json,
  likelyPostalCodes,
  PAGE,
  parseObject,
  RETRY_LATER,
  romeDateAndTime,
  romeOffset,
  type SandboxAnswer,
  type SandboxCarrier,
  type SandboxRequest,
  SILENCE,
  TokenIssuer,
  textOf,
} from './stand-in.ts';

/**
 * FedEx' data for each status: the scan, its text, and the coarser code that it derives from the scan. FedEx has no
 * scan for some: they come as the exception that it sends instead.
 */
const SCANS: Readonly<
  Record<StatusCode, readonly [eventType: string, description: string, derivedCode: string, derived: string]>
> = {
  created: ['OC', 'Shipment information sent to FedEx', 'IN', 'Initiated'],
  shipped: ['PU', 'Picked up', 'PU', 'Picked up'],
  in_transit: ['DP', 'Left FedEx origin facility', 'IT', 'In transit'],
  at_depot: ['FD', 'At FedEx destination', 'IT', 'In transit'],
  customs: ['CD', 'Clearance delay', 'CD', 'Clearance delay'],
  out_for_delivery: ['OD', 'On FedEx vehicle for delivery', 'OD', 'Out for delivery'],
  delayed: ['DY', 'Delay', 'DY', 'Delay'],
  pickup_point: ['HL', 'Ready for recipient pickup', 'HL', 'Ready for pickup'],
  delivery_failed: ['DE', 'Delivery exception', 'DE', 'Delivery exception'],
  held: ['SE', 'Shipment exception', 'SE', 'Exception'],
  delivered: ['DL', 'Delivered', 'DL', 'Delivered'],
  returned: ['RS', 'Returning package to shipper', 'RS', 'Returning'],
  cancelled: ['CA', 'Shipment cancelled by sender', 'CA', 'Cancelled'],
  refused: ['DE', 'Shipment refused by recipient', 'DE', 'Delivery exception'],
  returning: ['RS', 'Returning package to shipper', 'RS', 'Returning'],
  lost: ['SE', 'Package damaged and discarded', 'SE', 'Exception'],
  unknown: ['ZZ', 'Internal event', '', ''],
};

/** FedEx' limit for one request. */
const MAX_NUMBERS = 30;

/** FedEx' tracking belongs to a project of its own: a key of one project opens nothing of the other. */
export const fedexTokens = new TokenIssuer(3_599);
export const fedexTrackTokens = new TokenIssuer(3_599);
export const SANDBOX_TRACK_ACCOUNT = `${SANDBOX_ACCOUNT}-track`;
const TRACK_PATH = '/track/v1/trackingnumbers';

/** FedEx: a token by client id and secret in a form, then JSON, which it compresses whether or not it is asked to. */
export const fedex: SandboxCarrier = {
  prefix: '/fedex',
  answer: request => compressed(plainAnswer(request)),
};

function plainAnswer(request: SandboxRequest): SandboxAnswer {
  if (request.method !== 'POST') return rejection(405, 'METHOD.NOT.ALLOWED', 'Method not allowed.');
  if (request.path === '/oauth/token') return token(request);
  const [own, other] = request.path === TRACK_PATH ? [fedexTrackTokens, fedexTokens] : [fedexTokens, fedexTrackTokens];
  if (other.accepts(request)) return rejection(403, 'FORBIDDEN.ERROR', 'We could not authorize your credentials.');
  if (!own.accepts(request)) return rejection(401, 'NOT.AUTHORIZED.ERROR', 'Access token expired.');
  const asked = parseObject(request.body);
  if (!asked) return rejection(400, 'INVALID.INPUT.EXCEPTION', 'Invalid field value in the input');
  if (request.path === '/country/v1/postal/validate') return validatePostal(asked);
  if (request.path === TRACK_PATH) return track(request, asked);
  return rejection(404, 'NOT.FOUND.ERROR', 'The resource you requested is no longer available.');
}

function compressed(answer: SandboxAnswer): SandboxAnswer {
  const headers = { ...answer.headers, 'content-encoding': 'gzip' };
  return answer.hang ? answer : { ...answer, headers, body: gzipSync(answer.body) };
}

function token({ body }: SandboxRequest): SandboxAnswer {
  const form = new URLSearchParams(body);
  if (form.get('grant_type') !== 'client_credentials') {
    return rejection(400, 'BAD.REQUEST.ERROR', 'Missing or duplicate parameters.');
  }
  const issuer = new Map([
    [SANDBOX_ACCOUNT, fedexTokens],
    [SANDBOX_TRACK_ACCOUNT, fedexTrackTokens],
  ]).get(form.get('client_id') ?? '');
  if (!issuer || form.get('client_secret') !== form.get('client_id')) {
    return rejection(401, 'NOT.AUTHORIZED.ERROR', 'The given client credentials were not valid.');
  }
  const expires_in = issuer.lifetimeSeconds;
  return json(200, { access_token: issuer.issue(), token_type: 'bearer', expires_in, scope: 'CXS' });
}

/** Fields without which FedEx rejects the request. It also asks for the state, which most countries' addresses don't have. */
const REQUIRED = [
  ['carrierCode', 'CARRIER.CODE.INVALID', 'Carrier code is invalid'],
  ['countryCode', 'COUNTRYCODE.INFO.INVALID', 'Country code is invalid'],
  ['postalCode', 'SHIPPING.POSTAL.CODE.INVALID', 'Postal code is null or empty'],
  ['shipDate', 'AVAILABILITY.SHIP.DATE.INVALID', 'Ship date is invalid'],
] as const;

/** FedEx does not receive the city: it knows a postal code's country and state, and the initials of its place. */
function validatePostal(asked: Readonly<Record<string, unknown>>): SandboxAnswer {
  const missing = REQUIRED.find(([name]) => !textOf(asked, name));
  if (missing) return rejection(400, missing[1], missing[2]);
  const postalCode = textOf(asked, 'postalCode');
  const countryCode = textOf(asked, 'countryCode').toUpperCase();
  const stateOrProvinceCode = textOf(asked, 'stateOrProvinceCode').toUpperCase();
  const found = (...postalCodes: readonly string[]) =>
    success({
      countryCode,
      cityFirstInitials: 'P',
      ...(stateOrProvinceCode && { stateOrProvinceCode }),
      cleanedPostalCode: postalCodes[0],
      locationDescriptions: postalCodes.map((code, n) => ({
        locationId: 'PMOA',
        locationNumber: n,
        countryCode,
        ...(stateOrProvinceCode && { stateOrProvinceCode }),
        postalCode: code,
        serviceArea: 'A1',
        airportId: 'PMO',
      })),
      alerts: postalCodes.includes(postalCode)
        ? []
        : [{ code: 'POSTALCODE.CORRECTED', alertType: 'NOTE', message: 'The postal code was corrected.' }],
    });
  switch (outcomeOf(postalCode)) {
    case 'valid':
      return found(postalCode);
    case 'corrected':
      return found(correctedPostalCode(postalCode));
    case 'several':
      return found(...likelyPostalCodes(postalCode));
    case 'not_found':
      return rejection(404, 'NOT.FOUND.ERROR', 'The postal code could not be found.');
    case 'invalid':
      return rejection(
        400,
        'ADDRESS.DETAIL.INVALID',
        'The State/Province and ZIP/Postal code combination is not valid.',
      );
    case 'bad_credentials':
      return rejection(403, 'FORBIDDEN.ERROR', 'We could not authorize your credentials.');
    case 'offline':
      return offline();
    case 'rate_limited':
      return rateLimited();
    case 'slow':
      return SILENCE;
    case 'malformed':
      return PAGE;
  }
}

function track(request: SandboxRequest, asked: Readonly<Record<string, unknown>>): SandboxAnswer {
  const infos: readonly unknown[] = Array.isArray(asked.trackingInfo) ? asked.trackingInfo : [];
  const numbers = infos.map(info =>
    isObject(info) && isObject(info.trackingNumberInfo) ? textOf(info.trackingNumberInfo, 'trackingNumber') : '',
  );
  if (numbers.length === 0 || numbers.includes('')) {
    return rejection(400, 'TRACKING.TRACKINGNUMBER.EMPTY', 'Please provide tracking number.');
  }
  if (numbers.length > MAX_NUMBERS) {
    return rejection(400, 'TRACKING.MULTIPLETRACKINGNUMBERS.LIMIT', `No more than ${MAX_NUMBERS} tracking numbers.`);
  }
  const journeys = numbers.map(number => ({ number, journey: request.journey(number) }));
  const kinds = new Set(journeys.map(({ journey }) => journey.kind));
  if (kinds.has('offline')) return offline();
  if (kinds.has('rate_limited')) return rateLimited();
  if (kinds.has('html')) return PAGE;
  const isDetailed = asked.includeDetailedScans === true;
  return success({
    completeTrackResults: journeys.map(({ number, journey }) => ({
      trackingNumber: number,
      trackResults: [
        { trackingNumberInfo: { trackingNumber: number, carrierCode: 'FDXE' }, ...trackResult(journey, isDetailed) },
      ],
    })),
  });
}

/** FedEx responds with 200 to an unknown number, with the rejection in that number's own result. */
function trackResult(journey: Journey, isDetailed: boolean) {
  if (journey.kind !== 'events') {
    const message = 'Tracking number cannot be found. Please correct the tracking number and try again.';
    return { error: { code: 'TRACKING.TRACKINGNUMBER.NOTFOUND', message } };
  }
  // The newest event comes first.
  const scanEvents = journey.events.map(scanEvent).toReversed();
  const [newest] = scanEvents;
  const expected = window(journey.estimate);
  return {
    estimatedDeliveryTimeWindow: expected,
    standardTransitTimeWindow: expected,
    latestStatusDetail: {
      code: newest?.derivedStatusCode,
      derivedCode: newest?.derivedStatusCode,
      statusByLocale: newest?.derivedStatus,
      description: newest?.eventDescription,
    },
    ...(isDetailed && { scanEvents }),
  };
}

/** Empty without an estimate. A day is written as its midnight. */
function window(estimate: JourneyEstimate | null) {
  if (!estimate) return { window: {} };
  const { date, time } = romeDateAndTime(estimate.latest);
  const [begins, ends] = estimate.hasTime ? ['09:00:00', time] : ['00:00:00', '00:00:00'];
  const on = (clock: string) => `${date}T${clock}${romeOffset(estimate.latest)}`;
  return { description: '', window: { begins: on(begins), ends: on(ends) }, type: 'ESTIMATED_DELIVERY' };
}

function scanEvent({ status, time, place }: JourneyEvent) {
  const [eventType, eventDescription, derivedStatusCode, derivedStatus] = SCANS[status];
  const { date, time: clock } = romeDateAndTime(time);
  return {
    date: `${date}T${clock}${romeOffset(time)}`,
    eventType,
    eventDescription,
    exceptionCode: status === 'refused' ? '07' : '',
    exceptionDescription: '',
    scanLocation: { city: place, countryCode: 'IT', countryName: 'Italy', residential: false },
    derivedStatusCode,
    derivedStatus,
  };
}

function success(output: unknown): SandboxAnswer {
  return json(200, { transactionId: randomUUID(), output });
}

function rejection(status: number, code: string, message: string, headers?: Readonly<Record<string, string>>) {
  return json(status, { transactionId: randomUUID(), errors: [{ code, message }] }, headers);
}

function offline(): SandboxAnswer {
  return rejection(503, 'SERVICE.UNAVAILABLE.ERROR', 'The service is currently unavailable. Please try again later.');
}

function rateLimited(): SandboxAnswer {
  return rejection(429, 'TOO.MANY.REQUESTS', 'The rate limit was exceeded.', RETRY_LATER);
}
