import type { IncomingHttpHeaders } from 'node:http';
import type { AuthScheme } from '../../graphql/context.ts';
import { Fault } from '../../platform/fault.ts';

const CHALLENGE = { 'www-authenticate': 'Bearer' };

/**
 * Reads the key of a request. Both headers may have it if they agree. An empty header, or an `Authorization` with
 * another scheme, has no key.
 *
 * @throws Fault `missing_credentials`, `conflicting_credentials`
 */
export function readCredentials(headers: IncomingHttpHeaders): { key: string; authScheme: AuthScheme } {
  const apiKey = headers['x-api-key'];
  const bearer = /^bearer +(\S.*)$/i.exec(headers.authorization ?? '')?.[1]?.trimEnd();
  if (typeof apiKey === 'string' && apiKey !== '') {
    if (bearer !== undefined && bearer !== apiKey) throw new Fault('conflicting_credentials');
    return { key: apiKey, authScheme: 'x-api-key' };
  }
  if (bearer !== undefined) return { key: bearer, authScheme: 'bearer' };
  throw new Fault('missing_credentials', { headers: CHALLENGE });
}
