import { buildConnector, Client } from 'undici';
import { isPublicUnicast, literalAddress, withoutDot } from './outbound-address.ts';
import { OutboundError } from './outbound-failure.ts';
import { type Lookup, type OutboundPolicy, vetted } from './outbound-url.ts';

export interface OutboundOptions {
  readonly lookup?: Lookup;
  /** From the call of `post` to the last byte read, waiting for a connection included. */
  readonly totalTimeoutMs?: number;
  /** Name, TCP and TLS together. */
  readonly connectTimeoutMs?: number;
  readonly connectionsPerOrigin?: number;
  /** What is read of an answer's body before the connection is dropped. */
  readonly maxResponseBytes?: number;
  readonly keptResponseBytes?: number;
  /** PEM of the authorities to trust in place of the well-known ones. */
  readonly ca?: string | Buffer;
}

/** The options with their defaults. */
export type ClientOptions = Required<Omit<OutboundOptions, 'ca'>> & Pick<OutboundOptions, 'ca'>;

/** One undici client: one socket at a time, one request at a time. No default is left to undici, whose are long and unbounded. */
export function openClient(
  origin: string,
  policy: OutboundPolicy,
  options: ClientOptions,
): { client: Client; abort: AbortController } {
  const abort = new AbortController();
  const connect = buildConnector({
    allowH2: false,
    timeout: options.connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
    // Every connection proves its certificate anew.
    maxCachedSessions: 0,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ca: options.ca,
    lookup: vetted(options.lookup, policy),
    // Tries the addresses of a name one after the other.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 500,
    signal: abort.signal,
  });
  const client = new Client(origin, {
    connect: guarded(connect, policy),
    pipelining: 1,
    allowH2: false,
    useMilo: false,
    maxHeaderSize: 16_384,
    headersTimeout: options.totalTimeoutMs,
    bodyTimeout: options.totalTimeoutMs,
    // Below the five seconds after which many servers hang up.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
    keepAliveTimeoutThreshold: 2_000,
    // A name that moves is followed, however busy its connections are.
    maxRequestsPerClient: 1_000,
    strictContentLength: true,
    // Would turn an accepted request into an error; the exchange stops reading instead.
    maxResponseSize: -1,
  });
  return { client, abort };
}

/**
 * Vets the address before and after connecting. A literal address never asks the resolver, so it is looked at here;
 * a name is vetted by `vetted`, on the very answer that the socket connects to, so there is nothing to rebind.
 */
function guarded(connect: buildConnector.connector, policy: OutboundPolicy): buildConnector.connector {
  return (options, callback) => {
    const { hostname, protocol } = options;
    const address = literalAddress(hostname);
    if (address !== undefined && !isPublicUnicast(address, policy.allowPrivate)) {
      callback(new OutboundError('blocked_address'), null);
      return;
    }
    const servername = protocol === 'https:' && address === undefined ? withoutDot(hostname) : undefined;
    connect({ ...options, servername }, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      const { remoteAddress } = socket;
      if (remoteAddress !== undefined && isPublicUnicast(remoteAddress, policy.allowPrivate))
        return callback(null, socket);
      socket.destroy();
      callback(new OutboundError(remoteAddress === undefined ? 'connection_failed' : 'blocked_address'), null);
    });
  };
}
