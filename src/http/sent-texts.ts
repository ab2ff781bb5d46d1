import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import fresh from 'fresh';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';

// How a text is sent: with its `ETag`, not at all if the caller has it already, and compressed if the caller accepts it.

/** More than the pages, the contracts and the carriers' badges; other public texts are made again. */
const MAX_TEXTS = 500;

/** Whether a response is public, by its `Cache-Control`. */
function isForAll(ctx: Context): boolean {
  return String(ctx.response.get('cache-control')).startsWith('public');
}

/** Derives a value from a text once, while the text was requested recently. */
function onceForAll<Made extends object | string>(make: (text: string) => Made): (text: string) => Made {
  const made = new LRUCache<string, Made>({ max: MAX_TEXTS });
  return text => {
    const known = made.get(text);
    if (known !== undefined) return known;
    const anew = make(text);
    made.set(text, anew);
    return anew;
  };
}

/** Compressing less costs more than it saves. */
const MIN_BYTES = 1024;

const compressed = promisify(gzip);

/** Public texts are compressed once: the contracts and the pages, some megabytes in all. */
const compressedOnce = onceForAll(text => compressed(text));

/**
 * Compresses a text of 1 KiB or more if its caller accepts gzip. It is compressed in one piece, while koa-compress
 * makes a stream of every body: it drops `Content-Length` (test/rest/conditional.test.ts, "a large answer") and costs
 * more, measured on a Koa server that does nothing else: 340 to 410 µs of CPU a response of 3 KB against 260 to 270,
 * and 470 to 490 against 420 to 445 for 30 KB.
 */
export async function compress(ctx: Context): Promise<void> {
  const { body } = ctx;
  const isText = typeof body === 'string';
  if (!(isText || ctx.status === 304) || ctx.response.get('content-encoding')) return;
  // Set on short responses too, because its absence would reveal a length; and on a 304, which stands for a text.
  ctx.vary('accept-encoding');
  if (!isText || ctx.response.length < MIN_BYTES) return;
  if (ctx.req.headers['accept-encoding'] === undefined || ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return;
  ctx.body = await (isForAll(ctx) ? compressedOnce(body) : compressed(body));
  ctx.set('content-encoding', 'gzip');
}

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
