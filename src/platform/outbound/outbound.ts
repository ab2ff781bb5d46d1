import type { Client } from 'undici';
import { decodedAnswer } from './decoded-answer.ts';
import { type ClientOptions, type OutboundOptions, openClient } from './outbound-client.ts';
import { type Answer, type Ending, Exchange, textOfStart } from './outbound-exchange.ts';
import type { OutboundFailure } from './outbound-failure.ts';
import { lookupOf, type OutboundPolicy, urlIssue } from './outbound-url.ts';

export interface OutboundRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as it is; text as UTF-8. */
  readonly body: Buffer | string | null;
  /** How much of a response body is read and kept, if it differs from the default. */
  readonly maxResponseBytes?: number;
  /** Requests of one pool share connections; another pool has its own, even to the same origin. */
  readonly pool?: string;
  readonly signal?: AbortSignal;
}

export type OutboundResult = Ending & { readonly durationMs: number };

/** The text is the start of the response body. */
export type PostResult = (
  | (Omit<Answer, 'bytes' | 'isWhole' | 'headers'> & { readonly body: string })
  | { readonly outcome: OutboundFailure }
) & {
  readonly durationMs: number;
};

/** The limit for URLs of requests, whose query may carry the question. */
const MAX_LENGTH = 32_768;

/** Idle connections over all origins; each is an open file. */
const MAX_IDLE = 1_000;

/**
 * HTTP requests to servers that others name. They connect to vetted addresses only, follow no redirect, and are bounded
 * in time and size whatever the server does. Each origin has its own connections, so none delays another. Connections
 * are undici's, but the pool is not: undici's pool can neither withdraw a request that waits for a connection nor end a
 * handshake that hangs.
 */
export class Outbound {
  readonly #policy: OutboundPolicy;
  readonly #options: ClientOptions;
  readonly #origins = new Map<string, Origin>();
  readonly #connections = new Set<Connection>();
  /** The oldest comes first. */
  readonly #idle = new Set<Connection>();
  readonly #exchanges = new Set<Exchange>();
  #isClosed = false;

