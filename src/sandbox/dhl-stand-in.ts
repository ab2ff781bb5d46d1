import type { StatusCode } from '../domain/shipping/tracking/status.rules.ts';
import { correctedPostalCode, type Journey, type JourneyEvent, outcomeOf } from './scenarios.ts';
import {
  hasBasicAuth,
  json,
  likelyPostalCodes,
  PAGE,
  RETRY_LATER,
  romeDateAndTime,
  romeOffset,
  type SandboxAnswer,
  type SandboxCarrier,
  type SandboxRequest,
  SILENCE,
} from './stand-in.ts';

type Known = Extract<Journey, { kind: 'events' }>;

/**
 * DHL's checkpoint for each status. Null: before the pickup DHL only knows the shipment. The last four are real
 * checkpoints that say less than the status, and which our table reads as `unknown`.
 */
const CHECKPOINTS: Readonly<Record<StatusCode, readonly [typeCode: string, description: string] | null>> = {
  created: null,
  shipped: ['PU', 'Shipment picked up'],
  in_transit: ['DF', 'Departed Facility'],
  at_depot: ['AR', 'Arrived at DHL Delivery Facility'],
  customs: ['IC', 'Processed for clearance'],
  out_for_delivery: ['WC', 'Shipment is out with courier for delivery'],
  delayed: ['TD', 'Delayed by transport'],
  pickup_point: ['CC', 'Awaiting collection by the consignee'],
  delivery_failed: ['NH', 'Delivery attempted; recipient not home'],
  held: ['OH', 'Shipment on hold'],
  refused: ['RD', 'Recipient refused delivery'],
  delivered: ['OK', 'Delivered'],
  returned: ['RT', 'Returned to shipper'],
  returning: ['RT', 'Returned to shipper'],
  lost: ['DS', 'Shipment disposed of'],
  cancelled: ['ZX', 'Shipment intercepted'],
  unknown: ['ZZ', 'Internal event'],
};

/** MyDHL API: Basic authentication on every request, JSON, errors as problem details. */
export const dhl: SandboxCarrier = {
  prefix: '/dhl',
  answer(request) {
    if (!hasBasicAuth(request)) return problem(request, 401, 'Unauthorized', 'Invalid Credentials');
    if (request.path === '/address-validate') return addressValidate(request);
    const [, awb] = /^\/shipments\/([^/]+)\/tracking$/.exec(request.path) ?? [];
    if (awb !== undefined) return track(request, awb);
    return problem(request, 404, 'Not Found', 'No resource method found');
  },
};

function addressValidate(request: SandboxRequest): SandboxAnswer {
  const { method, query } = request;
  if (method !== 'GET') return problem(request, 405, 'Method Not Allowed', 'Only GET is allowed');
  const missing = ['type', 'countryCode'].filter(name => !query.get(name));
  if (missing.length > 0) {
    return problem(request, 400, 'Missing parameters', `Missing mandatory parameters: ${missing.join(', ')}`);
  }
  const postalCode = query.get('postalCode') ?? '';
  const cityName = query.get('cityName') ?? '';
  if (!postalCode && !cityName) {
    return problem(request, 400, 'Bad request', 'Missing mandatory parameters: postalCode or cityName');
  }
  const found = (...postalCodes: readonly string[]) =>
    json(200, {
      warnings: postalCodes.includes(postalCode) ? [] : ['Address has been corrected'],
      address: postalCodes.map(code => ({
        countryCode: (query.get('countryCode') ?? '').toUpperCase(),
        postalCode: code,
        cityName: cityName.toUpperCase(),
        ...(query.get('countyName') && { countyName: query.get('countyName')?.toUpperCase() }),
        serviceArea: { ...serviceArea(cityName), GMTOffset: '+01:00' },
      })),
    });
  switch (outcomeOf(postalCode)) {
    case 'valid':
      return found(postalCode);
    case 'corrected':
      return found(correctedPostalCode(postalCode));
    case 'several':
      return found(...likelyPostalCodes(postalCode));
    case 'not_found':
      return problem(request, 404, 'Not found', '1001: The requested location could not be found');
    case 'invalid':
      return problem(request, 400, 'Bad request', '420505: The destination location is invalid');
    case 'bad_credentials':
      return problem(request, 401, 'Unauthorized', 'Invalid Credentials');
    case 'offline':
      return offline(request);
    case 'rate_limited':
      return rateLimited(request);
    case 'slow':
      return SILENCE;
    case 'malformed':
      return PAGE;
  }
}

function track(request: SandboxRequest, awb: string): SandboxAnswer {
  if (request.method !== 'GET') return problem(request, 405, 'Method Not Allowed', 'Only GET is allowed');
  const journey = request.journey(awb);
  switch (journey.kind) {
    case 'events':
      return json(200, { shipments: [shipment(request, awb, journey)] });
    case 'not_found':
      return problem(request, 404, 'Not found', `No shipments found for the given AWB ${awb}`);
    case 'offline':
      return offline(request);
    case 'rate_limited':
      return rateLimited(request);
    case 'html':
      return PAGE;
  }
}

function shipment({ query }: SandboxRequest, awb: string, { events, estimate }: Known) {
  const hasOffsets = query.get('requestGMTOffsetPerEvent') === 'true';
  const checkpoints = events.flatMap(event => checkpoint(event, hasOffsets));
  return {
    shipmentTrackingNumber: awb,
    status: 'Success',
    productCode: 'N',
    description: 'Merce',
    totalWeight: 2.5,
    unitOfMeasurements: 'metric',
    numberOfPieces: 1,
    // Any other view has only the newest checkpoint.
    events: query.get('trackingView') === 'all-checkpoints' ? checkpoints : checkpoints.slice(-1),
    ...(estimate && { estimatedDeliveryDate: romeDateAndTime(estimate.latest).date }),
  };
}

/** In local time, with its offset only if that is asked for. */
function checkpoint({ status, time: instant, place }: JourneyEvent, hasOffset: boolean) {
  const known = CHECKPOINTS[status];
  if (!known) return [];
  const [typeCode, description] = known;
  return [
    {
      ...romeDateAndTime(instant),
      ...(hasOffset && { GMTOffset: romeOffset(instant) }),
      typeCode,
      description,
      serviceArea: [serviceArea(place)],
      ...(status === 'delivered' && { signedBy: 'ROSSI' }),
    },
  ];
}

function serviceArea(place: string) {
  const name = place.toUpperCase();
  return { code: name.replace(/[^A-Z]/g, '').slice(0, 3), description: `${name}-IT` };
}

/** DHL repeats the whole query in `instance`, so a log of the response contains an address. */
function problem({ path, query }: SandboxRequest, status: number, title: string, detail: string): SandboxAnswer {
  const instance = `/expressapi${path}${query.size > 0 ? `?${query}` : ''}`;
  const body = { instance, detail, title, message: title, status: String(status) };
  return json(status, body, { 'content-type': 'application/problem+json' });
}

function offline(request: SandboxRequest): SandboxAnswer {
  return problem(request, 503, 'Service Unavailable', 'The service is temporarily unavailable');
}

function rateLimited(request: SandboxRequest): SandboxAnswer {
  const answer = problem(request, 429, 'Too Many Requests', 'The request limit was exceeded');
  return { ...answer, headers: { ...answer.headers, ...RETRY_LATER } };
}
