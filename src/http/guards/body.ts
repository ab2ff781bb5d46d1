import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'koa';
import rawBody from 'raw-body';
import { Fault, invalid } from '../../platform/fault.ts';
import type { HttpLimits } from '../../platform/limits/http-limits.ts';
import type { OpenedContext } from '../request-state.ts';
import type { BodyMemory } from './body-memory.ts';
import { parseJson } from './json.ts';

export const MAX_BODY_BYTES = 256 * 1024;

const CLOSE = { connection: 'close' };

const decoder = new TextDecoder('utf-8', { fatal: true });

/** State that the bodies of all requests share. */
export interface Bodies {
  readonly memory: BodyMemory;
  readonly limits: HttpLimits;
}

/** Reads a JSON object from a request's body. @throws Fault `validation_failed`, and the faults of `readJson` */
export async function readBody(ctx: Context, context: OpenedContext, bodies: Bodies): Promise<Record<string, unknown>> {
  const value = await readJson(ctx, context, bodies);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid([{ path: [], code: 'wrong_type', message: 'must be a JSON object' }]);
  }
  return value as Record<string, unknown>;
}

/** Reads JSON from a request's body. @throws Fault the faults of `requireJson`, `readText` and `parseJson` */
export async function readJson(ctx: Context, context: OpenedContext, bodies: Bodies): Promise<unknown> {
  await requireJson(ctx.req);
  return parseJson(await readText(ctx, context, bodies, MAX_BODY_BYTES));
}

/**
 * Requires a body that claims to be JSON. An empty body is malformed whatever its headers claim: clients that send none
 * differ in their `Content-Type`, `Content-Length` and `Transfer-Encoding`.
 *
 * @throws Fault `malformed_json`, `unsupported_media_type`
 */
export async function requireJson(request: IncomingMessage): Promise<void> {
  const { 'transfer-encoding': encoding, 'content-length': length = '0' } = request.headers;
  if (encoding === undefined && Number(length) === 0) throw new Fault('malformed_json');
  if (isJson(request)) return;
  if (encoding !== undefined && !isBodyUnasked(request) && (await isEmpty(request))) throw new Fault('malformed_json');
  throw new Fault('unsupported_media_type');
}

/** Waits for the first chunk of a body, or its end. */
async function isEmpty(request: IncomingMessage): Promise<boolean> {
  const brokenOff = broken.get(request);
  if (brokenOff) throw brokenOff;
  if (!request.readableEnded && request.readableLength === 0 && !request.complete) {
    await once(request, 'readable').catch((error: Error) => {
      throw error instanceof Fault ? error : new Fault('malformed_json', { cause: error });
    });
  }
  return request.readableLength === 0;
}

/**
 * Reads the text of a body.
 *
 * @throws Fault `body_too_large`; `malformed_json` if it is not UTF-8 or incomplete; `request_timeout` if it arrives
 *   too slowly; `rate_limited` and `unavailable` if there is no room for it
 */
export async function readText(
  { req: request, res: response }: Context,
  { principal }: OpenedContext,
  { memory, limits }: Bodies,
  maxBytes: number,
): Promise<string> {
  const length = request.headers['content-length'];
  const declared = length === undefined ? maxBytes : Number(length);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  const lease = await memory.reserve(principal.companyId, declared, response);
  askForBody(request);
  const brokenOff = broken.get(request);
  if (brokenOff) throw brokenOff;
  const endWatch = request.complete ? undefined : watchPace(request, limits);
  try {
    const bytes = await rawBody(request, { limit: maxBytes, length });
    lease.keep(bytes.length);
    return decoder.decode(bytes);
  } catch (error) {
    if (error instanceof Fault) throw error;
    if ((error as { type?: string }).type === 'entity.too.large') throw tooLarge(maxBytes);
    throw new Fault('malformed_json', { cause: error });
  } finally {
    endWatch?.();
  }
}

/** Closing the connection saves reading the rest. */
function tooLarge(maxBytes: number): Fault {
  return new Fault('body_too_large', { members: { maxBytes }, headers: CLOSE });
}

/** Responses of requests with `Expect: 100-continue`, whose callers wait until the body is asked for. */
const unasked = new WeakMap<IncomingMessage, ServerResponse>();

/** Asks for the body of such a request only when it is read: a caller that is rejected before need not send it. */
export function askForBodyLater(request: IncomingMessage, response: ServerResponse): void {
  unasked.set(request, response);
}

/** Whether the body may never come, because it was not asked for. */
export function isBodyUnasked(request: IncomingMessage): boolean {
  return unasked.has(request) && !request.complete;
}

function askForBody(request: IncomingMessage): void {
  unasked.get(request)?.writeContinue();
  unasked.delete(request);
}

/** Bodies whose rest will not arrive. */
const broken = new WeakMap<IncomingMessage, Fault>();

/** Fails the reading of a body, now or when it begins. */
export function breakOff(request: IncomingMessage, fault: Fault): void {
  broken.set(request, fault);
  // Only a reader listens; an error without a listener would end the process.
  if (request.listenerCount('error') > 0) request.emit('error', fault);
}

/** Fails a body that arrives too slowly. Returns a function that ends the watch. */
function watchPace(request: IncomingMessage, { bodyWindowMs, bodyWindowBytes }: HttpLimits): () => void {
  const { socket } = request;
  let before = socket.bytesRead;
  const timer = setInterval(() => {
    const { bytesRead } = socket;
    if (bytesRead - before < bodyWindowBytes) breakOff(request, new Fault('request_timeout', { headers: CLOSE }));
    before = bytesRead;
  }, bodyWindowMs);
  return () => clearInterval(timer);
}

/** Whether a body claims to be uncompressed JSON in UTF-8. */
function isJson({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return false;
  const contentType = headers['content-type'];
  // The header of nearly every caller.
  if (contentType === 'application/json') return true;
  const [type = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map(part => part.trim());
  return (
    type === 'application/json' &&
    parameters.every(part => !part.startsWith('charset=') || /^charset="?utf-?8"?$/.test(part))
  );
}
