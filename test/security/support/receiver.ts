import { once } from 'node:events';
import { createServer } from 'node:http';
import { portOf } from '../../support/ports.ts';

/** An endpoint for webhooks that accepts everything, keeps nothing and counts. */
export interface Receiver {
  readonly url: string;
  /** Requests and bytes so far, and when the last request came (`performance.now()`). */
  readonly received: { requests: number; bytes: number; lastAt: number };
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const received = { requests: 0, bytes: 0, lastAt: 0 };
  const server = createServer((request, response) => {
    received.requests++;
    received.lastAt = performance.now();
    request.on('data', (chunk: Buffer) => {
      received.bytes += chunk.length;
    });
    request.on('end', () => response.writeHead(204).end());
    request.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    received,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
