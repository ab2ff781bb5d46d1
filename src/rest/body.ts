import type { IncomingMessage } from 'node:http';
import rawBody from 'raw-body';
import { Fault, invalid } from '../platform/fault.ts';

export const MAX_BODY_BYTES = 256 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * A JSON object from a request's body; no body at all is an empty object, so that its missing fields are named.
 *
 * @throws Fault `unsupported_media_type`, `body_too_large`, `malformed_json`, `validation_failed`
 */
export async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (!hasBody(request) && request.headers['content-type'] === undefined) return {};
  if (!isJson(request)) throw new Fault('unsupported_media_type');
  const text = await readText(request, MAX_BODY_BYTES);
  if (text === '') return {};
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid([{ path: [], code: 'wrong_type', message: 'must be a JSON object' }]);
  }
  return value as Record<string, unknown>;
}

/** Text of a body. @throws Fault `body_too_large`; `malformed_json` where it is not UTF-8 or breaks off */
export async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  const length = request.headers['content-length'];
  const bytes = await rawBody(request, { limit: maxBytes, length }).catch((error: { type?: string }) => {
    if (error.type === 'entity.too.large') {
      // Closing spares reading the rest of it.
      throw new Fault('body_too_large', { members: { maxBytes }, headers: { connection: 'close' } });
    }
    throw new Fault('malformed_json', { cause: error });
  });
  try {
    return decoder.decode(bytes);
  } catch (error) {
    throw new Fault('malformed_json', { cause: error });
  }
}

/** Whether a body claims to be JSON in UTF-8, not compressed. */
export function isJson({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return false;
  const contentType = headers['content-type'];
  // Nearly every caller sends exactly this.
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

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** @throws Fault `malformed_json` */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Fault('malformed_json', { cause: error });
  }
}
