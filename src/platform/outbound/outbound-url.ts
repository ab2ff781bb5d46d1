import dns, { type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { IssueCode } from '../issue-codes.ts';
import { isDnsName, isLocalName, isPublicUnicast, literalAddress } from './outbound-address.ts';
import { OutboundError, outcomeOf } from './outbound-failure.ts';

/** The hosts that requests may go to, beside `https` to public addresses. */
export interface OutboundPolicy {
  /** CIDRs that are allowed though they are not public; if there is any, local names are allowed too. */
  readonly allowPrivate: readonly string[];
  readonly allowHttp: boolean;
}

/** The signature of `dns.lookup` with `all`. */
export type Lookup = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A reason not to send requests to a URL; `code` is stable. */
export interface UrlIssue {
  readonly code: IssueCode;
  readonly message: string;
}

/** The limit for URLs that somebody registers. */
export const MAX_URL_LENGTH = 2048;

/** Characters that a parser drops or changes silently; the URL shown must be the URL used. */
const SILENTLY_CHANGED = /[\p{Cc}\p{Cf}\p{Cs}\p{Zs}\\]/u;

/** Characters that the path and the query of a URI (RFC 3986) cannot have. */
const NOT_OF_URI = /%(?![0-9A-Fa-f]{2})|[^\w\-.~:/?@!$&'()*+,;=%]/gu;

/**
 * A URL as an ASCII URI that leads to the same place: the host in Punycode, other characters percent-encoded. A URI
 * stays as it is, and so does a text that is not a URL.
 */
export function asUri(text: string): string {
  const [, scheme = '', authority = '', rest = ''] = /^(https?:\/\/)([^/?#]+)(.*)$/is.exec(text) ?? [];
  const host = SILENTLY_CHANGED.test(text) ? undefined : URL.parse(text)?.host;
  if (host === undefined || authority === '' || authority.includes('@') || text.includes('#')) return text;
  const isAscii = /^[!-~]*$/.test(authority);
  return scheme + (isAscii ? authority : host) + rest.replaceAll(NOT_OF_URI, encodeURIComponent);
}

const BLOCKED: UrlIssue = { code: 'blocked_address', message: 'must lead to a public address' };

/** Checks a URL by itself. The host is judged as the URL parser reads it: `https://0x7f.1` is `127.0.0.1`. */
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
 * Checks the addresses to which a host resolves now. Connecting checks them again, because DNS may change. A name that
 * does not resolve is accepted: it may resolve later, and deliveries show the failure.
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

/** A resolver that fails with an `OutboundError` for names without addresses, or with one that is not allowed. */
export function vetted(lookup: Lookup, policy: OutboundPolicy): LookupFunction {
  return (hostname, _options, callback) => {
    lookup(hostname, { all: true }, (error, addresses) => {
      if (error || addresses.length === 0) return callback(new OutboundError('unresolvable_host'), []);
      const isAllowed = addresses.every(({ address }) => isPublicUnicast(address, policy.allowPrivate));
      callback(isAllowed ? null : new OutboundError('blocked_address'), isAllowed ? addresses : []);
    });
  };
}

/** How long the addresses of one family wait for the other: some name servers drop questions for IPv6 addresses. */
const OTHER_FAMILY_MS = 300;

/**
 * Queries DNS itself for public names: `dns.lookup` occupies one of four threads while a name server is silent, and all
 * other names and files wait. If private addresses are allowed the system resolves names, with its hosts file.
 */
export function lookupOf(policy: OutboundPolicy): Lookup {
  if (policy.allowPrivate.length > 0) return dns.lookup;
  const resolver = new dns.promises.Resolver({ timeout: 1_500, tries: 2 });
  return (hostname, _options, callback) => {
    const families = [addressesOf(resolver.resolve4(hostname), 4), addressesOf(resolver.resolve6(hostname), 6)];
    const both = Promise.all(families).then(found => found.flat());
    const alone = families.map(async family => {
      const addresses = await family;
      if (addresses.length === 0) return both;
      return setTimeout(OTHER_FAMILY_MS, addresses, { ref: false });
    });
    Promise.race([both, ...alone]).then(addresses => callback(null, addresses));
  };
}

/** The addresses of a family; none if the name has none, or cannot be resolved. */
function addressesOf(resolved: Promise<readonly string[]>, family: 4 | 6): Promise<LookupAddress[]> {
  return resolved.then(
    addresses => addresses.map(address => ({ address, family })),
    () => [],
  );
}
