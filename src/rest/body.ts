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
  const { 'content-type': contentType, 'content-length': length, 'content-encoding': encoding } = request.headers;
  const isEmpty = length === '0' || (length === undefined && request.headers['transfer-encoding'] === undefined);
  if (isEmpty && contentType === undefined) return {};
  if (!isJson(contentType) || (encoding !== undefined && encoding !== 'identity'))
    throw new Fault('unsupported_media_type');
  const bytes = await rawBody(request, { limit: MAX_BODY_BYTES, length }).catch((error: { type?: string }) => {
    if (error.type === 'entity.too.large') {
      // Closing spares reading the rest of it.
      throw new Fault('body_too_large', { members: { maxBytes: MAX_BODY_BYTES }, headers: { connection: 'close' } });
    }
    throw new Fault('malformed_json', { cause: error });
  });
  if (bytes.length === 0) return {};
  const value = parse(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid([{ path: [], code: 'wrong_type', message: 'must be a JSON object' }]);
  }
  return value as Record<string, unknown>;
}

function isJson(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map(part => part.trim());
  return (
    type === 'application/json' &&
    parameters.every(part => !part.startsWith('charset=') || /^charset="?utf-?8"?$/.test(part))
  );
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch (error) {
    throw new Fault('malformed_json', { cause: error });
  }
}
