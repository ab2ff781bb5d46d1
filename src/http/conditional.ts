import { hash } from 'node:crypto';
import fresh from 'fresh';
import type { Context } from 'koa';
import { isForAll, onceForAll } from './public-texts.ts';

// Weak, since the same representation may leave compressed or not.
const etagOf = (text: string) => `W/"${hash('sha1', text, 'base64url')}"`;
const etagOnce = onceForAll(etagOf);

/**
 * Sets the `ETag` of what was read, and makes the response a 304 where the caller has it already. With the library that
 * Koa compares tags with, and not by koa-etag and koa-conditional-get, because of three tests in conditional.test.ts:
 * "has no ETag where the request was rejected or changed something" (koa-etag marks a 201 too), the contract's pattern of
 * the header that "is not sent again" holds (koa-etag has `+` and `/` in it), and again "is not sent again"
 * (koa-conditional-get obeys the `Cache-Control: no-cache` that `fetch` adds to every `If-None-Match` of its caller, who
 * would never get a 304).
 */
export function answerUnchanged(ctx: Context): void {
  const { body, status, method } = ctx;
  if (status !== 200 || typeof body !== 'string' || (method !== 'GET' && method !== 'HEAD')) return;
  const etag = isForAll(ctx) ? etagOnce(body) : etagOf(body);
  ctx.set('etag', etag);
  if (fresh({ 'if-none-match': ctx.get('if-none-match') }, { etag })) ctx.status = 304;
}
