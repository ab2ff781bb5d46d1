import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';

/** Lets webhooks reach receivers on this machine. */
export const REACHABLE = { WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'true' };

/** A request as it arrived, recorded once its body is there to the last byte. */
export interface Received {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Exact bytes of the body. */
  readonly body: Buffer;
  /** The body, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  readonly json: any;
  /** When it was there, in milliseconds as `Date.now()` tells them. */
  readonly at: number;
  /** Resolves once its connection is closed, by either side: the time, and whether it had been answered before. */
  readonly closed: Promise<{ readonly at: number; readonly answered: boolean }>;
}

export interface Reply {
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  /** Chunks of an async iterable go out as they come. */
  readonly body?: string | Uint8Array | AsyncIterable<string | Uint8Array>;
  /** Milliseconds before the status line. */
  readonly delay?: number;
  /** Resets the connection in place of an answer. */
  readonly destroy?: boolean;
}

/** A reply for all requests, or one each: `n` counts them from 1. A pending promise is a response that is not sent. */
export type Answering = Reply | ((request: Received, n: number) => Reply | Promise<Reply>);

/** A real HTTP server with programmed responses, which remembers its requests. */
export interface Receiver {
  /** `http://127.0.0.1:PORT`, without a slash at its end. */
  readonly url: string;
  /** All requests so far, in order of arrival. */
  readonly requests: readonly Received[];
  /** How many connections it was sent, and how many are open. */
  readonly connections: { total: number; open: number };
  /** Its response from now on; at first 200 without a body. */
  answer(how: Answering): void;
  /** Answers nothing from now on. Calling the result answers all that hang, and all that follow. */
  hang(): (how?: Reply) => void;
  /** The first `n` requests, or those for which `which` holds, once they are there. A test's own timeout ends the wait. */
  waitFor(n: number, which?: (request: Received) => boolean): Promise<Received[]>;
  /** The oldest request that was not answered by `next` yet, once it is there. */
  next(): Promise<Received>;
  /** Forgets all requests so far. */
  clear(): void;
  /** Closes all connections and stops listening; nothing answers at its port any more. */
  close(): Promise<void>;
}

/** Starts a receiver on a free port, or on the one named; with `tls` it speaks https. */
export async function startReceiver({
  port = 0,
  tls,
}: {
  port?: number;
  tls?: { key: string; cert: string };
} = {}): Promise<Receiver> {
  const requests: Received[] = [];
  const connections = { total: 0, open: 0 };
  const waiting = new Set<() => void>();
  let answering: Answering = {};
  let received = 0;
  let taken = 0;

  const until = async <Found>(find: () => Found | undefined): Promise<Found> => {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add(resolve);
      await promise;
      waiting.delete(resolve);
    }
  };

  const listener: RequestListener = async (request, response) => {
    try {
      const closed = Promise.withResolvers<{ at: number; answered: boolean }>();
      request.socket.once('close', () => closed.resolve({ at: Date.now(), answered: response.writableFinished }));
      const body = Buffer.concat(await request.toArray());
      const { method = '', url: path = '', headers } = request;
      const one: Received = {
        method,
        path,
        headers,
        body,
        get json() {
          return JSON.parse(body.toString());
        },
        at: Date.now(),
        closed: closed.promise,
      };
      requests.push(one);
      received++;
      const pending = typeof answering === 'function' ? answering(one, received) : answering;
      for (const wake of waiting) wake();
      const reply = await pending;
      if (reply.delay) await setTimeout(reply.delay);
      if (reply.destroy) return void request.socket.resetAndDestroy();
      response.writeHead(reply.status ?? 200, reply.headers);
      const { body: content } = reply;
      if (content === undefined || typeof content === 'string' || content instanceof Uint8Array) response.end(content);
      else await pipeline(Readable.from(content), response);
    } catch {
      // The sender went away in the middle.
      request.socket.destroy();
    }
  };

  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  // Never closes first, unless it must.
  server.keepAliveTimeout = 0;
  server.on('connection', socket => {
    // Each request on it listens for its end.
    socket.setMaxListeners(0);
    connections.total++;
    connections.open++;
    socket.once('close', () => connections.open--);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });

  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections,
    answer(how) {
      answering = how;
    },
    hang() {
      const gate = Promise.withResolvers<Reply>();
      answering = () => gate.promise;
      return (how = {}) => {
        answering = how;
        gate.resolve(how);
      };
    },
    waitFor(n, which = () => true) {
      return until(() => {
        const found = requests.filter(which);
        return found.length >= n ? found.slice(0, n) : undefined;
      });
    },
    async next() {
      const mine = taken++;
      return until(() => requests[mine]);
    },
    clear() {
      requests.length = 0;
      taken = 0;
    },
    async close() {
      if (!server.listening) return;
      const ended = new Promise(resolve => server.close(resolve));
      server.closeAllConnections();
      await ended;
    },
  };
}

/** A receiver for all tests of a file. */
export function useReceiver(): Receiver {
  const receiver = {} as Receiver;
  beforeAll(async () => {
    Object.assign(receiver, await startReceiver());
  });
  afterAll(() => receiver.close?.());
  return receiver;
}
