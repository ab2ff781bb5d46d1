import type { StatusCode } from '../domain/shipping/tracking/status.rules.ts';
import {
  correctedPostalCode,
  type Journey,
  type JourneyEvent,
  outcomeOf,
  romeTime,
  SANDBOX_ACCOUNT,
} from './scenarios.ts';
import {
  hasBasicAuth,
  json,
  likelyPostalCodes,
  PAGE,
  parseObject,
  RETRY_LATER,
  romeOffset,
  type SandboxAnswer,
  type SandboxCarrier,
  type SandboxRequest,
  SILENCE,
  TokenIssuer,
  textOf,
} from './stand-in.ts';

type Known = Extract<Journey, { kind: 'events' }>;

/** UPS' data for each status: type, the three digits that our table reads, the two letters of the scan, the text. */
const ACTIVITIES: Readonly<
  Record<StatusCode, readonly [type: string, statusCode: string, code: string, description: string]>
> = {
  created: ['M', '003', 'MP', 'Shipper created a label, UPS has not received the package yet. '],
  shipped: ['I', '038', 'XD', 'Pickup Scan '],
  in_transit: ['I', '005', 'DP', 'Departed from Facility'],
  at_depot: ['I', '071', 'AR', 'Arrived at Facility'],
  customs: ['X', '014', 'IM', 'Your package is pending release from a Government Agency.'],
  out_for_delivery: ['I', '021', 'OT', 'Out For Delivery Today'],
  delayed: ['X', '048', '48', 'A late flight has caused a delay.'],
  pickup_point: ['I', '040', 'ZP', 'Delivered to UPS Access Point™'],
  delivery_failed: ['X', '022', 'A1', 'The receiver was not available at the time of the first delivery attempt.'],
  held: ['X', '050', 'H1', 'The package is being held.'],
  refused: ['X', '064', 'RF', 'The receiver refused the package.'],
  delivered: ['D', '011', 'FS', 'DELIVERED '],
  returning: ['X', '035', 'RT', 'The package will be returned to the sender.'],
  returned: ['D', '034', 'RS', 'Returned to the sender'],
  lost: ['X', '149', 'DG', 'Prohibited contents, package destroyed.'],
  cancelled: ['MV', '', 'VP', 'The shipment was voided.'],
  unknown: ['NA', '', 'ZZ', 'Information not available'],
};

export const upsTokens = new TokenIssuer(14_399);

/** UPS: a token by client credentials, then JSON; paths with and without the `/api` of its public address. */
export const ups: SandboxCarrier = {
  prefix: '/ups',
  answer(request) {
    if (request.path === '/security/v1/oauth/token') return token(request);
    const path = request.path.replace(/^\/api(?=\/)/, '');
    if (!upsTokens.accepts(request)) return rejection(401, '250002', 'Invalid Authentication Information.');
    if (path === '/shipments/v1/transittimes') return only('POST', request, transitTimes);
    const [, number] = /^\/track\/v1\/details\/([^/]+)$/.exec(path) ?? [];
    if (number !== undefined) return only('GET', request, () => track(request, number));
    return rejection(404, '250007', 'Invalid resource');
  },
};

function token(request: SandboxRequest): SandboxAnswer {
  if (request.method !== 'POST') return rejection(405, '10405', 'Method Not Allowed');
  if (!hasBasicAuth(request)) return rejection(401, '10401', 'ClientId is Invalid');
  if (new URLSearchParams(request.body).get('grant_type') !== 'client_credentials') {
    return rejection(400, '10400', 'Invalid/Missing grant_type');
  }
  return json(200, {
    token_type: 'Bearer',
    issued_at: `${Date.now()}`,
    client_id: SANDBOX_ACCOUNT,
    access_token: upsTokens.issue(),
    // A string, as UPS sends it.
    expires_in: `${upsTokens.lifetimeSeconds}`,
    status: 'approved',
  });
}

