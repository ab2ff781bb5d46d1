import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// The receiver of webhooks, in a process of its own: bare node:http that answers 204 at once and notes each arrival. It
// listens on several ports, each an origin; another port takes commands.

/** The requests since the last reset; times are milliseconds since 1970. */
export interface Count {
  readonly requests: number;
  /** Different `webhook-id` × path. */
  readonly distinct: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** The newest request as it came, to hold one sender's beside another's. */
export interface Sample {
  readonly headers: Record<string, unknown>;
  readonly bytes: number;
}

/** Path → webhook-id → when it came first. */
let arrivals = new Map<string, Map<string, number>>();
let requests = 0;
let firstAt = 0;
let lastAt = 0;
let last: Sample | undefined;
const hanging = new Set<string>();

function receive(request: IncomingMessage, response: ServerResponse): void {
  const now = Date.now();
  if (requests++ === 0) firstAt = now;
  lastAt = now;
  const path = request.url ?? '';
  let came = arrivals.get(path);
  if (came === undefined) {
    came = new Map();
    arrivals.set(path, came);
  }
  const id = String(request.headers['webhook-id']);
  if (!came.has(id)) came.set(id, now);
  last = { headers: request.headers, bytes: Number(request.headers['content-length']) };
  request.resume();
  if (!hanging.has(path)) response.writeHead(204).end();
}

const ports: number[] = [];

function count(): Count {
  const distinct = [...arrivals.values()].reduce((sum, { size }) => sum + size, 0);
  return { requests, distinct, firstAt, lastAt };
}

function answer(url: URL): unknown {
  const path = url.searchParams.get('path') ?? '';
  switch (url.pathname) {
    case '/ports':
      return ports;
    case '/count':
      return count();
    case '/last':
      return last;
    case '/arrivals':
      return Object.fromEntries(arrivals.get(path) ?? []);
    case '/hang':
      return hanging.add(path).size;
    case '/reset':
      arrivals = new Map();
      requests = 0;
      hanging.clear();
      return null;
    default:
      throw new Error(`Nothing to answer at ${url.pathname}`);
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', 1_024, resolve));
  return (server.address() as AddressInfo).port;
}

for (let i = 0; i < Number(process.env.ORIGINS); i++) ports.push(await listen(createServer(receive)));
const control = createServer((request, response) => {
  response.end(JSON.stringify(answer(new URL(request.url ?? '', 'http://control'))));
});
process.stdout.write(`listening on http://127.0.0.1:${await listen(control)}\n`);
process.on('SIGTERM', () => process.exit(0));
