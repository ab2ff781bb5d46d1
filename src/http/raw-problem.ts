import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Fault } from '../platform/fault.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { problemBody } from './send-problem.ts';

/** How long a client may continue to send, so that it reads the response before the connection is reset. */
const LINGER_MS = 1_000;

/** Sends a problem without a request, for example for invalid HTTP, and closes the connection. */
export function closeWithProblem(socket: Socket, fault: Fault, publicUrl: string, log: Log): void {
  const requestId = randomUUID();
  const body = JSON.stringify(problemBody(fault, requestId, '/', publicUrl));
  const headers = {
    ...fault.options.headers,
    date: new Date().toUTCString(),
    connection: 'close',
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
  };
  log.debug({ requestId, code: fault.code, status: fault.status }, 'no request');
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}\r\n${fields.join('')}\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
