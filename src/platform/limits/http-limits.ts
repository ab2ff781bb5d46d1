/** What connections and bodies of callers may take, with the reason for each number. */
export const HTTP_LIMITS = {
  /** Open connections; a further one is closed at once. Each costs about 20 KB and a file descriptor. */
  maxConnections: 10_000,
  /** Open connections whose latest request was of one key, so that one key cannot take them all. */
  maxConnectionsPerKey: 1_000,
  /** Requests of one connection that wait for the one before them. No client in use pipelines more. */
  maxPipelined: 100,
  /** For the headers of a request. */
  headersMs: 10_000,
  /** For the whole request. */
  requestMs: 30_000,
  /** How long an idle connection stays open: longer than the 60 s of common load balancers, which must close it first. */
  keepAliveMs: 75_000,
  /** How long a response may lie unread. */
  unreadMs: 60_000,
  /** The same for a stream, which then ends: sooner, so that its reader can still be told why. */
  unreadStreamMs: 30_000,
  /** How long a stream may be silent before a comment is sent: less than the 60 s after which common proxies give up. */
  keepAliveStreamMs: 15_000,
  /** How often Node looks for requests that are late. */
  checkMs: 1_000,
  /** A body that has not come whole must bring so many bytes in each window: 1 KiB a second. */
  bodyWindowMs: 5_000,
  bodyWindowBytes: 5 * 1024,
  /** Bytes of bodies that are read or held, of all requests and of those of one company. */
  bodyBytes: 64 * 1024 * 1024,
  bodyBytesPerCompany: 16 * 1024 * 1024,
  /** How long a request waits for room for its body. */
  bodyWaitMs: 2_000,
};

export type HttpLimits = Readonly<typeof HTTP_LIMITS>;
