import type { Context, Next } from 'koa';

const REACHABLE = /^\/(api\/|graphql$|openapi\.json$)/;
const METHODS = 'GET, HEAD, POST, PATCH, DELETE';
const REQUEST_HEADERS = 'authorization, content-type, idempotency-key, if-none-match, x-api-key, x-request-id';
const ANSWER_HEADERS =
  'etag, idempotent-replayed, ratelimit, ratelimit-policy, retry-after, www-authenticate, x-request-id';
const PREFLIGHT_SECONDS = '7200';

/**
 * Lets pages of other origins call the API. Keys are sent in headers and never by the browser itself, so an origin gets
 * nothing that its page does not know already.
 *
 * @param origins those that may, or `*`
 */
export function crossOrigin(origins: readonly string[]) {
  const isOpen = origins.includes('*');
  return async (ctx: Context, next: Next): Promise<void> => {
    if (!REACHABLE.test(ctx.path)) return next();
    if (!isOpen) ctx.vary('origin');
    const { origin } = ctx.req.headers;
    if (origin === undefined || !(isOpen || origins.includes(origin))) return next();
    ctx.set('access-control-allow-origin', isOpen ? '*' : origin);
    if (ctx.method === 'OPTIONS' && ctx.req.headers['access-control-request-method'] !== undefined) {
      ctx.set('access-control-allow-methods', METHODS);
      ctx.set('access-control-allow-headers', REQUEST_HEADERS);
      ctx.set('access-control-max-age', PREFLIGHT_SECONDS);
      ctx.status = 204;
      return;
    }
    ctx.set('access-control-expose-headers', ANSWER_HEADERS);
    await next();
  };
}
