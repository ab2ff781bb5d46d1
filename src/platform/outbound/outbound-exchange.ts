import type { Dispatcher } from 'undici';
import { OutboundError, type OutboundFailure, outcomeOf } from './outbound-failure.ts';

const MAX_INTERIM = 10;

export interface Answer {
  readonly outcome: 'answered';
  readonly status: number;
  /** The header as it came: seconds or a date, or neither. */
  readonly retryAfter: string | null;
  /** All headers by their names in lower case, as undici has them. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** The body as it came, not decompressed, as far as it is kept. */
  readonly bytes: Buffer;
  /** Whether that is all of it. */
  readonly isWhole: boolean;
}

type Head = Pick<Answer, 'status' | 'retryAfter' | 'headers'>;

export interface BodyLimits {
  /** What is read before the connection is dropped. */
  readonly maxResponseBytes: number;
  /** What is kept of it. */
  readonly keptResponseBytes: number;
}

export type Ending = Answer | { readonly outcome: OutboundFailure };

/** One request and its answer, as undici reports it. It ends once: by the answer, by undici's error, by time or by abort. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly ended: Promise<Ending>;
  isOver = false;
  /** The answer was read to its end, so the connection can carry another. */
  isComplete = false;
  readonly #end: (ending: Ending) => void;
  readonly #limits: BodyLimits;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #interim = 0;
  #head: Head | undefined;

  constructor(limits: BodyLimits) {
    const { promise, resolve } = Promise.withResolvers<Ending>();
    this.ended = promise;
    this.#end = resolve;
    this.#limits = limits;
  }

  /** Over, for a reason; once the status is known that is the outcome, or an accepted request would be sent again. */
  fail(outcome: OutboundFailure): void {
    this.isOver = true;
    if (this.#head) this.#end(this.#answer(this.#head));
    else this.#end({ outcome });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.isOver) controller.abort(new OutboundError('aborted'));
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
    this.#head = { status, retryAfter: typeof retryAfter === 'string' ? retryAfter : null, headers };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#bytes < this.#limits.keptResponseBytes) this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#limits.maxResponseBytes) return;
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

  #answer(head: Head): Answer {
    const bytes = Buffer.concat(this.#chunks).subarray(0, this.#limits.keptResponseBytes);
    return { outcome: 'answered', ...head, bytes, isWhole: this.isComplete && bytes.length === this.#bytes };
  }
}

/** The start of a body as UTF-8, without U+0000 (which PostgreSQL can't store). */
export function textOfStart({ bytes, isWhole }: Answer): string {
  // As part of a stream where there is more, so that a character cut in two is left out.
  return new TextDecoder().decode(bytes, { stream: !isWhole }).replaceAll('\0', '');
}
