import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LRUCache } from 'lru-cache';
import { journeyOf, usualStart } from './scenarios.ts';
import type { SandboxAnswer, SandboxCarrier } from './stand-in.ts';

const MAX_BODY_BYTES = 1024 * 1024;

/** Counted numbers; the longest unasked is forgotten, so that a running sandbox does not grow. */
const MAX_COUNTED = 10_000;

export interface SandboxOptions {
  /** 0 selects any free port. */
  readonly port?: number;
  readonly host?: string;
  /** All stand-ins if it is left out. */
  readonly carriers?: readonly SandboxCarrier[];
  /** When every journey began; by default long enough ago for all events to be past, and constant for a day. */
  readonly start?: Date;
  /** How long each answer takes. */
  readonly latencyMs?: number;
}

export interface Sandbox {
  readonly url: string;
  close(): Promise<void>;
}

/** Stands in for the carriers on one port; the first part of the path names the carrier. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', start = usualStart(new Date()), latencyMs = 0 } = options;
  const carriers = new Map((options.carriers ?? (await allCarriers())).map(carrier => [carrier.prefix, carrier]));
  const asked = new LRUCache<string, number>({ max: MAX_COUNTED });

  async function answerTo(request: IncomingMessage): Promise<SandboxAnswer> {
    const url = URL.parse(request.url ?? '/', 'http://sandbox');
    if (!url) return text(400, 'Malformed path');
    const [, prefix = '', path = ''] = /^(\/[^/]*)(.*)$/s.exec(decodeURIComponent(url.pathname)) ?? [];
    const carrier = carriers.get(prefix as SandboxCarrier['prefix']);
    if (!carrier) return text(404, `No carrier here: ${[...carriers.keys()].join(' ')}`);
    const body = await bodyOf(request);
    if (body === null) return { ...text(413, 'Too large'), headers: { connection: 'close' } };
    return carrier.answer({
      method: request.method ?? 'GET',
      path: path || '/',
      query: url.searchParams,
      headers: request.headers,
      body,
      journey(trackingNumber) {
        const key = `${prefix} ${trackingNumber}`;
        const times = (asked.get(key) ?? 0) + 1;
        asked.set(key, times);
        return journeyOf(trackingNumber, times, start);
      },
    });
  }

  const server = createServer(async (request, response) => {
    const answer = await answerTo(request).catch((error: unknown) => unanswerable(error));
    if (latencyMs === 0) send(response, answer);
    else setTimeout(send, latencyMs, response, answer);
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: listening } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${listening}`,
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      // Hanging requests would keep the server open.
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Loaded on demand, because tests of one carrier need no other. */
async function allCarriers(): Promise<readonly SandboxCarrier[]> {
  const [{ gls }, { brt }, { dhl }, { ups }, { fedex }, { poste }, { inpost }, { amazon }] = await Promise.all([
    import('./gls-stand-in.ts'),
    import('./brt-stand-in.ts'),
    import('./dhl-stand-in.ts'),
    import('./ups-stand-in.ts'),
    import('./fedex-stand-in.ts'),
    import('./poste-stand-in.ts'),
    import('./inpost-stand-in.ts'),
    import('./amazon-stand-in.ts'),
  ]);
  return [gls, brt, dhl, ups, fedex, poste, inpost, amazon];
}

function send(response: ServerResponse, { status, headers, body, hang }: SandboxAnswer): void {
  if (hang) return;
  try {
    response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers }).end(body);
  } catch {
    // A stand-in gave a status or a header that cannot be sent.
    response.destroy();
  }
}

/** Null if it is too large. The rest is read and dropped, because a response in the middle of a body would be lost. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return length > MAX_BODY_BYTES ? null : Buffer.concat(chunks).toString('utf8');
}

/** A path that cannot be decoded is the sender's error, anything else ours; neither may end the process. */
function unanswerable(error: unknown): SandboxAnswer {
  return error instanceof URIError ? text(400, 'Malformed path') : text(500, 'The sandbox has a fault');
}

function text(status: number, body: string): SandboxAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}
