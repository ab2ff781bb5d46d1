import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CuttableLine {
  /** The target's address, by way of this line. */
  readonly url: string;
  /** Hangs up and refuses. */
  cut(): Promise<void>;
  /** Hangs up, and then takes calls without ever answering. */
  mute(): void;
  /** Lets nothing through on the connections there are, and closes none of them; new ones work. */
  swallow(): void;
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** A TCP line to a server that can be cut and restored, as networks are, while the server itself runs on. */
export async function cuttableLine(targetUrl: string): Promise<CuttableLine> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  const pairs = new Set<readonly [Socket, Socket]>();
  let muted = false;
  const server = createServer(near => {
    sockets.add(near);
    near.on('error', () => near.destroy()).on('close', () => sockets.delete(near));
    if (muted) return;
    const far = connect(Number(target.port || 5432), target.hostname);
    sockets.add(far);
    far.on('error', () => far.destroy()).on('close', () => sockets.delete(far));
    near.pipe(far).pipe(near);
    const pair = [near, far] as const;
    pairs.add(pair);
    const part = (other: Socket) => () => {
      if (pairs.delete(pair)) other.destroy();
    };
    near.on('close', part(far));
    far.on('close', part(near));
  });
  const listen = async (port: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
    await promise;
  };
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  const cut = async () => {
    if (!server.listening) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    server.close(() => resolve());
    hangUp();
    await promise;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    cut,
    mute() {
      muted = true;
      hangUp();
    },
    swallow() {
      for (const [near, far] of pairs) {
        near.unpipe(far).resume();
        far.unpipe(near).resume();
      }
      pairs.clear();
    },
    async restore() {
      muted = false;
      hangUp();
      if (!server.listening) await listen(port);
    },
    close: cut,
  };
}
