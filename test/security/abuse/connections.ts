import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { makeKey } from '../../../src/domain/account/access/key.rules.ts';
import { send } from '../../rest/raw-http.ts';
import { listed } from '../support/attacker.ts';
import type { Abuse, Arena, Attack } from './case.ts';
import * as seed from './seed.ts';

const UNFINISHED = 500;
const BODY_BYTES = 4 * 1024 * 1024;
const HOLD_MS = 6_000;
const SLOW_EVERY_MS = 500;
const IDLE = 3_000;
const KEPT = 100;

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

/** Connections, on each of which a request continues by a byte now and again. */
const dripping =
  (count: number, startOf: (arena: Arena) => string) =>
  async (arena: Arena): Promise<Attack> => {
    const start = startOf(arena);
    return async () => {
      const sockets = new Sockets(arena.service.url);
      const slow = await sockets.open(count, start);
      for (let waited = 0; waited < HOLD_MS; waited += SLOW_EVERY_MS) {
        for (const socket of slow) socket.write('X');
        await setTimeout(SLOW_EVERY_MS);
      }
      const { figures } = sockets;
      sockets.close();
      return { figures, failures: [] };
    };
  };

const slowHead = (arena: Arena) => head('GET', '/livez', arena);
const slowBody = (arena: Arena) =>
  `${head('POST', '/graphql', arena, 'Content-Type: application/json', 'Content-Length: 100000')}\r\n{`;
const slowChunks = (arena: Arena) =>
  `${head('POST', '/graphql', arena, 'Content-Type: application/json', 'Transfer-Encoding: chunked')}\r\nfffff\r\n{`;

async function idleConnections({ service }: Arena): Promise<Attack> {
  return async () => {
    const sockets = new Sockets(service.url);
    await sockets.open(IDLE);
    await setTimeout(HOLD_MS);
    const { figures } = sockets;
    sockets.close();
    return { figures, failures: [] };
  };
}

/** Connections that a client keeps for its next request: none is closed under it, which would be a lost request. */
async function keptConnections({ service, attacker }: Arena): Promise<Attack> {
  return async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: KEPT });
    const ask = () =>
      send(service.url, {
        path: '/api/v1/integrations/warehouses',
        headers: { 'x-api-key': attacker.key.apiKey },
        agent,
      }).then(
        ({ status }) => String(status),
        (error: NodeJS.ErrnoException) => error.code ?? error.name,
      );
    const all = () => Promise.all(Array.from({ length: KEPT }, ask));
    const before = await all();
    await setTimeout(HOLD_MS);
    const lost = [...before, ...(await all())].filter(outcome => outcome !== '200');
    agent.destroy();
    return {
      figures: `${KEPT} connections kept for ${HOLD_MS / 1000} s`,
      failures: lost.map(one => `a request got ${one}`),
    };
  };
}

/** Public pages, requested by many at once without a key. */
const unauthenticated =
  (path: string, headers: readonly string[] = []) =>
  async ({ service, attackMs }: Arena): Promise<Attack> => {
    const pool = new Pool(service.url, { connections: 32, pipelining: 1 });
    return async () => {
      const endsAt = performance.now() + attackMs;
      const tally: Record<string, number> = {};
      const worker = async () => {
        while (performance.now() < endsAt) {
          const { statusCode, body } = await pool.request({ method: 'GET', path, headers: [...headers] });
          await body.arrayBuffer();
          tally[statusCode] = (tally[statusCode] ?? 0) + 1;
        }
      };
      await Promise.all(Array.from({ length: 32 }, worker));
      await pool.destroy();
      return { figures: listed(tally), failures: tally[500] ? ['an answer is 500'] : [] };
    };
  };

/** Keys that are unknown with a right checksum, each of which has to be looked up. */
async function unknownKeys({ service, attackMs }: Arena): Promise<Attack> {
  const pool = new Pool(service.url, { connections: 32, pipelining: 1 });
  return async () => {
    const endsAt = performance.now() + attackMs;
    let count = 0;
    const worker = async () => {
      while (performance.now() < endsAt) {
        const headers = { 'x-api-key': makeKey(randomUUID(), 'live') };
        const { body } = await pool.request({ method: 'GET', path: '/api/v1/integrations/health', headers });
        await body.arrayBuffer();
        count++;
      }
    };
    await Promise.all(Array.from({ length: 32 }, worker));
    await pool.destroy();
    return { figures: `${count} unknown keys`, failures: [] };
  };
}

export const CONNECTIONS: readonly Abuse[] = [
  { name: `H3 ${UNFINISHED} unfinished bodies of 4 MiB`, prepare: unfinishedBodies },
  { name: 'L5 10 × 300 pipelined, never read', prepare: unreadAnswers },
  { name: '500 slow heads', prepare: dripping(500, slowHead) },
  { name: '500 slow bodies', prepare: dripping(500, slowBody) },
  { name: '500 slow chunks', prepare: dripping(500, slowChunks) },
  { name: 'L6 /openapi.json without a key', prepare: unauthenticated('/openapi.json', ['accept-encoding', 'gzip']) },
  { name: 'L6 GraphiQL without a key', prepare: unauthenticated('/graphql', ['accept', 'text/html']) },
  { name: 'L6 /readyz without a key', prepare: unauthenticated('/readyz') },
  { name: 'L6 unknown keys', prepare: unknownKeys },
  { name: 'L4 3,000 idle connections', prepare: idleConnections },
  { name: 'L4 kept connections, used again after 6 s', prepare: keptConnections },
];
