import type { Context } from 'koa';
import type { RequestContext } from '../graphql/context.ts';
import { Fault } from '../platform/fault.ts';
import type { RateLimits } from '../platform/rate-limits.ts';
import { RATE_CLASSES, RATE_WINDOW_SECONDS, type RateClass, type RateState } from '../platform/rates.ts';

/** Counts a request and tells its caller what is left. @throws Fault `rate_limited` */
export async function countRequest(
  ctx: Context,
  limits: RateLimits,
  { principal }: RequestContext,
  rateClass: RateClass,
): Promise<void> {
  const state = await limits.take(principal, rateClass);
  tellRate(ctx, state);
  if (!state.isExceeded) return;
  const { limit, resetSeconds } = state;
  throw new Fault('rate_limited', {
    detail: `The key may make ${limit} ${RATE_CLASSES[rateClass].what} a minute. Send the request again in ${resetSeconds} s.`,
    headers: { 'retry-after': String(resetSeconds) },
  });
}

/** The fields of draft-ietf-httpapi-ratelimit-headers. */
export function tellRate(ctx: Context, { rateClass, limit, remaining, resetSeconds }: RateState): void {
  ctx.set('ratelimit-policy', `"${rateClass}";q=${limit};w=${RATE_WINDOW_SECONDS}`);
  ctx.set('ratelimit', `"${rateClass}";r=${remaining};t=${resetSeconds}`);
}
