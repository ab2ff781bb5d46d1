import { Fault } from '../fault.ts';
import { CompanyPlaces } from './company-places.ts';

/** Requests of a company that one process carries out at the same time. */
export const REQUEST_PLACES = 16;
/** How long a request waits for a place, and how many of a company may wait. */
const WAIT_MS = 3_000;
const MAX_WAITING = 1_000;

/** A request takes one more place for each of these units of its price: the most expensive ones run one at a time. */
const UNITS_OF_PLACE = 12_500;

/**
 * If a company finished this much work while one of its requests waited in vain, the company itself fills its places:
 * this is one or two requests for long lists. On a slow database its places finish some hundred units.
 */
const OWN_UNITS = 5_000;

/** The places of requests. `rate_limited` is for a company that fills its own, `unavailable` for a slow server. */
export function requestPlaces(): CompanyPlaces {
  return new CompanyPlaces({
    places: REQUEST_PLACES,
    waitMs: WAIT_MS,
    maxWaiting: MAX_WAITING,
    reject: (_lacking, units) => (units >= OWN_UNITS ? tooManyAtOnce() : tooSlow()),
  });
}

export function placesOf(price: number): number {
  return Math.min(REQUEST_PLACES, 1 + Math.floor(price / UNITS_OF_PLACE));
}

function tooSlow(): Fault {
  return new Fault('unavailable', {
    detail: 'The service is slow and did not get to the request in time. Send the request again in 2 s.',
    headers: { 'retry-after': '2' },
  });
}

function tooManyAtOnce(): Fault {
  return new Fault('rate_limited', {
    detail: 'The company has too many requests in progress. Send fewer at a time, and send this one again in 1 s.',
    headers: { 'retry-after': '1' },
  });
}
