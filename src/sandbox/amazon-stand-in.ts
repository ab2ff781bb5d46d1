import type { StatusCode } from '../domain/shipping/tracking/status.rules.ts';
import { type Journey, type JourneyEvent, SANDBOX_ACCOUNT } from './scenarios.ts';
import { FAULTS, json, type SandboxAnswer, type SandboxCarrier, type SandboxRequest, TokenIssuer } from './stand-in.ts';

/** Amazon's event for each status. It has none for customs, a stop or a depot, which is a facility like all others. */
const CODES: Readonly<Record<StatusCode, string>> = {
  created: 'ReadyForReceive',
  shipped: 'PickupDone',
  in_transit: 'Departed',
  at_depot: 'ArrivedAtCarrierFacility',
  customs: 'Departed',
  out_for_delivery: 'OutForDelivery',
  delayed: 'RecipientRequestedAlternateDeliveryTiming',
  pickup_point: 'AvailableForPickup',
  delivery_failed: 'DeliveryAttempted',
  held: 'Undeliverable',
  refused: 'Rejected',
  delivered: 'Delivered',
  returning: 'ReturnInitiated',
  returned: 'Delivered',
  lost: 'Lost',
  cancelled: 'PickupCancelled',
  unknown: 'InternalEvent',
};

/** The summary's status, where it is not the code of the newest event. */
const SUMMARIES: Readonly<Record<string, string | null>> = {
  ReadyForReceive: 'PreTransit',
  PickupDone: 'InTransit',
  Departed: 'InTransit',
  ArrivedAtCarrierFacility: 'InTransit',
  RecipientRequestedAlternateDeliveryTiming: 'InTransit',
  AvailableForPickup: 'AwaitingCustomerPickup',
  ReturnInitiated: 'InTransit',
  InternalEvent: null,
};

export const amazonTokens = new TokenIssuer(3_600);

/** Amazon Shipping API v2: a token by a refresh token, in a header of Amazon's own; JSON. */
export const amazon: SandboxCarrier = {
  prefix: '/amazon',
  answer(request) {
    if (request.path === '/auth/o2/token') return token(request);
    if (!amazonTokens.acceptsToken(`${request.headers['x-amz-access-token']}`)) {
      return failure(403, 'Unauthorized', 'Access to requested resource is denied.', 'The access token has expired.');
    }
    if (request.method !== 'GET' || request.path !== '/shipping/v2/tracking') return notFound();
    return track(request);
  },
};

function token({ body }: SandboxRequest): SandboxAnswer {
  const form = new URLSearchParams(body);
  const rejected = (status: number, error: string) => json(status, { error, error_description: 'Rejected' });
  if (form.get('grant_type') !== 'refresh_token') return rejected(400, 'unsupported_grant_type');
  const own = ['client_id', 'client_secret'].every(name => form.get(name) === SANDBOX_ACCOUNT);
  if (!own) return rejected(401, 'invalid_client');
  if (form.get('refresh_token') !== SANDBOX_ACCOUNT) return rejected(400, 'invalid_grant');
  const { lifetimeSeconds: expires_in } = amazonTokens;
  return json(200, {
    access_token: amazonTokens.issue(),
    refresh_token: SANDBOX_ACCOUNT,
    token_type: 'bearer',
    expires_in,
  });
}

function track({ query, headers, journey }: SandboxRequest): SandboxAnswer {
  const trackingId = query.get('trackingId');
  const business = String(headers['x-amzn-shipping-business-id'] ?? 'AmazonShipping_UK');
  // Amazon knows a shipment by its carrier in the country of the account.
  const country = business.replace('AmazonShipping_', '');
  const isOfCountry = query.get('carrierId') === (country === 'IN' ? 'ATS' : `AMZN_${country}`);
  if (!trackingId || !query.get('carrierId')) {
    const missing = trackingId ? 'CarrierId' : 'TrackingId';
    const details = `${missing} is missing in the request`;
    return failure(400, 'InvalidRequest', 'Request is missing or has invalid parameters', details);
  }
  const known = isOfCountry ? journey(trackingId) : ({ kind: 'not_found' } as const);
  if (known.kind === 'not_found') return notFound();
  return known.kind === 'events' ? json(200, { payload: result(trackingId, known) }) : FAULTS[known.kind];
}

function result(trackingId: string, { events, estimate }: Extract<Journey, { kind: 'events' }>) {
  const newest = CODES[events.at(-1)?.status ?? 'unknown'];
  const status = newest in SUMMARIES ? SUMMARIES[newest] : newest;
  const isFailed = newest === 'DeliveryAttempted';
  return {
    trackingId,
    alternateLegTrackingId: null,
    eventHistory: events.map(eventOf),
    promisedDeliveryDate: estimate?.latest.toISOString() ?? null,
    summary: {
      status,
      proofOfDelivery: null,
      trackingDetailCodes: { forward: isFailed ? ['CustomerUnavailable'] : [], returns: [] },
    },
  };
}

function eventOf({ status, time, place }: JourneyEvent) {
  const shipmentType = status === 'returning' || status === 'returned' ? 'RETURNS' : 'FORWARD';
  return {
    eventCode: CODES[status],
    eventTime: time.toISOString(),
    shipmentType,
    location: { city: place, countryCode: 'IT' },
  };
}

function notFound(): SandboxAnswer {
  return failure(404, 'NotFound', "The requested resource is invalid or doesn't exist");
}

function failure(status: number, code: string, message: string, details = ''): SandboxAnswer {
  return json(status, { errors: [{ code, message, details }] });
}
