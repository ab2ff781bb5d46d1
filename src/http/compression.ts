import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'koa';

/** Below it, what is saved is less than what it costs. */
const MIN_BYTES = 1024;

const compressed = promisify(gzip);

/** Compresses a text from 1 KiB up where its caller takes gzip. */
export async function compress(ctx: Context): Promise<void> {
  const { body } = ctx;
  const isText = typeof body === 'string';
  if (!(isText || ctx.status === 304) || ctx.response.get('content-encoding')) return;
  // Of short answers too: what differs tells how long something is. Of those that stand for a text as well.
  ctx.vary('accept-encoding');
  if (!isText || ctx.response.length < MIN_BYTES) return;
  if (ctx.req.headers['accept-encoding'] === undefined || ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return;
  ctx.body = await compressed(body);
  ctx.set('content-encoding', 'gzip');
}
