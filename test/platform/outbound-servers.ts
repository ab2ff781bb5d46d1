// Servers that outbound requests go to.
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach } from 'vitest';
import { Outbound } from '../../src/platform/outbound/outbound.ts';
import type { OutboundOptions } from '../../src/platform/outbound/outbound-client.ts';
import type { Lookup, OutboundPolicy } from '../../src/platform/outbound/outbound-url.ts';

export const LOOPBACK: OutboundPolicy = { allowPrivate: ['127.0.0.0/8', '::1/128'], allowHttp: true };

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** Every connection there has been. */
  readonly sockets: Socket[];
}

/** A resolver that gives one answer after the other, and the last one from then on. */
export function resolver(...answers: string[][]): Lookup & { asked: number } {
  const lookup = (_: string, _options: unknown, callback: (error: null, addresses: LookupAddress[]) => void) => {
    const answer = answers[Math.min(lookup.asked, answers.length - 1)] ?? [];
    lookup.asked++;
    setImmediate(() =>
      callback(
        null,
        answer.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    );
  };
  lookup.asked = 0;
  return lookup;
}

export const post = (client: Outbound, url: string, signal?: AbortSignal) =>
  client.post(url, { headers: { 'content-type': 'application/json' }, body: '{}', ...(signal && { signal }) });

/** Clients and servers that are closed after each test. */
export function useOutbound() {
  const closers: (() => unknown)[] = [];

  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  function outbound(options: OutboundOptions = {}, policy = LOOPBACK): Outbound {
    const made = new Outbound(policy, { totalTimeoutMs: 5_000, ...options });
    closers.push(() => made.close());
    return made;
  }

  async function listen(server: Server): Promise<Receiver> {
    const sockets: Socket[] = [];
    server.on('connection', (socket: Socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/hook?a=1`, port, sockets };
  }

  /** A receiver of HTTP. */
  function http(listener: RequestListener): Promise<Receiver> {
    return listen(createHttpServer(listener));
  }

  return {
    closers,
    outbound,
    listen,
    http,
  };
}
