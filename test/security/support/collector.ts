import { once } from 'node:events';
import { createServer } from 'node:http';
import { portOf } from '../../support/ports.ts';

/** A server that keeps all that it is sent: lines, headers and bodies. */
export interface Collector {
  readonly url: string;
  readonly text: string;
  close(): void;
}

export async function startCollector(): Promise<Collector> {
  const kept: string[] = [];
  const server = createServer((request, response) => {
    kept.push(request.url ?? '', JSON.stringify(request.headers));
    request.on('data', (chunk: Buffer) => kept.push(chunk.toString('latin1')));
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    get text() {
      return kept.join('\n');
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
