import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Fault } from '../platform/fault.ts';
import type { HttpLimits } from '../platform/limits/http-limits.ts';
import type { Log } from '../platform/telemetry/log.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import { breakOff } from './guards/body.ts';
import { requestIdOf } from './request-state.ts';
import { problemBody } from './send-problem.ts';
import { takenBytes } from './taken-bytes.ts';

/** The number of checks after which a response counts as unread. */
export const UNREAD_LOOKS = 4;

/**
 * The connections of callers: each carries out one request at a time, and a key has a limited number of them.
 *
 * Node passes on all requests that arrive together, and would keep their responses whether or not anyone reads them. So
 * the next request begins when the operating system has taken the response before it.
 */
export class Connections {
  readonly #limits: HttpLimits;
  readonly #metrics: Metrics;
  readonly #publicUrl: () => string;
  readonly #close: (socket: Socket, fault: Fault) => void;
  readonly #connections = new Map<Socket, Connection>();
  readonly #countByKey = new Map<string, number>();

  constructor(limits: HttpLimits, metrics: Metrics, log: Log, publicUrl: () => string) {
    this.#limits = limits;
    this.#metrics = metrics;
    this.#publicUrl = publicUrl;
    this.#close = (socket, fault) => {
      // Otherwise the socket is closing already.
      if (!socket.writable) return;
      metrics.connectionClosed('unreadable');
      closeWithProblem(socket, fault, publicUrl(), log);
    };
  }

  /** A listener that carries out the requests of a connection one at a time. */
  oneAtATime(serve: RequestListener): RequestListener {
    const { maxPipelined } = this.#limits;
    return (request, response) => {
      const { socket } = request;
      // Node continues with data that it had read before the connection was closed.
      if (socket.destroyed) return;
      let connection = this.#connections.get(socket);
      if (connection === undefined) {
        connection = new Connection(socket, serve, this.#close, maxPipelined);
        this.#connections.set(socket, connection);
        socket.once('close', () => this.#forget(socket));
      }
      if (!connection.take(request, response)) this.#reject(request, response);
    };
  }

  /** Counts a connection for the key of its latest request; false if the key has reached its limit. */
  admit(socket: Socket, apiKeyId: string): boolean {
    const connection = this.#connections.get(socket);
    if (connection === undefined || connection.apiKeyId === apiKeyId || socket.destroyed) return true;
    const count = this.#countByKey.get(apiKeyId) ?? 0;
    if (count >= this.#limits.maxConnectionsPerKey) {
      this.#metrics.connectionClosed('key_limit');
      return false;
    }
    this.#release(connection);
    connection.apiKeyId = apiKeyId;
    this.#countByKey.set(apiKeyId, count + 1);
    return true;
  }

  /**
   * Closes connections with a response that was unread at several checks. Node's own timeout of a socket is not enough,
   * because each byte from the client restarts it.
   */
  closeUnread(): void {
    for (const [socket, connection] of this.#connections) {
      if (!connection.isUnread()) continue;
      this.#metrics.connectionClosed('unread');
      socket.destroy();
    }
  }

  /** Ends an unreadable connection, with a problem after the due responses. */
  fail(socket: Socket, fault: Fault): void {
    const connection = this.#connections.get(socket);
    if (connection) connection.fail(fault);
    else this.#close(socket, fault);
  }

  /** Rejects a request without carrying it out. Node sends the responses of a connection in the order of its requests. */
  #reject(request: IncomingMessage, response: ServerResponse): void {
    const fault = new Fault('rate_limited', {
      detail: `At most ${this.#limits.maxPipelined} requests may wait on one connection. Use more connections.`,
      headers: { 'retry-after': '1' },
    });
    const requestId = requestIdOf(request.headers['x-request-id']);
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const { headers, body } = rawProblem(fault, requestId, path, this.#publicUrl());
    response.writeHead(fault.status, headers).end(body);
    this.#metrics.requests.observe(
      { route: 'unmatched', method: request.method ?? '', status: String(fault.status) },
      0,
    );
  }

  #forget(socket: Socket): void {
    const connection = this.#connections.get(socket);
    this.#connections.delete(socket);
    if (connection) this.#release(connection);
  }

  #release({ apiKeyId }: Connection): void {
    if (apiKeyId === undefined) return;
    const count = this.#countByKey.get(apiKeyId) ?? 0;
    if (count > 1) this.#countByKey.set(apiKeyId, count - 1);
    else this.#countByKey.delete(apiKeyId);
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

