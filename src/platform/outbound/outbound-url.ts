import dns, { type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { IssueCode } from '../issue-codes.ts';
import { isDnsName, isLocalName, isPublicUnicast, literalAddress } from './outbound-address.ts';
import { OutboundError, outcomeOf } from './outbound-failure.ts';

/** Where requests to others' servers may go, beside `https` to public addresses. */
export interface OutboundPolicy {
  /** CIDRs that may be reached though they are not public; where there is any, local names are allowed too. */
  readonly allowPrivate: readonly string[];
  readonly allowHttp: boolean;
}

/** As `dns.lookup` with `all`. */
export type Lookup = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** What is wrong with a URL someone wants requests sent to; `code` is stable. */
export interface UrlIssue {
  readonly code: IssueCode;
  readonly message: string;
}

/** Of one that somebody registers. */
export const MAX_URL_LENGTH = 2048;

/** What a parser drops or turns silently; what is shown must be what is used. */
const SILENTLY_CHANGED = /[\p{Cc}\p{Cf}\p{Cs}\p{Zs}\\]/u;

/** What the path and the query of a URI (RFC 3986) cannot have. */
const NOT_OF_URI = /%(?![0-9A-Fa-f]{2})|[^\w\-.~:/?@!$&'()*+,;=%]/gu;

/**
 * A URL as a URI in ASCII that leads to the same place: the host in Punycode, other characters percent-encoded. What is a
 * URI already stays as it is, and so does what is no URL.
 */
export function asUri(text: string): string {
  const [, scheme = '', authority = '', rest = ''] = /^(https?:\/\/)([^/?#]+)(.*)$/i.exec(text) ?? [];
  const host = SILENTLY_CHANGED.test(text) ? undefined : URL.parse(text)?.host;
  if (host === undefined || authority === '' || authority.includes('@') || text.includes('#')) return text;
  const isAscii = /^[!-~]*$/.test(authority);
  return scheme + (isAscii ? authority : host) + rest.replaceAll(NOT_OF_URI, encodeURIComponent);
}

const BLOCKED: UrlIssue = { code: 'blocked_address', message: 'must lead to a public address' };

/** What is wrong with a URL by itself. The host is judged as the URL parser reads it: `https://0x7f.1` is `127.0.0.1`. */
export function urlIssue(text: string, policy: OutboundPolicy, maxLength = MAX_URL_LENGTH): UrlIssue | undefined {
  if (text.length > maxLength) {
    return { code: 'too_long', message: `must have at most ${maxLength} characters` };
  }
  const authority = /^https?:\/\/([^/?#\\]+)/i.exec(text)?.[1];
  const url = SILENTLY_CHANGED.test(text) ? null : URL.parse(text);
  if (url && url.protocol !== 'https:' && !(policy.allowHttp && url.protocol === 'http:')) {
    return { code: 'https_required', message: 'must start with https://' };
  }
  if (!url || authority === undefined) return { code: 'invalid_url', message: 'must be an absolute URL' };
  if (authority.includes('@')) return { code: 'user_info', message: 'must not contain a user name or a password' };
  if (text.includes('#')) return { code: 'fragment', message: 'must not have a fragment' };
  if (url.port === '0') return { code: 'invalid_port', message: 'must have a port from 1 to 65535' };
  const address = literalAddress(url.hostname);
  if (address !== undefined) return isPublicUnicast(address, policy.allowPrivate) ? undefined : BLOCKED;
  if (!isDnsName(url.hostname)) return { code: 'invalid_url', message: 'must have a valid host name' };
  return isLocalName(url.hostname) && policy.allowPrivate.length === 0 ? BLOCKED : undefined;
}

/**
 * What is wrong with where a host leads just now. Connecting vets it again: the answer may be another by then. Nothing is
 * wrong with a name that is not known yet: it may be tomorrow, and deliveries show it.
 */
export async function resolvedIssue(
  hostname: string,
  policy: OutboundPolicy,
  lookup: Lookup = lookupOf(policy),
): Promise<UrlIssue | undefined> {
  const address = literalAddress(hostname);
  if (address !== undefined) return isPublicUnicast(address, policy.allowPrivate) ? undefined : BLOCKED;
  const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | null>();
  vetted(lookup, policy)(hostname, { all: true }, resolve);
  const error = await promise;
  return error !== null && outcomeOf(error) === 'blocked_address' ? BLOCKED : undefined;
}

/** A resolver that fails with an `OutboundError` for names that don't resolve or have any address that is not allowed. */
export function vetted(lookup: Lookup, policy: OutboundPolicy): LookupFunction {
  return (hostname, _options, callback) => {
    lookup(hostname, { all: true }, (error, addresses) => {
      if (error || addresses.length === 0) return callback(new OutboundError('unresolvable_host'), []);
      const isAllowed = addresses.every(({ address }) => isPublicUnicast(address, policy.allowPrivate));
      callback(isAllowed ? null : new OutboundError('blocked_address'), isAllowed ? addresses : []);
    });
  };
}

/**
 * DNS itself for public names: `dns.lookup` takes a thread of four for as long as a name server is silent, and all other
 * names and files wait. Where private addresses are allowed names come from the system, which knows its hosts file.
 */
export function lookupOf(policy: OutboundPolicy): Lookup {
  if (policy.allowPrivate.length > 0) return dns.lookup;
  const resolver = new dns.promises.Resolver({ timeout: 1_500, tries: 2 });
  return (hostname, _options, callback) => {
    Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]).then(([v4, v6]) => {
      const addresses = [
        ...(v4.status === 'fulfilled' ? v4.value.map(address => ({ address, family: 4 })) : []),
        ...(v6.status === 'fulfilled' ? v6.value.map(address => ({ address, family: 6 })) : []),
      ];
      callback(null, addresses);
    });
  };
}
