import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { LOG_START } from '../support/change-consumer.ts';
import { portOf } from '../support/ports.ts';

/** The service as its callers see it: some addresses, any of which may be away. */
export interface Api {
  readonly urls: readonly string[];
  readonly apiKey: string;
}

/** The result of a document at one of the addresses. @throws Error where there is none, or errors */
export async function ask<Data>({ urls, apiKey }: Api, query: string, variables: object, signal?: AbortSignal) {
  const url = urls[Math.floor(Math.random() * urls.length)];
  const late = AbortSignal.timeout(30_000);
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ query, variables }),
    signal: signal ? AbortSignal.any([signal, late]) : late,
  });
  const { data, errors } = (await response.json()) as { data: Data; errors?: readonly { readonly message: string }[] };
  if (!response.ok || errors?.[0]) throw new Error(errors?.[0]?.message ?? `returned ${response.status}`);
  return data;
}

const changes = (operation: 'query' | 'subscription') => `${operation} ($after: String, $first: Int) {
  changes(after: $after, first: $first) { nodes { __typename number } pageInfo { endCursor hasNextPage } hasGap }
}`;

interface PolledPage {
  readonly nodes: readonly { readonly number: number }[];
  readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean };
  readonly hasGap: boolean;
}

/** The changes that a reader has received, in the order of their arrival. */
export interface Reader {
  readonly name: string;
  readonly numbers: readonly number[];
  /** Failed requests or connections, after each of which it continued. */
  readonly failures: number;
}

const RETRY_MS = 100;
const IDLE_MS = 20;
const LAST_WAIT_MS = 60_000;

/** Reads the changes after its cursor, by pages of any size, until it has everything and is stopped. */
export class PollReader implements Reader {
  readonly numbers: number[] = [];
  failures = 0;
  readonly name: string;
  readonly #api: Api;
  #isStopping = false;

  constructor(name: string, api: Api) {
    this.name = name;
    this.#api = api;
  }

  stop(): void {
    this.#isStopping = true;
  }

  /** Waits, at most a minute, until it has the change of a number. */
  async upTo(number: number): Promise<void> {
    const until = performance.now() + LAST_WAIT_MS;
    while ((this.numbers.at(-1) ?? 0) < number && performance.now() < until) await setTimeout(IDLE_MS);
  }

  async run(): Promise<void> {
    for (let after: string | null = null; ; ) {
      const isLast = this.#isStopping;
      const first = 1 + Math.floor(Math.random() * 1_000);
      const page: PolledPage | undefined = await ask<{ changes: PolledPage }>(this.#api, changes('query'), {
        after,
        first,
      }).then(
        ({ changes }) => changes,
        () => undefined,
      );
      if (page === undefined) {
        this.failures++;
        await setTimeout(RETRY_MS);
        continue;
      }
      if (page.hasGap) throw new Error(`${this.name}: the cursor has expired`);
      for (const { number } of page.nodes) this.numbers.push(number);
      after = page.pageInfo.endCursor;
      if (page.pageInfo.hasNextPage) continue;
      if (isLast) return;
      await setTimeout(IDLE_MS);
    }
  }
}

/** Reads the live stream, which it cuts off at random, and continues after the last event that it has. */
export class LiveReader implements Reader {
  readonly numbers: number[] = [];
  failures = 0;
  readonly name: string;
  readonly #api: Api;
  #after = LOG_START;
  #last = Number.POSITIVE_INFINITY;
  #cut = new AbortController();

  constructor(name: string, api: Api) {
    this.name = name;
    this.#api = api;
  }

  /** @param last the number of the last change, after which it ends; it waits for that no longer than a minute */
  stop(last: number): void {
    this.#last = last;
    this.#cut.abort();
    globalThis
      .setTimeout(() => {
        this.#last = 0;
        this.#cut.abort();
      }, LAST_WAIT_MS)
      .unref();
  }

  async run(): Promise<void> {
    while ((this.numbers.at(-1) ?? 0) < this.#last) {
      this.#cut = new AbortController();
      const timer = globalThis.setTimeout(() => this.#cut.abort(), 200 + Math.random() * 5_000);
      await this.#read(this.#cut.signal).catch(() => undefined);
      clearTimeout(timer);
      this.failures++;
      await setTimeout(RETRY_MS);
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { urls, apiKey } = this.#api;
    const response = await fetch(`${urls[Math.floor(Math.random() * urls.length)]}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-api-key': apiKey },
      body: JSON.stringify({ query: changes('subscription'), variables: { after: this.#after, first: 500 } }),
      signal,
    });
    let rest = '';
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const events = (rest + text).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) this.#take(event);
      if ((this.numbers.at(-1) ?? 0) >= this.#last) return;
    }
  }

  #take(event: string): void {
    const [, json] = /^data: (\{.*)$/m.exec(event) ?? [];
    const page: PolledPage | undefined = json && JSON.parse(json).data?.changes;
    if (!page) return;
    for (const { number } of page.nodes) this.numbers.push(number);
    this.#after = page.pageInfo.endCursor;
  }
}

/** Receives webhooks, and drops a part of them once without a response: the second retry would come after minutes. */
export async function startWebhookReader(): Promise<Reader & { readonly url: string; close(): void }> {
  const numbers: number[] = [];
  const dropped = new Set<unknown>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      numbers.push(JSON.parse(Buffer.concat(chunks).toString()).change);
      const id = request.headers['webhook-id'];
      if (Math.random() < 0.02 && !dropped.has(id)) {
        dropped.add(id);
        request.socket.destroy();
      } else response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    name: 'webhooks',
    numbers,
    get failures() {
      return dropped.size;
    },
    url: `http://127.0.0.1:${portOf(server)}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
