import { until } from '../bench/until.ts';
import { note } from './log-watch.ts';

/** An event of a stream, with what GraphQL says in it. */
export interface ReadEvent {
  readonly id: string | undefined;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  readonly data: any;
}

export interface Subscribe {
  readonly url: string;
  readonly apiKey: string;
  readonly query: string;
  readonly variables?: Record<string, unknown> | undefined;
  readonly lastEventId?: string | undefined;
  readonly headers?: Record<string, string>;
}

/** How long a test waits for an event on a busy machine. */
const WAIT = { timeoutMs: 20_000, everyMs: 5 };

/** The reader of a stream, which keeps all that it has got. */
export class EventReader {
  readonly events: ReadEvent[] = [];
  /** Comments that keep the connection alive. */
  comments = 0;
  isEnded = false;
  readonly response: Response;
  readonly #abort: AbortController;

  private constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
  }

  /** Opens a stream; of a response that is none, only `response` is there. */
  static async open({ url, apiKey, query, variables, lastEventId, headers }: Subscribe): Promise<EventReader> {
    const abort = new AbortController();
    const body = JSON.stringify({ query, variables });
    note('sent', body);
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'x-api-key': apiKey,
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
        ...headers,
      },
      body,
      signal: abort.signal,
    });
    const reader = new EventReader(response, abort);
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) void reader.#read();
    return reader;
  }

  async #read(): Promise<void> {
    let text = '';
    try {
      for await (const part of this.response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += part;
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) this.#take(block);
      }
    } catch {
      // Cut off.
    }
    this.isEnded = true;
  }

  #take(block: string): void {
    if (block.startsWith(':')) {
      this.comments++;
      return;
    }
    const fields = Object.fromEntries(block.split('\n').map(line => line.split(/: ?(.*)/s, 2) as [string, string]));
    note('issued', block);
    const data = fields.data ? JSON.parse(fields.data) : undefined;
    this.events.push({ id: fields.id, event: fields.event ?? '', data });
  }

  /** Waits until `isThere` is true for the received events. */
  until(isThere: (events: readonly ReadEvent[]) => boolean): Promise<readonly ReadEvent[]> {
    return until(async () => this.events, isThere, WAIT);
  }

  async ended(): Promise<void> {
    await until(
      async () => this,
      ({ isEnded }) => isEnded,
      WAIT,
    );
  }

  close(): void {
    this.#abort.abort();
  }
}
