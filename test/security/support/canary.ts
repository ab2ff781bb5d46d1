import { once } from 'node:events';
import { createServer } from 'node:net';
import { portOf } from '../../support/ports.ts';

/** A server at every address of this machine that nobody may connect to. */
export interface Canary {
  readonly port: number;
  /** Connections so far. */
  readonly touched: number;
  close(): void;
}

export async function startCanary(): Promise<Canary> {
  let touched = 0;
  const server = createServer(socket => {
    touched++;
    socket.destroy();
  }).listen(0);
  await once(server, 'listening');
  return {
    port: portOf(server),
    get touched() {
      return touched;
    },
    close: () => server.close(),
  };
}
