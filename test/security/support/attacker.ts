import { type Dispatcher, Pool } from 'undici';
import { nameOf } from './failure-name.ts';
import type { Key } from './world.ts';

/** How many answers there were of each status, and how many requests failed with which error. */
export type Tally = Record<string, number>;

export function listed(tally: Tally): string {
  return Object.entries(tally)
    .map(([outcome, count]) => `${count} × ${outcome}`)
    .join(', ');
}

/** The faults of the service's that an attacker met. It may get 503 while it is the one who waits. */
export function faultsIn(tally: Tally): string[] {
  return Object.keys(tally).filter(status => /^5/.test(status) && status !== '503');
}

export interface Shot {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** Longer than the service may take for anything. */
const PATIENCE_MS = 25_000;

/** A company that abuses its key: sends prepared requests over many connections and counts the responses. */
export class Attacker {
  readonly key: Key;
  readonly tally: Tally = {};
  readonly #pool: Pool;

  constructor(url: string, key: Key) {
    this.key = key;
    this.#pool = new Pool(url, { connections: 320, pipelining: 1, bodyTimeout: PATIENCE_MS });
  }

  /** Sends one request; its answer is read and thrown away unless it is asked for. */
  async send({ method = 'GET', path, body }: Shot): Promise<{ status: number; text: string }> {
    const options: Dispatcher.RequestOptions = {
      method,
      path,
      body: body ?? null,
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: { 'x-api-key': this.key.apiKey, ...(body !== undefined && { 'content-type': 'application/json' }) },
    };
    try {
      const { statusCode, body: answer } = await this.#pool.request(options);
      const text = await answer.text();
      this.#count(String(statusCode));
      return { status: statusCode, text };
    } catch (error) {
      this.#count(nameOf(error as { code?: string | number; name: string }));
      return { status: 0, text: '' };
    }
  }

  graphql(query: string, variables: object = {}): Promise<{ status: number; text: string }> {
    return this.send(document(query, variables));
  }

  /** All of them, with so many under way at a time. */
  async sendAll(shots: readonly Shot[], atOnce = shots.length): Promise<void> {
    const left = shots.values();
    const worker = async () => {
      for (const shot of left) await this.send(shot);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }

  /** Round and round with so many under way at a time, until the time is over and all are answered. */
  async keepSending(shots: readonly Shot[], atOnce: number, ms: number): Promise<void> {
    const endsAt = performance.now() + ms;
    let next = 0;
    const worker = async () => {
      while (performance.now() < endsAt) {
        const shot = shots[next++ % shots.length];
        // One that is refused at once is asked again, but not in a loop that would only measure the attacker.
        const { status } = shot ? await this.send(shot) : { status: 0 };
        if (status === 0 || status === 429) await new Promise(resolve => setTimeout(resolve, 20));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }

  #count(outcome: string): void {
    this.tally[outcome] = (this.tally[outcome] ?? 0) + 1;
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

export function document(query: string, variables: object = {}): Shot {
  return { method: 'POST', path: '/graphql', body: JSON.stringify({ query, variables }) };
}

export function aliased(count: number, field: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => `a${i}: ${field(i)}`).join(' ');
}
