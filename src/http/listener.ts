import { createServer, METHODS, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Fault } from '../platform/fault.ts';
import type { HttpLimits } from '../platform/limits/http-limits.ts';
import { StartupError } from '../platform/startup-error.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import { type Connections, UNREAD_LOOKS } from './connections.ts';
import { askForBodyLater } from './guards/body.ts';

/** The time for requests in progress once the process must stop. */
const DRAIN_MS = 5_000;

const ALLOWED_METHODS = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST';

/** The HTTP server before the application: its deadlines, its connections, and a problem for unreadable requests. */
export function createListener(
  serve: RequestListener,
  connections: Connections,
  limits: HttpLimits,
  metrics: Metrics,
): Server {
  const oneAtATime = connections.oneAtATime(serve);
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkMs,
      keepAliveTimeout: limits.keepAliveMs,
      // Node would send its own response; `assertWellFormed` checks the header.
      requireHostHeader: false,
    },
    oneAtATime,
  );
  server.maxConnections = limits.maxConnections;
  // A full one of several processes behind a port would otherwise be offered a connection again and again. @types/node
  // does not know it yet.
  Object.assign(server, { dropMaxConnection: true });
  const looking = setInterval(() => connections.closeUnread(), limits.unreadMs / UNREAD_LOOKS).unref();
  server
    .on('checkExpectation', oneAtATime)
    .on('checkContinue', (request, response) => {
      askForBodyLater(request, response);
      oneAtATime(request, response);
    })
    .on('clientError', (error: ReadError, socket) => {
      const fault = faultOf(error);
      if (fault) connections.fail(socket as Socket, fault);
      else socket.destroy();
    })
    .on('connect', (_request, socket) => {
      // Node no longer listens to the socket.
      socket.on('error', () => socket.destroy());
      connections.fail(socket as Socket, new Fault('method_not_allowed', { headers: { allow: ALLOWED_METHODS } }));
    })
    .on('close', () => clearInterval(looking))
    .on('drop', () => metrics.connectionClosed('limit'));
  return server;
}

interface ReadError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

const REQUEST_LINES = /^([A-Z][A-Z-]{0,40}) \S{1,2000} HTTP\/1\.[01]\r?$/gm;
const MAX_LOOKED_AT = 2_048;

/** Whether a packet has the first line of a request with a method that Node does not know. */
function hasUnknownMethod(packet: Buffer | undefined): boolean {
  const lines = (packet?.toString('latin1', 0, MAX_LOOKED_AT) ?? '').matchAll(REQUEST_LINES);
  return [...lines].some(([, method = '']) => !METHODS.includes(method));
}

/** The fault for an unreadable request; undefined if the connection broke. */
function faultOf({ code = '', rawPacket }: ReadError): Fault | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Fault('request_timeout');
  if (code === 'HPE_HEADER_OVERFLOW') return new Fault('headers_too_large');
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
    return new Fault('body_too_large', {
      detail: 'The chunk extensions of the body are too large. Send the body without them.',
    });
  }
  if (code === 'HPE_INVALID_METHOD' && hasUnknownMethod(rawPacket)) {
    return new Fault('method_not_implemented');
  }
  if (!code.startsWith('HPE_')) return undefined;
  return new Fault('malformed_request', { detail: 'The request is not valid HTTP/1.1.' });
}

/** The open connections of each server. */
const SOCKETS = new WeakMap<Server, Set<Socket>>();

/** @throws StartupError that names the setting of the port */
export async function listen(server: Server, port: number, host: string, setting = 'PORT'): Promise<void> {
  const sockets = new Set<Socket>();
  SOCKETS.set(server, sockets);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  try {
    await promise;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new StartupError(
        `Port ${port} on ${host} is in use by another process: stop that one, or set ${setting} to another.`,
      );
    }
    throw new StartupError(`Cannot listen on ${host}:${port} (${code}): check HOST and ${setting}.`);
  }
}

export function addressOf(server: Server, host: string): string {
  const address = server.address() as AddressInfo | null;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${address?.port ?? 0}`;
}

/** Takes no more connections, and waits for the requests in progress. */
export async function drain(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeIdleConnections();
  // Browsers and load balancers open connections in advance. Node does not count them as idle.
  for (const socket of SOCKETS.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
  const overdue = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await promise;
  clearTimeout(overdue);
}
