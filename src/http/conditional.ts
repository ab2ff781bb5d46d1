import { hash } from 'node:crypto';
import fresh from 'fresh';
import type { Context } from 'koa';
import { isForAll, onceForAll } from './public-texts.ts';

// Weak, because a representation may be sent compressed or not.
const etagOf = (text: string) => `W/"${hash('sha1', text, 'base64url')}"`;
const etagOnce = onceForAll(etagOf);

/**
 * Sets the `ETag` of a read, and makes the response a 304 if the caller has it already.
 *
 * It uses Koa's library for tags, and not koa-etag and koa-conditional-get, because of three tests in
 * conditional.test.ts: "has no ETag where the request was rejected or changed something" (koa-etag marks a 201 too),
 * the contract's pattern of the header in "is not sent again" (koa-etag has `+` and `/` in it), and again "is not sent
 * again" (koa-conditional-get obeys the `Cache-Control: no-cache` that `fetch` adds to every `If-None-Match` of its
 * caller, who would never get a 304).
 */
export function answerUnchanged(ctx: Context): void {
  const { body, status, method } = ctx;
  if (status !== 200 || typeof body !== 'string' || (method !== 'GET' && method !== 'HEAD')) return;
  const etag = isForAll(ctx) ? etagOnce(body) : etagOf(body);
  ctx.set('etag', etag);
  if (fresh({ 'if-none-match': ctx.get('if-none-match') }, { etag })) ctx.status = 304;
}
