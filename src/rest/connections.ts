import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Fault } from '../platform/fault.ts';
import type { HttpLimits } from '../platform/http-limits.ts';
import type { Log } from '../platform/log.ts';
import { breakOff } from './body.ts';
import { closeWithProblem } from './raw-problem.ts';

/**
 * The connections of callers: each carries out one request at a time, and a key has so many of them at most.
 *
 * Node hands over all requests that arrive together, and their responses would be made and kept whether or not anyone
 * reads them. So the next one begins when the operating system has taken the response before it.
 */
export class Connections {
  readonly #limits: HttpLimits;
  readonly #close: (socket: Socket, fault: Fault) => void;
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #countByKey = new Map<string, number>();

  constructor(limits: HttpLimits, log: Log, publicUrl: () => string) {
    this.#limits = limits;
    this.#close = (socket, fault) => closeWithProblem(socket, fault, publicUrl(), log);
  }

  /** A listener that carries out requests in this way. */
  inTurn(serve: RequestListener): RequestListener {
    const { maxPipelined } = this.#limits;
    return (request, response) => {
      const { socket } = request;
      let connection = this.#connections.get(socket);
      if (connection === undefined) {
        connection = new Connection(socket, serve, this.#close, maxPipelined);
        this.#connections.set(socket, connection);
      }
      connection.take(request, response);
    };
  }

  /** Counts a connection for the key of its latest request; false if the key has as many as it may. */
  admit(socket: Socket, apiKeyId: string): boolean {
    const connection = this.#connections.get(socket);
    if (connection === undefined || connection.apiKeyId === apiKeyId || socket.destroyed) return true;
    const count = this.#countByKey.get(apiKeyId) ?? 0;
    if (count >= this.#limits.maxConnectionsPerKey) return false;
    if (connection.apiKeyId === undefined) socket.once('close', () => this.#release(connection));
    else this.#release(connection);
    connection.apiKeyId = apiKeyId;
    this.#countByKey.set(apiKeyId, count + 1);
    return true;
  }

  /** Whether a request is being carried out on a connection. */
  isBusy(socket: Socket): boolean {
    return this.#connections.get(socket)?.isBusy ?? false;
  }

  /** Ends a connection on which nothing more can be read, with a problem after the responses that are due. */
  fail(socket: Socket, fault: Fault): void {
    const connection = this.#connections.get(socket);
    if (connection) connection.fail(fault);
    else this.#close(socket, fault);
  }

  #release({ apiKeyId = '' }: Connection): void {
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
  /** The key it is counted for. */
  apiKeyId: string | undefined;
  readonly #socket: Socket;
  readonly #serve: RequestListener;
  readonly #closeWith: (socket: Socket, fault: Fault) => void;
  readonly #maxWaiting: number;
  readonly #waiting: Exchange[] = [];
  /** The request that began last, and its response until that is over. */
  #request: IncomingMessage | undefined;
  #response: ServerResponse | undefined;
  #failure: Fault | undefined;
  // One for all requests of the connection.
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

  get isBusy(): boolean {
    return this.#response !== undefined;
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    if (this.#response === undefined) {
      this.#begin(request, response);
    } else if (this.#waiting.length < this.#maxWaiting) {
      this.#waiting.push({ request, response });
      // What waits keeps its body in memory, so that no more is read meanwhile.
      this.#socket.pause();
    } else {
      this.#waiting.length = 0;
      this.#socket.destroy();
    }
  }

  fail(fault: Fault): void {
    if (this.#failure) return;
    this.#failure = fault;
    if (this.#response === undefined) {
      this.#close();
      return;
    }
    if (this.#request === undefined || this.#request.complete) return;
    // The rest of its body never comes. If it is being read, its response says so.
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
      this.#begin(next.request, next.response);
    }
  }

  #close(): void {
    if (!this.#failure) return;
    // A request that was answered before all of it came gets no second response.
    if (this.#request === undefined || this.#request.complete) this.#closeWith(this.#socket, this.#failure);
    else this.#socket.destroySoon();
  }
}