class Connection {
  apiKeyId: string | undefined;
  readonly #socket: Socket;
  readonly #serve: RequestListener;
  readonly #closeWith: (socket: Socket, fault: Fault) => void;
  readonly #maxWaiting: number;
  readonly #waiting: Exchange[] = [];
  /** The latest request, and its response until that is over. */
  #request: IncomingMessage | undefined;
  #response: ServerResponse | undefined;
  #failure: Fault | undefined;
  #takenBytes = 0;
  /** How many checks in a row have found the response unread. */
  #unreadLooks = 0;
  // One function for all requests of the connection.
  readonly #next = () => this.#takeNext();

  constructor(
    socket: Socket,
    serve: RequestListener,
    closeWith: (socket: Socket, fault: Fault) => void,
    maxWaiting: number,
  ) {
    this.#socket = socket;
    this.#serve = serve;
    this.#closeWith = closeWith;
    this.#maxWaiting = maxWaiting;
  }

  /** Whether the response has been unread for several checks; must be called at equal intervals. */
  isUnread(): boolean {
    const taken = takenBytes(this.#socket);
    const isStuck = this.#socket.writableLength > 0 && taken === this.#takenBytes;
    this.#takenBytes = taken;
    this.#unreadLooks = isStuck ? this.#unreadLooks + 1 : 0;
    return this.#unreadLooks >= UNREAD_LOOKS;
  }

  /** Begins a request or queues it; false if too many wait. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#response === undefined) {
      this.#begin(request, response);
    } else if (this.#waiting.length < this.#maxWaiting) {
      this.#waiting.push({ request, response });
      // A waiting request keeps its body in memory, so reading pauses.
      this.#socket.pause();
    } else {
      return false;
    }
    return true;
  }

  fail(fault: Fault): void {
    if (this.#failure) return;
    this.#failure = fault;
    if (this.#response === undefined) {
      this.#close();
      return;
    }
    if (this.#request === undefined || this.#request.complete) return;
    // The rest of its body never arrives. If it is being read, its response reports that.
    if (!this.#response.headersSent) this.#response.shouldKeepAlive = false;
    breakOff(this.#request, fault);
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    this.#request = request;
    this.#response = response;
    response.on('close', this.#next);
    this.#serve(request, response);
  }

  #takeNext(): void {
    this.#response = undefined;
    if (!this.#socket.writable) {
      this.#waiting.length = 0;
      return;
    }
    const next = this.#waiting.shift();
    if (this.#failure && !next?.request.complete) {
      this.#close();
    } else if (next) {
      if (this.#waiting.length === 0) this.#socket.resume();
      else this.#socket.pause();
      this.#begin(next.request, next.response);
    }
  }

  #close(): void {
    if (!this.#failure) return;
    // A request whose response came before its end gets no second response.
    if (this.#request === undefined || this.#request.complete) this.#closeWith(this.#socket, this.#failure);
    else this.#socket.destroySoon();
  }
}

/** How long a client may continue to send, so that it reads the response before the connection is reset. */
const LINGER_MS = 1_000;

/** Sends a problem without a request, for example for invalid HTTP, and closes the connection. */
function closeWithProblem(socket: Socket, fault: Fault, publicUrl: string, log: Log): void {
  const requestId = randomUUID();
  const { headers, body } = rawProblem(fault, requestId, '/', publicUrl);
  log.debug({ requestId, code: fault.code, status: fault.status }, 'no request');
  const all = { ...headers, date: new Date().toUTCString(), connection: 'close' };
  const fields = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}\r\n${fields.join('')}\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** A problem for a response that Koa does not send. */
function rawProblem(fault: Fault, requestId: string, path: string, publicUrl: string) {
  const body = JSON.stringify(problemBody(fault, requestId, path, publicUrl));
  const headers = {
    ...fault.options.headers,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
  };
  return { headers, body };
}
