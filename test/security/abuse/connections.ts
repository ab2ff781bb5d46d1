import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Abuse, Arena, Attack } from './case.ts';
import * as seed from './seed.ts';

const UNFINISHED = 500;
const BODY_BYTES = 4 * 1024 * 1024;
const HOLD_MS = 6_000;
const SLOW_EVERY_MS = 500;

/** Connections that are held, whatever becomes of each, and closed in the end. */
class Sockets {
  readonly #url: URL;
  readonly #open = new Set<Socket>();
  #opened = 0;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  get figures(): string {
    return `${this.#opened} connections, ${this.#open.size} open in the end`;
  }

  /** Opens so many, and writes to each at once. */
  async open(count: number, first?: string | Buffer): Promise<Socket[]> {
    const sockets: Socket[] = [];
    for (let i = 0; i < count; i++) {
      const socket = connect(Number(this.#url.port), this.#url.hostname);
      // A service that defends itself hangs up.
      socket.on('error', () => socket.destroy()).on('close', () => this.#open.delete(socket));
      socket.on('connect', () => this.#opened++);
      this.#open.add(socket);
      if (first !== undefined) socket.write(first);
      sockets.push(socket);
      if (i % 50 === 49) await setTimeout(1);
    }
    return sockets;
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

function head(method: string, path: string, { attacker }: Arena, ...headers: string[]): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', `X-Api-Key: ${attacker.key.apiKey}`, ...headers];
  return `${lines.join('\r\n')}\r\n`;
}

async function unfinishedBodies(arena: Arena): Promise<Attack> {
  const headers = ['Content-Type: application/json', `Content-Length: ${BODY_BYTES}`];
  const start = `${head('POST', '/graphql', arena, ...headers)}\r\n{"query":"`;
  const request = Buffer.concat([Buffer.from(start), Buffer.alloc(BODY_BYTES - 10_000, 0x20)]);
  return async () => {
    const sockets = new Sockets(arena.service.url);
    for (const socket of await sockets.open(UNFINISHED, request)) socket.resume();
    await setTimeout(HOLD_MS);
    const { figures } = sockets;
    sockets.close();
    return { figures, failures: [] };
  };
}

async function unreadAnswers(arena: Arena): Promise<Attack> {
  await seed.warehouses(arena, 6_000);
  const requests = `${head('GET', '/api/v1/integrations/warehouses', arena)}\r\n`.repeat(300);
  return async () => {
    const sockets = new Sockets(arena.service.url);
    await sockets.open(10, requests);
    await setTimeout(HOLD_MS);
    const { figures } = sockets;
    sockets.close();
    return { figures, failures: [] };
  };
}

async function slowConnections(arena: Arena): Promise<Attack> {
  const body = `${head('POST', '/graphql', arena, 'Content-Type: application/json', 'Content-Length: 100000')}\r\n{`;
  return async () => {
    const sockets = new Sockets(arena.service.url);
    const slow = [...(await sockets.open(300, head('GET', '/livez', arena))), ...(await sockets.open(300, body))];
    await sockets.open(1_000);
    for (let waited = 0; waited < HOLD_MS; waited += SLOW_EVERY_MS) {
      for (const socket of slow) socket.write('X');
      await setTimeout(SLOW_EVERY_MS);
    }
    const { figures } = sockets;
    sockets.close();
    return { figures, failures: [] };
  };
}

export const CONNECTIONS: readonly Abuse[] = [
  { name: `H3 ${UNFINISHED} unfinished bodies of 4 MiB`, prepare: unfinishedBodies },
  { name: 'L5 10 × 300 pipelined, never read', prepare: unreadAnswers },
  { name: '1,600 slow and idle connections', prepare: slowConnections },
];