/** Both operations insist on the headers by which UPS distinguishes requests. */
function only(method: string, request: SandboxRequest, answer: (request: SandboxRequest) => SandboxAnswer) {
  if (request.method !== method) return rejection(405, '250008', 'Method Not Allowed');
  const missing = ['transId', 'transactionSrc'].find(name => !request.headers[name.toLowerCase()]);
  return missing ? rejection(400, 'VSS002', `Missing ${missing}`) : answer(request);
}

function transitTimes({ body }: SandboxRequest): SandboxAnswer {
  const asked = parseObject(body);
  if (!asked) return rejection(400, '270001', 'Invalid JSON');
  const countryCode = textOf(asked, 'destinationCountryCode');
  const postalCode = textOf(asked, 'destinationPostalCode');
  const missing = ['originCountryCode', 'destinationCountryCode'].filter(name => !textOf(asked, name));
  if (missing.length > 0) return invalid(missing);
  const candidates = (...postalCodes: readonly string[]) =>
    // UPS' document does not have the status.
    json(206, {
      validationList: { ...NOTHING_INVALID, destinationAmbiguous: true },
      destinationPickList: postalCodes.map(code => ({
        countryName: countryCode,
        countryCode,
        // The whole name outside the United States: the sandbox knows cities with a province of the same name.
        stateProvince: (
          textOf(asked, 'destinationStateProvince') || textOf(asked, 'destinationCityName')
        ).toUpperCase(),
        city: textOf(asked, 'destinationCityName').toUpperCase(),
        postalCodeLow: code,
        postalCodeHigh: code,
      })),
      originPickList: null,
      emsResponse: null,
    });
  switch (outcomeOf(postalCode)) {
    case 'valid':
      return services(asked, SERVICES);
    case 'corrected':
      return candidates(correctedPostalCode(postalCode));
    case 'several':
      return candidates(...likelyPostalCodes(postalCode));
    case 'not_found':
      return services(asked, []);
    case 'invalid':
      return invalid(['destinationPostalCode']);
    case 'bad_credentials':
      return rejection(401, '250002', 'Invalid Authentication Information.');
    case 'offline':
      return offline();
    case 'rate_limited':
      return rateLimited();
    case 'slow':
      return SILENCE;
    case 'malformed':
      return half(services(asked, SERVICES));
  }
}

const NOTHING_INVALID = {
  invalidFieldList: null,
  invalidFieldListCodes: null,
  destinationAmbiguous: false,
  originAmbiguous: false,
};

function invalid(fields: readonly string[]): SandboxAnswer {
  const invalidFieldListCodes = fields.map(() => '2');
  return json(200, {
    validationList: { ...NOTHING_INVALID, invalidFieldList: fields, invalidFieldListCodes },
    destinationPickList: null,
    originPickList: null,
    emsResponse: null,
  });
}

/** The fastest comes first, with the working days inside a country and beyond it. */
const SERVICES = [
  { serviceLevel: '01', serviceLevelDescription: 'UPS Express', inland: 1, abroad: 2 },
  { serviceLevel: '08', serviceLevelDescription: 'UPS Standard', inland: 2, abroad: 4 },
] as const;

function services(asked: Record<string, unknown>, offered: readonly (typeof SERVICES)[number][]): SandboxAnswer {
  const originCountryCode = textOf(asked, 'originCountryCode');
  const destinationCountryCode = textOf(asked, 'destinationCountryCode');
  const shipDate = textOf(asked, 'shipDate') || new Date().toISOString().slice(0, 10);
  return json(200, {
    validationList: NOTHING_INVALID,
    destinationPickList: null,
    originPickList: null,
    emsResponse: {
      shipDate,
      shipTime: '18:00:00',
      serviceLevel: 'A',
      billType: textOf(asked, 'billType') || '03',
      residentialIndicator: textOf(asked, 'residentialIndicator') || '02',
      destinationCountryName: destinationCountryCode,
      destinationCountryCode,
      destinationPostalCode: textOf(asked, 'destinationPostalCode'),
      destinationCityName: textOf(asked, 'destinationCityName').toUpperCase(),
      originCountryName: originCountryCode,
      originCountryCode,
      guaranteeSuspended: false,
      numberOfServices: offered.length,
      services: offered.map(({ inland, abroad, ...service }) => {
        const days = originCountryCode === destinationCountryCode ? inland : abroad;
        return { ...service, shipDate, businessTransitDays: days, totalTransitDays: days, commitTime: '12:00:00' };
      }),
    },
  });
}

