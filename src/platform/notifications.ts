import pg from 'pg';
import type { Log } from './log.ts';

const RETRY_MS = 500;

/**
 * Listens to PostgreSQL notifications on a connection of its own, for as long as it lives: a lost connection is made
 * again, and `onGap` tells each time that notifications may have been missed.
 */
export class Notifications {
  readonly #url: string;
  readonly #log: Log;
  readonly #handlers = new Map<string, (payload: string) => void>();
  readonly #gapHandlers: (() => void)[] = [];
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(url: string, log: Log) {
    this.#url = url;
    this.#log = log;
  }

  on(channel: string, handler: (payload: string) => void): void {
    this.#handlers.set(channel, handler);
  }

  onGap(handler: () => void): void {
    this.#gapHandlers.push(handler);
  }

  async start(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url, keepAlive: true, connectionTimeoutMillis: 5000 });
    this.#client = client;
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    client.on('notification', ({ channel, payload }) => this.#handlers.get(channel)?.(payload ?? ''));
    try {
      await client.connect();
      for (const channel of this.#handlers.keys()) await client.query(`listen ${client.escapeIdentifier(channel)}`);
      for (const handler of this.#gapHandlers) handler();
    } catch {
      this.#lost(client);
    }
  }

  #lost(client: pg.Client): void {
    if (client !== this.#client || this.#closed) return;
    this.#client = undefined;
    for (const handler of this.#gapHandlers) handler();
    this.#log.warn({ retryMs: RETRY_MS }, 'notification connection lost');
    client.end().catch(() => undefined);
    this.#retry = setTimeout(() => void this.start(), RETRY_MS);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#client?.end().catch(() => undefined);
  }
}
