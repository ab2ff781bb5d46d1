import { hostname } from 'node:os';
import type pg from 'pg';
import type { Log } from '../../telemetry/log.ts';
import type { Statement } from '../statements/statements.ts';
import { type ConnectionSettings, clientWith, connectionSettings } from './connection-settings.ts';
import { connectionReason } from './database-errors.ts';
import { processName, SHOW_PROCESS, SHOW_WORKER } from './worker-presence.ts';

/** Runs a statement on the listening connection. */
export type AskListener = (statement: Pick<Statement, 'text'>, values?: unknown[]) => Promise<unknown>;

const RETRY_MS = 500;

/** How often a silent connection is checked, and its time to respond. */
export interface Heartbeat {
  readonly everyMs: number;
  readonly deadlineMs: number;
}

const HEARTBEAT: Heartbeat = { everyMs: 3_000, deadlineMs: 5_000 };

/**
 * Listens to PostgreSQL notifications on its own connection: a lost or silent connection is replaced, and `onGap` is
 * called each time that notifications may have been missed.
 */
export class Notifications {
  readonly #settings: ConnectionSettings;
  readonly #log: Log;
  readonly #heartbeat: Heartbeat;
  readonly #handlers = new Map<string, ((payload: string) => void)[]>();
  readonly #preparations: ((ask: AskListener) => unknown)[] = [];
  readonly #gapHandlers: (() => void)[] = [];
  #client: pg.Client | undefined;
  /** The next heartbeat, or the next attempt to connect. */
  #next: NodeJS.Timeout | undefined;
  #isAway = false;
  #closed = false;

  constructor(url: string, log: Log, heartbeat = HEARTBEAT) {
    this.#settings = connectionSettings(url);
    this.#log = log;
    this.#heartbeat = heartbeat;
  }

  on(channel: string, handler: (payload: string) => void): void {
    const handlers = this.#handlers.get(channel);
    if (handlers) handlers.push(handler);
    else this.#handlers.set(channel, [handler]);
  }

  /** Prepares each connection before it listens, and so before `onGap` is called. */
  onConnect(prepare: (ask: AskListener) => unknown): void {
    this.#preparations.push(prepare);
  }

  onGap(handler: () => void): void {
    this.#gapHandlers.push(handler);
  }

  /** Shows this process among the workers while its connection lives. */
  showAsWorker(): void {
    this.onConnect(ask => ask(SHOW_WORKER));
  }

  /** Shows this process among the connected ones, with its role. */
  showAs(role: string): void {
    this.onConnect(ask => ask(SHOW_PROCESS, [processName(role, process.pid, hostname())]));
  }

  async start(): Promise<void> {
    const client = clientWith({
      ...this.#settings,
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      query_timeout: this.#heartbeat.deadlineMs,
    });
    this.#client = client;
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    client.on('notification', ({ channel, payload = '' }) => {
      for (const handler of this.#handlers.get(channel) ?? []) handler(payload);
    });
    try {
      await client.connect();
      for (const prepare of this.#preparations) await prepare(({ text }, values) => client.query(text, values));
      await this.#listen(client);
    } catch (error) {
      return this.#lost(client, connectionReason(error));
    }
    if (this.#isAway) this.#log.info('notification connection made again');
    this.#isAway = false;
    for (const handler of this.#gapHandlers) handler();
  }

  /** Listening again changes nothing, so it shows whether the connection still responds. */
  async #listen(client: pg.Client): Promise<void> {
    const channels = Array.from(this.#handlers.keys(), channel => `listen ${client.escapeIdentifier(channel)}`);
    await client.query(channels.join('; '));
    if (client !== this.#client || this.#closed) return;
    this.#next = setTimeout(() => {
      this.#listen(client).catch(() => this.#lost(client));
    }, this.#heartbeat.everyMs);
  }

  #lost(client: pg.Client, reason?: string): void {
    if (client !== this.#client || this.#closed) return;
    this.#client = undefined;
    for (const handler of this.#gapHandlers) handler();
    if (!this.#isAway) this.#log.warn({ retryMs: RETRY_MS, reason }, 'notification connection lost');
    this.#isAway = true;
    client.end().catch(() => undefined);
    clearTimeout(this.#next);
    this.#next = setTimeout(() => void this.start(), RETRY_MS);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#next);
    await this.#client?.end().catch(() => undefined);
  }
}