function track(request: SandboxRequest, inquiryNumber: string): SandboxAnswer {
  const journey = request.journey(inquiryNumber);
  switch (journey.kind) {
    case 'events':
      return json(200, { trackResponse: { shipment: [shipment(inquiryNumber, journey)] } });
    case 'not_found': {
      const warnings = [{ code: 'TW0001', message: 'Tracking Information Not Found' }];
      return json(200, { trackResponse: { shipment: [{ inquiryNumber, warnings }] } });
    }
    case 'offline':
      return offline();
    case 'rate_limited':
      return rateLimited();
    case 'html':
      return PAGE;
  }
}

function shipment(inquiryNumber: string, { events, estimate }: Known) {
  // The newest activity comes first.
  const activity = events.map(activityOf).toReversed();
  const [newest] = activity;
  return {
    inquiryNumber,
    package: [
      {
        trackingNumber: inquiryNumber,
        ...delivery(events, estimate),
        activity,
        currentStatus: newest?.status,
        packageCount: 1,
      },
    ],
  };
}

/** When it is scheduled; after an exception also the new schedule; at last when it was delivered. */
function delivery(events: Known['events'], estimate: Known['estimate']) {
  const newest = events.at(-1);
  if (newest?.status === 'delivered') {
    const { date, time } = dateAndTime(newest.time);
    return { deliveryDate: [{ type: 'DEL', date }], deliveryTime: { type: 'DEL', endTime: time } };
  }
  if (!estimate) return {};
  const { date, time } = dateAndTime(estimate.latest);
  const isRescheduled = newest?.status === 'delayed' || newest?.status === 'delivery_failed';
  return {
    deliveryDate: [
      { type: 'SDD', date: isRescheduled ? dateAndTime(newest.time).date : date },
      ...(isRescheduled ? [{ type: 'RDD', date }] : []),
    ],
    deliveryTime: estimate.hasTime ? { type: 'EDW', startTime: '090000', endTime: time } : { type: 'EOD' },
  };
}

function dateAndTime(instant: Date) {
  const { year, month, day, hour, minute } = romeTime(instant);
  return { date: `${year}${month}${day}`, time: `${hour}${minute}00` };
}

function activityOf({ status, time, place }: JourneyEvent) {
  const [type, statusCode, code, description] = ACTIVITIES[status];
  return {
    location: { address: { city: place, countryCode: 'IT', country: 'IT' }, slic: '8566' },
    status: { type, description, code, ...(statusCode && { statusCode }) },
    ...dateAndTime(time),
    // A label was made on the shipper's own computer: there is local time only.
    ...(status !== 'created' && {
      gmtDate: time.toISOString().slice(0, 10).replaceAll('-', ''),
      gmtTime: time.toISOString().slice(11, 19),
      gmtOffset: romeOffset(time),
    }),
  };
}

function rejection(status: number, code: string, message: string, headers?: Readonly<Record<string, string>>) {
  return json(status, { response: { errors: [{ code, message }] } }, headers);
}

function offline(): SandboxAnswer {
  return rejection(503, '10503', 'Service Unavailable');
}

function rateLimited(): SandboxAnswer {
  return rejection(429, '10429', 'Too Many Requests', RETRY_LATER);
}

/** A response that is cut in the middle, though its sender believes that it is whole. */
function half(answer: SandboxAnswer): SandboxAnswer {
  return { ...answer, body: answer.body.slice(0, answer.body.length / 2) };
}
