import type { RequestContext } from '../graphql/context.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';

/** The cost of an operation, in `extensions` of its response: clients of GraphQL seldom show headers. */

/**
 * The response with its cost. It is added to the text, because responses of introspection are kept as texts.
 *
 * @param requested the price of the document, 0 if it was not weighed
 */
export function withCost(
  text: string,
  requested: number,
  { principal, work }: RequestContext,
  limits: RateLimits,
): string {
  const actual = Math.ceil(work.spent);
  const { remaining, resetAt } = limits.costLeft(principal, actual);
  const cost = `{"requested":${requested},"actual":${actual},"remaining":${remaining},"resetAt":"${resetAt}"}`;
  return `${text.slice(0, -1)},"extensions":{"cost":${cost}}}`;
}
