/** Limits on the connections and bodies of callers, each with its reason. */
export const HTTP_LIMITS = {
  /** Open connections; a further one is closed at once. Each costs about 20 KB and a file descriptor. */
  maxConnections: 10_000,
  /** Open connections whose latest request was of one key, so that one key cannot take them all. */
  maxConnectionsPerKey: 1_000,
  /** Requests of one connection that wait for an earlier one. No common client pipelines more. */
  maxPipelined: 100,
  /** The time for the headers of a request. */
  headersMs: 10_000,
  /** The time for the whole request. */
  requestMs: 30_000,
  /** How long an idle connection stays open: longer than the 60 s of common load balancers, which must close it first. */
  keepAliveMs: 75_000,
  /** How long a response may lie unread. */
  unreadMs: 60_000,
  /** How long an event of a stream may lie unread. Shorter than `unreadMs`, so that the reason can still be sent. */
  unreadStreamMs: 30_000,
  /** How long a stream may be silent before a comment is sent: less than the 60 s after which common proxies give up. */
  keepAliveStreamMs: 15_000,
  /** How often Node looks for requests that are late. */
  checkMs: 1_000,
  /** A body that is not complete must bring this many bytes in each window: 1 KiB a second. */
  bodyWindowMs: 5_000,
  bodyWindowBytes: 5 * 1024,
  /** Bytes of bodies in memory, for all requests and for the requests of one company. */
  bodyBytes: 64 * 1024 * 1024,
  bodyBytesPerCompany: 16 * 1024 * 1024,
  /** How long a request waits for room for its body. */
  bodyWaitMs: 2_000,
};

export type HttpLimits = Readonly<typeof HTTP_LIMITS>;
