import type { IncomingHttpHeaders } from 'node:http';
import type { AuthScheme } from '../../graphql/context.ts';
import { Fault } from '../../platform/fault.ts';

const CHALLENGE = { 'www-authenticate': 'Bearer' };

/**
 * The key a request presents. One in both headers is fine while it is the same.
 *
 * @throws Fault `missing_credentials`, `conflicting_credentials`, or `invalid_api_key` for what can't be a key
 */
export function readCredentials(headers: IncomingHttpHeaders): { key: string; authScheme: AuthScheme } {
  const apiKey = headers['x-api-key'];
  const { authorization } = headers;
  const bearer = authorization === undefined ? undefined : /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (typeof apiKey === 'string') {
    if (bearer !== undefined && bearer !== apiKey) throw new Fault('conflicting_credentials');
    return { key: apiKey, authScheme: 'x-api-key' };
  }
  if (bearer !== undefined) return { key: bearer, authScheme: 'bearer' };
  if (authorization !== undefined) throw new Fault('invalid_api_key', { headers: CHALLENGE });
  throw new Fault('missing_credentials', { headers: CHALLENGE });
}
