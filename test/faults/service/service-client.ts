import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { BASE } from '../../support/rest-client.ts';
import type { Gate } from './gate.ts';
import type { Observations } from './observations.ts';

export interface Call {
  /** For messages. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** Codes of errors that say that it was done, or that it cannot be done, as expected. */
  readonly accepts?: readonly string[];
}

export interface Answer {
  readonly status: number;
  /** The code of a problem, of a GraphQL error or of a user error. */
  readonly code: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: callers read what they expect
  readonly body: any;
}

/** Longer than any request may take; a process that is frozen answers once it is woken. */
const GIVE_UP_MS = 20_000;
const RETRY_MS = 200;
/** This share of the requests that were acknowledged with a key is sent again, and must get an equal response. */
const SENT_AGAIN = 0.1;

/** The part of a body that a message shows. */
const SHOWN = 300;

/** Thrown to the sender of a call that cannot be carried out. */
export class Unexpected extends Error {}

/** A platform that sends each request until it is acknowledged, to any of the processes, as a load balancer would. */
export class ServiceClient {
  /** Requests that have no answer yet. */
  inFlight = 0;
  /** Requests whose effect was acknowledged twice under one key. */
  twice = 0;
  readonly #urls: readonly string[];
  readonly #apiKey: string;
  readonly #gate: Gate;
  readonly #seen: Observations;

  constructor(urls: readonly string[], apiKey: string, gate: Gate, seen: Observations) {
    this.#urls = urls;
    this.#apiKey = apiKey;
    this.#gate = gate;
    this.#seen = seen;
  }

  /** Sends it until it is answered. With `isKeyed`, under an `Idempotency-Key` that is the same each time. */
  async acknowledged(call: Call, isKeyed = false): Promise<Answer> {
    const key = isKeyed ? randomUUID() : undefined;
    const answer = await this.#untilAnswered(call, key);
    if (key !== undefined && answer.code === undefined && Math.random() < SENT_AGAIN) {
      const again = await this.#untilAnswered(call, key);
      // The database went away before it had kept the answer, and the service says that it is lost.
      const isLost = again.code === 'idempotency_answer_lost';
      if (!isLost && JSON.stringify(again.body) !== JSON.stringify(answer.body)) {
        this.twice++;
        this.#seen.wrong('unexpected', `${call.name}: the same key was answered differently`);
      }
    }
    return answer;
  }

  async #untilAnswered(call: Call, key: string | undefined): Promise<Answer> {
    for (let isFirst = true; ; isFirst = false) {
      const answer = await this.attempt(call, key);
      if (answer === undefined) {
        await setTimeout(RETRY_MS * Math.random());
      } else if (answer.code === 'idempotency_in_progress') {
        // The process that had it was killed: the key is free again after a while.
        await setTimeout(1_000);
      } else if (answer.code === undefined || call.accepts?.includes(answer.code)) {
        return answer;
      } else if (answer.code === 'idempotency_answer_lost' && !isFirst) {
        // It was carried out, and the process was killed before it could keep the answer.
        return answer;
      } else {
        const message = `${call.name}: ${answer.status} ${answer.code} ${JSON.stringify(answer.body).slice(0, SHOWN)}`;
        this.#seen.wrong('unexpected', message);
        throw new Unexpected(message);
      }
    }
  }

  /** One request; undefined where the service could not answer, which is noted. */
  async attempt(call: Call, key?: string): Promise<Answer | undefined> {
    await this.#gate.passed();
    this.inFlight++;
    const startedAt = performance.now();
    try {
      return await this.#answer(call, key, startedAt);
    } catch (error) {
      this.#seen.trouble((error as Error).name === 'TimeoutError' ? 'late' : 'disconnected', call.name);
      return undefined;
    } finally {
      this.inFlight--;
    }
  }

  async #answer(call: Call, key: string | undefined, startedAt: number): Promise<Answer | undefined> {
    const url = this.#urls[Math.floor(Math.random() * this.#urls.length)] ?? '';
    const response = await fetch(url + call.path, {
      method: call.method,
      headers: {
        'x-api-key': this.#apiKey,
        ...(call.body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      body: call.body ? JSON.stringify(call.body) : null,
      signal: AbortSignal.timeout(GIVE_UP_MS),
    });
    const text = await response.text();
    const body = text === '' ? undefined : JSON.parse(text);
    const code = codeOf(body) ?? (response.ok ? undefined : 'unknown');
    const { status } = response;
    if (status === 500 || code === 'internal_error') {
      this.#seen.wrong('internal', `${call.name}: ${text.slice(0, SHOWN)}`);
      return undefined;
    }
    if (status === 200 && code === 'unavailable') {
      // The response of GraphQL if one of several fields failed: its error has the status, and the response is 200.
      this.#seen.trouble('unavailable', `${call.name} (${text.slice(0, SHOWN)})`);
      return undefined;
    }
    if (status === 503 || status === 429) {
      if (response.headers.has('retry-after'))
        this.#seen.trouble('unavailable', `${call.name} (${status} ${text.slice(0, SHOWN)})`);
      else this.#seen.wrong('bare', `${call.name}: ${status} without Retry-After: ${text.slice(0, SHOWN)}`);
      return undefined;
    }
    this.#seen.done(call.name, performance.now() - startedAt);
    return { status, code, body };
  }

  graphql(name: string, query: string, variables: object = {}, accepts: readonly string[] = []): Call {
    return { name, method: 'POST', path: '/graphql', body: { query, variables }, accepts };
  }

  rest(method: Call['method'], path: string, body?: object, accepts: readonly string[] = []): Call {
    return { name: `${method} ${path}`, method, path: BASE + path, accepts, ...(body && { body }) };
  }
}

// biome-ignore lint/suspicious/noExplicitAny: any body
function codeOf(body: any): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const [error] = body.errors ?? [];
  if (error?.extensions) return error.extensions.code;
  if (typeof body.code === 'string' && typeof body.status === 'number') return body.code;
  for (const result of Object.values(body.data ?? {}) as { userErrors?: { code: string }[] }[]) {
    const [userError] = result?.userErrors ?? [];
    // An enum there, in the graph's spelling.
    if (userError) return userError.code.toLowerCase();
  }
  return undefined;
}
