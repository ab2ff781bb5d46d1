import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { portOf } from '../../support/ports.ts';

/** A TCP line to a server, of which connections can be swallowed. */
export interface SilentLine {
  /** The server's address, by way of this line. */
  readonly url: string;
  /** How many connections there are. */
  readonly connections: number;
  /** Nothing passes on the connections there are, and nobody is told; new ones work. Returns how many there were. */
  swallow(): number;
  close(): Promise<void>;
}

export async function openSilentLine(targetUrl: string): Promise<SilentLine> {
  const target = new URL(targetUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer(near => {
    const far = connect(Number(target.port), target.hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        pairs.delete(pair);
        for (const end of pair) end.destroy();
      });
    }
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String(portOf(server));
  return {
    url: url.href,
    get connections() {
      return pairs.size;
    },
    swallow() {
      for (const [near, far] of pairs) {
        near.unpipe(far).resume();
        far.unpipe(near).resume();
      }
      return pairs.size;
    },
    async close() {
      for (const [near, far] of pairs) {
        near.destroy();
        far.destroy();
      }
      server.close();
      await once(server, 'close');
    },
  };
}
