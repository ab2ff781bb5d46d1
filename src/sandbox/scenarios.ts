import type { StatusCode } from '../domain/shipping/tracking/status.rules.ts';

// The common part of all stand-ins: the scenario that a postal code or a tracking number selects.

/** User and password, client and secret of every carrier's sandbox account; others are rejected. */
export const SANDBOX_ACCOUNT = 'sandbox';

export type AddressOutcome =
  | 'valid'
  | 'corrected'
  | 'several'
  | 'not_found'
  | 'invalid'
  | 'offline'
  | 'slow'
  | 'rate_limited'
  | 'bad_credentials'
  | 'malformed';

/** Selected by the last two digits of a postal code, which every carrier asks for. */
export const OUTCOMES: Readonly<Record<string, AddressOutcome>> = {
  90: 'corrected',
  91: 'several',
  92: 'not_found',
  93: 'invalid',
  94: 'offline',
  95: 'slow',
  96: 'rate_limited',
  97: 'bad_credentials',
  98: 'malformed',
};

/** The outcome of a sandbox for an address with this postal code; letters and signs are ignored. */
export function outcomeOf(postalCode: string): AddressOutcome {
  return OUTCOMES[postalCode.replace(/\D/g, '').slice(-2)] ?? 'valid';
}

/** The postal code of a corrected address: its last two digits are 00, so that the suggestion is valid. */
export function correctedPostalCode(postalCode: string): string {
  return postalCode.replace(/\d(\D*)\d(\D*)$/, '0$10$2');
}

export interface JourneyEvent {
  readonly status: StatusCode;
  /** Whole minutes, since some carriers send no seconds. */
  readonly time: Date;
  readonly place: string;
}

/** When a delivery is expected. */
export interface JourneyEstimate {
  /** Its last moment; for carriers that name a day, that day. */
  readonly latest: Date;
  /** Whether carriers that support it name a time. */
  readonly hasTime: boolean;
}

/** A sandbox' response to a number: events from oldest to newest, or a failure. */
export type Journey =
  | {
      readonly kind: 'events';
      readonly events: readonly JourneyEvent[];
      /** Null before the pickup, after the end, and always for GLS. */
      readonly estimate: JourneyEstimate | null;
    }
  | { readonly kind: 'not_found' | 'offline' | 'rate_limited' | 'html' };

/** Parts of a number that make the carrier fail. */
export const FAILURES = { NOTFOUND: 'not_found', OFFLINE: 'offline', LIMIT: 'rate_limited', HTML: 'html' } as const;

/** A number with this prefix has one more event each time it is asked about. */
export const WALK = 'WALK';

const UNDER_WAY = ['created', 'shipped', 'in_transit'] as const;
const AT_THE_DOOR = [...UNDER_WAY, 'at_depot', 'out_for_delivery'] as const;

/** The usual way to each status, which ends with the status itself. */
const WAYS: Readonly<Record<StatusCode, readonly StatusCode[]>> = {
  created: ['created'],
  shipped: ['created', 'shipped'],
  in_transit: UNDER_WAY,
  at_depot: [...UNDER_WAY, 'at_depot'],
  customs: [...UNDER_WAY, 'customs'],
  out_for_delivery: AT_THE_DOOR,
  delayed: [...UNDER_WAY, 'delayed'],
  pickup_point: [...UNDER_WAY, 'at_depot', 'pickup_point'],
  delivery_failed: [...AT_THE_DOOR, 'delivery_failed'],
  held: [...AT_THE_DOOR, 'delivery_failed', 'held'],
  refused: [...AT_THE_DOOR, 'refused'],
  delivered: [...AT_THE_DOOR, 'delivered'],
  returning: [...AT_THE_DOOR, 'refused', 'returning'],
  returned: [...AT_THE_DOOR, 'refused', 'returning', 'returned'],
  lost: [...UNDER_WAY, 'lost'],
  cancelled: ['created', 'cancelled'],
  unknown: [...UNDER_WAY, 'unknown'],
};

/** Longest first, in case one status' name is part of another's. */
const ENDINGS = (Object.keys(WAYS) as StatusCode[]).toSorted((one, other) => other.length - one.length);

/** The day of its journey on which a parcel is expected, by the last event: early at the depot, late after trouble. */
const EXPECTED_DAY: Readonly<Partial<Record<StatusCode, number>>> = {
  shipped: 5,
  in_transit: 5,
  at_depot: 4,
  customs: 7,
  out_for_delivery: 4,
  delayed: 7,
  delivery_failed: 6,
  unknown: 5,
};
/** From the depot on there is also a time. */
const WITH_TIME: ReadonlySet<StatusCode> = new Set(['at_depot', 'out_for_delivery', 'delivery_failed']);
/** In the afternoon, in Italy. */
const EXPECTED_HOUR_MS = 17 * 60 * 60 * 1000;

const PLACES: Readonly<Partial<Record<StatusCode, string>>> = {
  created: 'MILANO',
  shipped: 'MILANO',
  in_transit: 'BOLOGNA',
  customs: 'MALPENSA',
  delayed: 'BOLOGNA',
  lost: 'BOLOGNA',
  returned: 'MILANO',
};
const DESTINATION = 'PALERMO';

const STEP_MS = 2 * 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;

const DAY_MS = 24 * 60 * MINUTE_MS;

/** The default start of journeys: midnight (UTC) long enough ago, and constant for a day, even after a restart. */
export function usualStart(now: Date): Date {
  return new Date(Math.floor(now.getTime() / DAY_MS - 1) * DAY_MS);
}

/**
 * The journey of a tracking number, by words in it: NOTFOUND, OFFLINE, LIMIT and HTML fail; a number that begins with
 * WALK moves from created to delivered; a status' name in capitals ends there; others are unknown to the carrier.
 *
 * @param asked how many times the number has been asked about, including this time
 * @param start when the journey began; each step is two hours later
 */
export function journeyOf(trackingNumber: string, asked: number, start: Date): Journey {
  const number = trackingNumber.toUpperCase();
  for (const [word, kind] of Object.entries(FAILURES)) {
    if (number.includes(word)) return { kind };
  }
  const ending = ENDINGS.find(status => number.includes(status.toUpperCase()));
  const way = number.startsWith(WALK) ? WAYS.delivered.slice(0, Math.max(asked, 1)) : ending && WAYS[ending];
  if (!way) return { kind: 'not_found' };
  const startMs = Math.floor(start.getTime() / MINUTE_MS) * MINUTE_MS;
  const events = way.map((status, step) => ({
    status,
    time: new Date(startMs + step * STEP_MS),
    place: PLACES[status] ?? DESTINATION,
  }));
  return { kind: 'events', events, estimate: estimateOf(way.at(-1), startMs) };
}

function estimateOf(status: StatusCode | undefined, startMs: number): JourneyEstimate | null {
  const day = status && EXPECTED_DAY[status];
  if (!day) return null;
  const midnightMs = Math.floor(startMs / DAY_MS) * DAY_MS;
  return { latest: new Date(midnightMs + (day - 1) * DAY_MS + EXPECTED_HOUR_MS), hasTime: WITH_TIME.has(status) };
}

interface LocalTime {
  readonly day: string;
  readonly month: string;
  readonly year: string;
  readonly hour: string;
  readonly minute: string;
}

const ROME = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Rome',
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** Italian local time without an offset, as GLS and BRT send it: two instants of an October night are equal. */
export function romeTime(time: Date): LocalTime {
  const parts = new Map(ROME.formatToParts(time).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return { day: part('day'), month: part('month'), year: part('year'), hour: part('hour'), minute: part('minute') };
}
