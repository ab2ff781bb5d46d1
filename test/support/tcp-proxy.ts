import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { portOf } from './ports.ts';

/** A TCP proxy before a server that does to connections what networks do, while the server itself runs on. */
export interface TcpProxy {
  /** The server's address, by way of this proxy. */
  readonly url: string;
  /** How many connections there are. */
  readonly connections: number;
  /** Closes all connections, and refuses new ones. */
  cut(): Promise<void>;
  /** Closes all connections. New ones are accepted, and nothing answers on them. */
  mute(): void;
  /** Lets nothing through on the connections there are, and closes none of them; new ones work. Returns how many there were. */
  swallow(): number;
  /**
   * Closes swallowed connections at the server's end, as the server itself does once its keepalives have had no answer.
   */
  letGo(): void;
  /** Everything passes so much later, in both directions. */
  delay(milliseconds: number): void;
  /** In place of this share of what the server sends, the connection is reset. */
  reset(share: number): void;
  /** Leads to another server from now on, and closes what leads to the one before. */
  lead(targetUrl: string): void;
  /** Undoes everything but `lead`. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

const POSTGRES_PORT = 5432;

export async function openTcpProxy(targetUrl: string): Promise<TcpProxy> {
  let target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  const pairs = new Set<readonly [near: Socket, far: Socket]>();
  const swallowed = new Set<Socket>();
  let isMuted = false;
  let delayMs = 0;
  let resetShare = 0;

  const passage = (near: Socket, isFromServer: boolean) =>
    new Transform({
      transform(chunk, _encoding, done) {
        if (isFromServer && resetShare > 0 && Math.random() < resetShare) return void near.resetAndDestroy();
        if (delayMs === 0) done(null, chunk);
        else setTimeout(done, delayMs, null, chunk);
      },
    });
  const server = createServer(near => {
    sockets.add(near);
    near.on('error', () => near.destroy()).on('close', () => sockets.delete(near));
    if (isMuted) return;
    const far = connect(Number(target.port || POSTGRES_PORT), target.hostname);
    sockets.add(far);
    far.on('error', () => far.destroy()).on('close', () => sockets.delete(far));
    near.pipe(passage(near, false)).pipe(far).pipe(passage(near, true)).pipe(near);
    const pair = [near, far] as const;
    pairs.add(pair);
    const part = (other: Socket) => () => {
      if (pairs.delete(pair)) other.destroy();
    };
    near.on('close', part(far));
    far.on('close', part(near));
  });
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const cut = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    hangUp();
    await closed;
  };
  await listen(0);
  const port = portOf(server);
  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    // An address without a path stays unchanged, so that paths can be added to it.
    url: targetUrl.endsWith('/') ? url.href : url.href.replace(/\/$/, ''),
    get connections() {
      return pairs.size;
    },
    cut,
    mute() {
      isMuted = true;
      hangUp();
    },
    swallow() {
      const count = pairs.size;
      for (const [near, far] of pairs) {
        near.unpipe().resume();
        swallowed.add(far.unpipe().resume());
      }
      // Neither end hears that the other has gone.
      pairs.clear();
      return count;
    },
    letGo() {
      for (const far of swallowed) far.destroy();
      swallowed.clear();
    },
    delay(milliseconds) {
      delayMs = milliseconds;
    },
    reset(share) {
      resetShare = share;
    },
    lead(url) {
      target = new URL(url);
      hangUp();
    },
    async restore() {
      [isMuted, delayMs, resetShare] = [false, 0, 0];
      hangUp();
      if (!server.listening) await listen(port);
    },
    close: cut,
  };
}
