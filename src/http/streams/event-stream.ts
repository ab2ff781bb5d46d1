import { Readable } from 'node:stream';

/** A server-sent event of GraphQL over SSE. */
export interface ServerSentEvent {
  /** The `Last-Event-ID` of a reader that reconnects. */
  readonly id?: string | undefined;
  /** The result, as JSON in one line. */
  readonly json: string;
}

const COMPLETE = 'event: complete\ndata:\n\n';
const COMMENT = ':\n\n';

function eventText({ id, json }: ServerSentEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: next\ndata: ${json}\n\n`;
}

/** The whole stream with one event. */
export const onlyEvent = (json: string) => eventText({ json }) + COMPLETE;

interface EventStreamOptions {
  /** How long it may be silent before a comment shows that it is alive. */
  readonly keepAliveMs: number;
  /** How long nothing may be read from it. */
  readonly unreadMs: number;
  /** Bytes that its reader's connection has taken so far. */
  readonly taken: () => number;
}

/** Bytes of small events that are buffered. */
const BUFFERED_BYTES = 16 * 1024;

/** How often within that time the reader's progress is checked. */
const LOOKS = 4;

/**
 * The body of a response that is a stream of events. It buffers a few KB, or one larger event, until the reader's
 * connection takes them: the sender waits until there is room.
 */
export class EventStream extends Readable {
  readonly #options: EventStreamOptions;
  readonly #keepAlive: NodeJS.Timeout;
  #room = Promise.withResolvers<void>();
  #isFinished = false;

  constructor(options: EventStreamOptions) {
    super({ highWaterMark: BUFFERED_BYTES });
    this.#options = options;
    // The first comment also sends the headers.
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

  /** Resolves once there is room for another event; false if the reader has read nothing for too long. */
  async send(event: ServerSentEvent): Promise<boolean> {
    if (this.#isFinished || this.destroyed) return true;
    this.#keepAlive.refresh();
    this.#room = Promise.withResolvers();
    return this.push(eventText(event)) || this.#hasRoom(this.#room.promise);
  }

  /** Ends the stream, with a last event if there is one. */
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
