import { buildConnector, Client } from 'undici';
import { isPublicUnicast, literalAddress, withoutDot } from './outbound-address.ts';
import { OutboundError } from './outbound-failure.ts';
import { type Lookup, type OutboundPolicy, vetted } from './outbound-url.ts';

export interface OutboundOptions {
  readonly lookup?: Lookup;
  /** The time from the call of `post` to the last byte read, including the wait for a connection. */
  readonly totalTimeoutMs?: number;
  /** The time for DNS, TCP and TLS together. */
  readonly connectTimeoutMs?: number;
  readonly connectionsPerOrigin?: number;
  /** Bytes of a response body that are read before the connection is dropped. */
  readonly maxResponseBytes?: number;
  readonly keptResponseBytes?: number;
  /** PEM of the certificate authorities that replace the default ones. */
  readonly ca?: string | Buffer;
}

export type ClientOptions = Required<Omit<OutboundOptions, 'ca'>> & Pick<OutboundOptions, 'ca'>;

/** An undici client with one socket and one request at a time. undici's default timeouts are long or unlimited. */
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
    // Every connection verifies the certificate again.
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
    // Limited, so that a changed DNS record takes effect even on a busy connection.
    maxRequestsPerClient: 1_000,
    strictContentLength: true,
    // undici's limit would turn an accepted request into an error; the exchange stops reading instead.
    maxResponseSize: -1,
  });
  return { client, abort };
}

/**
 * Checks the address before and after connecting. A literal address never reaches the resolver, so it is checked here;
 * a name is checked by `vetted` on the very answer that the socket connects to, so DNS rebinding is impossible.
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
