import type { Dispatcher } from 'undici';
import { outcomeOf, type PostFailure, Refusal } from './outbound-failure.ts';

const KEPT_BODY_BYTES = 4096;
const MAX_INTERIM = 10;

export interface Answer {
  readonly outcome: 'answered';
  readonly status: number;
  /** The header as it came: seconds or a date, or neither. */
  readonly retryAfter: string | null;
  /** The first 4 KiB as UTF-8, not decompressed, without U+0000 (which PostgreSQL can't store). */
  readonly body: string;
}

export type Ending = Answer | { readonly outcome: PostFailure };

/** One request and its answer, as undici tells of it. It ends once: by the answer, by undici's error, by time or by abort. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly ended: Promise<Ending>;
  isOver = false;
  /** The answer was read to its end, so the connection can carry another. */
  isComplete = false;
  readonly #end: (ending: Ending) => void;
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #interim = 0;
  #head: Pick<Answer, 'status' | 'retryAfter'> | undefined;

  constructor(maxBytes: number) {
    const { promise, resolve } = Promise.withResolvers<Ending>();
    this.ended = promise;
    this.#end = resolve;
    this.#maxBytes = maxBytes;
  }

  /** Over, for a reason; once the status is known that is the outcome, or an accepted request would be sent again. */
  fail(outcome: PostFailure): void {
    this.isOver = true;
    this.#end(this.#head ? { outcome: 'answered', ...this.#head, body: this.#text() } : { outcome });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.isOver) controller.abort(new Refusal('aborted'));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    // Interim answers come before the one that counts, a few of them.
    if (status < 200) {
      if (++this.#interim <= MAX_INTERIM) return;
      controller.pause();
      this.fail('protocol_error');
      return;
    }
    const [retryAfter] = [headers['retry-after']].flat();
    this.#head = { status, retryAfter: typeof retryAfter === 'string' ? retryAfter : null };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#bytes < KEPT_BODY_BYTES) this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#maxBytes) return;
    // Not `abort`, which undici can't bear while it parses; the connection is dropped as the exchange is over.
    controller.pause();
    this.fail('protocol_error');
  }

  onResponseEnd(): void {
    this.isComplete = !this.isOver;
    this.fail('protocol_error');
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(outcomeOf(error));
  }

  #text(): string {
    const bytes = Buffer.concat(this.#chunks).subarray(0, KEPT_BODY_BYTES);
    // As part of a stream where there is more, so that a character cut in two is left out.
    return new TextDecoder().decode(bytes, { stream: this.#bytes > KEPT_BODY_BYTES }).replaceAll('\0', '');
  }
}
