import cors from '@koa/cors';
import type { Context, Next } from 'koa';

const REACHABLE = /^\/(api\/|graphql$|mcp$|openapi\.json$)/;

/** Whether pages of an origin may call the API: the service's own pages, and the allowed origins. */
export function mayCallFrom(origins: readonly string[], publicUrl: () => string): (origin: string) => boolean {
  return origin => origins.includes('*') || origins.includes(origin) || origin === new URL(publicUrl()).origin;
}

/**
 * Lets pages of other origins call the API. Keys are sent in headers and never by the browser itself, so an origin gets
 * nothing that its page does not know already.
 *
 * @param origins the allowed origins, or `*`
 */
export function crossOrigin(origins: readonly string[]) {
  const isOpen = origins.includes('*');
  const allow = cors({
    origin: isOpen ? '*' : ctx => origins.find(origin => origin === ctx.get('origin')) ?? '',
    allowMethods: 'GET, HEAD, POST, PATCH, DELETE',
    allowHeaders:
      'authorization, content-type, idempotency-key, if-none-match, last-event-id, mcp-protocol-version, x-api-key, x-request-id',
    exposeHeaders:
      'etag, idempotent-replayed, ratelimit, ratelimit-policy, retry-after, www-authenticate, x-request-id',
    maxAge: '7200',
    // An error is sent with the current headers of the context.
    keepHeadersOnError: false,
  });
  return (ctx: Context, next: Next): Promise<void> => (REACHABLE.test(ctx.path) ? allow(ctx, next) : next());
}
