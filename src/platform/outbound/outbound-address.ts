import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Azure's own address for its machines: it can be reached only from inside the cloud, though its range is public. The
 * metadata services of other clouds have link-local, unique local or shared addresses.
 */
const PUBLIC_IN_NAME_ONLY: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * The IPv6 addresses that are in use. Addresses that wrap an IPv4 address lie outside (IPv4-compatible `::/96`, NAT64
 * `64:ff9b::/96`, `64:ff9b:1::/48`) or are not unicast to ipaddr.js (6to4 `2002::/16`, Teredo `2001::/32`).
 */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** Names of the machine itself or its network. */
const LOCAL_NAME = /^[^.]+$|\.(?:localhost|local|internal)$/;

/** Labels as DNS has them; a URL parser accepts more, which no name server resolves. */
const DNS_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*$/;

/**
 * Whether a request may go to an address: public unicast, or within a CIDR of `allowed`. Only the text of a resolver or
 * a socket is an address (`127.0.0.1`, `::1`); short forms and zones are rejected.
 */
export function isPublicUnicast(address: string, allowed: readonly string[]): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  try {
    const ip = ipaddr.process(withoutDots(address));
    if (allowed.some(cidr => isWithin(ip, cidr))) return true;
    if (ip.range() !== 'unicast' || PUBLIC_IN_NAME_ONLY.has(ip.toString())) return false;
    return ip.kind() === 'ipv4' || ip.match(GLOBAL_UNICAST);
  } catch {
    return false;
  }
}

/**
 * An IPv6 address with hexadecimal digits alone. `ipaddr.js` takes the IPv4-compatible `::1.2.3.4`, which leads nowhere,
 * for the mapped `::ffff:1.2.3.4`, which it turns into the IPv4 address.
 */
function withoutDots(address: string): string {
  return isIP(address) === 6 && address.includes('.') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

/** Whether a host name is one of the machine or its network: `localhost`, a single label, `.local`, `.internal`. */
export function isLocalName(hostname: string): boolean {
  return LOCAL_NAME.test(withoutDot(hostname));
}

/** Whether DNS could know the name: lower case, at most 253 characters, one dot at the end allowed. */
export function isDnsName(hostname: string): boolean {
  return DNS_NAME.test(withoutDot(hostname));
}

/** `example.com.` → `example.com`: both name one host, but certificates and TLS omit the dot. */
export function withoutDot(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
}

/** The address in a URL's host, without brackets; undefined where the host is a name. */
export function literalAddress(host: string): string | undefined {
  const address = host.startsWith('[') ? host.slice(1, -1) : host;
  return isIP(address) === 0 ? undefined : address;
}

/**
 * Reads the CIDRs of a setting: `10.0.0.0/8, fd00::/8` (separated by commas or blanks; an address alone is a range of
 * one). Undefined if one of them is invalid.
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

/** Parsed CIDRs of settings by their texts; undefined for invalid ones. */
const RANGES = new Map<string, readonly [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined>();

function isWithin(ip: ipaddr.IPv4 | ipaddr.IPv6, cidr: string): boolean {
  if (!RANGES.has(cidr)) RANGES.set(cidr, ipaddr.isValidCIDR(cidr) ? ipaddr.parseCIDR(cidr) : undefined);
  const [network, bits] = RANGES.get(cidr) ?? [];
  // An invalid CIDR allows nothing.
  return network?.kind() === ip.kind() && bits !== undefined && ip.match(network, bits);
}
