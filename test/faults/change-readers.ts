import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { CHANGES_WITH_DETAILS, hashOfChanges, type PolledPage, START_HASH } from '../support/change-consumer.ts';
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

/** What a reader has of the change log, in the order in which it came. */
export interface Reader {
  readonly name: string;
  readonly numbers: readonly number[];
  /** The hash of all that it has, where it has every detail. */
  readonly hash?: string;
  /** Requests or connections that failed, each of which it went on from. */
  readonly failures: number;
}

const RETRY_MS = 100;
const IDLE_MS = 20;

/** Asks for what came after its cursor, by pages of any size, until it has everything and is told to stop. */
export class PollReader implements Reader {
  readonly numbers: number[] = [];
  hash = START_HASH;
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

  async run(): Promise<void> {
    for (let after: string | null = null; ; ) {
      const isLast = this.#isStopping;
      const first = 1 + Math.floor(Math.random() * 1_000);
      const page: PolledPage | undefined = await ask<{ changes: PolledPage }>(this.#api, CHANGES_WITH_DETAILS, {
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
      if (page.code !== undefined) throw new Error(`${this.name}: ${page.code}`);
      for (const { number } of page.nodes) this.numbers.push(number);
      this.hash = hashOfChanges(page.nodes, this.hash);
      after = page.pageInfo.endCursor;
      if (page.pageInfo.hasNextPage) continue;
      if (isLast) return;
      await setTimeout(IDLE_MS);
    }
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
