import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { Fault } from '../platform/fault.ts';
import { pathOf } from './send-problem.ts';

/** Headers that a request may have only once, by the length of their name: a proxy might use the other one of two. */
const SINGLE: readonly (string | undefined)[] = [];
Object.assign(SINGLE, { 4: 'host', 9: 'x-api-key', 13: 'authorization' });

const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;

/** Requirements of HTTP that Node does not check. @throws Fault `malformed_request`, `expectation_failed` */
export function assertWellFormed(ctx: Context): void {
  const { req } = ctx;
  assertSingleHeaders(req);
  if (req.headers.host === undefined && req.httpVersion === '1.1') {
    throw new Fault('malformed_request', { detail: 'The header `Host` is missing. Send it once.' });
  }
  if (pathOf(ctx) === undefined) {
    throw new Fault('malformed_request', { detail: 'The target of the request is not a path or a URL.' });
  }
  const { expect, 'transfer-encoding': coding } = req.headers;
  // Node reads the chunks, and leaves another coding of the body to nobody.
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw new Fault('malformed_request', { detail: 'The header `Transfer-Encoding` may be `chunked` alone.' });
  }
  if (expect !== undefined && !CONTINUE.test(expect)) throw new Fault('expectation_failed');
}

/** Reads the raw headers, which is the only list with each of them, and the cheapest. */
function assertSingleHeaders({ rawHeaders }: IncomingMessage): void {
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const { length } = rawHeaders[i] ?? '';
    const single = SINGLE[length];
    if (single === undefined || rawHeaders[i]?.toLowerCase() !== single) continue;
    const bit = 1 << length;
    if (seen & bit) throw new Fault('malformed_request', { detail: `The header \`${single}\` must be sent once.` });
    seen |= bit;
  }
}
