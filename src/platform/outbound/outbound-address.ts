import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Reached from inside a cloud only, though the range is a public one: Azure's own address for its machines.
 * (The metadata services of the others are link-local, unique local or shared addresses.)
 */
const PUBLIC_IN_NAME_ONLY: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * All of IPv6 that is given out. What wraps an IPv4 address lies outside it (IPv4-compatible `::/96`, NAT64 `64:ff9b::/96`
 * and `64:ff9b:1::/48`) or is no unicast to ipaddr.js (6to4 `2002::/16`, Teredo `2001::/32`), whatever it wraps.
 */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** Names of the machine itself or of its network. */
const LOCAL_NAME = /^[^.]+$|\.(?:localhost|local|internal)$/;

/** Labels as DNS has them; a URL parser lets more through, which no name server answers. */
const DNS_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*$/;

/**
 * Whether a request may go to an address: public unicast, or within one of the CIDRs of `allowed`.
 * Only what a resolver or a socket yields is an address (`127.0.0.1`, `::1`); anything else, short forms and zones too, is not.
 */
export function isPublicUnicast(address: string, allowed: readonly string[]): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  try {
    // An IPv4 address mapped into IPv6 becomes the IPv4 address it is.
    const ip = ipaddr.process(address);
    if (allowed.some(cidr => isWithin(ip, cidr))) return true;
    if (ip.range() !== 'unicast' || PUBLIC_IN_NAME_ONLY.has(ip.toString())) return false;
    return ip.kind() === 'ipv4' || ip.match(GLOBAL_UNICAST);
  } catch {
    return false;
  }
}

/** Whether a host name is one of the machine or its network: `localhost`, a single label, `.local`, `.internal`. */
export function isLocalName(hostname: string): boolean {
  return LOCAL_NAME.test(withoutDot(hostname));
}

/** Whether DNS could know the name: lower case, at most 253 characters, one dot at the end allowed. */
export function isDnsName(hostname: string): boolean {
  return DNS_NAME.test(withoutDot(hostname));
}

/** `example.com.` → `example.com`: the same name, but neither certificates nor TLS write the dot. */
export function withoutDot(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
}

/** The address in a URL's host, without brackets; undefined where the host is a name. */
export function literalAddress(host: string): string | undefined {
  const address = host.startsWith('[') ? host.slice(1, -1) : host;
  return isIP(address) === 0 ? undefined : address;
}

/**
 * CIDRs out of a setting: `10.0.0.0/8, fd00::/8` (separated by commas or blanks; an address alone is a range of one).
 * Undefined where one of them is none.
 */
export function parseCidrs(text: string): readonly string[] | undefined {
  const entries = text.split(/[\s,]+/).filter(entry => entry !== '');
  const cidrs = entries.map(entry => {
    const [address = '', bits, ...rest] = entry.split('/');
    const version = isIP(address);
    const widest = version === 4 ? 32 : 128;
    if (version === 0 || address.includes('%') || rest.length > 0) return undefined;
    if (bits === undefined) return `${address}/${widest}`;
    return /^\d{1,3}$/.test(bits) && Number(bits) <= widest ? `${address}/${Number(bits)}` : undefined;
  });
  return cidrs.every(cidr => cidr !== undefined) ? cidrs : undefined;
}

function isWithin(ip: ipaddr.IPv4 | ipaddr.IPv6, cidr: string): boolean {
  try {
    const [network, bits] = ipaddr.parseCIDR(cidr);
    return network.kind() === ip.kind() && ip.match(network, bits);
  } catch {
    // No CIDR allows nothing.
    return false;
  }
}
