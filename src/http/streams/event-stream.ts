import { Readable } from 'node:stream';

/** A server-sent event of GraphQL over SSE. */
export interface ServerSentEvent {
  /** What `Last-Event-ID` is when the reader reconnects. */
  readonly id?: string | undefined;
  /** The result, as JSON in one line. */
  readonly json: string;
}

/** The event that ends a stream. */
const COMPLETE = 'event: complete\ndata:\n\n';
const COMMENT = ':\n\n';

export function eventText({ id, json }: ServerSentEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: next\ndata: ${json}\n\n`;
}

/** All of a stream that has one event. */
export const onlyEvent = (json: string) => eventText({ json }) + COMPLETE;

export interface EventStreamOptions {
  /** How long it may be silent before a comment shows that it lives. */
  readonly keepAliveMs: number;
  /** How long nothing may be taken of it. */
  readonly unreadMs: number;
  /** What its reader's connection has taken so far. */
  readonly taken: () => number;
}

/** Small events that are kept until the connection takes them. */
const BUFFERED_BYTES = 16 * 1024;

/** How often it is looked whether the reader takes anything, within the time that it has. */
const LOOKS = 4;

/**
 * The body of a response that is a stream of events. It keeps a few KB, or one event that is larger, until the reader's
 * connection takes them: who sends waits until there is room.
 */
export class EventStream extends Readable {
  readonly #options: EventStreamOptions;
  readonly #keepAlive: NodeJS.Timeout;
  #room = Promise.withResolvers<void>();
  #isFinished = false;

  constructor(options: EventStreamOptions) {
    super({ highWaterMark: BUFFERED_BYTES });
    this.#options = options;
    // The first one also has the headers sent.
    this.push(COMMENT);
    this.#keepAlive = setInterval(() => {
      if (this.readableLength === 0) this.push(COMMENT);
    }, options.keepAliveMs);
  }

  override _read(): void {
    this.#room.resolve();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearInterval(this.#keepAlive);
    this.#room.resolve();
    callback(error);
  }

  /** Resolves once there is room for another event; false if the reader has taken nothing for too long. */
  async send(event: ServerSentEvent): Promise<boolean> {
    if (this.#isFinished || this.destroyed) return true;
    this.#keepAlive.refresh();
    this.#room = Promise.withResolvers();
    return this.push(eventText(event)) || this.#hasRoom(this.#room.promise);
  }

  /** Ends it, with a last event if there is one. */
  finish(last?: ServerSentEvent): void {
    if (this.#isFinished || this.destroyed) return;
    this.#isFinished = true;
    clearInterval(this.#keepAlive);
    this.#room.resolve();
    this.push((last === undefined ? '' : eventText(last)) + COMPLETE);
    this.push(null);
  }

  async #hasRoom(room: Promise<void>): Promise<boolean> {
    const { taken, unreadMs } = this.#options;
    const unread = Promise.withResolvers<void>();
    let [before, looks, isUnread] = [taken(), 0, false];
    const looking = setInterval(() => {
      const now = taken();
      looks = now === before ? looks + 1 : 0;
      before = now;
      if (looks < LOOKS) return;
      isUnread = true;
      unread.resolve();
    }, unreadMs / LOOKS);
    await Promise.race([room, unread.promise]);
    clearInterval(looking);
    return !isUnread;
  }
}