  constructor(policy: OutboundPolicy, options: OutboundOptions = {}) {
    this.#policy = policy;
    this.#options = {
      lookup: options.lookup ?? lookupOf(policy),
      totalTimeoutMs: options.totalTimeoutMs ?? 15_000,
      connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
      connectionsPerOrigin: options.connectionsPerOrigin ?? 10,
      maxResponseBytes: options.maxResponseBytes ?? 16_384,
      keptResponseBytes: options.keptResponseBytes ?? 4_096,
      ca: options.ca,
    };
  }

  /** The open origins and connections, for metrics; both return to zero some seconds after the last request. */
  get size(): { origins: number; connections: number } {
    return { origins: this.#origins.size, connections: this.#connections.size };
  }

  /** Sends a POST whose result is its status. Never rejects. */
  async post(url: string, request: Omit<OutboundRequest, 'method'>): Promise<PostResult> {
    const result = await this.send(url, { ...request, method: 'POST' });
    if (result.outcome !== 'answered') return result;
    const { bytes: _, isWhole: __, headers: ___, ...head } = result;
    return { ...head, body: textOfStart(result) };
  }

  /** Sends a request. Never rejects; the response counts from its headers on, even if its body fails. */
  async send(url: string, request: OutboundRequest): Promise<OutboundResult> {
    const startedAt = performance.now();
    const { maxResponseBytes: max } = request;
    const limits = max === undefined ? this.#options : { maxResponseBytes: max, keptResponseBytes: max };
    const exchange = new Exchange(limits);
    const abort = () => exchange.fail(hasTimedOut(request.signal) ? 'timeout' : 'aborted');
    const timer = setTimeout(() => exchange.fail('timeout'), this.#options.totalTimeoutMs);
    request.signal?.addEventListener('abort', abort);
    this.#exchanges.add(exchange);
    if (this.#isClosed || request.signal?.aborted) abort();
    else {
      // The addresses are vetted with every connection.
      const isVetted = urlIssue(url, this.#policy, MAX_LENGTH) === undefined;
      if (isVetted) this.#send(new URL(url), request, exchange).catch(() => exchange.fail('protocol_error'));
      else exchange.fail('blocked_address');
    }
    const ending = await exchange.ended;
    clearTimeout(timer);
    request.signal?.removeEventListener('abort', abort);
    this.#exchanges.delete(exchange);
    const decoded = ending.outcome === 'answered' ? await decodedAnswer(ending, limits.keptResponseBytes) : ending;
    return { ...decoded, durationMs: Math.round(performance.now() - startedAt) };
  }

  /** Aborts all exchanges and closes every connection. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const exchange of this.#exchanges) exchange.fail('aborted');
    await Promise.all([...this.#connections].map(connection => this.#drop(connection)));
  }

  async #send(url: URL, { method, headers, body, pool = '' }: OutboundRequest, exchange: Exchange): Promise<void> {
    const connection = await this.#take(url.origin, pool, exchange);
    if (connection === undefined) return;
    if (!exchange.isOver) {
      const path = url.pathname + url.search;
      const options = { method: method as 'POST', path, headers, body, idempotent: false, reset: false };
      connection.client.dispatch(options, exchange);
      await exchange.ended;
    }
    this.#give(connection, exchange.isComplete);
  }

  /** Returns a connection for the exchange; undefined if the exchange ends before there is one. */
  async #take(name: string, pool: string, exchange: Exchange): Promise<Connection | undefined> {
    const key = `${name} ${pool}`;
    const origin = this.#origins.get(key) ?? { key, name, open: 0, idle: [], waiting: new Set() };
    this.#origins.set(key, origin);
    const idle = origin.idle.pop();
    if (idle) {
      this.#idle.delete(idle);
      return idle;
    }
    if (origin.open < this.#options.connectionsPerOrigin) return this.#open(origin);
    const { promise, resolve } = Promise.withResolvers<Connection | undefined>();
    origin.waiting.add(resolve);
    exchange.ended.then(() => {
      if (origin.waiting.delete(resolve)) resolve(undefined);
    });
    return promise;
  }

  /** Gives a connection to the longest waiting exchange, or keeps it for a while; a spent connection is replaced. */
  #give(connection: Connection, isReusable: boolean): void {
    const { origin } = connection;
    const isAlive = isReusable && connection.isConnected && !this.#isClosed;
    const [next] = origin.waiting;
    if (next) {
      origin.waiting.delete(next);
      next(isAlive ? connection : this.#open(origin));
    }
    if (!isAlive) {
      this.#drop(connection);
    } else if (!next) {
      origin.idle.push(connection);
      this.#idle.add(connection);
      const [oldest] = this.#idle;
      if (oldest && this.#idle.size > MAX_IDLE) this.#drop(oldest);
    }
  }

  #open(origin: Origin): Connection {
    const { abort, client } = openClient(origin.name, this.#policy, this.#options);
    const connection: Connection = { origin, client, abort, isConnected: false };
    client.on('connect', () => {
      connection.isConnected = true;
    });
    client.on('disconnect', () => {
      connection.isConnected = false;
      if (this.#idle.has(connection)) this.#drop(connection);
    });
    origin.open++;
    this.#connections.add(connection);
    return connection;
  }

  /** Closes a connection at once, in any state, and forgets an origin without connections. */
  async #drop(connection: Connection): Promise<void> {
    if (!this.#connections.delete(connection)) return;
    const { origin, client, abort } = connection;
    this.#idle.delete(connection);
    origin.idle = origin.idle.filter(other => other !== connection);
    origin.open--;
    if (origin.open === 0) this.#origins.delete(origin.key);
    const destroyed = client.destroy();
    // A destroyed client lets its socket finish connecting first.
    abort.abort();
    await destroyed;
  }
}

interface Connection {
  readonly origin: Origin;
  readonly client: Client;
  /** Closes the socket, even while it is connecting. */
  readonly abort: AbortController;
  isConnected: boolean;
}

/** The connections of one pool, kept while there are any. */
interface Origin {
  readonly key: string;
  readonly name: string;
  open: number;
  idle: Connection[];
  /** Waiting exchanges, in the order of their arrival. */
  readonly waiting: Set<(connection: Connection | undefined) => void>;
}

/** Whether a signal was aborted by a timeout: by `AbortSignal.timeout`, or with its reason. */
function hasTimedOut(signal: AbortSignal | undefined): boolean {
  return (signal?.reason as Partial<DOMException> | undefined)?.name === 'TimeoutError';
}
