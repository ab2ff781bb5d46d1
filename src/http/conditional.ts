import { hash } from 'node:crypto';
import type { Context } from 'koa';

/**
 * Gives what was read an `ETag`, and makes it a 304 for who has it already. Koa's own `fresh` is not asked: it goes by a
 * `Cache-Control: no-cache` of the request, which `fetch` adds to every `If-None-Match` of its caller's.
 */
export function answerUnchanged(ctx: Context): void {
  const { body, status, method } = ctx;
  if (status !== 200 || typeof body !== 'string' || (method !== 'GET' && method !== 'HEAD')) return;
  // Weak, since the same answer may leave compressed or not.
  const tag = `"${hash('sha1', body, 'base64url')}"`;
  ctx.set('etag', `W/${tag}`);
  const known = ctx.req.headers['if-none-match'];
  if (known !== undefined && hasTag(known, tag)) ctx.status = 304;
}

/** Weak comparison: whether a tag is strong does not matter. */
function hasTag(known: string, tag: string): boolean {
  return known.split(',').some(one => {
    const trimmed = one.trim();
    return trimmed === '*' || trimmed === tag || trimmed === `W/${tag}`;
  });
}
