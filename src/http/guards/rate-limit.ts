import type { Context } from 'koa';
import { Fault } from '../../platform/fault.ts';
import type { Limited, RateLimits } from '../../platform/limits/rate-limits.ts';
import { RATE_CLASSES, RATE_WINDOW_SECONDS, type RateState, type RequestClass } from '../../platform/limits/rates.ts';

/** Counts a request as `count` requests of a class; a promise if it must wait. @throws Fault `rate_limited` */
export function countRequest(
  limits: RateLimits,
  limited: Limited,
  rateClass: RequestClass,
  count = 1,
): Promise<void> | undefined {
  const exceeded = limits.take(limited, rateClass, count);
  if (exceeded instanceof Promise) return exceeded.then(requireWithin);
  requireWithin(exceeded);
  return undefined;
}

function requireWithin(exceeded: RateState | undefined): void {
  if (exceeded) throw rateLimited(exceeded);
}

function rateLimited({ rateClass, limit, isOfCompany, resetSeconds }: RateState): Fault {
  const { what } = RATE_CLASSES[rateClass];
  const who = isOfCompany
    ? 'The keys of the company together have reached their limit'
    : 'The key has reached its limit';
  return new Fault('rate_limited', {
    detail: `${who} for ${what}: ${limit} in a minute. Send the request again in ${resetSeconds} s.`,
    headers: { 'retry-after': String(resetSeconds) },
  });
}

/** Shows a caller the remaining rates, in the fields of draft-ietf-httpapi-ratelimit-headers. */
export function showRates(ctx: Context, limits: RateLimits, limited: Limited, rateClass: RequestClass): void {
  const [own, cost] = limits.states(limited, rateClass);
  ctx.set('ratelimit-policy', `${policyOf(own)}, ${policyOf(cost)}`);
  ctx.set('ratelimit', `${restOf(own)}, ${restOf(cost)}`);
}

function policyOf({ rateClass, limit }: RateState): string {
  return `"${rateClass}";q=${limit};w=${RATE_WINDOW_SECONDS}`;
}

function restOf({ rateClass, remaining, resetSeconds }: RateState): string {
  return `"${rateClass}";r=${remaining};t=${resetSeconds}`;
}
