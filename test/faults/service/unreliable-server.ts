import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { portOf } from '../../support/ports.ts';

/** Every way in which receivers of webhooks and carriers fail. */
export const FAILURES = ['refused', 'reset', 'slow', 'half', 'status 500', 'status 429', 'garbage', 'hanging'] as const;

export type Failure = (typeof FAILURES)[number];

/** A server of somebody else's that can be made to fail. */
export interface UnreliableServer {
  readonly url: string;
  /** From now on it fails so; undefined where it works. Whatever hung before is closed. */
  fail(how: Failure | undefined): Promise<void>;
  close(): void;
}

/** Longer than carriers and receivers are waited for. */
const SLOW_MS = 40_000;
const PORT_RETRY_MS = 50;

/** Failures after status 200 was sent, which is all that a sender of webhooks waits for. */
const ACKNOWLEDGED: readonly Failure[] = ['slow', 'half'];

/**
 * @param answer answers a request whose body has come, while the server works
 * @param acknowledged is called with a body that is answered with status 200 although the server fails
 */
export async function startUnreliableServer(
  answer: (request: IncomingMessage, body: Buffer, response: ServerResponse) => unknown,
  acknowledged: (body: Buffer) => void = () => undefined,
): Promise<UnreliableServer> {
  let failure: Failure | undefined;
  const server = createServer(async (request, response) => {
    try {
      const body = Buffer.concat(await request.toArray());
      if (failure === undefined) await answer(request, body, response);
      else {
        if (ACKNOWLEDGED.includes(failure)) acknowledged(body);
        failed(failure, request, response);
      }
    } catch {
      request.socket.destroy();
    }
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const port = portOf(server);
  return {
    url: `http://127.0.0.1:${port}`,
    async fail(how) {
      failure = how;
      server.closeAllConnections();
      if (how === 'refused') {
        server.close();
      } else {
        while (!server.listening) await listen(port).catch(() => setTimeout(PORT_RETRY_MS));
      }
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function failed(failure: Failure, { socket }: IncomingMessage, response: ServerResponse): void {
  switch (failure) {
    case 'refused':
    case 'reset':
      socket.resetAndDestroy();
      break;
    case 'slow':
      // A byte now and then, so that no time between two bytes is long.
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000' });
      void trickle(response);
      break;
    case 'half':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"half":', () => socket.resetAndDestroy());
      break;
    case 'status 500':
      response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Error</h1>');
      break;
    case 'status 429':
      response.writeHead(429, { 'retry-after': '2' }).end();
      break;
    case 'garbage':
      // Not HTTP at all.
      socket.end('\x00\xff\xfe not http \x01\r\n\r\n');
      break;
    case 'hanging':
      break;
  }
}

async function trickle(response: ServerResponse): Promise<void> {
  const until = performance.now() + SLOW_MS;
  while (!response.destroyed && performance.now() < until) {
    response.write(' ');
    await setTimeout(500);
  }
}
